"""Match words of two texts that are the same in another form: synonyms and typos.

A typo is a word that is in no dictionary and no memory, in place of one that is and
that differs in a letter or two. Names are never typos.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from toolmem.core import search_limits
from toolmem.core.comparison.document import Document
from toolmem.core.comparison.grammar import AUXILIARIES, PASTS, SYNONYMS
from toolmem.core.comparison.tokens import CODE, WORD, ComparedToken
from toolmem.core.search.spelling import distance

_KNOWN = 0.5
"""Share of a statement's words that a dictionary of its language contains."""


class Spelling(NamedTuple):
    """Existing words: those of a dictionary, and the number of memories with a word."""

    is_word: Callable[[str], bool]
    frequency: Callable[[str], int]


def with_synonyms(ours: Document, theirs: Document) -> tuple[Document, Document]:
    """Return both texts with the same key for synonyms."""
    quoted = {t.word for t in (*ours.tokens, *theirs.tokens) if t.kind == CODE}
    mine, known = ({t.key for t in side.tokens} for side in (ours, theirs))
    changed = {
        key: SYNONYMS[key]
        for key in mine ^ known
        if key in SYNONYMS and key not in quoted
    }
    changed |= {SYNONYMS[key]: SYNONYMS[key] for key in changed}
    for side in (mine, known):
        for key in side:
            if SYNONYMS.get(key) in changed and key not in quoted:
                changed[key] = SYNONYMS[key]
    return _respelt(ours, changed), _respelt(theirs, changed)


def _respelt(document: Document, keys: dict[str, str]) -> Document:
    if not keys or keys.keys().isdisjoint(token.key for token in document.tokens):
        return document
    return Document(
        tuple(
            one._replace(
                tokens=tuple(
                    t._replace(key=keys.get(t.key, t.key)) if t.kind == WORD else t
                    for t in one.tokens
                )
            )
            for one in document.statements
        )
    )


def is_slip(
    one: Sequence[ComparedToken],
    at: int,
    other: Sequence[ComparedToken],
    place: int,
    known: Spelling,
) -> bool:
    """Return True if one of two corresponding words is a misspelling of the other."""
    mine, meant = one[at], other[place]
    if not (_is_ordinary(one, at) and _is_ordinary(other, place)):
        return False
    if not _is_close(mine.word, meant.word):
        return False
    real = [known.is_word(w) or known.frequency(w) > 1 for w in (mine.word, meant.word)]
    return real[0] != real[1] and _is_in_its_language(other, known)


def _is_in_its_language(tokens: Sequence[ComparedToken], known: Spelling) -> bool:
    """Return True if the dictionary is one of the statement's language.

    In another language, words that it does not contain are no misspellings.
    """
    spoken = [t.word for t in tokens if t.kind == WORD and t.word.isalpha()]
    return sum(map(known.is_word, spoken)) >= _KNOWN * len(spoken)


def _is_ordinary(tokens: Sequence[ComparedToken], at: int) -> bool:
    """Return True unless a word is a name, number or identifier."""
    token = tokens[at]
    if token.kind != WORD or not token.word.isalpha():
        return False
    if not token.capital:
        return True
    return at == 0 and len(tokens) > 1 and _opens(tokens[1])


def _opens(after: ComparedToken) -> bool:
    """Return True if the word before this one begins a statement without being its
    subject.
    """
    return (
        after.article
        or after.kind != WORD
        or not (
            after.word in AUXILIARIES or after.word in PASTS or after.word != after.key
        )
    )


def _is_close(word: str, meant: str) -> bool:
    short, long = sorted((word, meant), key=len)
    if len(long) < 4 or not long.isascii():
        return False
    if word[0] != meant[0] and sorted(word[:2]) != sorted(meant[:2]):
        return len(short) < len(long) and distance(word, meant, 1) == 1
    most = 1 if len(long) < search_limits.SLIP_CHARS else 2
    return distance(word, meant, most) <= most
