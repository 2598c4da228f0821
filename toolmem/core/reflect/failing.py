"""Find repeated failures: commands in sessions, and refused requests of tools."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.model import SYSTEM, Priority, Scope
from toolmem.core.names import is_tool_name
from toolmem.core.reflect.plan import LOOK, RULE, Step
from toolmem.core.rules.observation import failing_text
from toolmem.core.secrets.detect import find_secrets
from toolmem.core.text.safetext import find_unsafe
from toolmem.core.transcript.events import ToolKind
from toolmem.core.transcript.tools import kind_of
from toolmem.core.turns.errors import cause_of
from toolmem.core.turns.memory import TurnMemory

SHELL = "shell"
"""Tool of the rules about commands, which every agent's shell tool is called as."""


class CommandFailures(NamedTuple):
    """Failures of a command in one session; ``worked`` is what succeeded instead.

    ``project`` is that of the session, empty for none.
    """

    command: str
    session: str
    times: int
    worked: str
    project: str


class ToolFailure(NamedTuple):
    """A failure of a tool in one session: class and exit code of its error."""

    tool: str
    session: str
    error: str
    detail: str
    project: str


def failed_in(session: str, turn: TurnMemory, project: str) -> list[CommandFailures]:
    """Return the failures in a turn of a session."""
    return [
        CommandFailures(entry.command, session, entry.count, entry.worked, project)
        for entry in turn.failed
    ]


def failure_steps(
    failures: Iterable[CommandFailures], known: Iterable[str]
) -> list[Step]:
    """Propose a rule for each command that failed in several sessions of a project.

    ``known`` are the texts of existing rules; commands in them are skipped.
    """
    by_command: dict[tuple[str, str], list[CommandFailures]] = {}
    for failed in failures:
        by_command.setdefault((failed.command, failed.project), []).append(failed)
    ruled = "\n".join(known)
    steps = []
    for (command, project), times in sorted(by_command.items()):
        sessions = {failed.session for failed in times}
        total = sum(failed.times for failed in times)
        quoted = _quoted(command)
        if len(sessions) < limits.SEEN_IN_SESSIONS or quoted in ruled:
            continue
        text = f"{quoted} keeps failing here: find out why before you run it again"
        worked = Counter(failed.worked for failed in times if failed.worked)
        if worked:
            text = f"{quoted} fails here; {_quoted(worked.most_common(1)[0][0])} works"
        reason = f"{quoted} failed {total} times in {len(sessions)} sessions"
        steps += _rule(reason, text, project, SHELL)
    return steps


def tool_steps(failures: Iterable[ToolFailure], known: Iterable[str]) -> list[Step]:
    """Propose a rule for each tool that failed for one cause in several sessions of a
    project.

    A class of errors is a cause; other errors are compared by their exit code. What
    commands failed is judged by ``failure_steps``.
    """
    by_cause: dict[tuple[str, str, str], set[str]] = {}
    for failure in failures:
        cause = cause_of(failure.error, failure.detail)
        is_shell = kind_of(failure.tool, {}) == ToolKind.SHELL
        if cause and is_tool_name(failure.tool) and not is_shell:
            key = (failure.tool, cause, failure.project)
            by_cause.setdefault(key, set()).add(failure.session)
    ruled = "\n".join(known)
    steps = []
    for (tool, cause, project), sessions in sorted(by_cause.items()):
        text = failing_text(tool, cause)
        if len(sessions) >= limits.FAILURE_SESSIONS and text not in ruled:
            reason = f"{_quoted(tool)} failed in {len(sessions)} sessions: {cause}"
            steps += _rule(reason, text, project, tool)
    return steps


def _quoted(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`"


class RefusedRequest(NamedTuple):
    """A query or write of a tool that was refused, from the trace."""

    tool: str
    memory_type: str
    reason: str
    request: str


def refusal_steps(refused: Iterable[RefusedRequest]) -> list[Step]:
    """Propose a review of tools that are refused in several requests."""
    by_reason: dict[tuple[str, str, str], set[str]] = {}
    for refusal in refused:
        key = (refusal.tool, refusal.memory_type, refusal.reason)
        by_reason.setdefault(key, set()).add(refusal.request)
    return [
        Step(
            LOOK,
            f"{tool}: {kind or 'memory'} was refused in {len(requests)} requests:"
            f" {reason}",
        )
        for (tool, kind, reason), requests in sorted(by_reason.items())
        if len(requests) >= limits.SEEN_IN_SESSIONS
    ]


def _rule(reason: str, text: str, project: str, tool: str) -> list[Step]:
    """Return the step for a rule, unless its text may not be stored."""
    if len(text) > limits.RULE_CHARS or find_unsafe(text) or find_secrets(text):
        return []
    place = str(Scope("project", project) if project else SYSTEM)
    priority = Priority.NORMAL.value
    return [Step(RULE, reason, scope=place, tool=tool, priority=priority, text=text)]
