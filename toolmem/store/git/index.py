"""Set entries of the user's index without making git read files.

When git changes an index, it also compares every entry that is as young as the index
with its file, and for that runs the repository's filters; not, however, if the index is
dated 1970. So the change is made in a copy of that date, and the copy replaces the
index under git's own lock, with the date of the old index, so that git still compares
what it was going to compare.
"""

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from toolmem.errors import LockedError, StorageError
from toolmem.store.files import folders
from toolmem.store.git import run as gitrun
from toolmem.store.git import working_tree

_TRIES = 3
_LOCK_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def set_entries(top: Path, entries: bytes, index: Mapping[str, str]) -> None:
    """Set entries, in the format of ``update-index -z --index-info``, in another index.

    ``index`` are the variables that name it. For entries without file times.
    """
    gitrun.run(top, "update-index", "-z", "--index-info", stdin=entries, extra=index)


def stage(top: Path, entries: bytes) -> None:
    """Set entries in the user's index.

    Raises ``LockedError`` if another git command has locked the index.
    """
    with tempfile.TemporaryDirectory(prefix="toolmem-") as private:
        copy = Path(private) / "staged"
        own = {"GIT_INDEX_FILE": str(copy), **gitrun.hooks_off(top)}
        _stage(top, entries, copy, own)


def _stage(top: Path, entries: bytes, copy: Path, own: Mapping[str, str]) -> None:
    named = gitrun.run(top, "rev-parse", "--git-path", "index")
    skipped = working_tree.skipped(top)
    index = top / os.fsdecode(named.rstrip(b"\n"))
    try:
        for _ in range(_TRIES):
            before = _copy(index, copy)
            set_entries(top, entries, own)
            _skip_again(top, skipped, own)
            if _publish(copy, index, before):
                return
    except OSError as error:
        raise StorageError(f"git's index: {folders.reason(error)}") from error
    raise _busy()


def _skip_again(top: Path, skipped: frozenset[str], index: Mapping[str, str]) -> None:
    """Restore the marks of a sparse checkout, which new entries lose."""
    lost = skipped - working_tree.skipped(top, index) if skipped else skipped
    if not lost:
        return
    listed = gitrun.run(top, "ls-files", "--full-name", "-z", extra=index).split(b"\0")
    names = [name for name in listed if os.fsdecode(name) in lost]
    if names:
        args = ("update-index", "--skip-worktree", "-z", "--stdin")
        gitrun.run(top, *args, stdin=b"\0".join(names) + b"\0", extra=index)


def _busy() -> LockedError:
    return LockedError("another git command is running in this repository: try again")


def _copy(index: Path, copy: Path) -> os.stat_result | None:
    """Copy the index and date the copy 1970; return the index's state, None without
    one."""
    copy.unlink(missing_ok=True)
    try:
        with index.open("rb") as source:
            copy.write_bytes(source.read())
            before = os.fstat(source.fileno())
    except FileNotFoundError:
        return None
    os.utime(copy, (0, 0))
    return before


def _publish(copy: Path, index: Path, before: os.stat_result | None) -> bool:
    """Replace the index with the copy; False if it changed in the meantime."""
    data = copy.read_bytes()
    lock = index.with_name(f"{index.name}.lock")
    try:
        fd = os.open(lock, _LOCK_FLAGS, 0o666)
    except FileExistsError as error:
        raise _busy() from error
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
        same = _identity(before) == _identity(_state(index))
        if same:
            if before is not None:
                lock.chmod(before.st_mode & 0o777)
                os.utime(lock, ns=(before.st_atime_ns, before.st_mtime_ns))
            lock.replace(index)
    except BaseException:
        _unlock(lock)
        raise
    if not same:
        _unlock(lock)
    return same


def _unlock(lock: Path) -> None:
    with suppress(OSError):
        lock.unlink()


def _state(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _identity(state: os.stat_result | None) -> tuple[int, int, int] | None:
    return state and (state.st_ino, state.st_mtime_ns, state.st_size)
