"""Cue words: a message without one contains no decree.

The lists are wide on purpose; ``features`` and ``model`` drop what is surely none.
"""

from collections.abc import Sequence
from itertools import pairwise

from toolmem.core.capture.text.words import RULE_LEADS, Token, word_set

NEGATIONS = word_set(
    "never not no avoid avoiding stop cease refrain quit without nobody none forbidden"
    " prohibited banned off-limits disallow disallowed"
)
HABITS = word_set(
    "always whenever everytime forever permanently henceforth afterwards consistently"
    " strictly mandatory invariably exclusively"
)
DUTIES = word_set(
    "must should ensure only prefer preferably rather respect follow remember note"
    " unless anymore future forward rule rules convention conventions guideline"
    " guidelines memory policy required important critical standard instead every each"
)
PERMITS = word_set(
    "again forget disregard lift exception allowed may can longer scrap scratch"
)
CUES = NEGATIONS | HABITS | DUTIES | PERMITS


_PAIRS = frozenset((("now", "on"), ("next", "time"), ("make", "sure")))


def has_cue(tokens: Sequence[Token]) -> bool:
    """Return whether any word, or pair of words, is a cue."""
    words = [token.word for token in tokens]
    return not CUES.isdisjoint(words) or not _PAIRS.isdisjoint(pairwise(words))


def announces_rules(lead: str) -> bool:
    """Return whether a heading or the line above a list speaks of rules."""
    words = lead.replace(",", " ").split()
    return bool(RULE_LEADS & set(words))


def is_question(tokens: Sequence[Token], text: str) -> bool:
    """Return whether a sentence asks something and requests nothing."""
    words = [token.word for token in tokens]
    first = words[:1]
    if text.rstrip(" *_)\"'").endswith("?"):
        polite = set(words[:3]) & {"can", "could", "would", "please", "will"}
        return not (polite and "you" in words[:4])
    return bool(first) and first[0] in ("what", "why", "how", "where", "who")
