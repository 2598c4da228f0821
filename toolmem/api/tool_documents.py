"""The JSON documents of tools; keys are only ever added."""

from collections.abc import Mapping, Sequence
from typing import Any

from toolmem.api.tools import ToolLookup
from toolmem.core.access.permit import ACCESS
from toolmem.core.tools.manifest import Manifest
from toolmem.ops.access.manifests import ToolChange, ToolRow


def tool_document(row: ToolRow) -> dict[str, Any]:
    """A tool: what its manifest says, and how many rules it has."""
    manifest = row.manifest
    return {
        "name": row.name,
        "key": row.key,
        "aliases": list(manifest.aliases) if manifest else [],
        "verbs": list(manifest.verbs) if manifest else [],
        "arguments": list(manifest.arguments) if manifest else [],
        "description": manifest.description if manifest else "",
        "memory_access": _access(manifest),
        "path": manifest.path if manifest else None,
        "rules": row.rules,
    }


def _access(manifest: Manifest | None) -> Mapping[str, Any]:
    """What a manifest states of access, as it stands."""
    stated = manifest.stated.get(ACCESS) if manifest else None
    return stated if isinstance(stated, Mapping) else {}


def found_tool_document(found: ToolLookup) -> dict[str, Any]:
    """A tool that was asked for, or ``{name, found: false}``."""
    if found.row is None:
        return {"name": found.name, "found": False}
    return tool_document(found.row)


def tools_document(rows: Sequence[ToolRow]) -> list[dict[str, Any]]:
    """The tools of a listing."""
    return [tool_document(row) for row in rows]


def change_document(change: ToolChange) -> dict[str, Any]:
    """What was done to a manifest."""
    return change._asdict()


def changes_document(changes: Sequence[ToolChange]) -> list[dict[str, Any]]:
    """What was done to several."""
    return [change_document(change) for change in changes]
