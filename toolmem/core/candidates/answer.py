"""Print the answer of ``rule keep`` and ``rule retract`` as lines of text."""

from collections.abc import Iterable, Mapping
from typing import Any

from toolmem.core import limits
from toolmem.core.model import ANY_TOOL


def answer_lines(document: Mapping[str, Any]) -> Iterable[str]:
    """Yield a line for each rule, proposal and refusal of a document."""
    for rule in document.get("retracted", ()):
        yield _retracted_line(rule)
    for rule in document.get("kept", ()):
        yield _rule_line(rule)
    for rule in document["proposed"]:
        yield (
            f"Proposed, not in effect: “{rule['rule'] or rule['sentence']}”: "
            f"{rule['reason']}; a person decides with toolmem review "
            f"(proposal {_short(rule['id'])})"
        )
    for rule in document["refused"]:
        yield f"Refused: {rule['id'] or 'the quotation'} {rule['reason']}"


def _rule_line(rule: Mapping[str, Any]) -> str:
    new = rule["action"] == "created"
    word = "New" if new else "Already a"
    undo = f"undo: toolmem rule delete {_short(rule['id'])}"
    notes = [undo] if new else [f"id {_short(rule['id'])}"]
    notes.append(rule["checks"])
    if rule.get("unknown_tools"):
        names = ", ".join(rule["unknown_tools"])
        notes.append(f"for every tool, as no tool {names} is known here")
    if rule.get("remark"):
        notes.append(rule["remark"])
    return (
        f"{word} {rule['priority']} rule for {_named(rule['tool'])}, {rule['place']}: "
        f"“{rule['rule']}” ({'; '.join(notes)})"
    )


def _retracted_line(rule: Mapping[str, Any]) -> str:
    short, text, scope = _short(rule["id"]), rule["rule"], rule["scope"]
    if rule["action"] == "archived":
        return f"Archived rule {short}: “{text}” (undo: toolmem restore {rule['path']})"
    if rule["action"] == "overridden":
        undo = f"toolmem rule override {short} --scope {scope} --enable"
        return f"Switched off rule {short} in {scope}: “{text}” (undo: {undo})"
    return f"Added an exception to rule {short}: “{text}” (toolmem rule why {short})"


def _short(rule_id: str) -> str:
    return rule_id[: limits.ID_SHOWN]


def _named(tool: str) -> str:
    return "every tool" if tool == ANY_TOOL else tool
