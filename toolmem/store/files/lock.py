"""Lock a vault, so that it has one writer at a time."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from toolmem.errors import ExistsError, LockedError, StorageError, ToolmemError
from toolmem.store.files import durable, file_lock, files, folders
from toolmem.store.files.folders import Folder
from toolmem.store.files.layout import STATE
from toolmem.store.files.timeouts import timeouts
from toolmem.store.files.tree import DiskTree

_NAME = "lock"
_IGNORE = b"# toolmem's local state, rebuilt when it is missing: not for git\n*\n"
_FIRST_WAIT = 0.001
_LONGEST_WAIT = 0.025


@contextmanager
def hold(root: Path, seconds: float | None = None) -> Iterator[None]:
    """Lock the vault; the system releases the lock when the process dies.

    Not reentrant: a second ``hold`` in the same process waits like any other. Raises
    ``LockedError`` naming the other process after ``seconds`` (default: the timeout of
    this process), ``NoVaultError`` if there is no vault and ``StorageError`` if it
    cannot be locked.
    """
    fd = _acquire(root, timeouts().lock if seconds is None else seconds)
    try:
        _ignore_state(root)
        if _left_by_dead(fd):
            durable.remove_temporary(root)
        with suppress(OSError):  # on a full disk a deletion must still work
            os.ftruncate(fd, 0)
            os.write(fd, b"%d\n" % os.getpid())
        yield
        with suppress(OSError):
            os.ftruncate(fd, 0)
    finally:
        with suppress(OSError):
            os.close(fd)


def _left_by_dead(fd: int) -> bool:
    """Return True if the last writer died, or failed, before it was done.

    It may have left temporary files; this process is now the only writer.
    """
    return os.fstat(fd).st_size > 0


def holder(root: Path) -> str:
    """Return the process that has the vault's lock; empty without one.

    Raises ``StorageError`` if it cannot be locked. A vault that was never locked stays
    unchanged.
    """
    if not os.path.lexists(root / STATE / _NAME):
        return ""
    try:
        fd = _attempt(root)
    except OSError as error:
        raise StorageError(f"{STATE}/{_NAME}: {folders.reason(error)}") from error
    if fd is None:
        return _holder(root)
    os.close(fd)
    return ""


def _acquire(root: Path, seconds: float) -> int:
    deadline = time.monotonic() + seconds
    wait = _FIRST_WAIT
    while True:
        try:
            fd = _attempt(root)
        except OSError as error:
            raise StorageError(
                f"{STATE}/{_NAME}: cannot be locked: {folders.reason(error)}"
            ) from error
        if fd is not None:
            return fd
        left = deadline - time.monotonic()
        if left <= 0:
            raise LockedError(
                f"{_holder(root)} is writing to this vault and did not finish "
                f"within {seconds:g} s: try again"
            )
        time.sleep(min(wait, left))
        # Who waited long asks more often than who came just now.
        wait = min(wait * 2, _LONGEST_WAIT) if left > seconds / 2 else _FIRST_WAIT


def _attempt(root: Path) -> int | None:
    """Try once to lock; return the descriptor with the lock, or None."""
    vault = folders.open_root(root)
    try:
        with suppress(FileExistsError):
            # Conversations are stored in there: no access for other users.
            os.mkdir(vault.at(STATE), 0o700, dir_fd=vault.fd)
        folder = folders.open_child(vault, STATE)
    finally:
        vault.close()
    try:
        return _lock_in(folder)
    finally:
        folder.close()


def _lock_in(folder: Folder) -> int | None:
    if sys.platform == "win32":  # Windows cannot refuse to follow a link
        with suppress(FileNotFoundError):
            folders.require_regular(os.lstat(folder.at(_NAME)))
    fd = os.open(folder.at(_NAME), folders.UPDATE | os.O_CREAT, 0o600, dir_fd=folder.fd)
    try:
        folders.require_regular(os.fstat(fd))
        if file_lock.try_lock(fd) and _still_there(folder, fd):
            return fd
    except BaseException:
        os.close(fd)
        raise
    os.close(fd)
    return None


def _still_there(folder: Folder, fd: int) -> bool:
    """Return True if the next writer will open this file; the folder may be deleted."""
    try:
        named = os.stat(folder.at(_NAME), dir_fd=folder.fd, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(named, os.fstat(fd))


def _holder(root: Path) -> str:
    try:
        with DiskTree(root) as tree:
            text = tree.read(f"{STATE}/{_NAME}", 20).strip()
    except (OSError, ToolmemError):
        text = b""
    return f"process {int(text)}" if text.isdigit() else "another process"


def prepare_state(root: Path) -> None:
    """Make the folder of local state, which git ignores.

    Raises ``NoVaultError`` without a vault and ``StorageError`` if it cannot be made.
    """
    vault = folders.open_root(root)
    try:
        with suppress(FileExistsError):
            os.mkdir(vault.at(STATE), 0o700, dir_fd=vault.fd)
        folders.open_child(vault, STATE).close()
    except OSError as error:
        raise StorageError(f"{STATE}: {folders.reason(error)}") from error
    finally:
        vault.close()
    _ignore_state(root)


def _ignore_state(root: Path) -> None:
    if not (root / STATE / ".gitignore").exists():
        with suppress(ExistsError):
            files.create(root, f"{STATE}/.gitignore", _IGNORE)
