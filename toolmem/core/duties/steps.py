"""Steps of a session: files that changed, commands that ran, commits."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from toolmem.core.duties.commands import (
    FAILED,
    OK,
    PIPES,
    UNKNOWN,
    RunCommand,
    commands_in,
    ends_of,
)
from toolmem.core.duties.fulfils import plain
from toolmem.core.guard.call_analysis import CallAnalysis
from toolmem.core.guard.calls import FileUse, ShellSource, ToolCall, shell_sources
from toolmem.core.guard.files import files_by_command
from toolmem.core.patterns.paths import resolve
from toolmem.core.shell.parse import parse_argv, parse_command
from toolmem.core.shell.words import ShellCommand
from toolmem.core.transcript.events import START, ToolKind
from toolmem.core.transcript.outcome import refusal
from toolmem.core.transcript.tools import make_call

_NOT_COMPLETE = frozenset((124, 126, 127, 130, 137, 143))
"""Exit codes of a command that did not start, ran out of time or was killed."""
_WORD_CHARS = 200
_MOST_WORDS = 40


class PathChange(NamedTuple):
    """A file (absolute) that changed, and the command that changed it, if any did."""

    path: str
    by: tuple[str, ...] = ()


class CommandEnd(NamedTuple):
    """A command that ran, and its end: ``ok``, ``failed`` or ``unknown``."""

    argv: tuple[str, ...]
    end: str


class GitCommit(NamedTuple):
    """A commit of git."""


class TurnStart(NamedTuple):
    """A message of the user."""


class DutyNote(NamedTuple):
    """Notice that the agent got about a duty, of a ``kind``."""

    duty: str
    kind: str


Step = PathChange | CommandEnd | GitCommit | TurnStart | DutyNote


def steps_of(record: Mapping[str, Any]) -> list[Step]:
    """Return the steps of a recorded call (``agents.record``), in order."""
    end = _end_of(record)
    arguments = record.get("args")
    if not end or not isinstance(arguments, Mapping):
        return []
    given = {key: value for key, value in arguments.items() if key != "cwd"}
    folder = str(arguments.get("cwd") or "")
    call = ToolCall(str(record.get("name", "")), given, folder)
    sources = shell_sources(call)
    if not sources:
        return [] if end == FAILED else list(_edits(call))
    code = record.get("exit_code")
    steps: list[Step] = []
    for source in sources:
        shell = parsed(source)
        commands = commands_in(shell)
        ends = ends_of(shell.text, commands, end)
        if code in _NOT_COMPLETE:
            ends = ["" if one == FAILED else one for one in ends]
        steps += command_steps(shell, commands, ends, call)
    return steps


@lru_cache(maxsize=16)
def parsed(source: ShellSource) -> ShellCommand:
    """Parse a shell text, or the words of a call that passes a list."""
    return parse_command(source) if isinstance(source, str) else parse_argv(source)


def command_steps(
    shell: ShellCommand,
    commands: Sequence[RunCommand],
    ends: Sequence[str],
    call: ToolCall,
) -> Iterator[Step]:
    """Yield the steps of a shell text whose commands ended so."""
    used = files_by_command(shell.commands, cwd=call.folder, home=call.home)
    head: tuple[str, ...] = ()
    for command, end in zip(commands, ends, strict=True):
        argv = plain(_short(command.argv))
        head = head if command.operator in PIPES else argv
        if end != FAILED:
            for use in used[command.at]:
                if "change" in use.operations and not _is_unsure(use):
                    yield PathChange(resolve(use.text, cwd=use.folder, home=""), head)
        if end and command.argv:
            yield CommandEnd(argv, end)
            if end != FAILED and _commits(command):
                yield GitCommit()


def _is_unsure(use: FileUse) -> bool:
    """Return True if no file may be changed; ``2>&1`` names a descriptor."""
    return use.unsure or use.text.isdigit() or use.text == "-"


def _commits(command: RunCommand) -> bool:
    return command.name == "git" and "commit" in command.argv[1:4]


def _edits(call: ToolCall) -> Iterator[PathChange]:
    """Yield the changes of a tool that edits files."""
    made = make_call("", call.tool, dict(call.arguments), START, None)
    if made.kind in (ToolKind.WRITE, ToolKind.EDIT, ToolKind.DELETE):
        folder = resolve(made.cwd or ".", cwd=call.cwd, home="")
        for path in (*made.deleted, *made.paths):
            yield PathChange(resolve(path, cwd=folder, home=""))
        return
    for seen in CallAnalysis(call).files():
        if "change" in seen.operations and not seen.unsure:
            yield PathChange(seen.absolute)


def _end_of(record: Mapping[str, Any]) -> str:
    """Return how a call ended; empty for one that did not run, or still does."""
    if "output" not in record:
        return UNKNOWN if record.get("unreported") else ""
    code = record.get("exit_code")
    if not record.get("is_error") and not code:
        return OK
    if refusal(str(record.get("output", ""))) is not None:
        return ""
    return FAILED


def _short(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word[:_WORD_CHARS] for word in words[:_MOST_WORDS])
