"""Read JSON objects from bytes: lines, one document, or several in a row."""

import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from toolmem.core.transcript.events import Position

Lines = str | bytes | Iterable[bytes] | Iterable[str]

_BOM = b"\xef\xbb\xbf"
_CONTAINERS = (
    *("messages", "conversation", "history", "items", "contents"),
    *("input", "output"),
)
"""Keys of messages in an object without its own type or role."""
_DECODER = json.JSONDecoder(strict=False)


class TranscriptRecord(NamedTuple):
    """One JSON object of a transcript and its position."""

    value: dict[str, Any]
    position: Position


class RecordReader:
    """Objects of a transcript in order; ``end`` advances as they are read.

    Broken lines, and values that are not objects, are counted in ``skipped``. A last
    line without its newline that does not parse is still being written: it is counted,
    and ``end`` stays before it.
    """

    def __init__(self, lines: Lines, start: Position, skipped: Counter[str]) -> None:
        self._lines = _byte_lines(lines)
        self._skipped = skipped
        self._next = (start.line, start.offset)
        self._torn: tuple[int, int] | None = None

    @property
    def end(self) -> Position:
        """Position where the next reading can start."""
        line, offset = self._torn or self._next
        return Position(line, 0, offset)

    def __iter__(self) -> Iterator[TranscriptRecord]:
        first = True
        for place, line in self._placed():
            body = (line.removeprefix(_BOM) if place[1] == 0 else line).strip()
            if not body:
                continue
            try:
                value = _DECODER.decode(body.decode("utf-8", "replace"))
            except (ValueError, RecursionError):
                if first and body[:1] in b"{[":
                    yield from self._document(place, line)
                    return
                self._broken(place, line)
                continue
            first = False
            yield from self._expand(value, place)

    def _placed(self) -> Iterator[tuple[tuple[int, int], bytes]]:
        """Yield each line with its number and offset, also one without its newline."""
        number, offset = self._next
        missing = 0
        for line in self._lines:
            place = (number, offset + missing)
            offset, missing = place[1] + len(line), 0 if line[-1:] == b"\n" else 1
            number += 1
            self._next, self._torn = (number, offset), None
            yield place, line

    def _broken(self, place: tuple[int, int], line: bytes) -> None:
        self._skipped["broken JSON"] += 1
        self._torn = None if line[-1:] == b"\n" else place

    def _document(
        self, place: tuple[int, int], first: bytes
    ) -> Iterator[TranscriptRecord]:
        """Read pretty-printed or concatenated JSON; if it is neither, broken JSON
        lines."""
        placed = [(place, first), *self._placed()]
        whole = b"\n".join(line.rstrip(b"\r\n") for _, line in placed)
        values = list(_concatenated(whole.decode("utf-8", "replace").lstrip("\ufeff")))
        if values and values[0] is not None:
            for number, value in enumerate(values):
                if value is None:
                    self._skipped["broken JSON"] += 1
                else:
                    yield from self._expand(value, (number, place[1]))
            return
        for where, line in placed:
            self._torn = None
            try:
                value = _DECODER.decode(line.strip().decode("utf-8", "replace"))
            except (ValueError, RecursionError):
                if line.strip():
                    self._broken(where, line)
                continue
            yield from self._expand(value, where)

    def _expand(self, value: Any, place: tuple[int, int]) -> Iterator[TranscriptRecord]:
        """Yield the records of a list, or of an object around a list of messages."""
        for number, part in enumerate(_parts(value)):
            if isinstance(part, dict):
                yield TranscriptRecord(part, Position(place[0], number, place[1]))
            else:
                self._skipped["not an object"] += 1


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        yield from value
        return
    if not isinstance(value, dict) or "role" in value or "type" in value:
        yield value
        return
    containers = [key for key in _CONTAINERS if isinstance(value.get(key), list)]
    if not containers:
        yield value
        return
    around = {key: part for key, part in value.items() if key not in containers}
    if around:
        yield around
    for key in containers:
        yield from value[key]


def _concatenated(text: str) -> Iterator[Any]:
    """Yield the values of consecutive JSON documents; None if one is broken."""
    at = 0
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        if at == len(text):
            return
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            yield None
            return
        yield value


def _byte_lines(lines: Lines) -> Iterator[bytes]:
    if isinstance(lines, str):
        lines = lines.encode("utf-8", "surrogatepass")
    if isinstance(lines, bytes):
        yield from io.BytesIO(lines)
        return
    for line in lines:
        if isinstance(line, str):
            yield line.encode("utf-8", "surrogatepass")
        else:
            yield bytes(line)
