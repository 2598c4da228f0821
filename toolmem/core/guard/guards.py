"""Match a concrete call with a guard."""

from toolmem.core.guard.action import Action
from toolmem.core.guard.call_analysis import CallAnalysis
from toolmem.core.guard.conditions import NOTHING, GuardMatch, MatchSubject, fit_all
from toolmem.core.guard.tables import Guard
from toolmem.core.named_tuple import NamedTuple
from toolmem.core.shell.words import Fit


class Match(NamedTuple):
    """A guard that a call matches: the action, and what in the call matched.

    ``conservative``: the call could not be read in full. If the match depends on the
    unknown part, ``deny`` becomes ``ask``.
    """

    action: Action
    why: str
    conservative: bool = False


def match_guard(guard: Guard, reading: CallAnalysis) -> Match | None:
    """Match a call with a guard; a broken guard matches and asks."""
    if guard.broken:
        return Match(Action.ASK, guard.broken, conservative=True)
    found = _by_command(guard, reading) if guard.command else _by_values(guard, reading)
    if found.fit is Fit.NO:
        return None
    sure = found.fit is Fit.YES
    action = Action.ASK if not sure and guard.action is Action.DENY else guard.action
    why = f"{found.why} ({guard.note})" if guard.note else found.why
    return Match(action, why, conservative=found.as_text or not sure)


def needs_shell(guard: Guard, reading: CallAnalysis) -> bool:
    """Return True if the guard depends on the call's shell text."""
    looks = guard.command or guard.path or guard.host
    return bool(looks) and not guard.broken and reading.has_shell(guard.argument)


def _by_values(guard: Guard, reading: CallAnalysis) -> GuardMatch:
    names = guard.argument
    values = reading.values(names)
    if names and not values:
        return NOTHING
    found = fit_all(
        guard,
        MatchSubject(
            values,
            lambda: reading.files(names),
            lambda: reading.hosts(names),
            reading.call.home,
        ),
    )
    if found.fit is Fit.NO and not reading.read_shell and needs_shell(guard, reading):
        return _UNREAD
    return found


def _by_command(guard: Guard, reading: CallAnalysis) -> GuardMatch:
    if reading.cannot_run(guard.argument, guard.command):
        return NOTHING
    best = NOTHING
    for shell in reading.shells(guard.argument):
        found = shell.fit_command(guard)
        best = found if found.fit > best.fit else best
    if not reading.read_shell and needs_shell(guard, reading):
        return _UNREAD
    return best


_UNREAD = GuardMatch(Fit.MAYBE, "the shell text could not be parsed")
