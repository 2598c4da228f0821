"""Find tools that failed repeatedly in a turn, and what worked afterwards."""

from collections.abc import Iterable
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.shell import steps as shell
from toolmem.core.shell.programs import LAUNCHERS
from toolmem.core.transcript.events import CallStatus, ToolKind, ToolUse, Turn
from toolmem.core.turns.errors import NO_CAUSE, error_class
from toolmem.core.turns.targets import command_target

_QUIET = frozenset(("cd", "echo", "printf", "export", "set", "source", ".", "true"))


class Failure(NamedTuple):
    """A tool, or a program that it ran, that failed at least twice in one turn.

    ``error`` is the class of the first failure; ``command`` the failing command, or the
    program that the failing commands share; ``worked`` the command that succeeded
    afterwards, which may be the same.
    """

    tool: str
    count: int  # type: ignore[assignment]  # not the tuple's own
    error: str
    command: str = ""
    worked: str = ""

    @property
    def program(self) -> str:
        """Program that failed; empty for several, or without a command."""
        step = _failing(self.command) if self.command else None
        return step.name if step else ""

    @property
    def text(self) -> str:
        """Sentence with the cause and the way out, if they are known.

        ``\\`deploy\\` timed out 3 times; with \\`--retries 3\\` it worked``.
        """
        failed, cause = "failed", self.error.replace("_", " ")
        if self.error == "timeout":
            failed, cause = "timed out", ""
        shown = f" ({cause})" if cause and self.error != NO_CAUSE else ""
        subject = _quotable(self.command or self.tool)
        return f"`{subject}` {failed} {self.count} times{shown}{self._way_out}"

    @property
    def _way_out(self) -> str:
        if not self.worked:
            return ""
        if self.worked == self.command:
            return ", then passed"
        added = self.worked.removeprefix(f"{self.command} ")
        if self.command and added != self.worked and added.startswith("-"):
            return f"; with `{_quotable(added)}` it worked"
        return f"; `{_quotable(self.worked)}` worked"


def repeated_failures(turn: Turn) -> tuple[Failure, ...]:
    """Return the tools that failed twice or more, in the order of the first failure.

    For a tool that runs commands, each program that failed so often; if none did, the
    tool. A refused, cancelled or blocked call is not a failure of its tool and does not
    count.
    """
    by_tool: dict[str, list[int]] = {}
    for number, use in enumerate(turn.uses):
        if use.status is CallStatus.FAILED:
            by_tool.setdefault(use.call.tool.strip().lower(), []).append(number)
    repeated = [
        numbers for failed in by_tool.values() for numbers in _repeated(turn, failed)
    ]
    return tuple(
        _failure(
            [turn.uses[number] for number in numbers], turn.uses[numbers[-1] + 1 :]
        )
        for numbers in sorted(repeated)
    )


def _repeated(turn: Turn, failed: list[int]) -> list[list[int]]:
    """Group the failures of one tool by program; all of them if no program repeats."""
    by_program: dict[str, list[int]] = {}
    for number in failed:
        step = _failing(turn.uses[number].call.command or "")
        by_program.setdefault(step.name if step else "", []).append(number)
    often = [
        numbers
        for program, numbers in by_program.items()
        if program and len(numbers) >= limits.FAILURES_OF_ONE_TOOL
    ]
    return often or [failed] * (len(failed) >= limits.FAILURES_OF_ONE_TOOL)


def _failure(failed: list[ToolUse], later: tuple[ToolUse, ...]) -> Failure:
    first = failed[0]
    output, code = "", None
    if first.result:
        output, code = first.result.output, first.result.exit_code
    shared = _shared([use.call.command or "" for use in failed])
    worked = _worked([use.call.command or "" for use in failed], later)
    tool = first.call.tool.strip()
    return Failure(tool, len(failed), error_class(output, code), shared, worked)


def _shared(commands: list[str]) -> str:
    """Return the one failing command, else the program that all of them run."""
    targets = {command_target(command) for command in commands if command}
    if len(targets) == 1 and all(commands):
        return targets.pop()
    programs = {step.name for step in map(_failing, commands) if step}
    return programs.pop() if len(programs) == 1 and all(commands) else ""


def _worked(commands: list[str], later: tuple[ToolUse, ...]) -> str:
    """Return the first later command that succeeded and matches a failed one."""
    tried = [step for step in map(_failing, commands) if step]
    for use in later:
        command = use.call.command
        if use.call.kind is not ToolKind.SHELL or use.status is not CallStatus.OK:
            continue
        if command and any(_alike(step, command) for step in tried):
            return command_target(command)
    return ""


def worked_instead(failed: str, later: Iterable[str]) -> str:
    """Return the first later command that does what a failed one was to do."""
    tried = _failing(failed)
    if tried is None:
        return ""
    others = (one for one in later if one != failed)
    return next((one for one in others if _alike(tried, one)), "")


def _failing(command: str) -> "shell.ShellStep | None":
    """Return the part of a command line that its exit code refers to: the last real
    one."""
    parts = [part for part in shell.shell_steps(command).plain if part.name]
    real = [part for part in parts if part.name not in _QUIET]
    heads = [part for part in real if part.operator not in ("|", "|&")]
    return next(reversed(heads or parts), None)


def _alike(tried: "shell.ShellStep", command: str) -> bool:
    """Return True if a command runs the program that failed, directly or by a launcher.

    The task of the program must be the same (``git push`` does not resolve a failed
    ``git fetch``); another program with exactly the same words counts, too.
    """
    wanted = tried.arguments
    task = next((word for word in wanted if not word.startswith("-")), None)
    for part in shell.shell_steps(command).plain:
        words = [word.text.rpartition("/")[2] for word in part.words]
        runs = part.name == tried.name or (
            part.name in LAUNCHERS and tried.name in words
        )
        if runs and (task is None or task in part.arguments):
            return True
        if wanted and part.arguments[-len(wanted) :] == wanted:
            return True
    return False


def _quotable(text: str) -> str:
    return text.replace("`", "'")
