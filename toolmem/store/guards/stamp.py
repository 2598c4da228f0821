"""Stamps of folders, to detect changes to their files.

Creating, renaming or deleting an entry changes the times of its folder; writing,
replacing or linking a file changes its own. So a folder is unchanged if its time and
that of each file in it are. A check of 10,000 files takes as long as it takes to start
two interpreters.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from toolmem.store.files import folders
from toolmem.store.files.tree import OpenFolders

_CHANGES_TIME = sys.platform != "win32"
"""True if ``st_ctime`` is the time of the last change, which cannot be set back."""
_RACY_NS = 1_000_000_000
"""A file changed this recently before it was read may change again without a new time,
since file system clocks are coarse."""
_RACY = -1
"""Mark of such a file, which never matches later."""

Mark = int | str
FolderStamp = tuple[str, tuple[int, Mark], list[str], list[Mark]]
"""A folder's name, its inode and mark, its files, and the mark of each.

A link in place of a folder has a stamp, too, without files.
"""
Stamp = list[FolderStamp]
"""The folder itself first, then each folder in it; empty if it is missing."""


def stamp(parents: OpenFolders, folder: str, *, deep: bool, begun: int) -> Stamp:
    """Return the stamp of a folder, or ``deep`` also of the folders in it.

    ``parents`` are open folders above it, of one vault. ``begun`` is when the files
    began to be read, in nanoseconds. Raises ``OSError`` and ``ToolmemError`` if they
    cannot be listed.
    """
    racy_from = begun - _RACY_NS
    try:
        with _opened(parents, folder) as top:
            if not deep:
                return [_folder_stamp(top, "", racy_from)]
            with folders.scan(top) as entries:
                inner = {
                    e.name: e.is_dir(follow_symlinks=False)
                    for e in entries
                    if e.is_symlink() or e.is_dir(follow_symlinks=False)
                }
            stamps: Stamp = [("", _of_folder(top, racy_from), [], [])]
            for name in sorted(inner):
                if inner[name]:
                    with _child(top, name) as child:
                        stamps.append(_folder_stamp(child, name, racy_from))
                else:
                    stamps.append((name, _at(top, name, racy_from), [], []))
            return stamps
    except FileNotFoundError:
        return []


def is_unchanged(
    parents: OpenFolders,
    folder: str,
    known: Stamp,
) -> bool:
    """Return True if a stamp of a folder, and of those in it, is still current.

    Raises ``OSError`` and ``ToolmemError`` as ``stamp`` does.
    """
    try:
        with _opened(parents, folder) as top:
            if not known or _of_folder(top, None) != known[0][1]:
                return False
            return all(_is_same(top, each) for each in known)
    except FileNotFoundError:
        return not known


def is_racy(folder: FolderStamp) -> bool:
    """Return True if a file of a folder may change without a change of the stamp."""
    return folder[1][1] == _RACY or _RACY in folder[3]


def _is_same(top: folders.Folder, known: FolderStamp) -> bool:
    """Compare a folder in another one, or that one itself, without opening it."""
    home, own, names, marks = known
    if home and _at(top, home, None) != own:
        return False
    paths = [f"{home}/{name}" for name in names] if home else names
    stat, fd = os.stat, top.fd
    if _CHANGES_TIME and fd is not None:  # most of the time is spent here
        now: list[Any] = [
            stat(path, dir_fd=fd, follow_symlinks=False).st_ctime_ns for path in paths
        ]
    else:
        now = [_at(top, path, None)[1] for path in paths]
    return now == marks


@contextmanager
def _opened(parents: OpenFolders, path: str) -> Iterator[folders.Folder]:
    folder = parents.open_anew(path)
    try:
        yield folder
    finally:
        folder.close()


@contextmanager
def _child(parent: folders.Folder, name: str) -> Iterator[folders.Folder]:
    child = folders.open_child(parent, name)
    try:
        yield child
    finally:
        child.close()


def _folder_stamp(folder: folders.Folder, name: str, racy_from: int) -> FolderStamp:
    own = _of_folder(folder, racy_from)
    names: list[str] = []
    marks: list[Mark] = []
    with folders.scan(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".toml"):
                names.append(entry.name)
                marks.append(_mark(entry.stat(follow_symlinks=False), racy_from))
    return name, own, names, marks


def _of_folder(folder: folders.Folder, racy_from: int | None) -> tuple[int, Mark]:
    fd = folder.fd
    status = Path(folder.path).stat() if fd is None else os.fstat(fd)
    return status.st_ino, _mark(status, racy_from)


def _at(top: folders.Folder, path: str, racy_from: int | None) -> tuple[int, Mark]:
    status = os.stat(top.at(path), dir_fd=top.fd, follow_symlinks=False)
    return status.st_ino, _mark(status, racy_from)


def _mark(status: os.stat_result, racy_from: int | None) -> Mark:
    """Return the time of a file's last change; ``_RACY`` if after ``racy_from``."""
    when = status.st_ctime_ns if _CHANGES_TIME else status.st_mtime_ns
    if racy_from is not None and when >= racy_from:
        return _RACY
    return when if _CHANGES_TIME else f"{when} {status.st_size} {status.st_ino}"
