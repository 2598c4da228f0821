"""Candidates of capture: stored until they are judged, and 14 days longer at most."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from sqlite3 import Connection
from typing import NamedTuple

from toolmem.core.candidates.judging import CandidateLine
from toolmem.core.candidates.limits import CANDIDATE_DAYS
from toolmem.core.times import rfc3339

OPEN, KEPT, DROPPED = "open", "kept", "dropped"
"""Not judged yet; accepted or retracted; rejected by a person."""
ASKED = "asked"
"""Not judged in its session, and shown to the agent of a later one."""


class StoredCandidate(NamedTuple):
    """A candidate: the typed text, its place, and its status.

    ``rules`` are the ids that a revocation may concern, or with ``exception`` narrow;
    ``scope`` is the text form of the scope of an accepted rule; ``place`` names session
    and turn.
    """

    id: str
    session: str
    kind: str
    sentence: str
    text: str
    before: str
    after: str
    tools: tuple[str, ...]
    rules: tuple[str, ...]
    scope: str
    place: str
    agent: str
    score: float
    exception: bool = False
    status: str = OPEN
    at: str = ""

    @property
    def line(self) -> CandidateLine:
        """Return the candidate as a judge sees it."""
        kind, sentence = self.kind, self.sentence
        return CandidateLine(
            self.id, kind, sentence, self.before, self.after, self.tools
        )


_COLUMNS = ", ".join(StoredCandidate._fields)
_LISTS = ("tools", "rules")


def store_candidates(
    state: Connection, candidates: Iterable[StoredCandidate], now: datetime
) -> tuple[StoredCandidate, ...]:
    """Store candidates; return those that were not known before."""
    _forget_old(state, now)
    new = []
    marks = ", ".join("?" * len(StoredCandidate._fields))
    for candidate in candidates:
        row = candidate._replace(at=rfc3339(now))
        values = [_stored(name, value) for name, value in row._asdict().items()]
        query = f"INSERT OR IGNORE INTO candidates ({_COLUMNS}) VALUES ({marks})"
        if state.execute(query, values).rowcount:
            new.append(row)
    return tuple(new)


def candidates_of(state: Connection, session: str) -> tuple[StoredCandidate, ...]:
    """Return the candidates of a session, oldest first."""
    return _select(state, "WHERE session = ?", session)


def find_candidates(state: Connection, prefix: str) -> tuple[StoredCandidate, ...]:
    """Return the candidates whose id begins so; several if the prefix is ambiguous."""
    return _select(state, "WHERE substr(id, 1, ?) = ?", len(prefix), prefix)


def recent_candidates(state: Connection, now: datetime) -> tuple[StoredCandidate, ...]:
    """Return all candidates of the last 14 days, oldest first."""
    return _select(state, "WHERE at >= ?", _oldest(now))


def judge_candidate(state: Connection, candidate_id: str, status: str) -> bool:
    """Set the status of a candidate; return whether there is one."""
    query = "UPDATE candidates SET status = ? WHERE id = ?"
    return state.execute(query, (status, candidate_id)).rowcount > 0


def _select(
    state: Connection, where: str, *values: object
) -> tuple[StoredCandidate, ...]:
    query = f"SELECT {_COLUMNS} FROM candidates {where} ORDER BY at, score DESC, id"
    return tuple(_loaded(row) for row in state.execute(query, values))


def _stored(name: str, value: object) -> object:
    return json.dumps(value) if name in _LISTS else value


def _loaded(row: Sequence[object]) -> StoredCandidate:
    values = dict(zip(StoredCandidate._fields, row, strict=True))
    lists: dict[str, object] = {
        name: tuple(json.loads(str(values[name]))) for name in _LISTS
    }
    lists["exception"] = bool(values["exception"])
    return StoredCandidate(**{**values, **lists})  # type: ignore[arg-type]


def _forget_old(state: Connection, now: datetime) -> None:
    state.execute("DELETE FROM candidates WHERE at < ?", (_oldest(now),))


def _oldest(now: datetime) -> str:
    return rfc3339(now - timedelta(days=CANDIDATE_DAYS))


QUOTED = "quoted"
"""Tier of words that an agent quoted and that were not a candidate."""


class DecreeOutcome(NamedTuple):
    """Outcome of a decree; ``rules`` are the ids of the rules made of it."""

    id: str
    tier: str
    outcome: str
    rules: tuple[str, ...]
    at: str


def note_outcome(
    state: Connection,
    decree: str,
    tier: str,
    outcome: str,
    rules: Sequence[str],
    now: datetime,
) -> None:
    """Store the outcome of a decree; a decided one is not opened again."""
    row = (decree, tier, outcome, json.dumps(list(rules)), rfc3339(now))
    verb = "INSERT OR IGNORE" if outcome == OPEN else "INSERT OR REPLACE"
    state.execute(f"{verb} INTO outcomes VALUES (?, ?, ?, ?, ?)", row)


def outcome_of(state: Connection, decree: str) -> str:
    """Return the outcome of a decree; empty if it is unknown."""
    query = "SELECT outcome FROM outcomes WHERE id = ?"
    row = state.execute(query, (decree,)).fetchone()
    return str(row[0]) if row else ""


def all_outcomes(state: Connection) -> tuple[DecreeOutcome, ...]:
    """Return the outcomes of all decrees, oldest first."""
    rows = state.execute(
        "SELECT id, tier, outcome, rules, at FROM outcomes ORDER BY at, id"
    )
    return tuple(
        DecreeOutcome(decree, tier, outcome, tuple(json.loads(rules)), at)
        for decree, tier, outcome, rules, at in rows
    )
