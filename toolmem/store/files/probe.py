"""Test the abilities of the file system in the vault's local state."""

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from toolmem.store.files import folders
from toolmem.store.files.layout import STATE

if sys.platform != "win32":
    import fcntl

_MOUNTS = Path("/proc/self/mounts")
_NETWORK = ("nfs", "cifs", "smb", "fuse.sshfs", "9p", "afs", "ceph", "glusterfs")


class FileSystemProblem(NamedTuple):
    """An operation that the file system does not support, and its error."""

    what: str
    message: str


def trials(root: Path) -> Iterator[FileSystemProblem]:
    """Yield what does not work below the vault's ``.toolmem``, leaving no files.

    Without that folder, only write access to the vault is tested.
    """
    state = root / STATE
    if not os.access(root, os.W_OK | os.X_OK):
        yield FileSystemProblem("read-only", "the vault's folder cannot be written")
    if not state.is_dir() or state.is_symlink():
        return
    try:
        folder = Path(tempfile.mkdtemp(prefix="probe-", dir=state))
    except OSError as error:
        yield FileSystemProblem("read-only", f"{STATE}: {folders.reason(error)}")
        return
    try:
        yield from _tried(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _tried(folder: Path) -> Iterator[FileSystemProblem]:
    file = folder / "a"
    try:
        with file.open("wb") as handle:
            handle.write(b"x")
            handle.flush()
            os.fsync(handle.fileno())
    except OSError as error:
        yield FileSystemProblem("no-flush", folders.reason(error))
        return
    try:
        os.link(file, folder / "b")
    except OSError as error:
        yield FileSystemProblem("no-links", folders.reason(error))
    try:
        file.replace(folder / "c")
    except OSError as error:
        yield FileSystemProblem("no-rename", folders.reason(error))
    if not locks_work(folder / "lock"):
        yield FileSystemProblem("no-locks", "two processes got the same lock")


def locks_work(path: Path) -> bool:
    """Return True if a lock on a file excludes others."""
    if sys.platform == "win32":
        return True
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(path.open("wb"))
        second = stack.enter_context(path.open("wb"))
        try:
            fcntl.flock(first, fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def free_bytes(root: Path) -> int:
    """Return the free space for the current user."""
    return shutil.disk_usage(root).free


def mounts() -> str:
    """Return the table of mounted file systems; empty if the system has none."""
    try:
        return _MOUNTS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def network_kind(root: Path, table: str) -> str:
    """Return the kind of network file system that a folder is on, if any."""
    longest, kind = "", ""
    place = str(root.resolve())
    for line in table.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        mounted = fields[1].replace("\\040", " ")
        inside = place == mounted or place.startswith(mounted.rstrip("/") + "/")
        if inside and len(mounted) >= len(longest):
            longest, kind = mounted, fields[2]
    return kind if kind.startswith(_NETWORK) else ""


def from_the_future(root: Path, latest: float) -> list[str]:
    """Return files of the vault changed after a moment (seconds since 1970)."""
    paths = []
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if not name.startswith("."))
        for name in sorted(files):
            path = Path(folder) / name
            with contextlib.suppress(OSError):
                if path.lstat().st_mtime > latest:
                    paths.append(path.relative_to(root).as_posix())
    return paths
