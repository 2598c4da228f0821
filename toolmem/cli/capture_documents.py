"""What capture, turns and statistics show: as JSON, and as lines for people."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from toolmem.cli.output import show
from toolmem.core import limits
from toolmem.core.captured import Decree
from toolmem.core.model import ANY_TOOL
from toolmem.ops.capture import Captured

if TYPE_CHECKING:
    from toolmem.ops.failures import FailureNote

_ABOUT = {"amend": "amends", "contest": "contradicts", "retire": "retires"}
"""What the rules that a proposal is about are called, by its kind."""


def captured_document(found: Captured) -> dict[str, Any]:
    """The answer of ``capture --json``."""
    return {
        "decrees": [decree_document(decree) for decree in found.decrees],
        "failures": [failure_document(note) for note in found.failures],
        "turns": [note.document() for note in found.turns],
        "skipped": dict(found.skipped),
        "session": found.session or None,
        "format": found.format,
    }


def decree_document(decree: Decree) -> dict[str, Any]:
    """A find and what was done with it; further keys only where they say something."""
    more: dict[str, Any] = {
        "reason": decree.reason,
        "path": decree.path,
        "count": decree.said,
        "clamped": decree.clamped,
        "holds": "session" if decree.kind == "session" else "",
    }
    if decree.kind == "amend":
        more["amends"] = decree.about[0]
    elif decree.kind in _ABOUT:
        more[_ABOUT[decree.kind]] = list(decree.about)
    elif decree.about and decree.id:
        more["ids"] = [decree.id, *decree.about]
    return {
        "turn": decree.turn,
        "text": decree.text,
        "sentence": decree.sentence,
        "tools": list(decree.tools),
        "priority": decree.priority.value,
        "polarity": decree.polarity,
        "lasting": decree.lasting,
        "confidence": decree.confidence,
        "action": decree.action,
        "id": decree.id,
        "evidence": decree.evidence,
        **{key: value for key, value in more.items() if value},
    }


def failure_document(note: "FailureNote") -> dict[str, Any]:
    """A tool that failed repeatedly in a turn."""
    document = {
        "turn": note.turn,
        "tool": note.tool,
        "count": note.times,
        "total": note.total,
        "error": note.error,
        "command": note.command or None,
        "worked": note.worked or None,
        "text": note.text,
        "action": note.action,
        "id": note.id,
        "evidence": note.evidence,
    }
    more = {"reason": note.reason, "path": note.path}
    return document | {key: value for key, value in more.items() if value}


def captured_lines(found: Captured) -> str:
    """A line for each decree and failure. They begin so that they are recognised.

    A user may paste them back to an agent: capture knows the beginning and finds
    nothing in them.
    """
    lines = [_line(*_decree_cells(decree)) for decree in found.decrees]
    lines += [_line(*_failure_cells(note)) for note in found.failures]
    return "\n".join(lines)


def undo_hint(found: Captured) -> str:
    """How to undo or review what was done; empty where nothing was."""
    actions = {decree.action for decree in found.decrees if decree.kind != "session"}
    actions |= {note.action for note in found.failures}
    hints = []
    if "created" in actions:
        hints.append("undo with `toolmem rule archive ID --reason …`")
    if "retired" in actions:
        hints.append("undo with `toolmem restore ID`")
    if actions & {"proposed", "amended", "contested"}:
        hints.append("`toolmem review` shows what is proposed")
    return "; ".join(hints)


def _decree_cells(
    decree: Decree,
) -> tuple[str, str | None, str, Iterable[str], str, str]:
    about = ", ".join(rule_id[: limits.ID_SHOWN] for rule_id in decree.about)
    if decree.kind in _ABOUT and about:
        about = f"{_ABOUT[decree.kind]} {about}"
    elif decree.kind == "session":
        about = "for this session"
    clamped = "an agent's rule is at most high" if decree.clamped else ""
    notes = "; ".join(part for part in (about, decree.reason, clamped) if part)
    priority = decree.priority.value
    return decree.action, decree.id, priority, decree.tools, decree.text, notes


def _failure_cells(
    note: "FailureNote",
) -> tuple[str, str | None, str, Iterable[str], str, str]:
    notes = f"{note.total} times in all" if note.total > note.times else ""
    notes = "; ".join(part for part in (notes, note.reason) if part)
    return note.action, note.id, "normal", (note.tool,), note.text, notes


def _line(
    action: str,
    found: str | None,
    priority: str,
    tools: Iterable[str],
    text: str,
    notes: str,
) -> str:
    named = ", ".join("every tool" if tool == ANY_TOOL else tool for tool in tools)
    about = f" ({notes})" if notes else ""
    short = (found or "-")[: limits.ID_SHOWN]
    return show(f"captured: {action} {short} [{priority}] {named}: {text}{about}")
