"""Commands of a shell text as they run, and how each of them ended.

A text ends with one exit code. It proves that a command succeeded only if that command
is the last one, or joined by ``&&`` to a later one that did.
"""

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from toolmem.core.shell.programs import ENVIRONMENTS, PREFIXES, SHELLS, program_name
from toolmem.core.shell.words import ShellCommand, SimpleCommand

OK, FAILED, UNKNOWN = "ok", "failed", "unknown"
"""Ends of a call, and of one of its commands."""
_TRANSPARENT = (PREFIXES.keys() | SHELLS | ENVIRONMENTS) - {"xargs", "chroot"}
_COMPOUND = re.compile(
    r"(?:^|[;&|(\n]|\b(?:then|do|else)\b)\s*"
    r"(?:!|if|while|until|for|case|select|function)\s|\(\)\s*\{"
)
_IN_BACKGROUND = re.compile(r"(?<![&>])&\s*\Z")
PIPES = ("|", "|&")
_QUIET = frozenset(
    ("cd", "pushd", "popd", "echo", "printf", "export", "set", "source", ".", ":",
     "true", "pwd", "unset", "date", "sleep")
)  # fmt: skip
"""Commands that hardly ever fail."""
_LEAVES = ("exit", "return", "false")


class RunCommand(NamedTuple):
    """A command without the wrappers around it; ``at`` is its place in the text.

    ``operator`` joins it to the one before.
    """

    argv: tuple[str, ...]
    operator: str
    at: int
    command: SimpleCommand

    @property
    def name(self) -> str:
        """Name of its program; empty for the redirects of a group."""
        return program_name(self.argv[0]) if self.argv else ""


def commands_in(shell: ShellCommand) -> list[RunCommand]:
    """Return the commands of a parsed text, in order.

    What runs in a container or on another computer belongs to the command that starts
    it there.
    """
    commands = []
    for at, (command, after) in enumerate(
        zip_longest(shell.commands, shell.commands[1:])
    ):
        name = program_name(command.argv[0].text) if command.argv else ""
        inside = after is not None and after.via == (*command.via, name)
        if command.substituted or not _TRANSPARENT.issuperset(command.via):
            continue
        if not (inside and name in _TRANSPARENT):
            words = tuple(word.text for word in command.argv)
            commands.append(RunCommand(words, command.operator, at, command))
    return commands


def ends_of(text: str, commands: Sequence[RunCommand], end: str) -> list[str]:
    """Return how each command of a text ended, empty for one that does not count.

    ``end`` is how the text ended. Commands in the background, and those whose failure
    is ignored (``|| true``), do not count.
    """
    lines = _pipelines(commands)
    ends = [UNKNOWN] * len(lines)
    if not _COMPOUND.search(text) and end == OK:
        ends = _after_success(lines)
    elif not _COMPOUND.search(text) and end == FAILED:
        ends = _after_failure(lines)
    if lines and _IN_BACKGROUND.search(text):
        ends[-1] = ""
    for number, line in enumerate(lines[1:], 1):
        if line[0].operator == "&" or (
            line[0].operator == "||" and line[0].name not in _LEAVES
        ):
            ends[number - 1] = ""
    for number in range(len(lines) - 1, 0, -1):
        if lines[number][0].operator == "&&" and not ends[number]:
            ends[number - 1] = ""
    return [
        one
        for line, end in zip(lines, ends, strict=True)
        for one in _within(line, end, commands)
    ]


def _pipelines(commands: Sequence[RunCommand]) -> list[list[RunCommand]]:
    lines: list[list[RunCommand]] = []
    for command in commands:
        if command.operator in PIPES and lines:
            lines[-1].append(command)
        else:
            lines.append([command])
    return lines


def _within(
    line: Sequence[RunCommand], end: str, commands: Sequence[RunCommand]
) -> list[str]:
    """Return the ends of the commands of one pipeline; the last one's is its own."""
    if len(line) == 1 or not end or _has_pipefail(line[0], commands):
        return [end] * len(line)
    return [UNKNOWN] * (len(line) - 1) + [end]


def _after_success(lines: Sequence[Sequence[RunCommand]]) -> list[str]:
    ends = [OK] * len(lines)
    for number in range(len(lines) - 2, -1, -1):
        joined = lines[number + 1][0]
        if joined.operator == "&&":
            ends[number] = ends[number + 1]
        elif joined.operator != "||" and not _stops_at_errors(lines[:number]):
            ends[number] = UNKNOWN
    return ends


def _after_failure(lines: Sequence[Sequence[RunCommand]]) -> list[str]:
    """Return the ends after a failure: known if a single command can have failed."""
    ends = [UNKNOWN] * len(lines)
    may_fail = [
        number
        for number, line in enumerate(lines)
        if line[-1].name not in (*_QUIET, *_LEAVES)
    ]
    last = len(lines) - 1
    alone = may_fail == [last] or (
        len(may_fail) == 1 and all(one[0].name in _LEAVES for one in lines[1:])
    )
    if alone:
        ends[may_fail[0]] = FAILED
    elif last in may_fail and lines[last][0].operator in (";", "\n"):
        ends[last] = FAILED
    return ends


def _has_pipefail(command: RunCommand, commands: Sequence[RunCommand]) -> bool:
    outer = [word.text for words in command.command.outer for word in words]
    sets = [c.argv for c in commands if c.name == "set" and c.at < command.at]
    return "pipefail" in outer or any("pipefail" in words for words in sets)


def _stops_at_errors(lines: Sequence[Sequence[RunCommand]]) -> bool:
    return any(
        line[0].name == "set" and any(re.match(r"-[a-z]*e", w) for w in line[0].argv)
        for line in lines
    )
