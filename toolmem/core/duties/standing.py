"""Find out whether a duty is due: read the steps of a session backwards."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
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
from toolmem.core.shell.programs import program_name
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
        return _seen_path(change.path, self.project, self.home)

    def _fits(self, seen: SeenPath, patterns: Iterable[str]) -> bool:
        fits = (fit_path(seen, pattern, home=self.home) for pattern in patterns)
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


class _Track:
    """What the steps read so far say about one duty.

    ``is_open``: the steps before may still decide it. ``until`` is the last step that
    may say that its command succeeded before the change.
    """

    def __init__(self, demand: Demand) -> None:
        self.demand = demand
        self.state = NOT_DUE
        self.last = ""
        self.notes: set[str] = set()
        self.is_open = True
        self.until = 0

    def may_change(self, at: int) -> bool:
        """Return True if a step after one may still change the state."""
        return self.is_open and not (
            self.demand.runs and self.state.due and at >= self.until
        )

    def ran(self, step: CommandEnd) -> None:
        """Take in a command that may be the demanded one."""
        if not any_fulfilled(self.demand.runs, step.argv):
            return
        if self.state.due:
            if step.end == OK:
                self.state = self.state._replace(was_ok=True)
                self.is_open = False
        elif step.end == OK or (step.end == UNKNOWN and self.demand.takes_unknown):
            self.is_open = False
        else:
            self.last = self.last or step.end

    def changed(self, step: PathChange, at: int, *, now: bool) -> None:
        """Take in a change of a file."""
        if self.demand.change and self.demand.is_made_by(step):
            self.state, self.is_open = NOT_DUE, False
        elif not self.state.due and self.demand.is_triggered_by(step):
            notes = frozenset(self.notes)
            self.state = Standing(True, step.path, self.last, notes, now)
            self.until = at + _EARLIER


class _Reading:
    """The states of several duties while the steps are read, the newest first."""

    def __init__(self, demands: Sequence[Demand]) -> None:
        self.tracks = [_Track(demand) for demand in demands]
        self.open = self.tracks
        self.keys = {track.demand.key: track for track in self.tracks}
        self.programs: dict[str, list[_Track]] = {}
        for track in self.tracks:
            for name in {program_name(words[0]) for words in track.demand.runs}:
                self.programs.setdefault(name, []).append(track)
        self.seen: set[PathChange] = set()
        self.is_now = True

    def add(self, step: Step, at: int) -> None:
        """Take in a step."""
        if isinstance(step, DutyNote):
            noted = self.keys.get(step.duty)
            if noted and not noted.state.due:
                noted.notes.add(step.kind)
        elif isinstance(step, TurnStart):
            self.is_now = False
        elif self._decides(step, at):
            self.open = [track for track in self.open if track.may_change(at)]

    def _decides(self, step: CommandEnd | PathChange | GitCommit, at: int) -> bool:
        """Return True if a step may have decided a duty."""
        if isinstance(step, CommandEnd):
            named = self.programs.get(_program(step.argv[0]), ()) if step.argv else ()
            for track in named:
                if track.is_open:
                    track.ran(step)
            return bool(named)
        if isinstance(step, GitCommit):
            for track in self.open:
                track.is_open = track.is_open and not track.demand.change
            return True
        if step in self.seen:
            return False
        self.seen.add(step)
        for track in self.open:
            track.changed(step, at, now=self.is_now)
        return True


def standings(demands: Sequence[Demand], steps: Iterable[Step]) -> list[Standing]:
    """Return the state of each duty; ``steps`` are those of the session, newest first.

    All come from one reading, which ends when no step can decide any more.
    """
    reading = _Reading(demands)
    for at, step in enumerate(steps):
        reading.add(step, at)
        if not reading.open:
            break
    return [track.state for track in reading.tracks]


_program = lru_cache(maxsize=1024)(program_name)


@lru_cache(maxsize=4096)
def _seen_path(path: str, project: str, home: str) -> SeenPath | None:
    return see_path(path, folder=project, home=home, project=project)
