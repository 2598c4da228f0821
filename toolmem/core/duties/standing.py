"""Find out whether a duty is due: read the steps of a session backwards."""

import re
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from toolmem.core.duties.commands import OK, UNKNOWN
from toolmem.core.duties.fulfils import any_fulfilled
from toolmem.core.duties.steps import (
    CommandEnd,
    DutyNote,
    GitCommit,
    PathChange,
    Step,
    TurnStart,
)
from toolmem.core.patterns.paths import SeenPath, fit_path, see_path
from toolmem.core.shell.words import Fit

_PROSE = re.compile(r"\.(?:md|markdown|mdx|txt|rst|adoc|org|log)$|(?:^|/)licen[cs]e$")
_OTHERS = re.compile(
    r"(?:^|/)(?:\.git|\.toolmem|node_modules|\.venv|venv|__pycache__|build|dist|target"
    r"|out)/"
)

_EARLIER = 100
"""Steps before a change that are searched for an earlier success, for the reason."""


class Demand(NamedTuple):
    """What a duty demands in one project, resolved.

    ``key`` identifies it in the notes of a session. ``runs`` are the words of the
    commands that fulfil it, else ``change`` has the patterns of the files.
    ``takes_unknown``: a run whose end is unknown fulfils it.
    """

    key: str
    runs: tuple[tuple[str, ...], ...]
    change: tuple[str, ...]
    after: tuple[str, ...]
    project: str
    home: str
    takes_unknown: bool = False

    def is_triggered_by(self, change: PathChange) -> bool:
        """Return True if a change makes the duty due."""
        if self.runs and change.by and any_fulfilled(self.runs, change.by):
            return False
        seen = self._seen(change)
        if seen is None or (self.change and self._fits(seen, self.change)):
            return False
        if self.after:
            return self._fits(seen, self.after)
        inside = not seen.above and seen.below != seen.absolute
        return inside and not _PROSE.search(seen.below) and not _is_other(seen)

    def is_made_by(self, change: PathChange) -> bool:
        """Return True if a change is the one that the duty demands."""
        seen = self._seen(change)
        return seen is not None and self._fits(seen, self.change)

    def _seen(self, change: PathChange) -> SeenPath | None:
        return see_path(
            change.path, folder=self.project, home=self.home, project=self.project
        )

    def _fits(self, seen: SeenPath, patterns: Iterable[str]) -> bool:
        fits = (fit_path(seen, one, home=self.home) for one in patterns)
        return max(fits, default=Fit.NO) is Fit.YES


def _is_other(seen: SeenPath) -> bool:
    """Return True for a generated file, and for one of git or of toolmem."""
    return _OTHERS.search(seen.below) is not None


class Standing(NamedTuple):
    """State of a duty: due since ``change``, or not.

    ``last`` is the end of its last run since then, ``notes`` what was said about it
    since then. ``now``: a change of this turn made it due. ``was_ok``: it succeeded
    earlier in the session.
    """

    due: bool
    change: str = ""
    last: str = ""
    notes: frozenset[str] = frozenset()
    now: bool = False
    was_ok: bool = False


NOT_DUE = Standing(False)


def standing(demand: Demand, steps: Iterable[Step]) -> Standing:
    """Return the state of a duty; ``steps`` are those of the session, newest first."""
    return _of_run(demand, steps) if demand.runs else _of_change(demand, steps)


def _of_run(demand: Demand, steps: Iterable[Step]) -> Standing:
    last, now = "", True
    notes: set[str] = set()
    every = iter(steps)
    for step in every:
        if isinstance(step, CommandEnd) and any_fulfilled(demand.runs, step.argv):
            if step.end == OK or (step.end == UNKNOWN and demand.takes_unknown):
                return NOT_DUE
            last = last or step.end
        elif isinstance(step, PathChange) and demand.is_triggered_by(step):
            ran = (
                one
                for one in islice(every, _EARLIER)
                if isinstance(one, CommandEnd) and one.end == OK
            )
            was_ok = any(any_fulfilled(demand.runs, one.argv) for one in ran)
            return Standing(True, step.path, last, frozenset(notes), now, was_ok)
        elif isinstance(step, DutyNote) and step.duty == demand.key:
            notes.add(step.kind)
        elif isinstance(step, TurnStart):
            now = False
    return NOT_DUE


def _of_change(demand: Demand, steps: Iterable[Step]) -> Standing:
    notes: set[str] = set()
    now, due = True, NOT_DUE
    for step in steps:
        if isinstance(step, GitCommit):
            break
        if isinstance(step, PathChange):
            if demand.is_made_by(step):
                return NOT_DUE
            if not due.due and demand.is_triggered_by(step):
                due = Standing(True, step.path, "", frozenset(notes), now)
        elif isinstance(step, DutyNote) and step.duty == demand.key and not due.due:
            notes.add(step.kind)
        elif isinstance(step, TurnStart):
            now = False
    return due
