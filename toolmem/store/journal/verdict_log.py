"""Log of calls without a verdict in time, or with a slow one; one line each."""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from toolmem.store.files import folders
from toolmem.store.files.settings import state_folder

LATE, LARGE, SLOW = "late", "large", "slow"
"""Out of time, over the size limit, and judged but close to the time limit."""
_MOST_BYTES = 512 * 1024
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | folders.READ


class Timing(NamedTuple):
    """One such event; ``seconds`` is its duration, ``folder`` its working folder."""

    when: datetime
    kind: str
    agent: str
    event: str
    folder: str
    seconds: float


def log_path() -> Path:
    """Return the log's path, in the user's state: the vault may be the problem."""
    return state_folder() / "verdicts.log"


def count(kind: str, agent: str, event: str, folder: str, seconds: float) -> None:
    """Append an event; never raises, and never blocks on a pipe in its place."""
    when = datetime.now(UTC).replace(microsecond=0).isoformat()
    line = json.dumps([when, kind, agent, event, folder[:500], round(seconds, 2)])
    with suppress(OSError, RuntimeError):
        path = log_path()
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        fd = os.open(path, _APPEND, 0o600)
        try:
            status = os.fstat(fd)
            folders.require_regular(status)
            os.write(fd, line.encode() + b"\n")
        finally:
            os.close(fd)
        if status.st_size > _MOST_BYTES:
            path.replace(path.with_suffix(".log.1"))


def counted(since: datetime) -> tuple[Timing, ...]:
    """Return the events since a time, in order."""
    path = log_path()
    lines = [*_lines(path.with_suffix(".log.1")), *_lines(path)]
    return tuple(line for line in lines if line.when >= since)


def _lines(path: Path) -> Iterator[Timing]:
    try:
        fd = os.open(path, folders.READ)
        try:
            data = folders.read_open(fd, os.fstat(fd).st_size, 2 * _MOST_BYTES)
        finally:
            os.close(fd)
    except OSError:
        return
    for line in data.splitlines():
        with suppress(ValueError, TypeError, RecursionError):
            when, kind, agent, event, folder, seconds = json.loads(line)
            moment = datetime.fromisoformat(when)
            yield Timing(moment, kind, agent, event, folder, float(seconds))
