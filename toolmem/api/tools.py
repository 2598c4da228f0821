"""``vault.tool``: names of tools, and the words that mean them."""

from collections.abc import Sequence

from toolmem.api.access import Operations, bounded
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
