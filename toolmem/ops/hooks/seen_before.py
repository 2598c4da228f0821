"""Hints about a call that failed before, which no rule file states yet."""

from toolmem.core.agents.event import Event
from toolmem.core.guard.compiled import ToolRule
from toolmem.core.model import Priority
from toolmem.core.rules.observation import observed_text
from toolmem.ops.capture import transcript
from toolmem.store.state import counters
from toolmem.store.vault.vault import Vault

_COMMANDS = ("command", "cmd", "script")
_ORDER = (Priority.NORMAL.rank, 0.0)


def command_of(event: Event) -> str:
    """Return the command line of a call; empty for another call."""
    given = next((event.input[key] for key in _COMMANDS if key in event.input), "")
    return " ".join(map(str, given)) if isinstance(given, list) else str(given)


def failures_seen(vault: Vault) -> list[ToolRule]:
    """Return the observations of a single session, as hints of a tool's rules."""
    session = vault.session_vault
    scopes = [str(scope) for scope in session.chain]
    with transcript.Bookmarks(session) as notebook:
        notes = notebook.read(
            lambda state: counters.failures_of_one_session(state, scopes, session.now)
        )
    return [
        ToolRule((*_ORDER, note.id), Priority.NORMAL.value, note.text)
        for note in notes or ()
        if (hint := observed_text(note.text)) is not None and hint.is_hint
    ]
