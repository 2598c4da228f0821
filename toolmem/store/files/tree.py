"""List and read a vault, on disk or in git, through one interface."""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Literal, NamedTuple, Protocol, Self

from toolmem.core import limits
from toolmem.errors import InvalidFileError, StorageError
from toolmem.store.files import folders
from toolmem.store.files.folders import Folder

Kind = Literal["file", "folder", "link", "other"]


class DirectoryEntry(NamedTuple):
    """One name in a folder and its kind; links are never followed."""

    name: str
    kind: Kind


class Tree(Protocol):
    """A readable vault: paths are relative to it, with ``/`` between names.

    Names that are not UTF-8 have surrogate escapes and can be passed back.
    """

    def entries(self, folder: str) -> tuple[DirectoryEntry, ...]:
        """Return the content of a folder, by name; empty if there is no such folder.

        Raises ``InvalidFileError`` for a link or a file in its place and
        ``StorageError`` for an existing folder that cannot be listed.
        """

    def each_entry(self, folder: str) -> Iterator[DirectoryEntry]:
        """Yield the same in no order, reading no more of the folder than is asked for.

        Raises as ``entries``.
        """

    def read(self, path: str, limit: int) -> bytes:
        """Return the bytes of a file.

        Raises ``FileNotFoundError`` for a missing one and ``InvalidFileError`` for one
        of more than ``limit`` bytes, one that is not a regular file or is reached
        through a link, or one that cannot be read.
        """

    def read_all(
        self, folder: str, suffix: str, limit: int
    ) -> list[tuple[str, bytes | InvalidFileError]]:
        """Return every file of the folder whose name ends in ``suffix``, by path.

        The error of ``read`` takes the place of the content. Raises as ``entries``.
        """


class OpenFolders:
    """Open folders of a vault by path, for one thread.

    They stay open until ``close``, so that what is asked of a folder that was replaced
    in between is answered by the one that was there first. Of more than
    ``limits.OPEN_FOLDERS`` only those above the last one stay.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._open: dict[str, Folder] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Close all descriptors; the next call opens them again."""
        while self._open:
            self._open.popitem()[1].close()

    def folder(self, path: str) -> Folder:
        """Return the open folder of a path, which stays open.

        Raises ``InvalidFileError`` as ``folders.split`` does, and otherwise as
        ``folders.open_root`` and ``folders.open_child`` do.
        """
        handle = self._open.get(path)
        if handle is not None:
            return handle
        names = folders.split(path)
        if len(self._open) + len(names) > limits.OPEN_FOLDERS:
            self._close_all_but_above(path)
        return self._opened(path)

    def open_anew(self, path: str) -> Folder:
        """Open the folder of a path again, for the caller to close.

        Only those above it may have been open. Raises as ``folder`` does.
        """
        *_, name = folders.split(path)
        return folders.open_child(self.folder(path.rpartition("/")[0]), name)

    def _opened(self, path: str) -> Folder:
        handle = self._open.get(path)
        if handle is None:
            if path:
                above, _, name = path.rpartition("/")
                handle = folders.open_child(self._opened(above), name)
            else:
                handle = folders.open_root(self._root)
            self._open[path] = handle
        return handle

    def _close_all_but_above(self, path: str) -> None:
        for known in [*self._open]:
            if known and not path.startswith(f"{known}/"):
                self._open.pop(known).close()


class DiskTree(OpenFolders):
    """A vault on disk, for one command.

    It has open descriptors until ``close`` and serves one thread.
    """

    def entries(self, folder: str) -> tuple[DirectoryEntry, ...]:
        """See ``Tree.entries``."""
        return tuple(sorted(self.each_entry(folder), key=_by_name))

    def each_entry(self, folder: str) -> Iterator[DirectoryEntry]:
        """See ``Tree.each_entry``."""
        try:
            with folders.scan(self.folder(folder)) as entries:
                for entry in entries:
                    yield DirectoryEntry(entry.name, _kind(entry))
        except FileNotFoundError:
            return
        except OSError as error:
            raise _folder_error(folder, error) from error

    def read(self, path: str, limit: int) -> bytes:
        """See ``Tree.read``."""
        folder, _, name = path.rpartition("/")
        folders.split(path)
        try:
            return _read(self.folder(folder), name, limit)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise FileNotFoundError(errno.ENOENT, "no such file", path) from error
        except OSError as error:
            raise _file_error(path, limit, error) from error

    def kind(self, path: str) -> Kind | None:
        """Return the kind of a file or folder; None if there is none."""
        folder, _, name = path.rpartition("/")
        try:
            handle = self.folder(folder)
            status = os.stat(handle.at(name), dir_fd=handle.fd, follow_symlinks=False)
        except OSError:
            return None
        return _kind_of(status)

    def read_all(
        self, folder: str, suffix: str, limit: int
    ) -> list[tuple[str, bytes | InvalidFileError]]:
        """See ``Tree.read_all``."""
        try:
            handle = self.folder(folder)
            with folders.scan(handle) as entries:
                names = [e.name for e in entries if e.name.endswith(suffix)]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise _folder_error(folder, error) from error
        prefix = f"{folder}/" if folder else ""
        result: list[tuple[str, bytes | InvalidFileError]] = []
        for name in sorted(names):
            try:
                result.append((prefix + name, _read(handle, name, limit)))
            except FileNotFoundError:
                continue  # deleted after it was listed
            except OSError as error:
                path = prefix + name
                result.append((path, _file_error(path, limit, error)))
        return result


def _by_name(entry: DirectoryEntry) -> str:
    return entry.name


def _kind(entry: os.DirEntry[str]) -> Kind:
    if sys.platform == "win32" and folders.is_link(entry.stat(follow_symlinks=False)):
        return "link"
    if entry.is_file(follow_symlinks=False):
        return "file"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "link" if entry.is_symlink() else "other"


def _kind_of(status: os.stat_result) -> Kind:
    if folders.is_link(status):
        return "link"
    if stat.S_ISREG(status.st_mode):
        return "file"
    return "folder" if stat.S_ISDIR(status.st_mode) else "other"


def _read(folder: Folder, name: str, limit: int) -> bytes:
    fd, status = folders.open_file(folder, name)
    try:
        return folders.read_open(fd, status.st_size, limit)
    finally:
        os.close(fd)


def _folder_error(path: str, error: OSError) -> InvalidFileError | StorageError:
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return InvalidFileError(path, 0, folders.reason(error))
    return StorageError(f"{path or '.'}: cannot be listed: {folders.reason(error)}")


def _file_error(path: str, limit: int, error: OSError) -> InvalidFileError:
    if error.errno in folders.SHORTAGES:
        raise StorageError(f"{path}: {folders.reason(error)}") from error
    if error.errno == errno.EFBIG:
        return InvalidFileError(path, 0, f"is larger than {limit} bytes")
    if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO):
        return InvalidFileError(path, 0, folders.reason(error))
    return InvalidFileError(path, 0, f"cannot be read: {folders.reason(error)}")
