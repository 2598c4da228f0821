"""Print the answer of ``rule keep`` and ``rule retract`` as lines of text."""

from collections.abc import Iterable, Mapping
from typing import Any

from toolmem.core import limits
from toolmem.core.model import ANY_TOOL


def answer_lines(document: Mapping[str, Any]) -> Iterable[str]:
    """Yield a line for each rule, proposal and refusal of a document."""
    for one in document.get("retracted", ()):
        yield _retracted_line(one)
    for one in document.get("kept", ()):
        yield _rule_line(one)
    for one in document["proposed"]:
        yield (
            f"Proposed, not in effect: “{one['rule'] or one['sentence']}”: "
            f"{one['reason']}; a person decides with toolmem review "
            f"(proposal {_short(one['id'])})"
        )
    for one in document["refused"]:
        yield f"Refused: {one['id'] or 'the quotation'} {one['reason']}"


def _rule_line(one: Mapping[str, Any]) -> str:
    new = one["action"] == "created"
    word = "New" if new else "Already a"
    undo = f"undo: toolmem rule delete {_short(one['id'])}"
    notes = [undo] if new else [f"id {_short(one['id'])}"]
    notes.append(one["checks"])
    if one.get("unknown_tools"):
        names = ", ".join(one["unknown_tools"])
        notes.append(f"for every tool, as no tool {names} is known here")
    if one.get("remark"):
        notes.append(one["remark"])
    return (
        f"{word} {one['priority']} rule for {_named(one['tool'])}, {one['place']}: "
        f"“{one['rule']}” ({'; '.join(notes)})"
    )


def _retracted_line(one: Mapping[str, Any]) -> str:
    short, text, scope = _short(one["id"]), one["rule"], one["scope"]
    if one["action"] == "archived":
        return f"Archived rule {short}: “{text}” (undo: toolmem restore {one['path']})"
    if one["action"] == "overridden":
        undo = f"toolmem rule override {short} --scope {scope} --enable"
        return f"Switched off rule {short} in {scope}: “{text}” (undo: {undo})"
    return f"Added an exception to rule {short}: “{text}” (toolmem rule why {short})"


def _short(found: str) -> str:
    return found[: limits.ID_SHOWN]


def _named(tool: str) -> str:
    return "every tool" if tool == ANY_TOOL else tool
