"""Events of a duty: it became due, and was fulfilled or passed."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from toolmem.core.duties.commands import OK, UNKNOWN
from toolmem.core.duties.fulfils import any_fulfilled
from toolmem.core.duties.standing import Demand, Standing
from toolmem.core.duties.steps import (
    CommandEnd,
    DutyNote,
    GitCommit,
    PathChange,
    Step,
)

DUE, FULFILLED, REMINDED, PASSED = "due", "fulfilled", "reminded", "passed"
"""Events: it became due, was fulfilled without a word or after one, or a call or the
end of a turn passed before it."""
DUTY_EVENTS = (DUE, FULFILLED, REMINDED, PASSED)
UNFULFILLED = "unfulfilled"
"""Kind of the note that a call passed before a critical duty was fulfilled."""


class DutyState(NamedTuple):
    """State of a duty before some steps.

    ``answered``: the end of this turn was. ``is_made``: the demanded change was made
    since the last commit.
    """

    standing: Standing
    answered: bool = False
    is_made: bool = False


def duty_events(
    demand: Demand, state: DutyState, steps: Iterable[Step]
) -> Iterator[str]:
    """Yield the events of a duty in steps, oldest first; a pass is one event."""
    due, is_made = state.standing.due, state.is_made
    notes = {*state.standing.notes, *(["stop"] if state.answered else ())}
    for step in steps:
        if isinstance(step, GitCommit):
            is_made = False
        elif isinstance(step, PathChange) and demand.is_triggered_by(step):
            if not due and not is_made:
                due, notes = True, set()
                yield DUE
        elif isinstance(step, DutyNote) and due and step.duty in ("", demand.key):
            is_pass = step.kind in (PASSED, UNFULFILLED)
            if is_pass and not notes & {PASSED, UNFULFILLED}:
                yield PASSED
            notes.add(step.kind)
        elif _fulfils(step, demand):
            is_made = bool(demand.change)
            if due:
                due = False
                yield REMINDED if notes else FULFILLED


def _fulfils(step: Step, demand: Demand) -> bool:
    if isinstance(step, PathChange):
        return bool(demand.change) and demand.is_made_by(step)
    if not isinstance(step, CommandEnd) or not any_fulfilled(demand.runs, step.argv):
        return False
    return step.end == OK or (step.end == UNKNOWN and demand.takes_unknown)
