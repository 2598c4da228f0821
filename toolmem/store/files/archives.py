"""List what is in an archive that a command unpacks."""

import stat
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import IO

from toolmem.core import limits

_UNPACKED_BYTES = 16 * 1024 * 1024
_OPENERS = {b"\x1f\x8b": "gzip", b"BZ": "bz2", b"\xfd7": "lzma"}


def members_of(path: str) -> tuple[str, ...] | None:
    """Return the names in a tar or zip archive; None if they cannot be listed.

    Compressed ones of more than 16 MiB unpacked, those of too many names and those that
    write through a link of their own cannot.
    """
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):
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
    if opener:
        unpacked = importlib.import_module(opener).open(file).read(_UNPACKED_BYTES + 1)
        if len(unpacked) > _UNPACKED_BYTES:
            raise ValueError("the archive is too large")
        file = BytesIO(unpacked)
    names, links = [], []
    with tarfile.open(fileobj=file, mode="r:") as archive:
        for member in islice(archive, limits.SHELL_LISTED + 1):
            names.append(member.name)
            links += [f"{member.name}/"] if member.issym() else []
    if links and any(name.startswith(tuple(links)) for name in names):
        raise ValueError("the archive writes through a link")
    return tuple(names)
