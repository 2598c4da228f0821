"""Export guards as permissions of Claude Code and prefix rules of Codex.

Neither can express everything that a guard matches. The parts that cannot be exported
are listed; only a hook that calls ``toolmem guard`` enforces them.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from toolmem.core.agents.registry import tools_of
from toolmem.core.exports.words import RuledCommand, plain_line
from toolmem.core.guard.derivation.stated import guards_in_force
from toolmem.core.model import ANY_TOOL, Action, Rule
from toolmem.core.rules.guard_table import Guard, parse_guards
from toolmem.core.text.safetext import visible
from toolmem.core.transcript.events import ToolKind
from toolmem.core.transcript.tools import kind_of

_HOST = re.compile(r"(?:[A-Za-z0-9-]+\.)+[A-Za-z0-9-]+")
_NOT_IN_PATTERN = re.compile(r"[()\n]|-->")
_EDITS = (ToolKind.EDIT, ToolKind.WRITE, ToolKind.DELETE)
_WEB = (ToolKind.WEB,)
_KEY = {Action.DENY: "deny", Action.ASK: "ask"}
_DECISION = {Action.DENY: "forbidden", Action.ASK: "prompt"}


class UnsupportedGuard(NamedTuple):
    """Part of a rule's guards that a program cannot express, and the reason."""

    rule: str
    id: str
    reason: str


class DenyRules(NamedTuple):
    """Permission rules of Claude Code by key (``deny``, ``ask``), in order."""

    deny: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()


def claude_permissions(
    rules: Iterable[Rule],
) -> tuple[DenyRules, tuple[UnsupportedGuard, ...]]:
    """Return what Claude Code can express of the guards, and what it cannot."""
    entries_of: dict[str, list[str]] = {"deny": [], "ask": []}
    unsupported: list[UnsupportedGuard] = []
    for rule, guard in _guards(rules):
        entries, missing = _claude(rule, guard)
        if guard.action in _KEY:
            entries_of[_KEY[guard.action]] += entries
        unsupported += [
            UnsupportedGuard(rule.rule, rule.id, reason) for reason in missing
        ]
    denied = tuple(dict.fromkeys(entries_of["deny"]))
    asked = tuple(
        entry for entry in dict.fromkeys(entries_of["ask"]) if entry not in denied
    )
    return DenyRules(denied, asked), tuple(dict.fromkeys(unsupported))


def codex_rules(rules: Iterable[Rule]) -> tuple[str, tuple[UnsupportedGuard, ...]]:
    """Return Codex prefix rules for the guards (Starlark), and what they omit."""
    blocks: list[str] = []
    unsupported: list[UnsupportedGuard] = []
    for rule, guard in _guards(rules):
        reason = _not_a_command(guard)
        lines = [] if reason else [plain_line(words) for words in guard.command]
        reasons = [reason] if reason else [one for one in lines if isinstance(one, str)]
        for line in lines:
            if isinstance(line, RuledCommand):
                blocks.append(_prefix_rule(rule, guard.action, line))
                reasons += [f"`{line.shown}` matches only in this order"] * bool(
                    line.option
                )
        unsupported += [UnsupportedGuard(rule.rule, rule.id, one) for one in reasons]
    return "\n".join(dict.fromkeys(blocks)), tuple(dict.fromkeys(unsupported))


def _guards(rules: Iterable[Rule]) -> Iterator[tuple[Rule, Guard]]:
    for rule in rules:
        guards, _ = parse_guards(guards_in_force(rule), path=rule.path)
        for guard in guards:
            yield rule, guard


def _not_a_command(guard: Guard) -> str:
    """Reason why a guard is not just about a command; empty if it is."""
    if guard.broken:
        return "the guard is broken"
    if guard.action not in _DECISION:
        return "warns only"
    if not guard.command:
        return "is not about a command"
    more = [key for key in _CONDITIONS if getattr(guard, key)]
    if guard.unless:
        return _EXCEPTION
    return f"permissions cannot check `{more[0]}`" if more else ""


_CONDITIONS = (
    "tool", "contains", "recipient", "glob", "regex", "path", "outside", "host",
    "branch", "within", "without",
)  # fmt: skip
_EXCEPTION = "permissions have no exceptions (`unless`)"


def _claude(rule: Rule, guard: Guard) -> tuple[list[str], list[str]]:
    """Patterns for a guard, and the reasons why they do not cover all of it."""
    if guard.command:
        reason = _not_a_command(guard)
        return ([], [reason]) if reason else _bash(guard)
    if guard.broken:
        return [], ["the guard is broken"]
    if guard.action not in _KEY:
        return [], ["warns only"]
    if guard.unless:
        return [], [_EXCEPTION]
    given = [key for key in ("argument", *_CONDITIONS) if getattr(guard, key)]
    if given == ["path"]:
        return _files(rule, guard)
    if given == ["host"]:
        return _hosts(rule, guard)
    if given:
        return [], [f"permissions cannot check `{given[-1]}` of an argument"]
    return _whole_tool(rule)


def _bash(guard: Guard) -> tuple[list[str], list[str]]:
    entries: list[str] = []
    reasons: list[str] = []
    for words in guard.command:
        line = plain_line(words)
        if isinstance(line, str):
            reasons.append(line)
            continue
        start = " ".join(line.words)
        if not line.option:
            entries += [f"Bash({start})", f"Bash({start} *)"]
        for option in line.option:
            begun, later = f"{start} {option}", f"{start} * {option}"
            entries += [f"Bash({begun})", f"Bash({begun} *)"]
            entries += [f"Bash({later})", f"Bash({later} *)"]
    return entries, reasons


def _files(rule: Rule, guard: Guard) -> tuple[list[str], list[str]]:
    kind = kind_of(rule.tool, {})
    anywhere = rule.tool == ANY_TOOL
    used = guard.operation or ("change", "read")
    tools = ["Edit"] * ("change" in used and (kind in _EDITS or anywhere))
    tools += ["Read"] * ("read" in used and (kind is ToolKind.READ or anywhere))
    if not tools and "delete" in used:
        return [], ["deleting a file"]
    if not tools:
        return [], [f"a file in a call of {visible(rule.tool)}"]
    good = [path for path in guard.path if not _NOT_IN_PATTERN.search(path)]
    entries = [f"{tool}({_anchored(path)})" for path in good for tool in tools]
    reasons = [] if len(good) == len(guard.path) else ["a file with an odd name"]
    return entries, reasons + ["the file in a shell command"] * anywhere


def _anchored(path: str) -> str:
    """Path in Claude Code's syntax: ``//`` for the root, ``**/`` for anywhere."""
    if path.startswith("/"):
        return f"/{path}"
    if path.startswith(("~", "**")):
        return path
    return f"**/{path.removeprefix('./')}"


def _hosts(rule: Rule, guard: Guard) -> tuple[list[str], list[str]]:
    anywhere = rule.tool == ANY_TOOL
    if not anywhere and kind_of(rule.tool, {}) not in _WEB:
        return [], [f"a host in a call of {visible(rule.tool)}"]
    good = [host for host in guard.host if _HOST.fullmatch(host)]
    entries = [f"WebFetch(domain:{host})" for host in good]
    reasons = [] if len(good) == len(guard.host) else ["a host with a pattern"]
    return entries, reasons + ["the host in a shell command"] * anywhere


def _whole_tool(rule: Rule) -> tuple[list[str], list[str]]:
    if re.fullmatch(r"mcp__[\w-]+", rule.tool) or rule.tool in _BUILT_IN:
        return [rule.tool], []
    return [], [f"every call of {visible(rule.tool)}, not a tool of the program"]


_BUILT_IN = frozenset(tools_of("claude"))


def _prefix_rule(rule: Rule, action: Action, line: RuledCommand) -> str:
    pattern: list[str | list[str]] = list(line.words)
    if line.option:
        pattern.append(list(line.option) if len(line.option) > 1 else line.option[0])
    parts = {
        "pattern": pattern,
        "decision": _DECISION[action],
        "justification": visible(rule.rule),
        "match": [line.shown],
    }
    fields = "".join(
        f"    {key} = {json.dumps(value, ensure_ascii=False)},\n"
        for key, value in parts.items()
    )
    return f"prefix_rule(\n{fields})\n"
