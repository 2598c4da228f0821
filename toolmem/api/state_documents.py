"""The JSON documents of local state: statistics, turns, the index, settings."""

from collections.abc import Mapping, Sequence
from typing import Any

from toolmem.api import turns
from toolmem.ops.memories import restore
from toolmem.ops.reports import statistics
from toolmem.ops.session import turns as session_turns
from toolmem.store.files import settings as files_settings
from toolmem.store.index import index


def record_document(record: "statistics.ToolRecord") -> dict[str, Any]:
    """The statistics of a tool."""
    found = record.statistics
    return {
        "tool": found.tool,
        "calls": found.calls,
        "successes": found.successes,
        "failures": found.failures,
        "mean_ms": found.mean_ms,
        "errors": [{"class": name, "line": line} for name, line in found.errors],
        "rules": [
            {"id": hit.id, "rule": hit.rule, **hit.events} for hit in record.rules
        ],
    }


def records_document(
    records: "Sequence[statistics.ToolRecord]",
) -> list[dict[str, Any]]:
    """The statistics of several tools."""
    return [record_document(record) for record in records]


def turns_document(
    found: "Sequence[session_turns.TurnNote] | Sequence[session_turns.SessionRow]",
) -> list[dict[str, Any]]:
    """Turns of a session, or sessions."""
    return [_turn_or_session(one) for one in found]


def _turn_or_session(
    one: "session_turns.TurnNote | session_turns.SessionRow",
) -> dict[str, Any]:
    document = getattr(one, "document", None)
    return dict(document() if document else one._asdict())


def turn_document(note: "session_turns.TurnNote | None") -> dict[str, Any]:
    """One turn, or ``{found: false}``."""
    return note.document() if note else {"found": False}


def rendered_document(shown: "turns.RenderedTurns") -> dict[str, Any]:
    """``{session, block, text}``."""
    return {"session": shown.session, "block": shown.block, "text": shown.text}


def status_document(found: "index.IndexStatus") -> dict[str, Any]:
    """The state of the search index."""
    return {
        "state": found.state,
        "reason": found.reason or None,
        "documents": found.documents,
        "files": found.files,
        "bytes": found.bytes,
        "folder": found.folder or None,
    }


def damage_document(damage: Sequence[str]) -> dict[str, Any]:
    """What is wrong with the index."""
    return {"ok": not damage, "damage": list(damage)}


def restored_document(restored: "restore.RestoreResult") -> dict[str, Any]:
    """What is back from the archive."""
    return {**restored._asdict(), "action": "restored"}


def settings_document(
    settings: "Mapping[str, files_settings.SettingValue]",
) -> dict[str, Any]:
    """Every setting with its origin."""
    return {
        one.name: {"value": one.value, "origin": one.origin}
        for one in settings.values()
    }
