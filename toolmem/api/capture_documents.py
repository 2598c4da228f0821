"""What capture found and did, as JSON; keys are only ever added."""

from typing import Any

from toolmem.core.rules.captured import CapturedDecree
from toolmem.ops.capture import failures
from toolmem.ops.capture.capture import CaptureResult
from toolmem.ops.capture.summary_lines import ABOUT


def captured_document(found: CaptureResult) -> dict[str, Any]:
    """The answer of ``capture --json``."""
    return {
        "decrees": [decree_document(decree) for decree in found.decrees],
        "failures": [failure_document(note) for note in found.failures],
        "turns": [note.document() for note in found.turns],
        "skipped": dict(found.skipped),
        "session": found.session or None,
        "format": found.format,
    }


def decree_document(decree: CapturedDecree) -> dict[str, Any]:
    """A decree and what was done with it; further keys only where they have a value.

    ``id`` is that of the rule or proposal; ``decree`` follows from the conversation
    and the text alone.
    """
    more: dict[str, Any] = {
        "reason": decree.reason,
        "path": decree.path,
        "count": decree.said,
        "clamped": decree.clamped,
    }
    if decree.change == "amend":
        more["amends"] = decree.about[0]
    elif decree.change in ABOUT:
        more[ABOUT[decree.change]] = list(decree.about)
    elif decree.about and decree.id:
        more["ids"] = [decree.id, *decree.about]
    return {
        "turn": decree.turn,
        "sentence": decree.sentence,
        "text": decree.text,
        "kind": decree.decree.kind,
        "tier": decree.decree.tier,
        "tools": list(decree.tools),
        "action": decree.action,
        "id": decree.id,
        "decree": decree.decree.id,
        "priority": decree.priority.value,
        "evidence": decree.evidence,
        **{key: value for key, value in more.items() if value},
    }


def failure_document(note: "failures.FailureNote") -> dict[str, Any]:
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
