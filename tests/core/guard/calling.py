"""Short ways to ask a guard about a call."""

from typing import Any

from toolmem.core.guard.call_analysis import CallAnalysis
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.commands import read_shell
from toolmem.core.guard.verdict import Match, match_guard
from toolmem.core.rules.guard_table import Guard, parse_guards

CWD = "/home/me/project"
HOME = "/home/me"


def guard_of(table: dict[str, Any]) -> Guard:
    guards, problems = parse_guards([table], path="rule.toml")
    assert problems == ()
    return guards[0]


def reading_of(arguments: dict[str, Any], tool: str = "tool") -> CallAnalysis:
    return CallAnalysis(ToolCall(tool, arguments, CWD, HOME), read_shell)


def matched(table: dict[str, Any], arguments: dict[str, Any]) -> Match | None:
    return match_guard(guard_of(table), reading_of(arguments))


def answer(table: dict[str, Any], arguments: dict[str, Any]) -> str:
    match = matched(table, arguments)
    return match.action.value if match else "allow"
