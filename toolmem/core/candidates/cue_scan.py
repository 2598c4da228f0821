"""Quickly exclude messages that cannot contain a decree.

A hook reads every message, and most contain no decree. This looks for cues in the words
of the whole message, unmasked, and so finds at least those that ``capture.detect``
would find in one of its sentences. Only a message that passes is read in full.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from toolmem.core.capture.detect import languages
from toolmem.core.capture.detect.cues import ORDER_VERBS
from toolmem.core.capture.text.lists import phrase_lists, word_lists
from toolmem.core.capture.text.words import RULE_LEADS, expand, word_set

_LONG = 4_000
"""A message with more characters is read in full."""
_HIDES = frozenset('\n<~:`"“”„«»')
"""With these a part may be masked, and separate words become adjacent."""
_PIECE = re.compile(r"[^\W_]+(?:['’‘`´ʼ′＇][^\W_]+)*'?|[^\w\s*]")
_NON_WORD = re.compile(r"\W+")


class _Cues(NamedTuple):
    """Single words, phrases, and the words of each phrase."""

    words: frozenset[str]
    phrases: tuple[str, ...]
    parts: tuple[frozenset[str], ...]


@cache
def _cues() -> _Cues:
    every = {word for group in word_lists("cue ").values() for word in group}
    several = {phrase for group in phrase_lists("phrase ").values() for phrase in group}
    several |= {"you may", "you can"} | {word for word in every if not word.isalnum()}
    spaced = [" ".join(_PIECE.findall(phrase)) for phrase in sorted(several)]
    parts = tuple(frozenset(filter(str.isalnum, one.split())) for one in spaced)
    return _Cues(frozenset(every), tuple(f" {one} " for one in spaced), parts)


def may_decree(text: str) -> bool:
    """Return False only if a message certainly contains no decree."""
    if len(text) > _LONG or "don;t" in text.lower():
        return True
    words = list(_words(text))
    known_words, cues = set(words), _cues()
    if known_words & cues.words or {"again", "you"} <= known_words:
        return True
    if known_words & {"not", "no", "zero"}:
        return True
    if _HIDES.isdisjoint(text):
        spoken = f" {' '.join(words)} "
        if any(phrase in spoken for phrase in cues.phrases) or _orders(words):
            return True
    elif known_words & _LOOSE or any(parts <= known_words for parts in cues.parts):
        return True
    return _is_foreign(text)


def _words(text: str) -> Iterator[str]:
    """Split words like the detector, in which "leave's" may be "leave is"."""
    for piece in _PIECE.findall(text):
        for word in expand(piece):
            if word.endswith("'s"):
                yield word[:-2]
                yield "'s"
            elif word:
                yield word


_LOOSE = (
    frozenset(part for lead in RULE_LEADS for part in _PIECE.findall(lead))
    | word_set("not no zero")
    | ORDER_VERBS
)
"""Words that are cues at some places of a sentence, or in the line above a list."""


def _orders(words: Sequence[str]) -> bool:
    """Return True if a sentence may begin with a verb of orders."""
    return any(
        word in ORDER_VERBS
        and (at == 0 or words[at - 1] == "please" or not words[at - 1].isalnum())
        for at, word in enumerate(words)
    )


def _is_foreign(text: str) -> bool:
    """Return True if words or a cue of another language are among the words."""
    if languages.is_english(text):
        return False
    if any(char >= "\u0400" and char.isalpha() for char in text):
        return True  # a non-Latin script
    padded = f" {_NON_WORD.sub(' ', text.lower())} "
    present = set(padded.split())
    return any(
        len(present & language.common) > 1
        or any(f" {phrase} " in padded for _, phrase in language.cues)
        for language in languages.load_languages().values()
    )
