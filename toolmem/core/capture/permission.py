"""What a sentence takes back: a rule that is dropped, an act that is allowed.

Whether a rule is meant, and which, is for ``relate``: a permission without a
rule against it changes nothing.
"""

from collections.abc import Sequence
from typing import NamedTuple

from toolmem.core.capture.moods import asks, supposes
from toolmem.core.capture.openings import read_opening
from toolmem.core.capture.permits import PERMITS, STATES
from toolmem.core.capture.phrases import CLASSES, Table
from toolmem.core.capture.smallwords import BREAKS, SUBJECTS, word_set
from toolmem.core.capture.words import QUOTE, Token

_PERMITS, _STATES = Table(PERMITS), Table(STATES)
_AGAIN = word_set("again now anymore more longer whenever freely onwards after")
RESTRICTING = word_set(
    "for only when if during except unless until provided while in on as once within"
    " about with from after before but under outside"
)
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
    again: bool
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
    kind: str
    sure: float
    topic: int


def _weighed(
    tokens: Sequence[Token], found: _Found, at: int, brief: bool
) -> Permission:
    end = _clause_end(tokens, found.topic)
    words = {token.word for token in tokens[at:]}
    again = bool(words & _AGAIN) or _from_now(tokens)
    for_good = bool(words & (_AGAIN - {"now"})) or _from_now(tokens)
    for_good = for_good or found.kind == "norm"
    context = at > 0 and tokens[0].word not in RESTRICTING
    sure = found.sure + (
        0.2 if again and found.kind in ("allowed", "norm", "needless") else 0
    )
    if brief or words & {"today", "tonight"} or _this_time(tokens):
        sure = min(sure, 0.4)  # for once: the rule stays
    narrowed = found.kind != "dropped" and bool(words & RESTRICTING)
    narrowed = narrowed or tokens[0].word in RESTRICTING
    effect = "exception" if found.kind == "except" or narrowed else "revoke"
    sure = round(min(sure, 0.95), 2)
    return Permission(found.kind, effect, sure, at, found.topic, end, for_good, context)


def _this_time(tokens: Sequence[Token]) -> bool:
    words = [token.word for token in tokens]
    return any(
        first in ("this", "just") and second in _ONCE
        for first, second in zip(words, words[1:], strict=False)
    )


_ONCE = CLASSES["this"] | word_set(
    "time week month morning afternoon evening weekend once one"
)


def _from_now(tokens: Sequence[Token]) -> bool:
    words = [token.word for token in tokens]
    return any(pair == ("from", "now") for pair in zip(words, words[1:], strict=False))


def _clause_end(tokens: Sequence[Token], at: int) -> int:
    """Where what is permitted ends and a reason or another clause begins."""
    for n in range(at + 1, len(tokens)):
        after = tokens[n + 1].word if n + 1 < len(tokens) else ""
        if tokens[n].word in (";", ".", "—", "–", "(") or tokens[n].word == "because":
            return n
        if tokens[n].word == "," and after not in RESTRICTING:
            return n
    return len(tokens)


def _headed(tokens: Sequence[Token], at: int) -> _Found | None:
    """A permission that begins a clause: "you can …", "forget the rule …"."""
    if tokens[at].word in ("let", "you", "we") and at + 2 < len(tokens):
        inner = [kind for kind, _, _ in _PERMITS.at(tokens, at + 2)]
        may = tokens[at + 1].word in ("us", "can", "may", "should", "could")
        if may and ("dropped" in inner or (inner and tokens[at].word == "let")):
            return _Found(inner[0], 0.9 if "dropped" in inner else 0.65, at + 2)
    fits = [
        (float(_PERMITS.groups[kind]), kind) for kind, _, _ in _PERMITS.at(tokens, at)
    ]
    if not fits:
        return None
    sure, kind = max(fits)
    return _Found(kind, sure, at)


def _stated(tokens: Sequence[Token], at: int) -> _Found | None:
    """A permission about a subject: "pushing to main is fine now"."""
    if tokens[at].word in SUBJECTS or tokens[at].word == QUOTE:
        return None
    for verb in range(at + 1, min(at + _SUBJECT_WORDS, len(tokens))):
        if tokens[verb].word in BREAKS:
            return None
        kinds = [(float(_STATES.groups[k]), k) for k, _, _ in _STATES.at(tokens, verb)]
        if kinds:
            sure, kind = max(kinds)
            words = {token.word for token in tokens[at:verb]}
            if kind in ("dropped", "except") and not words & CLASSES["ruling"]:
                kinds = [pair for pair in kinds if pair[1] not in ("dropped", "except")]
                if not kinds:
                    return None
                sure, kind = max(kinds)
            return _Found(kind, sure, verb)
    return None
