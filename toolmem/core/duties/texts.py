"""Texts about duties: for the agent, for lists and for reports."""

from collections.abc import Sequence

from toolmem.core.duties.commands import FAILED, UNKNOWN
from toolmem.core.duties.standing import Standing
from toolmem.core.rules.duty_table import Duty
from toolmem.core.turns.targets import path_target, relative_path

_MOST = 3


def demanded(duty: Duty, command: str = "") -> str:
    """Return what a duty demands, such as ``run `make lint```; ``command`` is the value
    of its fact."""
    if duty.change:
        return f"update {_listed(duty.change)}"
    lines = [command] if command else [" ".join(words) for words in duty.run]
    return f"run {_listed(lines)}"


def _listed(texts: Sequence[str]) -> str:
    return " or ".join(f"`{text}`" for text in texts[:_MOST])


def reason(demand: str, state: Standing, project: str, *, first: bool = True) -> str:
    """Return why a call or the end of a turn has to wait for a duty."""
    path = path_target(relative_path(state.change, project))
    head = f"{demand} first" if first else demand
    if state.last == FAILED:
        return f"{head}: it failed after `{path}` changed"
    if state.last == UNKNOWN:
        return f"{head}: its result is hidden by the pipe: run it without"
    since = "changed after its last success" if state.was_ok else "changed"
    return f"{head}: `{path}` {since}"
