"""The JSON documents of memories; keys are only ever added."""

from typing import Any

from toolmem.ops.memory_change import MemoryChange
from toolmem.store.memory_files import Memory


def memory_document(memory: Memory) -> dict[str, Any]:
    """A memory with its fields; the optional ones only where they are set."""
    parsed = memory.parsed
    document: dict[str, Any] = {
        "id": memory.id,
        "path": memory.path,
        "scope": str(memory.scope),
    }
    if parsed is None:
        return {**document, "error": memory.error, "private": True}
    document |= {
        "title": parsed.title,
        "topic": parsed.topic,
        "kind": parsed.kind,
        "tags": list(parsed.tags),
        "importance": parsed.importance,
        "private": parsed.private,
        "created": _day(parsed.created),
        "updated": _day(parsed.updated),
    }
    optional = {
        "expires_at": _day(parsed.expires_at),
        "summary": parsed.summary,
        "source": parsed.source,
        "source_task": parsed.source_task,
        "source_tasks_additional": list(parsed.source_tasks_additional),
        "agent": parsed.agent,
        "confidence": parsed.confidence,
        "supersedes": list(parsed.supersedes),
        "contested_with": list(parsed.contested_with),
        "related_to": list(parsed.related_to),
        "original": parsed.original_path,
        "extra": dict(parsed.extra),
    }
    return document | {key: value for key, value in optional.items() if value}


def change_document(change: MemoryChange) -> dict[str, Any]:
    """What was done to a memory."""
    return {
        "id": change.id,
        "action": change.action,
        "path": change.path,
        "scope": str(change.scope),
    }


def _day(value: Any) -> str | None:
    """Dates as they are written, times in RFC 3339."""
    if value is None:
        return None
    return str(value.isoformat()).replace("+00:00", "Z")
