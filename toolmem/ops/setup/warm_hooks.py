"""Hooks that a helper answers: their entries, and the helpers that run."""

import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from toolmem.core.agents.wiring import WIRINGS
from toolmem.errors import UsageError
from toolmem.store.files.file_lock import try_lock
from toolmem.store.warm import client

_PROGRAM = "store/warm/ask.py"


def can_be_warm(agent: str) -> bool:
    """Return whether a helper can answer an agent's hooks: they are shell commands in a
    settings file, and the system has sockets with owners."""
    wiring = WIRINGS[agent]
    return sys.platform != "win32" and bool(wiring.entries)


def require_able(agent: str) -> None:
    """Raise ``UsageError`` for an agent whose hooks no helper can answer."""
    if not can_be_warm(agent):
        able = ", ".join(filter(can_be_warm, WIRINGS))
        where = f"is for {able}" if able else "is not available on Windows"
        raise UsageError(f"--warm {where}")


def helper_program() -> tuple[str, str]:
    """Return the interpreter and the program that asks a helper."""
    return sys.executable, str(Path(__file__).resolve().parents[2] / _PROGRAM)


def is_warm(settings: str) -> bool:
    """Return whether hooks in a settings file ask a helper."""
    return _PROGRAM in settings


def is_usable() -> bool:
    """Return whether the folder of the helpers' sockets is private, or not made yet."""
    try:
        os.close(client.open_folder(os.fsencode(helper_folder())))
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def helper_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the helpers' sockets."""
    variables = {os.fsencode(k): os.fsencode(v) for k, v in environment.items()}
    return Path(os.fsdecode(client.helper_folder(variables)))


def helpers() -> tuple[int, ...]:
    """Return the processes of the helpers that run."""
    return tuple(process for process, _ in _running(helper_folder()))


def end_helpers(folder: Path | None = None) -> None:
    """End all helpers of this user, or with sockets in another folder, and remove their
    sockets."""
    for process, lock in _running(folder or helper_folder()):
        with suppress(OSError):
            os.kill(process, signal.SIGTERM)
            lock.with_suffix("").unlink()


def _running(folder: Path) -> Iterator[tuple[int, Path]]:
    """Yield process and lock file of each helper: it has the lock while it runs."""
    if sys.platform == "win32":
        return
    for lock in sorted(folder.glob("*.lock")):
        with suppress(OSError, ValueError):
            opened = os.open(lock, os.O_RDWR | os.O_NOFOLLOW)
            try:
                if not try_lock(opened):
                    yield int(os.read(opened, 32)), lock
            finally:
                os.close(opened)
