"""Prove that two texts are the same: a closed list of harmless edits turns one into
the other.

Outside code, options and the start of lines, these are: white space and line width,
typographic quotes and dashes between words, a full stop at the end, the case of a
sentence's first letter, a sentence of prose wholly in capitals, a comma before "and",
"because" or "so", the style of list markers, and one misspelt word. Every other
difference counts, whatever it is: a list of those that matter is never complete.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from toolmem.core.comparison.statements import Statement, read_statements
from toolmem.core.search.spelling import distances

_LETTERS = r"[^\W\d_]+(?:['’‑–-][^\W\d_]+)*"
_WORD = re.compile(rf"""(["'“”‘’(]*)({_LETTERS})([.,;:!?…"'“”‘’)]*)""")
_QUOTES = str.maketrans("“”‘’–‑", "\"\"''--")
_TYPOGRAPHIC = frozenset("–—")
_DASHES = frozenset({"-", "--", "–", "—"})
_SHOUTED = 3
"""Minimum words of a sentence in capitals: fewer may be names."""
_PROSE = frozenset(
    "a an and any are as at be before by do for from if in is it its must never no not "
    "of on only or should the this to use when with without you your".split()
)
"""Words of which a sentence of prose has one, and a list of names has none."""
_PART = 3
"""Minimum words of a statement that repeats a part of another: fewer are labels."""
_PUNCTUATION = ".,;:!?…\"'“”‘’()"
_COMPARED_CHARS = 32 * 1024
"""Characters of the statements of which one may be a part of another."""
_SLIP = 5
"""Minimum letters of a word of which one is left out, or swapped with the next."""
_COINED = 6
"""Minimum letters of a word in which one is added or replaced, as in most names that
are nearly a word: of 794 Debian packages a letter away from another, which is a word,
757 are like ``gmake`` and ``nuxt``, 26 leave out an inner letter, 11 swap two.
"""


class Spelling(NamedTuple):
    """Existing words: those of a dictionary, and the number of memories with a word."""

    is_word: Callable[[str], bool]
    frequency: Callable[[str], int]

    def knows(self, word: str) -> bool:
        """Return True for a word of the dictionary or of several memories."""
        return self.is_word(word) or self.frequency(word) > 1


def same_text(one: str, other: str, spelling: Spelling | None = None) -> bool:
    """Return True if two texts are the same; without ``spelling``, no word is misspelt.

    A rule is compared without: its guards depend on its very words.
    """
    if one == other:
        return True
    if spelling is None and text_key(one) != text_key(other):
        return False  # nearly every pair of rules
    return same_statements(read_statements(one), read_statements(other), spelling)


@lru_cache(maxsize=1 << 13)
def text_key(text: str) -> str:
    """Return a key that is equal for texts that are the same, and for some others.

    A text with a misspelt word has another key.
    """
    return "\n".join(
        statement.key.translate(_QUOTES) for statement in read_statements(text)
    )


def exact_key(text: str) -> str:
    """Return a key that is equal only for texts that are the same; ids are made of it.

    Texts that differ in capitals or dashes have different keys, though they may be the
    same.
    """
    read = read_statements(text)
    line = "\n".join(
        " ".join((*statement.place, *statement.tokens)).strip() for statement in read
    )
    return line[:1].lower() + line[1:] if line[1:2].islower() else line


def same_statements(
    ours: Sequence[Statement],
    theirs: Sequence[Statement],
    spelling: Spelling | None = None,
) -> bool:
    """Return True if two texts have the same statements in the same order."""
    if len(ours) != len(theirs):
        return False
    misspelt = ("", "")
    for one, other in zip(ours, theirs, strict=True):
        for at in _differences(one, other):
            if any(misspelt) or not _is_misspelt(
                one.tokens, other.tokens, at, spelling
            ):
                return False
            misspelt = one.key, other.key
        if one.place != other.place and not _is_place(one.place, other.place, misspelt):
            return False
    return True


def contains(
    ours: Sequence[Statement], theirs: Sequence[Statement], *, whole: bool = False
) -> bool:
    """Return True if one text has every statement of another, in the same places.

    ``whole``: as whole paragraphs, so that no sentence next to them limits them.
    """
    rest = iter(ours)
    matches = [
        next((m for m in rest if _is_same(m, statement)), None) for statement in theirs
    ]
    if None in matches:
        return False
    blocks = {mine.block for mine in matches if mine}
    return not whole or sum(statement.block in blocks for statement in ours) == len(
        matches
    )


def repeats_part(text: Sequence[Statement]) -> bool:
    """Return True if a statement is a part of another in the same place.

    A part may state something else than the whole (a condition is left out), so
    neither can stand for the other. Only the first statements are compared.
    """
    by_place: dict[tuple[str, ...], list[str]] = {}
    chars_left = _COMPARED_CHARS
    for statement in text:
        chars_left -= len(statement.key)
        if chars_left > 0 and not statement.code and len(statement.tokens) >= _PART:
            spoken = [token.strip(_PUNCTUATION) for token in statement.key.split()]
            by_place.setdefault(statement.place, []).append(f" {' '.join(spoken)} ")
    return any(
        "\n".join(keys).count(key) > times
        for keys in by_place.values()
        for key, times in Counter(keys).items()
    )


def _is_same(one: Statement, other: Statement) -> bool:
    return one.place == other.place and next(_differences(one, other), None) is None


def _is_place(
    one: Sequence[str], other: Sequence[str], misspelt: tuple[str, str]
) -> bool:
    """Return True for places below a heading or item of which a word is misspelt."""
    mine, meant = misspelt
    return (
        bool(mine)
        and len(one) == len(other)
        and all(
            above == known
            or (above.endswith(mine) and above[: -len(mine)] + meant == known)
            for above, known in zip(one, other, strict=True)
        )
    )


def _differences(one: Statement, other: Statement) -> Iterator[int]:
    """Yield the places at which no harmless edit explains a difference; -1 for all."""
    if one.tokens == other.tokens and one.code == other.code:
        return
    if one.code or other.code or len(one.tokens) != len(other.tokens):
        yield -1
        return
    sides = one.tokens, other.tokens
    capitals = _is_shouted(one.tokens) or _is_shouted(other.tokens)
    for at, (mine, known) in enumerate(zip(*sides, strict=True)):
        if mine == known or _same_token(mine, known, first=at == 0, folded=capitals):
            continue
        if not {mine, known} <= _DASHES or not _is_dash(sides, at):
            yield at


def _same_token(mine: str, known: str, *, first: bool, folded: bool) -> bool:
    ours, theirs = _WORD.fullmatch(mine), _WORD.fullmatch(known)
    if not ours or not theirs:
        return _is_quoted_alike(mine, known)
    around = [(m[1] + " " + m[3]).translate(_QUOTES) for m in (ours, theirs)]
    word, other = (m[2].translate(_QUOTES) for m in (ours, theirs))
    if around[0] != around[1] or word == other:
        return around[0] == around[1]
    long = len(word) > 1 or word in "aAiI"
    if folded and long and word.lower() == other.lower():
        return not any(map(_is_mixed, (word, other)))
    if first and long and word[0].lower() == other[0].lower():
        return word[1:] == other[1:] and not any(map(str.isupper, word[1:]))
    return False


def _is_mixed(word: str) -> bool:
    return not (word.isupper() or word[1:].islower())


def _is_quoted_alike(mine: str, known: str) -> bool:
    """Return True for a number or name that only the quotes around it differ in."""
    if mine[:1] == "-" or known[:1] == "-" or "`" in mine + known:
        return False
    bare = [token.strip("\"'“”‘’") for token in (mine, known)]
    ours, theirs = (token.translate(_QUOTES) for token in (mine, known))
    return bool(bare[0]) and bare[0] == bare[1] and ours == theirs


def _is_dash(sides: Sequence[Sequence[str]], at: int) -> bool:
    """Return True if one of two dashes is typographic, and both are between words."""
    if not any(side[at] in _TYPOGRAPHIC for side in sides):
        return False
    return all(
        0 < at < len(side) - 1
        and all(map(_WORD.fullmatch, (side[at - 1], side[at + 1])))
        for side in sides
    )


def _is_shouted(tokens: Sequence[str]) -> bool:
    """Return True for a sentence of prose wholly in capitals."""
    spoken = [match[2] for match in map(_WORD.fullmatch, tokens) if match]
    if len(spoken) < _SHOUTED or not all(map(str.isupper, spoken)):
        return False
    return not _PROSE.isdisjoint(map(str.lower, spoken))


def _is_misspelt(
    one: Sequence[str], other: Sequence[str], at: int, spelling: Spelling | None
) -> bool:
    """Return True if one of two words is a misspelling of the other.

    Neither is a name or next to code, and the dictionary is of their language.
    """
    if spelling is None or at < 0:
        return False
    mine, meant = (_spoken(side, at) for side in (one, other))
    if not mine or not meant or spelling.knows(mine) == spelling.knows(meant):
        return False
    slip = (mine, meant) if spelling.knows(meant) else (meant, mine)
    return _is_slip(*slip) and is_in_language(other, spelling.is_word)


def _is_slip(unknown: str, word: str) -> bool:
    """Return True if a word was mistyped rather than a name coined from it."""
    if distances(unknown, (word,), 1).get(word) != 1:
        return False
    if sorted(unknown) == sorted(word):
        return len(word) >= _SLIP
    least = _SLIP if len(unknown) < len(word) else _COINED
    ends_alike = (unknown[0], unknown[-1]) == (word[0], word[-1])
    return len(word) >= least and ends_alike


def _spoken(tokens: Sequence[str], at: int) -> str:
    """Return the word at a place in lower case; empty for a name or code."""
    match = _WORD.fullmatch(tokens[at])
    around = (*tokens[max(0, at - 1) : at], *tokens[at + 1 : at + 2])
    if not match or any(token[:1] in "-`" for token in around):
        return ""
    word = match[2]
    return word.lower() if word.islower() or (at == 0 and word[1:].islower()) else ""


def is_in_language(tokens: Sequence[str], is_word: Callable[[str], bool]) -> bool:
    """Return True for a sentence of which most words are in a dictionary."""
    spoken = [match[2].lower() for match in map(_WORD.fullmatch, tokens) if match]
    return 2 * sum(map(is_word, spoken)) >= len(spoken)
