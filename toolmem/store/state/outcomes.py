"""Outcomes of decrees (open, kept, dropped), stored permanently for reviews."""

import json
from collections.abc import Sequence
from datetime import datetime
from sqlite3 import Connection
from typing import NamedTuple

from toolmem.core.times import rfc3339
from toolmem.store.state.candidates import DROPPED, KEPT, OPEN

__all__ = ["DROPPED", "KEPT", "OPEN"]
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
    found = state.execute(query, (decree,)).fetchone()
    return str(found[0]) if found else ""


def all_outcomes(state: Connection) -> tuple[DecreeOutcome, ...]:
    """Return the outcomes of all decrees, oldest first."""
    rows = state.execute(
        "SELECT id, tier, outcome, rules, at FROM outcomes ORDER BY at, id"
    )
    return tuple(
        DecreeOutcome(decree, tier, outcome, tuple(json.loads(rules)), at)
        for decree, tier, outcome, rules, at in rows
    )
