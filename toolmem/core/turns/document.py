"""Convert a turn's memory to plain values, for JSON and local state."""

from collections.abc import Mapping
from typing import Any

from toolmem.core.turns.memory import FailedCommand, TurnMemory


def turn_document(memory: TurnMemory) -> dict[str, Any]:
    """Return the memory of a turn; ``files`` are those that exist at its end.

    A failure without an exit code has its class (``error``) instead, and one that
    another command stood in for has that (``worked``).
    """
    created = set(memory.created)
    return {
        "files": [
            {"path": path, "change": "created" if path in created else "edited"}
            for path in memory.changed
        ],
        "failed": [
            {
                "command": entry.command,
                "exit_code": entry.exit_code,
                "count": entry.count,
                "fixed": entry.then_passed,
                **({"error": entry.error} if entry.exit_code is None else {}),
                **({"worked": entry.worked} if entry.worked else {}),
            }
            for entry in memory.failed
        ],
        "deleted": list(memory.deleted),
        "dangerous": list(memory.dangerous),
    }


def turn_from(document: Mapping[str, Any]) -> TurnMemory:
    """Convert a document of ``turn_document`` back."""
    files = document["files"]
    return TurnMemory(
        tuple(file["path"] for file in files),
        tuple(document["deleted"]),
        tuple(
            FailedCommand(
                entry["command"],
                entry["exit_code"],
                entry.get("error", "error"),
                entry["count"],
                entry["fixed"],
                entry.get("worked", ""),
            )
            for entry in document["failed"]
        ),
        tuple(document["dangerous"]),
        tuple(file["path"] for file in files if file["change"] == "created"),
    )
