"""List what is in a small archive that a command unpacks."""

import stat
from itertools import islice
from pathlib import Path
from typing import IO

from toolmem.core import limits

_UNPACKED_BYTES = 64 * 1024 * 1024
_OPENERS = {b"\x1f\x8b": "gzip", b"BZ": "bz2", b"\xfd7": "lzma"}


class _Bounded:
    """A stream that raises ``ValueError`` after so many bytes."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._left = _UNPACKED_BYTES

    def read(self, size: int) -> bytes:
        """Return the next bytes."""
        self._left -= size
        if self._left < 0:
            raise ValueError("the archive is too large")
        return self._file.read(size)


def members_of(path: str) -> tuple[str, ...] | None:
    """Return the names in a tar or zip archive; None if they cannot be listed.

    Files of more than 1 MiB, of more than 64 MiB unpacked and of too many names are not
    read.
    """
    try:
        status = Path(path).stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > limits.TEXT_FILE_BYTES:
            return None
        with Path(path).open("rb") as file:
            names = _zipped(file) if file.read(2) == b"PK" else _packed(file)
    except Exception:  # noqa: BLE001 - the libraries raise anything for damaged files
        return None
    return names if len(names) <= limits.SHELL_LISTED else None


def _zipped(file: IO[bytes]) -> tuple[str, ...]:
    import zipfile  # few calls need it

    with zipfile.ZipFile(file) as archive:
        return tuple(archive.namelist())


def _packed(file: IO[bytes]) -> tuple[str, ...]:
    import importlib  # few calls need these
    import tarfile

    file.seek(0)
    opener = _OPENERS.get(file.read(2))
    file.seek(0)
    stream = importlib.import_module(opener).open(file) if opener else file
    with tarfile.open(fileobj=_Bounded(stream), mode="r|") as archive:
        some = islice(archive, limits.SHELL_LISTED + 1)
        return tuple(member.name for member in some)
