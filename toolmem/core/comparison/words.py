"""Words of statements, in forms in which they can contradict each other.

Numbers have their unit, negations one key, and inflected words that of their stem.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from toolmem.core.comparison.opposites import (
    FILLERS,
    LONGEST_PHRASE,
    NEGATIONS,
    NUMBERS,
    PHRASES,
    UNITS,
)
from toolmem.core.comparison.statements import Statement
from toolmem.core.text.terms import SPACELESS

NEGATION = "not"
"""Key of every negation."""
MOST_WORDS = 400
"""Words of each text, at most, among which a contradiction is looked for."""
_PUNCTUATION = "(){}\"'“”‘’`,;:?.…*_|"
_PIECE = re.compile(r"\[[ xX]\]|\S+")
_VALUED = re.compile(r"([^\W\d][\w.-]*)(===?|!==?|<=|>=|[=<>:])(.+)")
_SIGNED = re.compile(r"(<=|>=|!==?|===?|[<>=≤≥≠±!])(?=[\w$€£.+-])")
_QUANTITY = re.compile(r"([-+−]?)([$€£]?)(\d[\d.,]*)([a-zA-Z%°€£]*)")
_THOUSANDS = re.compile(r",(?=\d{3}(?:\D|$))")
_GENITIVE = re.compile(r"(?<=\w)['’]s?$")
_NEGATED = re.compile(r"(\w+?)(?:n['’]t|(?<=can)not)$")
_NO_ONE = re.compile(r"\bno[ -]one\b", re.IGNORECASE)
_SWITCHED = re.compile(
    r"\b(?:turn|switch)(?:ed|es|s|ing)? (?=(?:on|off)\b)", re.IGNORECASE
)
_ELIDED = re.compile(r"\bn['’](?=[^\W\d_])", re.IGNORECASE)
_SPACELESS = re.compile(rf"[{SPACELESS}]|[^{SPACELESS}]+")
_HYPHENATED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_BOXES = {"[ ]": "☐", "[x]": "☑", "[X]": "☑"}
_CONTRACTED = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}
_CONJUNCTIONS = frozenset("and but while because whereas or then".split())
_COMPARING = frozenset("<>≤≥")
_CAPITALS = re.compile(r"([^\W\d_a-z]+(?=s?$))s?")
_AROUND = "(){}\"'“”‘’`,;:!?.…*_|。，；：！？、「」"


class LooseWord(NamedTuple):
    """A word or sign: ``key`` is compared, ``word`` is in lower case.

    ``clause`` counts the parts between commas and conjunctions before it; ``counts`` is
    True for a number, with or without a unit. ``name`` is True for code, and for what
    is written as a name inside a sentence.
    """

    key: str
    word: str
    clause: int = 0
    counts: bool = False
    name: bool = False


class _Spoken(NamedTuple):
    """A word as it is written; a clause may end after it."""

    word: str
    ends_clause: bool = False
    name: bool = False


def words_of(
    statements: Sequence[Statement], stem_of: Callable[[str], str]
) -> list[LooseWord]:
    """Return the words and signs of statements, a few more than ``MOST_WORDS``."""
    words: list[LooseWord] = []
    clause = 0
    for statement in statements:
        clause += 1
        for spoken in _joined(list(_spoken(statement))):
            clause += spoken.word in _CONJUNCTIONS
            _add(words, spoken, clause, stem_of)
            clause += spoken.ends_clause
            if len(words) > MOST_WORDS:
                return words
    return words


def _spoken(statement: Statement) -> Iterator[_Spoken]:
    """Yield the words of a statement."""
    marker = statement.place[-1]
    first, *others = statement.tokens or ("",)
    first = first.lower() if first == "A" else first  # another A is a name
    text = " ".join((marker if marker[:1].isdigit() else "", first, *others))
    begins = True
    for number, part in enumerate(text.split("`")):
        for piece in _PIECE.findall(_plain(part)):
            ends_clause = piece[-1] in ",;，；"
            words = list(_read(piece))
            for at, word in enumerate(words, 1):
                name = number % 2 == 1 or _is_name(word, begins=begins)
                yield _Spoken(word, ends_clause and at == len(words), name)
                begins = False


def _is_name(word: str, *, begins: bool) -> bool:
    if word.isalpha():
        return word != "I" and not (word[1:] if begins else word).islower()
    return any(map(str.isalnum, word)) and word not in NEGATION


def _joined(words: Sequence[_Spoken]) -> Iterator[_Spoken]:
    """Replace phrases that mean what one word or two mean."""
    at = 0
    while at < len(words) and at <= MOST_WORDS:
        lower = [each.word.lower() for each in words[at : at + LONGEST_PHRASE + 1]]
        sizes = range(min(len(lower), LONGEST_PHRASE), 0, -1)
        fits = (size for size in sizes if _is_phrase(lower, size))
        size = next(fits, 0)
        if size:
            meaning = PHRASES[tuple(lower[:size])]
            yield from map(_Spoken, meaning)
        else:
            yield words[at]
        at += max(size, 1)


def _is_phrase(words: Sequence[str], size: int) -> bool:
    """Return True for a phrase; one that compares is before a number: "up to 5"."""
    meaning = PHRASES.get(tuple(words[:size]))
    if meaning is None or not _COMPARING.issuperset(meaning):
        return meaning is not None
    after = words[size] if size < len(words) else ""
    return after in NUMBERS or after[:1].isdigit() or after in ("once", "twice")


def _plain(text: str) -> str:
    """Return a text in which a pronoun or switch is one word."""
    return _ELIDED.sub("ne ", _SWITCHED.sub("", _NO_ONE.sub("nobody", text)))


def _add(
    loose: list[LooseWord], spoken: _Spoken, clause: int, stem_of: Callable[[str], str]
) -> None:
    """Add a word; a unit becomes a part of the number before it."""
    word, lower = spoken.word, spoken.word.lower()
    if not lower or (lower in FILLERS and word != "A"):
        return
    unit = UNITS.get(lower)
    before = loose[-1] if loose else None
    if unit and before and before.counts and before.key[-1:].isdigit():
        word = f"{before.word} {lower}"
        loose[-1] = before._replace(key=_scaled(before.key, *unit), word=word)
    elif lower in NEGATIONS and not (before and before.word == "="):
        loose.append(LooseWord(NEGATION, lower, clause))
    elif quantity := _QUANTITY.fullmatch(NUMBERS.get(lower, word)):
        loose.append(LooseWord(_amount(*quantity.groups()), lower, clause, counts=True))
    else:
        is_plain = word.isalpha() and word[1:].islower()
        capitals = _CAPITALS.fullmatch(word)  # "PRs"
        lower = capitals[1].lower() if capitals else lower
        key = stem_of(lower) if is_plain or capitals else word
        loose.append(LooseWord(key, lower, clause, name=spoken.name))


def _amount(sign: str, currency: str, digits: str, unit: str) -> str:
    """Return a number with its unit, in the base of its dimension."""
    number = sign.replace("−", "-") + _THOUSANDS.sub("", digits).rstrip(".,")
    factor = "million" if unit == "M" else unit.lower()  # "m" are metres
    key = _scaled(number, *UNITS[factor]) if factor in UNITS else number + factor
    return _scaled(key, *UNITS[currency]) if currency else key


def _scaled(number: str, factor: float, dimension: str) -> str:
    try:
        return f"{float(number) * factor:.15g} {dimension}".strip()
    except ValueError:
        return f"{number} {dimension}".strip()


def _read(piece: str) -> Iterator[str]:
    """Yield the words and signs of a piece of text without blanks."""
    while piece not in _BOXES and (valued := _VALUED.fullmatch(piece.strip(_AROUND))):
        yield from (valued[1], valued[2])
        piece = valued[3]
    if piece in _BOXES:
        yield _BOXES[piece]
        return
    piece = piece.lstrip("([{\"'“‘*")
    if signed := _SIGNED.match(piece):
        yield NEGATION if signed[0] == "!" else signed[0]
        piece = piece[signed.end() :]
    core = piece.strip(_AROUND if any(map(str.isalnum, piece)) else _PUNCTUATION)
    if not core or core in "–—--":
        yield from "-" * bool(core)
        return
    core = _GENITIVE.sub("", core) or core
    if negated := _NEGATED.match(core.lower()):
        yield _CONTRACTED.get(negated[1], negated[1])
        core = NEGATION
    if _HYPHENATED.fullmatch(core):
        yield from core.split("-")
    else:
        parts = _SPACELESS.findall(core)
        yield from (part.strip("，。；：！？、") for part in parts)


def numbers_of(text: Sequence[Statement]) -> set[str]:
    """Return the numbers that a text states, each with its unit."""
    words = words_of(text, str)
    return {word.key for word in words if word.counts}
