"""Proposed cleanup steps, with their reasons, and the file of a plan.

A plan is TOML that people read and change. Each step names its source files by git blob
id, so that files changed since are left alone.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.formats.toml_edit import toml_value
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.rules.rule_file import PRIORITIES
from toolmem.core.scope import parse_scope
from toolmem.core.times import rfc3339
from toolmem.errors import InvalidFileError, ToolmemError

LOOK = "look"
RETIRE = "retire"
MERGE = "merge"
PROMOTE = "promote"
CONTEST = "contest"
FACT = "fact"
RULE = "rule"
COMPARE = "compare"

_WANTED: Mapping[str, tuple[str, ...]] = {
    LOOK: (),
    RETIRE: ("files",),
    MERGE: ("files",),
    PROMOTE: ("files", "scope"),
    CONTEST: ("files",),
    FACT: ("scope", "key", "value"),
    RULE: ("scope", "tool", "text", "priority"),
    COMPARE: ("files",),
}
"""Actions, and the keys that each requires."""
_TEXTS = ("action", "reason", "scope", "key", "value", "tool", "priority", "text")
_KEYS = frozenset((*_TEXTS, "files"))
_FILE = re.compile(r"([0-9a-f]{40}) (\S.*)")
_HEAD = """\
# The steps that `toolmem reflect` suggests, with reasons. Delete those that you do not
# want, edit the others, then run: toolmem reflect --apply THIS_FILE
#
# look     no change: a person should decide, and may change the action
# compare  no change: the files may say the same in other words, or not
# retire   the files move to archive/ with the reason; `toolmem restore` brings back
# merge    the first file stays, with this text if there is one; the others retire
# promote  like merge, and the first file moves to the scope
# contest  the two files are linked as contradicting each other
# fact     a line of the scope's facts.md        rule  a new rule
#
# A step is skipped if its files have changed since (compared by git blob ids).
"""


class Version(NamedTuple):
    """A file of the vault as it was read: its path and git blob id."""

    path: str
    blob: str


class Step(NamedTuple):
    """One proposed step; its keys depend on its action.

    ``files`` are its sources, first the one that stays, if any; ``text`` is the new
    body of that (empty: unchanged), or a rule.
    """

    action: str
    reason: str
    files: tuple[Version, ...] = ()
    text: str = ""
    scope: str = ""
    key: str = ""
    value: str = ""
    tool: str = ""
    priority: str = ""

    def document(self) -> dict[str, Any]:
        """Return the step for JSON."""
        table: dict[str, Any] = {"action": self.action, "reason": self.reason}
        table["files"] = [{"path": file.path, "blob": file.blob} for file in self.files]
        texts = {key: getattr(self, key) for key in _TEXTS[2:]}
        return table | {key: text for key, text in texts.items() if text}


class ProposedSteps(NamedTuple):
    """Steps for memories or rules, how many of them were looked at, and remarks."""

    steps: tuple[Step, ...] = ()
    looked_at: int = 0
    remarks: tuple[str, ...] = ()


class Plan(NamedTuple):
    """The steps, and the time of the plan."""

    made_at: datetime
    steps: tuple[Step, ...]


def plan_text(plan: Plan) -> str:
    """Return the text of a plan's file."""
    parts = [_HEAD, f"\nmade_at = {rfc3339(plan.made_at)}\n"]
    parts += [_step_text(step) for step in plan.steps]
    return "".join(parts)


def parse_plan(text: str, path: str) -> Plan:
    """Read a plan, as it was written or changed by hand.

    Raises ``InvalidFileError`` for a text that is not a plan, before any step is
    applied.
    """
    table = parse_toml(text, path, most=limits.PLAN_BYTES)
    made_at = table.get("made_at")
    if not isinstance(made_at, datetime) or made_at.tzinfo is None:
        raise InvalidFileError(
            path,
            0,
            "made_at is not a time: the file is not a plan of `toolmem reflect`",
        )
    unknown = sorted(table.keys() - {"made_at", "step"})
    if unknown:
        raise InvalidFileError(path, 0, f"no key {unknown[0]!r} in a plan")
    steps = table.get("step", [])
    if not isinstance(steps, list) or not all(isinstance(s, dict) for s in steps):
        raise InvalidFileError(path, 0, "every step must begin with [[step]]")
    lines = _lines(text)
    read = (
        _read_step(step, path, lines[n] if n < len(lines) else 0)
        for n, step in enumerate(steps)
    )
    return Plan(made_at, tuple(read))


def _step_text(step: Step) -> str:
    lines = ["\n[[step]]\n"]
    lines += [f"{key} = {toml_value(getattr(step, key))}\n" for key in _TEXTS[:2]]
    if step.files:
        files = (
            f"  {toml_value(f'{file.blob} {file.path}')},\n" for file in step.files
        )
        lines += ["files = [\n", *files, "]\n"]
    for key in _TEXTS[2:-1]:
        if getattr(step, key):
            lines.append(f"{key} = {toml_value(getattr(step, key))}\n")
    if step.text:
        lines.append(f"text = {_long_text(step.text)}\n")
    return "".join(lines)


def _long_text(text: str) -> str:
    """Return a text as a multi-line literal string, if TOML allows it."""
    plain = "'''" not in text and not text.endswith("'") and "\r" not in text
    odd = any((char < " " and char not in "\n\t") or char == "\x7f" for char in text)
    dots = any(line.count(".") > limits.TOML_KEY_DOTS for line in text.split("\n"))
    conflict = any(line[:7] in _CONFLICT for line in text.split("\n"))
    if "\n" in text and plain and not (odd or dots or conflict):
        return f"'''\n{text}'''"
    return toml_value(text)


_CONFLICT = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")


def _lines(text: str) -> list[int]:
    """Return the lines on which steps begin, accurate enough for a message."""
    rows = text.split("\n")
    return [n for n, row in enumerate(rows, 1) if row.strip() == "[[step]]"]


def _read_step(table: Mapping[str, Any], path: str, line: int) -> Step:
    def fail(message: str) -> InvalidFileError:
        return InvalidFileError(path, line, message)

    unknown = sorted(table.keys() - _KEYS)
    if unknown:
        raise fail(f"a step has no key {unknown[0]!r}")
    for key in sorted(table.keys() & set(_TEXTS)):
        if not isinstance(table[key], str):
            raise fail(f"{key}: expected a quoted string, found {table[key]!r:.40}")
    action = table.get("action", "")
    if action not in _WANTED:
        raise fail(f"no action {action!r:.40} ({', '.join(_WANTED)})")
    missing = [key for key in ("reason", *_WANTED[action]) if not table.get(key)]
    if missing:
        raise fail(f"{action}: {missing[0]} is missing")
    files = _read_files(table.get("files", []), fail)
    step = Step(files=files, **{key: table[key] for key in _TEXTS if key in table})
    wrong = _wrong(step)
    if wrong:
        raise fail(wrong)
    return step


def _wrong(step: Step) -> str:
    """Return the error of a step that has all keys; empty without one."""
    if step.action == CONTEST and len(step.files) != 2:
        return "contest: expected two files"
    if step.action == RULE and step.priority not in PRIORITIES:
        return f"no priority {step.priority!r:.40} ({', '.join(PRIORITIES)})"
    if step.scope:
        try:
            parse_scope(step.scope)
        except ToolmemError as error:
            return f"scope: {error}"
    return ""


def _read_files(value: Any, fail: Any) -> tuple[Version, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise fail("files: expected a list of strings, each an id and a path")
    versions: list[Version] = []
    for entry in value:
        match = _FILE.fullmatch(entry)
        if match is None:
            raise fail(f"files: expected a git blob id and a path, found {entry!r:.60}")
        versions.append(Version(match[2], match[1]))
    if len({version.path for version in versions}) < len(versions):
        raise fail("files: the same path twice")
    return tuple(versions)


def touching(steps: Iterable[Step], folder: str) -> tuple[Step, ...]:
    """Return the steps that concern something below a folder of the vault."""
    return tuple(
        step
        for step in steps
        if any(file.path.startswith(f"{folder}/") for file in step.files)
        or not step.files
    )
