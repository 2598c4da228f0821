"""Run a hook on a full disk: no file can be made or grow, old ones can change.

``full_disk.py EVENT VAULT TEXT`` is ``hook_driver.py`` with those calls of ``os``
failing that need free space.
"""

import errno
import os
import stat
import sys
from typing import Any

from tests.faults import hook_driver

_open, _write = os.open, os.write


def _refuse(*_: Any, **__: Any) -> Any:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _open_old(path: Any, flags: int, *rest: Any, **more: Any) -> int:
    try:
        return _open(path, flags & ~os.O_CREAT & ~os.O_EXCL, *rest, **more)
    except FileNotFoundError:
        if flags & os.O_CREAT:
            _refuse()
        raise


def _write_within(fd: int, data: Any) -> int:
    found = os.fstat(fd)
    if stat.S_ISREG(found.st_mode):
        place = os.lseek(fd, 0, os.SEEK_CUR)
        if place + len(data) > found.st_size:
            _refuse()
    return _write(fd, data)


def fill() -> None:
    """Refuse whatever needs free space, from now on."""
    changed = {"open": _open_old, "write": _write_within}
    changed |= dict.fromkeys(("mkdir", "link"), _refuse)
    for name, function in changed.items():
        setattr(os, name, function)


if __name__ == "__main__":
    fill()
    sys.exit(hook_driver.run(*sys.argv[1:]))
