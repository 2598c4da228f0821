"""Compiled guards that stay open in a process that answers several calls.

A folder that was found as it was compiled is checked again after the kernel reported a
change in it, or above it. Where nothing is reported, it is checked at every call, as in
any other process. These are always checked: folders of few files, and files that have
another name somewhere else, where they can be written unnoticed. Writes through a
memory map are not reported either: all is checked again after a minute.
"""

import errno
import os
import time
from collections.abc import Container, Iterator
from pathlib import Path
from typing import NamedTuple

from toolmem.store.files.settings import state_folder
from toolmem.store.files.tree import OpenFolders
from toolmem.store.guards import access
from toolmem.store.guards.guard_file import GuardFile
from toolmem.store.guards.place import FOLDER, name_of
from toolmem.store.guards.stamp import Stamp, is_unchanged
from toolmem.store.index.watch import FolderWatch, NoWatchError

_LEAST_FILES = 200
"""A check of fewer files takes less than to watch their folders."""
_RELIED_SECONDS = 60.0
_MOST_VAULTS = 4
_NO_FOLDER = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


def keep_open() -> None:
    """Keep compiled guards open in this process from now on."""
    access.use(OpenGuards())


class OpenGuards(access.GuardAccess):
    """Compiled guards of the vaults that this process was asked about."""

    def __init__(self) -> None:
        self._vaults: dict[Path, _VaultGuards] = {}
        self._process = os.getpid()

    def open(self, root: Path, version: str) -> GuardFile | None:
        """Return the compiled guards of a vault, and note which folders changed."""
        if os.getpid() != self._process:  # a child would take the events of its parent
            return super().open(root, version)
        kept = self._vaults.get(root)
        if kept is not None and kept.is_current(version):
            kept.note_changes()
            return kept.file
        if kept is not None:
            kept.close()
            del self._vaults[root]
        found = super().open(root, version)
        if found is not None:
            if len(self._vaults) >= _MOST_VAULTS:
                self._vaults.pop(next(iter(self._vaults))).close()
            self._vaults[root] = _VaultGuards(root, version, found)
        return found

    def is_unchanged(
        self,
        root: Path,
        folder: str,
        known: Stamp,
        chosen: Container[str] | None = None,
    ) -> bool:
        """Compare a folder, as far as it may have changed since the last time."""
        kept = self._vaults.get(root) if os.getpid() == self._process else None
        if kept is None or sum(len(one[2]) for one in known) < _LEAST_FILES:
            return super().is_unchanged(root, folder, known, chosen)
        return kept.is_unchanged(folder, known, chosen)


class _Comparison(NamedTuple):
    """A stamp that was found current, and the folders whose files were compared."""

    stamp: Stamp
    names: frozenset[str]


class _VaultGuards:
    """The open file of one vault, and what is known of its folders."""

    def __init__(self, root: Path, version: str, file: GuardFile) -> None:
        self.file = file
        self._root = root
        self._version = version
        self._watch: FolderWatch | None = None
        self._watchable = True
        self._since = 0.0
        self._checked: dict[str, _Comparison] = {}

    def is_current(self, version: str) -> bool:
        """Return True if the file still has its place in the user's state."""
        place = state_folder() / FOLDER / name_of(self._root)
        try:
            found = place.lstat()
        except OSError:
            return False
        return version == self._version and self.file.is_at(found)

    def close(self) -> None:
        """End the watch; all folders are checked again."""
        self._checked.clear()
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def note_changes(self) -> None:
        """Forget what is known of the folders that changed since the last call."""
        if self._watch is None:
            return
        changed = self._watch.changed()
        if changed is None or time.monotonic() - self._since > _RELIED_SECONDS:
            self.close()
            return
        for path in changed:
            for folder in [*self._checked]:
                if _concerns(path, folder):
                    del self._checked[folder]

    def is_unchanged(
        self, folder: str, known: Stamp, chosen: Container[str] | None
    ) -> bool:
        """Compare the files of folders that were not compared since they changed."""
        wanted = frozenset(
            home for home, *_ in known if chosen is None or home in chosen
        )
        done = self._checked.get(folder)
        if done is None or done.stamp is not known:
            done = _Comparison(known, frozenset())
        elif wanted <= done.names:
            return True
        watched = self._watches(folder, known)  # first: no change is missed
        linked: set[str] = set()
        rest = wanted - done.names
        with OpenFolders(self._root) as parents:
            if not is_unchanged(parents, folder, known, rest, linked):
                return False
        if watched:
            names = (done.names | wanted) - linked
            self._checked[folder] = _Comparison(known, names)
        return True

    def _watches(self, folder: str, known: Stamp) -> bool:
        """Watch a folder, those in it and those above; False if that fails."""
        if self._watch is None and self._watchable:
            try:
                self._watch = FolderWatch(self._root)
                self._since = time.monotonic()
            except (NoWatchError, OSError):
                self._watchable = False
        if self._watch is None:
            return False
        try:
            for path in _places(folder, known):
                if path not in self._watch:
                    _add(self._watch, path)
        except OSError:  # a limit, or no permission
            self.close()
            self._watchable = False
            return False
        return True


def _places(folder: str, known: Stamp) -> Iterator[str]:
    """The folders whose events tell of a change of a stamp."""
    names = folder.split("/")
    for size in range(len(names) + 1):
        yield "/".join(names[:size])
    for home, *_ in known:
        if home:
            yield f"{folder}/{home}"


def _add(watch: FolderWatch, path: str) -> None:
    try:
        watch.add(path)
    except OSError as error:  # what is missing, or a link, is seen in the folder above
        if error.errno not in _NO_FOLDER:
            raise


def _concerns(path: str, folder: str) -> bool:
    """Return True if a change in a folder may be one of a stamp of another."""
    inside, above = f"{path}/", f"{folder}/"
    return not path or inside.startswith(above) or above.startswith(inside)
