"""Steps that can be undone: rule files that were written, retired or deleted."""

from contextlib import suppress
from sqlite3 import Connection
from typing import NamedTuple

from toolmem.core.times import rfc3339
from toolmem.errors import ExistsError, StorageError
from toolmem.store.state.database import open_state
from toolmem.store.vault.rule_writer import read_rule_text
from toolmem.store.vault.vault import Vault

_MOST = 100
"""Files of the newest steps that are stored."""


class StoredStep(NamedTuple):
    """A rule file before and after a step; ``before`` or ``after`` is "" for no file.

    ``action`` is ``captured``, ``kept``, ``retracted`` or ``deleted``; ``rule`` is the
    text of the rule.
    """

    number: int
    at: str
    action: str
    rule: str
    path: str
    before: str
    after: str
    undone: bool


def note_step(
    vault: Vault, action: str, rule: str, path: str, before: str = ""
) -> None:
    """Store what a file was before a step, and what it is now.

    The step is taken already: a local state that cannot be written costs its undo
    alone, and ``toolmem undo`` names the fault. A file without a UTF-8 name has none.
    """
    row = (rfc3339(vault.now), action, rule, path, before, file_text(vault, path))
    with suppress(StorageError, UnicodeEncodeError), open_state(vault.root) as state:
        state.execute(
            "INSERT INTO undo_steps (at, action, rule, path, before, after, undone)"
            " VALUES (?, ?, ?, ?, ?, ?, 0)",
            row,
        )
        state.execute(
            "DELETE FROM undo_steps"
            " WHERE number <= (SELECT max(number) FROM undo_steps) - ?",
            (_MOST,),
        )


def file_text(vault: Vault, path: str) -> str:
    """Return the text of a rule file as it is now; empty for none."""
    try:
        return read_rule_text(vault.fresh(), path)[1]
    except ExistsError:
        return ""


def stored_steps(state: Connection) -> tuple[StoredStep, ...]:
    """Return the steps, newest first."""
    rows = state.execute("SELECT * FROM undo_steps ORDER BY number DESC")
    return tuple(StoredStep._make((*row[:-1], bool(row[-1]))) for row in rows)


def mark_undone(state: Connection, number: int) -> None:
    """Note that a step was undone."""
    state.execute("UPDATE undo_steps SET undone = 1 WHERE number = ?", (number,))
