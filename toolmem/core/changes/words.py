"""Word diff of two texts."""

import re
from collections.abc import Iterator

from toolmem.core.changes.model import DiffWord
from toolmem.core.text.textlines import common

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
_WORDS = 2_000
"""Longer texts are not compared word by word: that is quadratic."""


def word_diff(before: str, after: str) -> tuple[DiffWord, ...]:
    """Return the pieces of both texts in order; those with ``+`` and ``=`` are
    ``after``.
    """
    old, new = _WORD.findall(before), _WORD.findall(after)
    if len(old) > _WORDS or len(new) > _WORDS:
        return (DiffWord("-", before), DiffWord("+", after))
    return tuple(_joined(_pieces(old, new)))


def _pieces(old: list[str], new: list[str]) -> Iterator[DiffWord]:
    """Split off the common beginning and end; the rest is the change."""
    start = common(old, new)
    end = common(old[start:][::-1], new[start:][::-1])
    until_old, until_new = len(old) - end, len(new) - end
    yield DiffWord("=", "".join(old[:start]))
    gone, come = old[start:until_old], new[start:until_new]
    if gone and come:
        yield from _matched(gone, come)
    else:
        yield DiffWord("-", "".join(gone))
        yield DiffWord("+", "".join(come))
    yield DiffWord("=", "".join(old[until_old:]))


def _matched(old: list[str], new: list[str]) -> Iterator[DiffWord]:
    from difflib import SequenceMatcher  # slow to import, and few texts need it

    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for _, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        gone, come = "".join(old[old_from:old_to]), "".join(new[new_from:new_to])
        if gone == come:
            yield DiffWord("=", gone)
        else:
            yield DiffWord("-", gone)
            yield DiffWord("+", come)


def _joined(pieces: Iterator[DiffWord]) -> Iterator[DiffWord]:
    """Merge changes that only blanks separate."""
    gone = come = ""
    for mark, text in pieces:
        if mark == "-":
            gone += text
        elif mark == "+":
            come += text
        elif not text.strip() and (gone or come):
            gone, come = gone + text, come + text
        else:
            yield from _turned(gone, come)
            gone = come = ""
            if text:
                yield DiffWord("=", text)
    yield from _turned(gone, come)


def _turned(gone: str, come: str) -> Iterator[DiffWord]:
    """Yield one change, with trailing blanks common to both sides after it."""
    tail = ""
    while gone and come and gone[-1] == come[-1] and gone[-1].isspace():
        gone, come, tail = gone[:-1], come[:-1], gone[-1] + tail
    if gone:
        yield DiffWord("-", gone)
    if come:
        yield DiffWord("+", come)
    if tail:
        yield DiffWord("=", tail)
