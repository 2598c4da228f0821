"""Candidates among captured decrees, and what became of each decree."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from sqlite3 import Connection

from toolmem.core.candidates.captured import CapturedDecree
from toolmem.core.capture.decree import CANDIDATE
from toolmem.core.secrets.detect import redact
from toolmem.ops.session.messages import UserMessage
from toolmem.store.state.candidates import (
    DROPPED,
    KEPT,
    OPEN,
    StoredCandidate,
    note_outcome,
)

Captured = tuple[UserMessage, CapturedDecree]
"""A decree and the message that it is in."""
_PROPOSED = ("proposed", "amended", "contested")
_OUTCOMES = {
    **dict.fromkeys(("candidate", *_PROPOSED), OPEN),
    **dict.fromkeys(("created", "retired"), KEPT),
    "dropped": DROPPED,
}
"""Outcome by action; what was there already or passed over is not counted."""


def live_candidates(done: Iterable[Captured]) -> Iterator[StoredCandidate]:
    """Yield the candidates that the agent at work is to judge, or that are observed."""
    for message, captured in done:
        if captured.action == "candidate":
            yield _candidate(message, captured)


def unjudged_candidates(done: Iterable[Captured]) -> Iterator[StoredCandidate]:
    """Yield the candidates that a judge is to be asked about."""
    for message, captured in done:
        if captured.decree.tier == CANDIDATE and captured.action in (
            "candidate",
            *_PROPOSED,
        ):
            yield _candidate(message, captured)


def note_outcomes(state: Connection, done: Iterable[Captured], now: datetime) -> None:
    """Note what became of decrees."""
    for _, captured in done:
        outcome = _OUTCOMES.get(captured.action)
        if outcome is not None:
            rules = (
                (captured.id, *captured.about)
                if captured.action == "created" and captured.id
                else ()
            )
            note_outcome(
                state, captured.decree.id, captured.decree.tier, outcome, rules, now
            )


def _candidate(message: UserMessage, captured: CapturedDecree) -> StoredCandidate:
    decree = captured.decree
    return StoredCandidate(
        decree.id,
        message.session,
        decree.kind,
        captured.sentence,
        captured.text,
        redact(decree.before),
        redact(decree.after),
        decree.tools,
        decree.rules,
        str(message.scope),
        f"{message.place}, turn {message.turn}" if message.place else "",
        message.agent,
        decree.score,
        decree.exception,
    )
