"""Check local state without changing or repairing it."""

import os
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from toolmem.core import limits
from toolmem.store.files import folders, layout
from toolmem.store.journal import message_queue
from toolmem.store.state.schema import SCHEMA_VERSION

_DAY = 86_400
DATABASE = "state.db"


class Damage(NamedTuple):
    """A code, the path below the vault, and the defect."""

    code: str
    path: str
    message: str


def state_damage(root: Path, now: float, *, deep: bool) -> Iterator[Damage]:
    """Yield the defects of the folder of local state and its database."""
    state = root / layout.STATE
    try:
        status = state.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(status.st_mode):
        yield Damage("state-folder", layout.STATE, "is not a folder of this vault")
        return
    if sys.platform != "win32" and stat.S_IMODE(status.st_mode) & 0o077:
        message = "others can read it, and it contains conversations"
        yield Damage("state-open", layout.STATE, message)
    ignore = state / ".gitignore"
    if not ignore.is_file() or "*" not in _lines(ignore):
        yield Damage(
            "state-not-ignored", f"{layout.STATE}/.gitignore", "ignores nothing"
        )
    yield from _database(state, deep)
    yield from _leftovers(state, now)


def waiting(root: Path) -> int:
    """Count the captured messages that could not be processed yet."""
    path = root / layout.STATE / DATABASE
    with suppress(sqlite3.Error, OSError), closing(_opened(path)) as database:
        row = database.execute("SELECT count(*) FROM spool").fetchone()
        return int(row[0])
    return 0


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def _database(state: Path, deep: bool) -> Iterator[Damage]:
    path, name = state / DATABASE, f"{layout.STATE}/{DATABASE}"
    try:
        status = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISREG(status.st_mode):
        yield Damage("state-no-file", name, "is not a regular file")
        return
    if not os.access(path, os.R_OK | os.W_OK):
        yield Damage("state-access", name, "cannot be read and written")
        return
    try:
        with closing(_opened(path)) as database:
            version = database.execute("PRAGMA user_version").fetchone()[0]
            check = "integrity_check" if deep else "quick_check"
            result = database.execute(f"PRAGMA {check}(1)").fetchone()[0]
    except sqlite3.OperationalError as error:
        yield Damage("state-locked", name, str(error))
        return
    except sqlite3.DatabaseError as error:
        yield Damage("state-damaged", name, str(error))
        return
    if result != "ok":
        yield Damage("state-damaged", name, str(result))
    elif version > SCHEMA_VERSION:
        yield Damage("state-newer", name, "was written by a newer toolmem")


def _opened(path: Path) -> sqlite3.Connection:
    """Open the database read-only, with the changes of other processes."""
    folders.require_regular(path.lstat())
    uri = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(uri, uri=True, timeout=1.0)


def _leftovers(state: Path, now: float) -> Iterator[Damage]:
    """Yield leftovers of dead processes, and files that are too old."""
    for path in sorted(state.glob(f"{DATABASE}.corrupt-*")):
        message = "a damaged database that was moved aside"
        yield Damage("state-aside", f"{layout.STATE}/{path.name}", message)
    for path in sorted(state.glob(f"waiting/*{message_queue.ASIDE}")):
        message = "capture failed on this user message"
        yield Damage("message-failed", f"{layout.STATE}/waiting/{path.name}", message)
    for path in sorted(state.glob("sessions/*")):
        name = f"{layout.STATE}/sessions/{path.name}"
        with suppress(OSError):
            status = path.lstat()
            age = (now - status.st_mtime) // _DAY
            if status.st_size >= limits.JOURNAL_BYTES // 2:
                yield Damage("journal-full", name, f"{status.st_size} bytes wait")
            elif status.st_mtime > 0 and age > limits.JOURNAL_DAYS:
                yield Damage("journal-old", name, f"waits since {age:.0f} days")
