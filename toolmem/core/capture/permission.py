"""What a sentence takes back: a rule that is dropped, an act that is allowed.

Whether a rule is meant, and which, is for ``relate``: a permission without a
rule against it changes nothing.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from toolmem.core.capture.classes import CLASSES
from toolmem.core.capture.moods import asks, supposes
from toolmem.core.capture.openings import read_opening
from toolmem.core.capture.permits import PERMITS, STATES
from toolmem.core.capture.phrases import Table
from toolmem.core.capture.smallwords import BREAKS, SUBJECTS, word_set
from toolmem.core.capture.words import QUOTE, Token

_PERMITS, _STATES = Table(PERMITS), Table(STATES)
_AGAIN = word_set("again now anymore more longer whenever freely onwards after")
RESTRICTING = word_set(
    "for only when if during except unless until provided while in on as once within"
    " about with from after before but under outside"
)
_GRANTS = word_set("allowed norm needless")
_ALL = _GRANTS | {"dropped", "except"}
_MAY = word_set("us can may should could")
_ENDS = word_set("; . — – ( because")
_ONCE = CLASSES["this"] | word_set(
    "time week month morning afternoon evening weekend once one"
)
_FROM_HERE = {
    (start, day)
    for start in ("from", "of", "since", "starting", "effective")
    for day in ("now", "today")
}
"""Pairs of words that give a permission a beginning and no end."""
_FOR_ONCE = 0.4
"""Confidence of a permission for once: the rule stays."""
_SUBJECT_WORDS = 10


class Permission(NamedTuple):
    """What is taken back: its kind, how sure that is, and what it is about.

    The tokens from ``start`` to ``topic`` are its subject, those from ``topic``
    to ``end`` what it says of it; before ``start`` stands a condition, or, if
    ``context`` is set, what its pronouns point at.
    """

    kind: str
    effect: str
    confidence: float
    start: int
    topic: int
    end: int
    for_good: bool
    context: bool


def read_permission(tokens: Sequence[Token], question: bool) -> Permission | None:
    """The permission that a sentence gives, if it gives one."""
    opening = read_opening(tokens, 0)
    first = opening.head if opening.head < len(tokens) else 0
    if question or not tokens or supposes(tokens, first) or asks(tokens, first):
        return None
    for at in _places(tokens, first):
        found = _headed(tokens, at) or _stated(tokens, at)
        if found:
            return _weighed(tokens, found, at, "while" in opening.kinds)
    return None


def _places(tokens: Sequence[Token], first: int) -> list[int]:
    """The sentence's beginning, and what follows a condition in front of it."""
    places = [first, 0]
    if tokens[first].word in RESTRICTING:
        comma = next((n for n in range(first, len(tokens)) if tokens[n].word == ","), 0)
        start = comma + 1 if comma else _subject_after(tokens, first + 1)
        if start and start < len(tokens):
            places.append(read_opening(tokens, start).head)
    else:
        places += [
            read_opening(tokens, at + 1).head
            for at in range(first, len(tokens) - 1)
            if tokens[at].word in (",", ";", "—", "–", "-", ":")
        ]
    return [at for at in places if at < len(tokens)]


def _subject_after(tokens: Sequence[Token], at: int) -> int:
    return next(
        (n for n in range(at, len(tokens)) if tokens[n].word in ("you", "it")), 0
    )


class _Found(NamedTuple):
    """A phrase of permission: its kind, its sureness, and where its topic begins."""

    kind: str
    sure: float
    topic: int


def _weighed(
    tokens: Sequence[Token], found: _Found, at: int, brief: bool
) -> Permission:
    words = [token.word for token in tokens]
    shown = set(words[at:])
    lasting = not _FROM_HERE.isdisjoint(pairwise(words))
    sure = found.sure
    if found.kind in _GRANTS and (lasting or shown & _AGAIN):
        sure += 0.2
    if (
        brief
        or "tonight" in shown
        or ("today" in shown and not lasting)
        or _once(words)
    ):
        sure = min(sure, _FOR_ONCE)
    conditional = words[0] in RESTRICTING
    narrowed = conditional or (found.kind != "dropped" and shown & RESTRICTING)
    effect = "exception" if found.kind == "except" or narrowed else "revoke"
    return Permission(
        found.kind,
        effect,
        round(min(sure, 0.95), 2),
        at,
        found.topic,
        _clause_end(tokens, found.topic),
        for_good=lasting or found.kind == "norm" or bool(shown & (_AGAIN - {"now"})),
        context=at > 0 and not conditional,
    )


def _once(words: Sequence[str]) -> bool:
    """Whether it holds for this once, so that the rule stays."""
    return any(
        first in ("this", "just") and second in _ONCE
        for first, second in pairwise(words)
    )


def _clause_end(tokens: Sequence[Token], at: int) -> int:
    """Where what is permitted ends and a reason or another clause begins."""
    for n in range(at + 1, len(tokens)):
        word = tokens[n].word
        after = tokens[n + 1].word if n + 1 < len(tokens) else ""
        if word in _ENDS or (word == "," and after not in RESTRICTING):
            return n
    return len(tokens)


def _headed(tokens: Sequence[Token], at: int) -> _Found | None:
    """A permission that begins a clause: "you can …", "forget the rule …"."""
    if tokens[at].word in ("let", "you", "we") and at + 2 < len(tokens):
        inner = [kind for kind, _, _ in _PERMITS.at(tokens, at + 2)]
        if tokens[at + 1].word in _MAY and "dropped" in inner:
            return _Found("dropped", 0.9, at + 2)
        if tokens[at + 1].word in _MAY and "except" in inner:
            return _Found("except", 0.8, at + 2)
        if tokens[at].word == "let" and inner:
            return _Found(inner[0], 0.65, at + 2)
    return _surest(_PERMITS, tokens, at, at, _ALL)


def _stated(tokens: Sequence[Token], at: int) -> _Found | None:
    """A permission about a subject: "pushing to main is fine now"."""
    if tokens[at].word in SUBJECTS or tokens[at].word == QUOTE:
        return None
    for verb in range(at + 1, min(at + _SUBJECT_WORDS, len(tokens))):
        if tokens[verb].word in BREAKS:
            return None
        rule = CLASSES["ruling"] & {token.word for token in tokens[at:verb]}
        found = _surest(_STATES, tokens, verb, verb, _ALL if rule else _GRANTS)
        if found:
            return found
    return None


def _surest(
    table: Table, tokens: Sequence[Token], at: int, topic: int, kinds: frozenset[str]
) -> _Found | None:
    fits = [
        (float(table.groups[kind]), kind)
        for kind, _, _ in table.at(tokens, at)
        if kind in kinds
    ]
    if not fits:
        return None
    sure, kind = max(fits)
    return _Found(kind, sure, topic)
