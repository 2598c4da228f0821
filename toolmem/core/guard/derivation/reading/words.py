"""The words of a text with their roles: the first step of reading a sentence.

Each word, phrase, mark or object is one character of the text of roles, in which
regular expressions find the forms of a sentence whatever its words are.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from toolmem.core.guard.derivation.reading.sentence import SPAN
from toolmem.core.guard.derivation.reading.vocabulary import (
    BEING,
    PARTICIPLES,
    REFRAINS,
    ROLES,
    VERBS,
    WRITING,
)

OBJECT, UNKNOWN, VERB, PARTICIPLE = "o", "w", "V", "p"
_PIECE = re.compile(rf"{SPAN}|[^\s\ue200-\ue5ff]+|\n")
_OPENING = re.compile(r"[(\[{\"“‘*]+(?=[^*]|$)")
_CLOSING = re.compile(r"[)\]}\"”’'*,;:!?.…]+$")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*(?:-[^\W\d_]+)*")
_DASHES = ("-", "–", "—", "--", "->", "→")
_LISTING = ("/", "&", "+", "|")
_MARKS = {"\n": ";", "[": "(", "{": "(", "]": ")", "}": ")", "…": "."}
_SHORT = {
    "n't": "not", "'re": "are", "'ve": "have", "'d": "would", "'ll": "will",
}  # fmt: skip
_NEGATED = frozenset(
    """dont doesnt cant wont mustnt shouldnt isnt arent didnt couldnt wouldnt""".split()
)
_IS = frozenset("it that what here there he she".split())
_LONGEST = 6
_VERBS = VERBS | WRITING | BEING | REFRAINS


class ReadWord(NamedTuple):
    """A word or phrase with its role, and its place in the text."""

    role: str
    text: str
    start: int
    end: int


@cache
def _roles() -> dict[str, str]:
    return {
        " ".join(phrase.split()): role
        for role, listed in ROLES.items()
        for phrase in listed.split("|")
    }


def roles_of(words: Sequence[ReadWord]) -> str:
    """Return the roles of words as a text, one character each."""
    return "".join(word.role for word in words)


def words_of(text: str) -> list[ReadWord]:
    """Return the words of a text, phrases of the vocabulary as one."""
    single = [word for piece in _PIECE.finditer(text) for word in _split(piece)]
    merged: list[ReadWord] = []
    at = 0
    while at < len(single):
        phrase = _phrase(single, at)
        merged.append(phrase[0])
        at += phrase[1]
    return merged


def _phrase(words: Sequence[ReadWord], at: int) -> tuple[ReadWord, int]:
    """Return the longest phrase that begins at a word, and how many words it has."""
    known = _roles()
    for length in range(min(_LONGEST, len(words) - at), 1, -1):
        part = words[at : at + length]
        role = known.get(" ".join(word.text for word in part))
        if role:
            text = " ".join(word.text for word in part)
            return ReadWord(role, text, part[0].start, part[-1].end), length
    return words[at], 1


def _split(piece: re.Match[str]) -> Iterator[ReadWord]:
    """Yield the marks and words of a piece between blanks."""
    text, start = piece[0], piece.start()
    if len(text) == 1 and (re.fullmatch(SPAN, text) or text == "\n"):
        yield ReadWord(_MARKS.get(text, OBJECT), text, start, start + 1)
        return
    if text in _DASHES or text in _LISTING:
        yield ReadWord("-" if text in _DASHES else ",", text, start, piece.end())
        return
    opening = _OPENING.match(text)
    begin = opening.end() if opening else 0
    closing = _CLOSING.search(text, begin)
    end = closing.start() if closing else len(text)
    if "(" in text[begin:end] and text[end : end + 1] == ")":
        end += 1  # "f()" is one word
    yield from _marks(text[:begin], start)
    if begin < end:
        yield from _core(text[begin:end], start + begin)
    yield from _marks(text[end:], start + end)


def _marks(text: str, start: int) -> Iterator[ReadWord]:
    for at, char in enumerate(text, start):
        role = _MARKS.get(char, char)
        if role in ",;:.!?()":
            yield ReadWord(role, char, at, at + 1)


def _core(text: str, start: int) -> Iterator[ReadWord]:
    plain = text.lower().replace("’", "'").replace("`", "'")
    end = start + len(text)
    if not _WORD.fullmatch(plain):
        yield ReadWord(OBJECT, text, start, end)
        return
    base, other = _parted(plain)
    if other:
        middle = start + len(base)
        yield ReadWord(_role(base), base, start, middle)
        yield ReadWord(_role(other), other, middle, end)
        return
    yield ReadWord(_role(plain), plain, start, end)


def _parted(word: str) -> tuple[str, str]:
    """Return the two words that a short form has; the second is empty for others."""
    if word in _NEGATED or word == "cannot":
        word = {"cannot": "cann't"}.get(word, f"{word[:-1]}'t")
    for ending, whole in _SHORT.items():
        if word.endswith(ending):
            base = word.removesuffix(ending)
            return {"ca": "can", "wo": "will"}.get(base, base), whole
    base, mark, rest = word.partition("'s")
    return (base, "is") if mark and not rest and base in _IS else (word, "")


def _role(word: str) -> str:
    role = _roles().get(word)
    if role:
        return role
    if word in PARTICIPLES or (word.endswith("ed") and len(word) > 4):
        return PARTICIPLE
    return VERB if verb_of(word) else UNKNOWN


def verb_of(word: str) -> str:
    """Return the verb that a word is a form of; empty if it is no known one."""
    return base_of(word.lower(), _VERBS)


@cache
def base_of(word: str, bases: frozenset[str]) -> str:
    """Return which of some verbs a word is a form of; empty if it is none of them."""
    for ending in ("", "s", "es", "d", "ed", "ing", "ies", "ied"):
        if not word.endswith(ending):
            continue
        stem = word[: len(word) - len(ending)]
        ends = ("y",) if ending in ("ies", "ied") else ("", "e")
        doubled = stem[:-1] if stem[-1:] == stem[-2:-1] else stem
        for base in (*(stem + end for end in ends), doubled):
            if base in bases:
                return base
    return ""
