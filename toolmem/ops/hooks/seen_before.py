"""Hints about a call that failed before, which no rule file states yet."""

from collections.abc import Sequence

from toolmem.core.agents.event import Event
from toolmem.core.guard.compiled import ToolRule
from toolmem.core.model import Priority
from toolmem.core.names import fold
from toolmem.core.rules import derived_id, observation
from toolmem.core.turns import errors as tool_errors
from toolmem.store.state import counters
from toolmem.store.state.notebook import Notebook
from toolmem.store.state.rows import project_of
from toolmem.store.vault.vault import Vault

_COMMANDS = ("command", "cmd", "script")
_ORDER = (Priority.NORMAL.rank, 0.0)


def command_of(event: Event) -> str:
    """Return the command line of a call; empty for another call."""
    given = next((event.input[key] for key in _COMMANDS if key in event.input), "")
    return " ".join(map(str, given)) if isinstance(given, list) else str(given)


def failures_seen(
    vault: Vault, event: Event, rules: Sequence[ToolRule]
) -> list[ToolRule]:
    """Return observations as hints of a tool's rules: those of a single session, and
    a cause for which the tool failed in several ones.

    ``rules`` are shown before this call: what one of them says is not repeated.
    """
    session, command = vault.session_vault, command_of(event)
    scopes = [str(scope) for scope in session.chain]
    with Notebook(session.root) as notebook:
        notes = notebook.read(
            lambda state: counters.failures_of_one_session(state, scopes, session.now)
        )
        errors = (
            None
            if command
            else notebook.read(
                lambda state: counters.repeated_errors(
                    state, event.tool, project_of(session), session.now
                )
            )
        )
    hints = [
        ToolRule((*_ORDER, note.id), Priority.NORMAL.value, note.text)
        for note in notes or ()
        if (hint := observation.observed_text(note.text)) is not None and hint.is_hint
    ]
    tools = {fold(event.tool)}
    if errors and not any(rule.is_hint_about(tools) for rule in (*rules, *hints)):
        causes = filter(None, (tool_errors.cause_of(*error) for error in errors))
        for cause in dict.fromkeys(causes):
            text = observation.failing_text(event.tool, cause)
            hint_id = derived_id.derived_id("failing", fold(event.tool), cause)
            hints.append(ToolRule((*_ORDER, hint_id), Priority.NORMAL.value, text))
    return hints
