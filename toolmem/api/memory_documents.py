"""The JSON documents of memories; keys are only ever added."""

from typing import Any

from toolmem.api import memories
from toolmem.ops.memories import listing, save
from toolmem.ops.memories.change import MemoryChange
from toolmem.store.vault.memory_files import Memory


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


def memories_document(found: "listing.MemoryListing") -> list[dict[str, Any]]:
    """The memories of a listing."""
    return [memory_document(memory) for memory in found.memories]


def found_memory_document(found: "memories.MemoryLookup") -> dict[str, Any]:
    """A memory that was asked for, with its text, or ``{id, found: false}``."""
    if found.memory is None:
        return {"id": found.id, "found": False}
    return {**memory_document(found.memory), "text": found.text}


def deleted_memory_document(deleted: "memories.DeletedMemory") -> dict[str, Any]:
    """A memory that was deleted, or ``{id, found: false}``."""
    if deleted.change is None:
        return {"id": deleted.id, "found": False}
    return change_document(deleted.change)


def saved_document(result: "save.SaveResult") -> dict[str, Any]:
    """What became of a memory that was to be saved."""
    document = {**result._asdict(), "scope": str(result.scope)}
    del document["remarks"]
    return document | {"differing": list(result.differing)}


def _day(value: Any) -> str | None:
    """Dates as they are written, times in RFC 3339."""
    if value is None:
        return None
    return str(value.isoformat()).replace("+00:00", "Z")
