"""Open transcript files, and remember where to continue reading."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from sqlite3 import Connection
from typing import Any, BinaryIO, NamedTuple
from zlib import crc32

from toolmem.core.times import rfc3339
from toolmem.core.transcript.events import START, Position, Session, Turn
from toolmem.errors import unopened

_CHECKED_BYTES = 4096
"""Bytes on each side of the position that must be unchanged."""


class Bookmark(NamedTuple):
    """Position at which a transcript was left: the beginning of its last turn.

    That turn is read again, for it may have grown; ``turns`` came before it. ``before``
    is a checksum of the bytes around the position.
    """

    position: Position
    turns: int
    before: int
    format: str
    session: Session


@contextmanager
def open_transcript(path: Path) -> Iterator[BinaryIO]:
    """Open a transcript file for reading.

    Raises ``NotFoundError`` and ``StorageError``.
    """
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise unopened(path, error) from error


def go_to(file: BinaryIO, mark: Bookmark | None) -> Bookmark | None:
    """Go to the bookmark if the file is unchanged up to it, else to the start.

    A bookmark at the very start proves nothing about the file.
    """
    if (
        mark is not None
        and mark.position.offset != START.offset
        and _checksum(file, mark.position.offset) == mark.before
    ):
        file.seek(mark.position.offset)
        return mark
    file.seek(0)
    return None


def bookmark(
    file: BinaryIO, turns: tuple[Turn, ...], before: int, name: str, session: Session
) -> Bookmark | None:
    """Return the bookmark after ``turns``, of which ``before`` precede them.

    Turns of one line (a document) are read again together.
    """
    typed = [turn for turn in turns if turn.index >= 0]
    if not typed:
        return None
    offset = typed[-1].position.offset
    first = next(turn for turn in typed if turn.position.offset == offset)
    place = Position(first.position.line, 0, offset)
    checksum = _checksum(file, offset)
    return Bookmark(place, before + first.index, checksum, name, session)


def load_bookmark(state: Connection, session: str, path: str) -> Bookmark | None:
    """Return the bookmark of a session, if it is of the same file."""
    row = state.execute(
        "SELECT document FROM transcripts WHERE session = ? AND path = ?",
        (session, path),
    ).fetchone()
    if row is None:
        return None
    document = json.loads(row[0])
    return Bookmark(
        Position(document["line"], 0, document["offset"]),
        document["turns"],
        document["before"],
        document["format"],
        _session(document["session"]),
    )


def find_bookmark(state: Connection, path: str) -> Bookmark | None:
    """Return the newest bookmark of a file in any session."""
    row = state.execute(
        "SELECT session FROM transcripts WHERE path = ? ORDER BY at DESC LIMIT 1",
        (path,),
    ).fetchone()
    return load_bookmark(state, row[0], path) if row else None


def save_bookmark(
    state: Connection, session: str, path: str, mark: Bookmark, now: datetime
) -> None:
    """Store the bookmark of a session's transcript."""
    document = {
        "line": mark.position.line,
        "offset": mark.position.offset,
        "turns": mark.turns,
        "before": mark.before,
        "format": mark.format,
        "session": {
            "agent": mark.session.agent,
            "id": mark.session.id,
            "cwd": mark.session.cwd,
            "subagent": mark.session.subagent,
            "tools": list(mark.session.tools),
        },
    }
    state.execute(
        "INSERT OR REPLACE INTO transcripts VALUES (?, ?, ?, ?)",
        (session, path, json.dumps(document, ensure_ascii=False), rfc3339(now)),
    )


def _session(document: dict[str, Any]) -> Session:
    return Session(
        agent=document["agent"],
        id=document["id"],
        cwd=document["cwd"],
        subagent=document["subagent"],
        tools=tuple(document["tools"]),
    )


def _checksum(file: BinaryIO, offset: int) -> int:
    """Return a checksum of the bytes before a position, and of the line that begins
    there.

    The text after that line may grow.
    """
    file.seek(max(0, offset - _CHECKED_BYTES))
    before = crc32(file.read(min(offset, _CHECKED_BYTES)))
    return crc32(file.readline(_CHECKED_BYTES), before)
