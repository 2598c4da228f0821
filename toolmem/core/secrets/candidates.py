"""Words and quotations that may be the value of a credential noun.

A text is read once, piece by piece between neighbouring nouns, so the work is linear. A
piece has the noun before it and the one after it, within a distance.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolmem.core.language.empty_words import empty_words
from toolmem.core.secrets.nouns import Noun
from toolmem.core.secrets.values import is_noise

NOUN_BEFORE, NOUN_AFTER = 100, 60
"""Characters from a noun to its value, and from a value to its noun."""
SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")
_PIECE = re.compile(
    r"""(?x) \\?"(?P<double>[^"\n\\]{1,80})\\?" | `(?P<back>[^`\n]{1,80})`
      | (?<![^\s(=:,>]) '(?P<single>[^'\n]{1,80})'(?!\w)
      | “(?P<curly>[^”\n]{1,80})” | «\s?(?P<angle>[^»\n]{1,80}?)\s?»
      | \*\*(?P<bold>[^*\n]{1,80})\*\* | >\s?(?P<element>[^<>\n]{1,80}?)\s?</
      | (?P<word> [^\s"`“”«»|]{1,257} )"""
)
_NAME_END = re.compile(r"\\?[\"'`*]{0,2}(?=[\]:=,\s])")
"""Quotes that end the name of a noun and begin no value."""
_LEADING = "'([{<*:=,;.-–—>_~"
_TRAILING = "')]}>*:,;.?"
_MARKS = ("',", "';", "')", ")", "<", "\\n", ",", ";")
_PAIR = re.compile(r"[\w.@+-]{2,64}[:/](?=[^\s/:]{4})")
"""A user in front of a password: ``admin:hunter2``."""
_OTHER_KEY = re.compile(
    r"(?<=\n)[ \t]*(?:- )?(?!(?:[\w-]*value|val|default|data|string|content|text)\b)"
    r"[\"']?[A-Za-z][\w.-]*[\"']?[ \t]?[:=][ \t]+[\"']?\Z",
    re.IGNORECASE,
)
"""Name that a line gives to its value, below the line of a noun: ``- task: ``."""
_LEAST = 3
_NEXT_WORD = re.compile(r"[ ]([a-z]+)(?![\w'’])")
_BEHIND = re.compile(
    r"now|again|today|here|everywhere|btw|please|pls|instead|field|prompt|box|dialog"
    r"|\w+ly"
)
"""Words behind a noun that is the head of its name, and places that ask for it."""


class PossibleValue(NamedTuple):
    """A word or quotation of a text, and the nouns before and after it."""

    start: int
    end: int
    is_quoted: bool
    before: Noun | None
    after: Noun | None


def candidates(text: str, nouns: Sequence[Noun]) -> Iterator[PossibleValue]:
    """Yield possible values around the nouns of a text, in order."""
    if not nouns:
        return
    for before, after in zip((None, *nouns), (*nouns, None), strict=True):
        start = _name_end(text, before.end) if before else 0
        end = after.start if after else len(text)
        reach = start + NOUN_BEFORE if before else start
        lead = max(start, end - NOUN_AFTER) if after else end
        if reach < lead:
            if before:
                yield from _pieces(text, start, reach, before, None)
            if after:
                yield from _pieces(text, _word_start(text, lead), end, None, after)
        else:
            yield from _pieces(text, start, end, before, after)


def _name_end(text: str, end: int) -> int:
    match = _NAME_END.match(text, end)
    return match.end() if match else end


def _word_start(text: str, at: int) -> int:
    while 0 < at < len(text) and not text[at].isspace():
        at += 1
    return at


def _pieces(
    text: str, start: int, end: int, before: Noun | None, after: Noun | None
) -> Iterator[PossibleValue]:
    while start < end and (match := _PIECE.search(text, start)):
        if match.start() >= end:
            return
        is_quoted = match.lastgroup != "word"
        first, last = match.span(match.lastgroup or 0)
        start = match.end()
        if not is_quoted:
            start = last = min(last, after.start) if after else last
            if not is_noise(text[first:last]):
                first, last = _trimmed(text, first, last)
        is_name_of_after = after and not is_quoted and last == after.start
        if last - first < _LEAST or is_name_of_after or (after and last > after.start):
            continue
        left = before if before and first - before.end <= NOUN_BEFORE else None
        if left and _OTHER_KEY.search(text, left.end, first):
            left = None
        right = after if after and after.start - last <= NOUN_AFTER else None
        if right and not _is_head(text, right):
            right = None
        pair = _PAIR.match(text, first, last)
        if pair is None or pair[0][-1] == "/" or pair[0][:-1].isdigit():
            yield PossibleValue(first, last, is_quoted, left, right)
        if pair:
            yield PossibleValue(pair.end(), last, False, left, right)


def _is_head(text: str, noun: Noun) -> bool:
    """Return whether a name ends with its noun: ``password hasher`` is no password."""
    match = _NEXT_WORD.match(text, noun.end)
    word = match[1] if match else ""
    return not word or word in empty_words("en") or bool(_BEHIND.fullmatch(word))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the place of a word without the quotes, brackets and stops around it."""
    while start < end and text[start] in _LEADING:
        start += 1
    for mark in _MARKS:
        at = text.find(mark, start + _LEAST, end)
        end = at if at >= 0 else end
    while end > start and (
        text[end - 1] in _TRAILING
        or (text[end - 1] == "!" and not any(map(str.isdigit, text[start:end])))
    ):
        end -= 1
    return start, end
