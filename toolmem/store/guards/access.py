"""How a process opens compiled guards and checks that they are current."""

from collections.abc import Container
from pathlib import Path

from toolmem.store.files.tree import OpenFolders
from toolmem.store.guards.guard_file import GuardFile, open_guard_file
from toolmem.store.guards.stamp import Stamp, is_unchanged


class GuardAccess:
    """Opens and checks all of them at every call."""

    def open(self, root: Path, version: str) -> GuardFile | None:
        """Return the compiled guards of a vault, or None if there are none."""
        return open_guard_file(root, version)

    def is_unchanged(
        self,
        root: Path,
        folder: str,
        known: Stamp,
        chosen: Container[str] | None = None,
    ) -> bool:
        """Compare a folder of the vault that was opened last; see ``stamp``."""
        with OpenFolders(root) as parents:
            return is_unchanged(parents, folder, known, chosen)


class _Current:
    access = GuardAccess()


def current() -> GuardAccess:
    """Return the access of this process."""
    return _Current.access


def use(access: GuardAccess) -> None:
    """Use another kind of access in this process."""
    _Current.access = access
