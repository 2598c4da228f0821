"""``vault.tool``: names of tools, and the words that mean them."""

from collections.abc import Mapping, Sequence
from typing import Any

from toolmem.api.access import Operations, bounded
from toolmem.core.access.permit import ACCESS
from toolmem.core.tools.manifest import Manifest
from toolmem.ops.access import manifests as tools
from toolmem.ops.access.manifests import ToolChange, ToolRow


@bounded("tool")
class Tools(Operations):
    """Operations on tools and their manifests."""

    def list(self, *, limit: int | None = None) -> tuple[ToolRow, ...]:
        """Return the tools that have a manifest or rules, by name."""
        rows = tools.list_tools(self._access.read(), self._access.bounds.allows)
        return rows[:limit]

    def show(self, tool: str) -> ToolRow | None:
        """Return the tool that a name or an alias means, or None."""
        vault = self._access.read()
        return tools.show_tool(vault, tool, self._access.bounds.allows)

    def add(
        self,
        tool: str,
        *,
        alias: Sequence[str] = (),
        verb: Sequence[str] = (),
        argument: Sequence[str] = (),
        description: str = "",
        create: bool = False,
    ) -> ToolChange:
        """Write a tool's manifest, or add words to an existing one.

        Raises ``UsageError`` for an invalid name or word.
        """
        wanted = tools.ManifestChange(
            tool, tuple(alias), tuple(verb), tuple(argument), description
        )
        vault = self._access.write()
        _, remarks = self._access.place(vault, "system", tool, create=create)
        return tools.add_tool(vault, wanted)._replace(remarks=remarks)

    def import_(self, listing: str, *, dry_run: bool = False) -> tuple[ToolChange, ...]:
        """Write manifests for the tools of a listing (JSON text); none is overwritten.

        Raises ``UsageError`` for an invalid listing.
        """
        vault = self._access.write(dry_run=dry_run)
        return tools.import_tools(vault, listing, dry_run=dry_run)


def tool_document(row: ToolRow) -> dict[str, Any]:
    """Return a tool: the content of its manifest, and the number of its rules."""
    manifest = row.manifest
    return {
        "name": row.name,
        "key": row.key,
        "aliases": list(manifest.aliases) if manifest else [],
        "verbs": list(manifest.verbs) if manifest else [],
        "arguments": list(manifest.arguments) if manifest else [],
        "description": manifest.description if manifest else "",
        "version": manifest.version if manifest else "",
        "memory_access": _access(manifest),
        "path": manifest.path if manifest else None,
        "rules": row.rules,
    }


def _access(manifest: Manifest | None) -> Mapping[str, Any]:
    """Return the memory access in a manifest, as written."""
    stated = manifest.stated.get(ACCESS) if manifest else None
    return stated if isinstance(stated, Mapping) else {}


def tools_document(rows: Sequence[ToolRow]) -> list[dict[str, Any]]:
    """Return the tools of a listing."""
    return [tool_document(row) for row in rows]
