"""Write files of the vault: whole, durable, and never over another's change.

Every function is called under ``lock.hold`` and is durable when it returns, even after
a power cut. A temporary file in the same folder is written and flushed, then linked or
renamed to its name, then the folder is flushed. Until the link or the rename nothing
has changed; an error before it leaves the vault as it was. A failed flush is never
repeated: the system may have dropped the data and would report the second one as a
success.
"""

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from toolmem.core import limits
from toolmem.errors import ExistsError, InvalidFileError, StorageError, ToolmemError
from toolmem.store.files import durable, folders, layout
from toolmem.store.files.folders import Folder

_NEXT_STEPS = {
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "your disk quota is exceeded",
    errno.EMFILE: "raise the limit with `ulimit -n`",
    errno.EACCES: "check the permissions of the folder",
    errno.EPERM: "check the permissions of the folder",
}


def create(root: Path, path: str, data: bytes) -> None:
    """Write a file that must not exist yet, and its missing folders.

    Raises ``ExistsError`` if the name is taken, ``InvalidFileError`` if a folder on the
    way is a link or a file, ``StorageError`` if the write fails.
    """
    with _reported(path), _folder_of(root, path, make=True) as (folder, name):
        temp = durable.write_temp(folder, data, None)
        try:
            durable.link(folder, temp, name, data)
        finally:
            durable.forget(folder, temp)
        try:
            durable.flush_folder(folder)
        except OSError:
            durable.forget(folder, name)
            raise


def replace(root: Path, path: str, data: bytes, expected: bytes) -> None:
    """Overwrite a file whose content is ``expected``; its mode stays.

    Raises ``ExistsError`` if it was changed or deleted since it was read,
    ``InvalidFileError`` for a link, anything but a regular file and a file with a
    second name (which would keep the old text), ``StorageError`` if the write fails.
    """
    with _reported(path), _folder_of(root, path) as (folder, name):
        status = _unchanged(folder, name, path, expected)
        if status.st_nlink > 1:
            _require_one_name(folder, status, path)
        temp = durable.write_temp(folder, data, stat.S_IMODE(status.st_mode))
        try:
            # Flushing takes long enough for an editor to save in the meantime.
            _unchanged(folder, name, path, expected)
            os.replace(
                folder.at(temp),
                folder.at(name),
                src_dir_fd=folder.fd,
                dst_dir_fd=folder.fd,
            )
        except BaseException:
            durable.forget(folder, temp)
            raise
        _confirm(folder, path)


def delete(root: Path, path: str, expected: bytes) -> None:
    """Delete a file whose content is ``expected``.

    The folder of a rule's tool is deleted with its last rule, and ``rules`` with its
    last tool; other folders stay. Raises as ``replace`` does.
    """
    with _reported(path), _folder_of(root, path) as (folder, name):
        _unchanged(folder, name, path, expected)
        os.unlink(folder.at(name), dir_fd=folder.fd)
        _confirm(folder, path)
    _drop_empty(root, path)


def move(
    root: Path, source: str, target: str, expected: bytes, data: bytes | None = None
) -> None:
    """Move a file whose content is ``expected``, with new ``data`` if given.

    A writer killed half-way leaves both files; repeating the move finishes it. Raises
    ``ExistsError`` if the target exists, and as ``replace`` does.
    """
    content = expected if data is None else data
    with _reported(source), _folder_of(root, source) as (folder, name):
        _unchanged(folder, name, source, expected)
        created = _create_same(root, target, content)
        try:
            _unchanged(folder, name, source, expected)
            os.unlink(folder.at(name), dir_fd=folder.fd)
        except (OSError, ToolmemError):
            if created:
                delete(root, target, content)
            raise
        _confirm(folder, source)
    _drop_empty(root, source)


def sweep(root: Path, folder: str) -> int:
    """Remove temporary files that are over an hour old from one folder; return how
    many."""
    oldest = time.time() - limits.TEMP_SECONDS
    try:
        with _reported(folder or "."), _opened(root, folders.split(folder)) as opened:
            temps = durable.temps(opened)
            old = [name for name, status in temps if status.st_mtime < oldest]
            for name in old:
                os.unlink(opened.at(name), dir_fd=opened.fd)
    except ExistsError:
        return 0  # no such folder
    return len(old)


def _create_same(root: Path, path: str, data: bytes) -> bool:
    try:
        create(root, path, data)
    except ExistsError:
        with _reported(path), _folder_of(root, path) as (folder, name):
            if _has_content(folder, name, data) is None:
                raise
        return False
    return True


@contextmanager
def _reported(path: str) -> Iterator[None]:
    """Translate errors of the system to those of ``errors``."""
    try:
        yield
    except FileExistsError as error:
        raise ExistsError(f"{path}: already exists") from error
    except FileNotFoundError as error:
        raise ExistsError(f"{path}: was deleted since it was read") from error
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENOTDIR, errno.ENXIO):
            raise InvalidFileError(path, 0, folders.reason(error)) from error
        raise StorageError(f"{path}: {_explain(error)}; nothing was changed") from error


def _explain(error: OSError) -> str:
    step = _NEXT_STEPS.get(error.errno or 0)
    return folders.reason(error) + (f" ({step})" if step else "")


@contextmanager
def _opened(
    root: Path, names: tuple[str, ...], *, make: bool = False
) -> Iterator[Folder]:
    """Open the folder at ``names``; ``make`` missing ones, name by name."""
    folder = folders.open_root(root)
    try:
        for name in names:
            child = _enter(folder, name) if make else folders.open_child(folder, name)
            folder.close()
            folder = child
        yield folder
    finally:
        folder.close()


@contextmanager
def _folder_of(
    root: Path, path: str, *, make: bool = False
) -> Iterator[tuple[Folder, str]]:
    *names, last = folders.split(path) or ("",)
    if not last:
        raise InvalidFileError(path, 0, "is not a file inside the vault")
    with _opened(root, tuple(names), make=make) as folder:
        yield folder, last


def _enter(folder: Folder, name: str) -> Folder:
    try:
        child = folders.open_child(folder, name)
    except FileNotFoundError:
        with suppress(FileExistsError):
            os.mkdir(folder.at(name), dir_fd=folder.fd)
        child = folders.open_child(folder, name)
    try:
        # Also an existing one: its maker may have died before flushing it.
        durable.flush_folder(folder)
    except OSError:
        child.close()
        raise
    return child


def _has_content(folder: Folder, name: str, expected: bytes) -> os.stat_result | None:
    fd, status = folders.open_file(folder, name)
    try:
        if status.st_size != len(expected):
            return None
        same = folders.read_open(fd, status.st_size, len(expected)) == expected
    except OSError as error:
        if error.errno == errno.EFBIG:
            return None  # it grew while it was read
        raise
    finally:
        os.close(fd)
    return status if same else None


def _unchanged(folder: Folder, name: str, path: str, expected: bytes) -> os.stat_result:
    content = _has_content(folder, name, expected)
    if content is None:
        raise ExistsError(f"{path}: changed since it was read; nothing was written")
    return content


def _require_one_name(folder: Folder, status: os.stat_result, path: str) -> None:
    """Refuse hard links, except temporary names that a dead writer left."""
    ours = [n for n, other in durable.temps(folder) if os.path.samestat(status, other)]
    for name in ours:
        os.unlink(folder.at(name), dir_fd=folder.fd)
    if status.st_nlink - len(ours) > 1:
        raise InvalidFileError(path, 0, "has a second name (a hard link)")


def _confirm(folder: Folder, path: str) -> None:
    try:
        durable.flush_folder(folder)
    except OSError as error:
        raise StorageError(
            f"{path}: written, but the disk did not confirm it"
            f" ({folders.reason(error)}): check the file before you try again"
        ) from error


def _drop_empty(root: Path, path: str) -> None:
    names = folders.split(path)
    if names[-3:-2] != (layout.RULES,) or not names[-1].endswith(".toml"):
        return
    # The file is already deleted: the rest is tidying, and may fail.
    with suppress(OSError, ToolmemError):
        for depth in (-1, -2):
            with _opened(root, names[: depth - 1]) as folder:
                os.rmdir(folder.at(names[depth - 1]), dir_fd=folder.fd)
