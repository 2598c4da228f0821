"""How a phrase of the grammar is written down and matched against words.

A phrase is a row of slots: ``never {adv} {base}``. A slot is a word, a choice
(``can|could``), an optional one (``please?``), or a class in braces: one of the
word lists in ``CLASSES``, several of them (``{must|can}``), or

``{adv}``   any number of adverbs and fillers, commas between them included
``{base}``  one word that can be the verb of a command
``{ing}``   one gerund
``{done}``  one participle
``{np}``    one to six words without punctuation, as few as will do
``{noun}``  one word that can begin a bare noun phrase
``{any}``   one word of any kind

A match tells where the phrase ends and where its action begins: at its last
class other than ``{adv}``, else right after it. Matching tries a bounded number
of ways, so a text costs time in proportion to its length.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from toolmem.core.capture.classes import CLASSES
from toolmem.core.capture.lexicon import AGENT_VERBS
from toolmem.core.capture.smallwords import (
    BASE_ED,
    BASE_ING,
    DETERMINERS,
    FILLER_ADVERBS,
    NOT_BASE,
    NOT_GERUND,
    PREPOSITIONS,
    PRONOUNS,
    PUNCTUATION,
    word_set,
)
from toolmem.core.capture.words import ENTITY, QUOTE, Token

_NP_WORDS = 6

KINDS = word_set("adv base ing done np noun any")


class Slot(NamedTuple):
    """One place of a phrase: the words that fit, or the class that decides."""

    words: frozenset[str]
    kind: str
    optional: bool


Phrase = tuple[Slot, ...]


def parse(text: str) -> Phrase:
    """Read a phrase as the module describes it."""
    return tuple(_slot(part) for part in text.split())


def _slot(part: str) -> Slot:
    optional = part.endswith("?")
    part = part.removesuffix("?")
    if part[1:-1] in KINDS:
        return Slot(frozenset(), part[1:-1], optional)
    words: set[str] = set()
    listed = False
    for piece in part.split("|"):
        listed = listed or piece.startswith("{")
        words |= CLASSES[piece.strip("{}")] if listed else {piece}
        listed = listed and not piece.endswith("}")
    return Slot(frozenset(words), "", optional)


def is_base(word: str) -> bool:
    """Whether a word can be the verb of a command."""
    if word == ENTITY:
        return True
    if word in NOT_BASE or word == QUOTE or not word[0].isalpha():
        return False
    if word.endswith("ing"):
        return word in BASE_ING
    if word.endswith("ed"):
        return word in BASE_ED
    return not word.endswith("s") or word.endswith(("ss", "us"))


def is_gerund(word: str) -> bool:
    """Whether a word is the -ing form of a verb."""
    if word.endswith("in") and word[:-2] in AGENT_VERBS:
        return True  # pushin'
    return len(word) > 4 and word.endswith("ing") and word not in NOT_GERUND


def is_participle(word: str) -> bool:
    """Whether a word can be the participle of a passive."""
    return word.endswith("ed") or word in _PARTICIPLES


_PARTICIPLES = word_set(
    "done run sent written made put set built kept read hit cut given taken overwritten"
    " rewritten broken shown left begun spent sold bought reset rebuilt hidden"
)


def _fits(kind: str, word: str) -> bool:
    if kind == "base":
        return is_base(word)
    if kind == "ing":
        return is_gerund(word)
    if kind == "done":
        return is_participle(word)
    if kind == "noun":
        return word not in _NO_NOUN and word not in PUNCTUATION
    return word not in PUNCTUATION


_NO_NOUN = PRONOUNS | (PREPOSITIONS - {"as"}) | DETERMINERS


def match(
    phrase: Phrase, tokens: Sequence[Token], at: int, slot: int = 0
) -> tuple[int, int] | None:
    """Where the phrase ends and where its action begins, None if it does not fit."""
    if slot == len(phrase):
        return at, at
    words, kind, optional = phrase[slot]
    if kind == "adv":
        while at < len(tokens) and tokens[at].word in FILLER_ADVERBS:
            at += 1
        return match(phrase, tokens, at, slot + 1)
    if kind == "np":
        return _match_np(phrase, tokens, at, slot)
    if at < len(tokens):
        word = tokens[at].word
        if word in words if words else _fits(kind, word):
            found = match(phrase, tokens, at + 1, slot + 1)
            if found:
                last = slot + 1 == len(phrase)
                return (found[0], at) if last and kind else found
    return match(phrase, tokens, at, slot + 1) if optional else None


def _match_np(
    phrase: Phrase, tokens: Sequence[Token], at: int, slot: int
) -> tuple[int, int] | None:
    for end in range(at + 1, min(at + _NP_WORDS, len(tokens)) + 1):
        if tokens[end - 1].word in PUNCTUATION:
            return None
        found = match(phrase, tokens, end, slot + 1)
        if found:
            return (found[0], at)
    return None


class Table:
    """Phrases by group, looked up by the word that they begin with.

    The text has a group's name at the margin, followed by what belongs to it,
    and its phrases under it. A phrase is read when its first word is met for
    the first time: most messages need a handful of them.
    """

    def __init__(self, text: str) -> None:
        self.groups: dict[str, str] = {}
        self._rows: dict[str, list[tuple[str, str]]] = {"": []}
        self._read: dict[str, tuple[tuple[str, Phrase], ...]] = {}
        name = ""
        for line in text.splitlines():
            if line.startswith("    "):
                for word in _first_words(line.strip().split(" ", 1)[0]):
                    self._rows.setdefault(word, []).append((name, line))
            elif line:
                name, _, self.groups[name] = line.partition(" ")

    def at(self, tokens: Sequence[Token], at: int) -> Iterator[tuple[str, int, int]]:
        """Each phrase that fits at a place: its group, its end, its action."""
        word = tokens[at].word
        for key in (word, "") if word in self._rows else ("",):
            for name, phrase in self._phrases(key):
                found = match(phrase, tokens, at)
                if found:
                    yield name, found[0], found[1]

    def _phrases(self, key: str) -> tuple[tuple[str, Phrase], ...]:
        if key not in self._read:
            rows = self._rows[key]
            self._read[key] = tuple((name, parse(text)) for name, text in rows)
        return self._read[key]


def _first_words(part: str) -> Iterable[str]:
    """The words that a phrase can begin with; "" when any word may begin it."""
    if "{" not in part:
        return part.removesuffix("?").split("|")
    return _slot(part).words or ("",)
