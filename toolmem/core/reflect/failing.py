"""Find repeated failures: commands in sessions, and refused requests of tools."""

from collections.abc import Iterable
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.model import ANY_TOOL, Priority, Scope
from toolmem.core.names import is_tool_name
from toolmem.core.reflect.plan import LOOK, RULE, Step
from toolmem.core.secrets.detect import find_secrets
from toolmem.core.text.safetext import find_unsafe
from toolmem.core.turns.failures import Failure
from toolmem.core.turns.memory import TurnMemory


class CommandFailures(NamedTuple):
    """Failures of a command in one session; ``passed`` if it succeeded in the end."""

    command: str
    session: str
    times: int
    passed: bool


def failed_in(session: str, turns: Iterable[TurnMemory]) -> list[CommandFailures]:
    """Return the failures in the turns of a session."""
    return [
        CommandFailures(entry.command, session, entry.count, entry.then_passed)
        for turn in turns
        for entry in turn.failed
    ]


def failure_steps(
    failures: Iterable[CommandFailures], known: Iterable[str], scope: Scope
) -> list[Step]:
    """Propose a rule for each command that failed in several sessions.

    ``known`` are the texts of existing rules; commands in them are skipped.
    """
    found: dict[str, list[CommandFailures]] = {}
    for failed in failures:
        found.setdefault(failed.command, []).append(failed)
    ruled = "\n".join(known)
    steps = []
    for command, times in sorted(found.items()):
        sessions = {failed.session for failed in times}
        total = sum(failed.times for failed in times)
        quoted = f"`{command.replace('`', chr(39))}`"
        if len(sessions) < limits.SEEN_IN_SESSIONS or quoted in ruled:
            continue
        if find_unsafe(command) or find_secrets(command):
            continue
        text = f"{quoted} keeps failing here: find out why before you run it again"
        if len(text) > limits.RULE_CHARS:
            continue
        reason = f"{quoted} failed {total} times in {len(sessions)} sessions"
        steps.append(_rule(reason, text, scope, _program(command)))
    return steps


class RefusedRequest(NamedTuple):
    """A query or write of a tool that was refused, from the trace."""

    tool: str
    memory_type: str
    reason: str
    request: str


def refusal_steps(refused: Iterable[RefusedRequest]) -> list[Step]:
    """Propose a review of tools that are refused in several requests."""
    found: dict[tuple[str, str, str], set[str]] = {}
    for one in refused:
        key = (one.tool, one.memory_type, one.reason)
        found.setdefault(key, set()).add(one.request)
    return [
        Step(
            LOOK,
            f"{tool}: {kind or 'memory'} was refused in {len(requests)} requests:"
            f" {reason}",
        )
        for (tool, kind, reason), requests in sorted(found.items())
        if len(requests) >= limits.SEEN_IN_SESSIONS
    ]


def _program(command: str) -> str:
    """Return the program that a rule about the command is for, else every tool."""
    program = Failure("", 0, "", command).program
    return program if program and is_tool_name(program) else ANY_TOOL


def _rule(reason: str, text: str, scope: Scope, tool: str) -> Step:
    return Step(
        RULE,
        reason,
        scope=str(scope),
        tool=tool,
        priority=Priority.NORMAL.value,
        text=text,
    )
