"""Read a whole vault on disk, listing the folder of each scope once."""

from pathlib import Path

from toolmem.errors import InvalidFileError, StorageError
from toolmem.store.files.tree import DirectoryEntry, DiskTree

_TOPS = frozenset({"agent-types", "agents", "projects"})
"""Folders at the top of a vault with a folder for each scope."""


class ScanTree(DiskTree):
    """A vault on disk, for one look at all of it.

    The listings of the folders of scopes, and of those above them, are kept: folders
    that they lack are not looked for.
    """

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._listed: dict[str, tuple[DirectoryEntry, ...]] = {}

    def entries(self, folder: str) -> tuple[DirectoryEntry, ...]:
        """See ``Tree.entries``."""
        top, _, rest = folder.partition("/")
        if top not in _TOPS:
            return super().entries(folder)
        scope, slash, inside = rest.partition("/")
        if slash:
            is_absent = self._lacks(f"{top}/{scope}", inside.partition("/")[0])
            return () if is_absent else super().entries(folder)
        if folder not in self._listed:
            self._listed[folder] = super().entries(folder)
        return self._listed[folder]

    def _lacks(self, folder: str, name: str) -> bool:
        """Return True if the listing of a folder has no such name, whatever its case.

        Nothing is known of a folder that cannot be listed, and of a name that a file
        system may spell in several ways.
        """
        try:
            entries = self.entries(folder)
        except (InvalidFileError, StorageError):
            return False
        wanted = name.casefold()
        return name.isascii() and all(e.name.casefold() != wanted for e in entries)
