"""What a helper and its clients must have in common, read from ``/proc``.

A process that is confined in another way than the helper could let the helper look
where it may not. A Landlock sandbox does not show here.
"""

import errno
import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from toolmem.core.access.weakening import SETTINGS_VARIABLES

_STATUS = frozenset(
    "Umask Uid Gid Groups NoNewPrivs Seccomp Seccomp_filters"
    " CapInh CapPrm CapEff CapBnd CapAmb".split()
)
_READ = (
    *("TOOLMEM_", "XDG_", "HOME", "PATH", "APPDATA", "LOCALAPPDATA", "USERPROFILE"),
    *("PYTHON", "LC_", "LANG", "LD_", "TZ"),
    *SETTINGS_VARIABLES,
)
"""Beginnings of the variables that toolmem reads, and Python at its start."""
_NO_LABELS = (errno.EINVAL, errno.ENOENT)
"""Errors of a kernel without security labels."""
_CHUNK = 1 << 16


class Confinement(NamedTuple):
    """What a process may do and see, and the variables that toolmem reads."""

    status: Mapping[str, str]
    label: bytes
    root: tuple[int, int]
    namespaces: Mapping[str, str]
    variables: frozenset[bytes]


def confinement_of(process: int) -> Confinement:
    """Return the confinement of a process; raise ``OSError`` if it cannot be read.

    All of it is read from one open folder, which never becomes another process's.
    """
    folder = os.open(f"/proc/{process}", os.O_RDONLY | os.O_DIRECTORY)
    try:
        lines = _read(folder, "status").decode("ascii", "replace").splitlines()
        fields = (line.partition(":")[::2] for line in lines)
        root = os.stat("root", dir_fd=folder)
        spaces = os.open("ns", os.O_RDONLY | os.O_DIRECTORY, dir_fd=folder)
        try:
            with os.scandir(spaces) as entries:
                names = [entry.name for entry in entries]
            namespaces = {name: os.readlink(name, dir_fd=spaces) for name in names}
        finally:
            os.close(spaces)
        return Confinement(
            {name: value for name, value in fields if name in _STATUS},
            _label(folder),
            (root.st_dev, root.st_ino),
            namespaces,
            _variables(_read(folder, "environ")),
        )
    finally:
        os.close(folder)


def read_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a helper has: those that toolmem reads."""
    lines = (f"{name}={value}" for name, value in environment.items())
    kept = _variables(b"\0".join(map(os.fsencode, lines)))
    return dict(os.fsdecode(line).split("=", 1) for line in kept)


def _variables(environment: bytes) -> frozenset[bytes]:
    return frozenset(line for line in environment.split(b"\0") if _is_read(line))


def _is_read(line: bytes, names: Iterable[str] = _READ) -> bool:
    return any(line.startswith(name.encode()) for name in names) and b"=" in line


def _label(folder: int) -> bytes:
    try:
        return _read(folder, "attr/current")
    except OSError as error:
        if error.errno in _NO_LABELS:
            return b""
        raise


def _read(folder: int, name: str) -> bytes:
    file = os.open(name, os.O_RDONLY, dir_fd=folder)
    try:
        data = b""
        while chunk := os.read(file, _CHUNK):
            data += chunk
        return data
    finally:
        os.close(file)
