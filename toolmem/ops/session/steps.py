"""Steps of a session: from its journal, and from local state for earlier turns."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from toolmem.core import limits
from toolmem.core.duties.rows import rows_of, steps_in, worth_keeping
from toolmem.core.duties.steps import DutyNote, Step, TurnStart, steps_of
from toolmem.errors import StorageError
from toolmem.ops.rules.compiled import has_duties
from toolmem.store.journal import journal
from toolmem.store.state import database, turn_log
from toolmem.store.vault.vault import Vault

if TYPE_CHECKING:  # the database is not loaded for most calls
    from sqlite3 import Connection

_RESERVE_BYTES = 64 * 1024
_MARK = "steps"
MOST_LINES = 500
"""Lines of a running turn that a hook reads, each a shell text to parse."""
Line = Mapping[str, Any]


class SessionSteps:
    """The steps of a session, newest first; read only as far as they are asked for.

    ``lines`` are those of its journal, where they are not all that is there.
    """

    def __init__(
        self, vault: Vault, session: str, lines: Sequence[Line] | None = None
    ) -> None:
        if lines is None:
            lines = journal.read(vault.root, journal.name_of(session))
        self._newest = _newest_first(vault, session, lines)
        self._known: list[Step] = []

    def __iter__(self) -> Iterator[Step]:
        at = 0
        while True:
            if at == len(self._known):
                step = next(self._newest, None)
                if step is None:
                    return
                self._known.append(step)
            yield self._known[at]
            at += 1


def _newest_first(vault: Vault, session: str, lines: Sequence[Line]) -> Iterator[Step]:
    if is_full(lines):
        return  # later steps are not known
    yield from backwards(lines[-MOST_LINES:])
    if len(lines) > MOST_LINES:
        return  # what ran before them in this turn is not known
    if database.has_state(vault.root):
        rows: list[list[Any]] = []
        with suppress(StorageError), database.open_state(vault.root) as state:
            rows = turn_log.stored_steps(state, session)
        yield from reversed(list(steps_in(rows)))


def is_full(lines: Sequence[Line]) -> bool:
    """Return True if a journal may lack the newest lines, as it has no space left."""
    size = sum(len(str(line)) for line in lines) if len(lines) > 1_000 else 0
    return size > limits.JOURNAL_BYTES - _RESERVE_BYTES


def backwards(lines: Sequence[Line]) -> Iterator[Step]:
    """Yield the steps in the lines of a journal, newest first; each call once."""
    ended: dict[str, Line] = {}
    seen: set[str] = set()
    for line in reversed(lines):
        outcome, call = line.get("outcome"), line.get("call")
        if isinstance(outcome, Mapping):
            ended.setdefault(str(outcome.get("id")), outcome)
        elif isinstance(call, Mapping):
            key = str(call.get("id", ""))
            if not key or key not in seen:
                yield from reversed(steps_of({**call, **ended.get(key, {})}))
            seen.add(key)
        elif "prompt" in line or "began" in line:
            yield TurnStart()
        elif isinstance(line.get("noted"), list):
            yield DutyNote(*line["noted"])


def mark_line(session: str, cwd: str) -> Line:
    """Return a line of the journal: the steps of this turn are to be kept."""
    return {"session": session, "cwd": cwd, _MARK: True}


def keep_steps(
    state: "Connection", vault: Vault, session: str, lines: Sequence[Line]
) -> None:
    """Add the steps in the lines of a journal to those of their session.

    Nothing is stored without duties in force, here or (``mark_line``) in another vault.
    """
    known = turn_log.stored_steps(state, session)
    if not (known or any(_MARK in line for line in lines) or has_duties(vault)):
        return
    every = [*steps_in(known), *reversed(list(backwards(lines)))]
    turn_log.store_steps(state, session, rows_of(worth_keeping(every)), vault.now)
