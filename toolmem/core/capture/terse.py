"""Rules that are only named: items of a list of rules, "one change per commit"."""

from collections.abc import Iterator, Sequence

from toolmem.core.capture.candidates import MANDATE, Candidate
from toolmem.core.capture.leads import announces_rules
from toolmem.core.capture.lexicon import PROCESS_NOUNS
from toolmem.core.capture.openings import Opening
from toolmem.core.capture.phrases import is_base
from toolmem.core.capture.smallwords import (
    BREAKS,
    DETERMINERS,
    PREPOSITIONS,
    SUBJECTS,
    word_set,
)
from toolmem.core.capture.words import Token, words_in

_LONGEST_LEAD = 12
_FINITE = word_set("is are was were has have had will does did")
_NUMBERS = word_set("one two three four five 1 2 3 4 5")
_ALWAYS = (
    ["always"],
    ["every", "time"],
    ["every", "single", "time"],
    ["each", "time"],
    ["no", "exceptions"],
    ["without", "exception"],
)
"""How what is said without a verb ends, if it is a rule."""
_FAILING = word_set(
    "fail fails failed crash crashes break breaks broke hang hangs error errors"
    " is are was were see got"
)
"""What tells of something that happens every time."""


def announced(
    tokens: Sequence[Token], opening: Opening, kind: str, lead: str
) -> Iterator[Candidate]:
    """An item of a list that is headed as rules, whatever it looks like."""
    listed = kind == "item" and len(lead.split()) <= _LONGEST_LEAD
    if not listed or not announces_rules(lead):
        return
    first = tokens[opening.head].word
    bare = first not in SUBJECTS | DETERMINERS and not _FINITE & words_in(
        tokens, opening.head, len(tokens)
    )
    if bare or is_base(first) or first in ("if", "when", "only"):
        yield _named("announced", 0.75, opening)


def terse(tokens: Sequence[Token], opening: Opening) -> Iterator[Candidate]:
    """ "One change per commit", "short answers first, always": without a verb."""
    words = [token.word for token in tokens[opening.head :]]
    if words[0] in PREPOSITIONS and "," in words[:7]:
        words = words[words.index(",") + 1 :] or words
    colon = words.index(":") if ":" in words[:8] else 0
    if words[0] in _NUMBERS and "per" in words[1:7] and not _FINITE & set(words):
        yield _named("terse", 0.7, opening)
    elif colon and words[0] in ("all", "any", "every", "each"):
        short = len(words) - colon < 10 and not _FINITE & set(words)
        if short and PROCESS_NOUNS & set(words[:3]):
            yield _named("terse", 0.7, opening)
    elif words[0] in SUBJECTS | DETERMINERS - {"all", "any", "every", "each"}:
        return
    elif PROCESS_NOUNS & set(words[:3]) and not _FAILING & set(words):
        end = len(words) - (words[-1] in BREAKS)
        if any(words[end - len(last) - 1 : end] == [",", *last] for last in _ALWAYS):
            yield _named("terse", 0.75, opening)


def _named(group: str, sure: float, opening: Opening) -> Candidate:
    return Candidate(group, MANDATE, sure, opening.head, opening.head, opening)
