"""Duties that are due in the sessions of a work tree."""

from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core.model import Rule
from toolmem.core.turns.targets import path_target, relative_path
from toolmem.ops.hooks.duties import checked_duties, due_duties, duties_in_force
from toolmem.ops.session.steps import SessionSteps
from toolmem.store.journal import journal
from toolmem.store.state.database import has_state, open_state
from toolmem.store.state.turn_log import sessions_with_steps
from toolmem.store.vault.vault import Vault


class DueNow(NamedTuple):
    """A duty of a rule that is due in a session.

    ``demand`` is what is to be done, ``change`` the file that made it due, ``last`` the
    end of the last run since then, empty without one.
    """

    session: str
    rule: Rule
    demand: str
    change: str
    last: str


def duties_due(vault: Vault, cwd: str, session: str = "") -> tuple[DueNow, ...]:
    """Return what is due in a session, or in every session that changed this work tree.

    Raises ``StorageError`` if local state cannot be read.
    """
    duties = list(checked_duties(vault, duties_in_force(vault)))
    due = []
    for name in [session] if session else _sessions(vault.session_vault):
        steps = SessionSteps(vault.session_vault, name)
        for duty in due_duties(duties, cwd, steps):
            state, project = duty.state, duty.demand.project
            if state.change.startswith(project.rstrip("/") + "/"):
                path = path_target(relative_path(state.change, project))
                due.append(DueNow(name, duty.rule, duty.text, path, state.last))
    return tuple(due)


def _sessions(vault: Vault) -> Iterator[str]:
    """Yield the sessions whose steps are known, each once."""
    names: dict[str, None] = {}
    for name in journal.names(vault.root):
        if "." not in name:
            lines = journal.read(vault.root, name)
            names |= {str(o["session"]): None for o in lines[:1] if o.get("session")}
    if has_state(vault.root):
        with open_state(vault.root) as state:
            names |= dict.fromkeys(sessions_with_steps(state))
    yield from names
