"""Memory of a turn: its files, failed commands and dangerous ones; never output."""

from collections.abc import Collection, Iterable
from itertools import accumulate, chain
from typing import NamedTuple

from toolmem.core.transcript.events import CallStatus, ToolKind, ToolUse, Turn
from toolmem.core.turns.danger import is_dangerous
from toolmem.core.turns.deletions import removed_files
from toolmem.core.turns.errors import error_class
from toolmem.core.turns.failures import worked_instead
from toolmem.core.turns.targets import (
    command_target,
    joined,
    path_target,
    relative_path,
)

_FILE_KINDS = (ToolKind.WRITE, ToolKind.EDIT, ToolKind.DELETE)
_DONE = (CallStatus.OK, CallStatus.UNKNOWN)
_NOT_RUN = (CallStatus.REJECTED, CallStatus.DENIED_BY_HOOK)


class FailedCommand(NamedTuple):
    """A command that failed ``count`` times with one exit code.

    ``error`` is the class of the failure, used without a code; ``worked`` is another
    command that did the same afterwards.
    """

    command: str
    exit_code: int | None
    error: str = "error"
    count: int = 1  # type: ignore[assignment]  # not the tuple's own
    then_passed: bool = False
    worked: str = ""


class TurnMemory(NamedTuple):
    """Changes and failures of one or several turns; all texts are safe to show.

    ``created`` are those of ``changed`` that did not exist before.
    """

    changed: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    failed: tuple[FailedCommand, ...] = ()
    dangerous: tuple[str, ...] = ()
    created: tuple[str, ...] = ()


class _Draft:
    """Memory while a turn is read.

    ``present`` maps files, in order, to their existence after the last use; ``read``
    are those that existed before their first use; ``failed`` has the failures of each
    command, by outcome.
    """

    def __init__(self, cwd: str) -> None:
        self.cwd = cwd
        self.present: dict[str, bool] = {}
        self.created: set[str] = set()
        self.read: set[str] = set()
        self.failed: dict[str, dict[tuple[int | None, str], FailedCommand]] = {}
        self.dangerous: dict[str, None] = {}


def turn_memory(turn: Turn, cwd: str) -> TurnMemory | None:
    """Return the changes and failures of a turn's calls, with files relative to
    ``cwd``.

    None if there is nothing to report. A file that was created and deleted again counts
    as deleted only.
    """
    draft = _Draft(cwd)
    for use in turn.uses:
        if use.result is not None and use.status in _DONE:
            _files(use, draft)
        if use.call.kind is ToolKind.SHELL and use.call.command:
            _command(use, use.call.command, draft)
    memory = TurnMemory(
        tuple(path_target(path) for path, there in draft.present.items() if there),
        tuple(path_target(path) for path, there in draft.present.items() if not there),
        tuple(chain.from_iterable(each.values() for each in draft.failed.values())),
        tuple(draft.dangerous),
        tuple(
            path_target(path)
            for path, there in draft.present.items()
            if there and path in draft.created
        ),
    )
    return memory if memory != TurnMemory() else None


def passed_commands(turn: Turn) -> tuple[str, ...]:
    """Return the commands whose last run in a turn succeeded, in display form."""
    last: dict[str, bool] = {}
    for use in turn.uses:
        ran = use.status in (CallStatus.FAILED, CallStatus.OK)
        if ran and use.call.kind is ToolKind.SHELL and use.call.command:
            ok = use.status is CallStatus.OK
            last[command_target(use.call.command)] = ok
    return tuple(command for command, passed in last.items() if passed)


def with_passed(memory: TurnMemory, commands: Collection[str]) -> TurnMemory:
    """Mark failed commands of a turn that passed later, or that others stood in for."""
    failed = tuple(
        entry._replace(then_passed=True)
        if entry.command in commands
        else entry._replace(
            worked=entry.worked or worked_instead(entry.command, commands)
        )
        for entry in memory.failed
    )
    return memory._replace(failed=failed)


def merged(memories: Iterable[TurnMemory | None]) -> TurnMemory:
    """Merge several turns, in order.

    The last change of a file and the last outcome of a command count.
    """
    present: dict[str, bool] = {}
    failed: dict[tuple[str, int | None, str], FailedCommand] = {}
    ended: dict[str, bool] = {}
    dangerous: dict[str, None] = {}
    created: set[str] = set()
    for memory in filter(None, memories):
        created |= set(memory.created) - present.keys()
        present = _without_contents(present, memory.deleted)
        present |= dict.fromkeys(memory.changed, True)
        present |= dict.fromkeys(memory.deleted, False)
        dangerous |= dict.fromkeys(memory.dangerous)
        for entry in memory.failed:
            coded = entry.exit_code is not None
            key = (entry.command, entry.exit_code, "" if coded else entry.error)
            known = failed.get(key)
            count = entry.count + (known.count if known else 0)
            failed[key] = entry._replace(count=count)
            ended[entry.command] = entry.then_passed
    return TurnMemory(
        tuple(path for path, there in present.items() if there),
        tuple(path for path, there in present.items() if not there),
        tuple(e._replace(then_passed=ended[e.command]) for e in failed.values()),
        tuple(dangerous),
        tuple(path for path, there in present.items() if there and path in created),
    )


def _files(use: ToolUse, draft: _Draft) -> None:
    call = use.call
    if call.kind in _FILE_KINDS:
        _mark(draft, call.deleted, call.cwd, False)
        _mark(draft, call.paths, call.cwd, True, _new_files(use))
    elif call.kind is ToolKind.READ:
        draft.read |= {relative_path(p, draft.cwd, call.cwd) for p in call.paths}
    elif call.kind is ToolKind.SHELL and call.command and use.status is CallStatus.OK:

        def had(path: str, base: str) -> bool:
            known = relative_path(path, draft.cwd, joined(call.cwd, base))
            below = known.rstrip("/") + "/"
            return draft.present.get(known, False) or any(
                there and name.startswith(below)
                for name, there in draft.present.items()
            )

        for removed in removed_files(call.command, had):
            base = joined(call.cwd, removed.base)
            _mark(draft, removed.deleted, base, False)
            _mark(draft, removed.created, base, True, removed.created)


def _new_files(use: ToolUse) -> tuple[str, ...]:
    """Return the files that a call created; a plain write counts."""
    created = use.result.created if use.result else None
    if created is False:
        return ()
    is_write = created is True or use.call.kind is ToolKind.WRITE
    return use.call.paths if is_write else use.call.created


def _mark(
    draft: _Draft,
    paths: tuple[str, ...],
    base: str,
    there: bool,
    new: tuple[str, ...] = (),
) -> None:
    for path in paths:
        known = relative_path(path, draft.cwd, base)
        if path in new and known not in draft.present and known not in draft.read:
            draft.created.add(known)
        draft.present[known] = there
    if paths and not there:
        gone = [relative_path(path, draft.cwd, base) for path in paths]
        draft.present = _without_contents(draft.present, gone)


def _without_contents(
    present: dict[str, bool], deleted: Iterable[str]
) -> dict[str, bool]:
    """Return the files without those of deleted folders."""
    folders = frozenset(path.rstrip("/") for path in deleted)
    return {
        path: there
        for path, there in present.items()
        if folders.isdisjoint(accumulate(path.split("/")[:-1], "{}/{}".format))
    }


def _command(use: ToolUse, command: str, draft: _Draft) -> None:
    if use.status not in _NOT_RUN and is_dangerous(use.call):
        draft.dangerous[command_target(command)] = None
    if use.status not in (CallStatus.FAILED, CallStatus.OK):
        return
    failed = use.status is CallStatus.FAILED
    if not failed and not draft.failed:
        return  # it cannot be the successful end of a failure
    shown = command_target(command)
    if not failed:
        _note_worked(shown, draft)
    ends = draft.failed.get(shown, {})
    for end, entry in ends.items():
        ends[end] = entry._replace(then_passed=not failed)
    if failed and use.result:
        code = use.result.exit_code
        error = error_class(use.result.output, code)
        end = (code, error if code is None else "")
        count = ends[end].count + 1 if end in ends else 1
        ends[end] = FailedCommand(shown, code, error, count)
        draft.failed[shown] = ends


def _note_worked(shown: str, draft: _Draft) -> None:
    """Note a command that did what a failed one was to do."""
    for failed, ends in draft.failed.items():
        if failed != shown and worked_instead(failed, [shown]):
            for end, entry in ends.items():
                ends[end] = entry._replace(worked=entry.worked or shown)
