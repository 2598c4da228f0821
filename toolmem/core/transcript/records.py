"""How bytes become JSON objects: lines, one document, or several in a row."""

import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from toolmem.core.transcript.events import Position

Lines = str | bytes | Iterable[bytes] | Iterable[str]

_BOM = b"\xef\xbb\xbf"
_CONTAINERS = (
    *("messages", "conversation", "history", "items", "contents"),
    *("input", "output"),
)
"""Keys under which an object without a type or role of its own holds messages."""
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON object of a transcript and where it stands."""

    value: dict[str, Any]
    position: Position


class RecordReader:
    """The objects of a transcript in order; ``end`` moves on as they are read.

    Broken lines, and values that are no objects, are counted in ``skipped``. A
    last line without its newline that does not parse is still being written: it
    is counted, and ``end`` stays before it.
    """

    def __init__(self, lines: Lines, start: Position, skipped: Counter[str]) -> None:
        self.end = replace(start, item=0)
        self._lines = _byte_lines(lines)
        self._skipped = skipped
        self._torn: Position | None = None

    def __iter__(self) -> Iterator[Record]:
        first = True
        for position, line in self._placed():
            body = (line.removeprefix(_BOM) if position.offset == 0 else line).strip()
            if not body:
                continue
            try:
                value = _DECODER.decode(body.decode("utf-8", "replace"))
            except (ValueError, RecursionError):
                if first and body[:1] in b"{[":
                    yield from self._document(position, line)
                    return
                self._broken(position, line)
                continue
            first = False
            yield from self._expand(value, position)

    def _placed(self) -> Iterator[tuple[Position, bytes]]:
        """Each line with its place; lines that lost their newlines count with one."""
        offset, missing = self.end.offset, 0
        for number, line in enumerate(self._lines, self.end.line):
            here = Position(number, 0, offset + missing)
            offset, missing = here.offset + len(line), 0 if line[-1:] == b"\n" else 1
            self.end, self._torn = Position(number + 1, 0, offset), None
            yield here, line
        self.end = self._torn or self.end

    def _broken(self, position: Position, line: bytes) -> None:
        self._skipped["broken JSON"] += 1
        self._torn = None if line[-1:] == b"\n" else position

    def _document(self, position: Position, first_line: bytes) -> Iterator[Record]:
        """Pretty-printed or concatenated JSON; broken JSON lines after all, if not."""
        placed = [(position, first_line), *self._placed()]
        whole = b"\n".join(line.rstrip(b"\r\n") for _, line in placed)
        values = list(_concatenated(whole.decode("utf-8", "replace").lstrip("\ufeff")))
        if values and values[0] is not None:
            for number, value in enumerate(values):
                if value is None:
                    self._skipped["broken JSON"] += 1
                else:
                    where = Position(number, 0, position.offset)
                    yield from self._expand(value, where)
            return
        for where, line in placed:
            try:
                value = _DECODER.decode(line.strip().decode("utf-8", "replace"))
            except (ValueError, RecursionError):
                if line.strip():
                    self._broken(where, line)
                continue
            yield from self._expand(value, where)
        self.end = self._torn or self.end

    def _expand(self, value: Any, position: Position) -> Iterator[Record]:
        """A list, or an object around a list of messages, as single records."""
        for number, part in enumerate(_parts(value)):
            if isinstance(part, dict):
                yield Record(part, replace(position, item=number))
            else:
                self._skipped["not an object"] += 1


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        yield from value
        return
    if not isinstance(value, dict) or "role" in value or "type" in value:
        yield value
        return
    held = [key for key in _CONTAINERS if isinstance(value.get(key), list)]
    if not held:
        yield value
        return
    around = {key: part for key, part in value.items() if key not in held}
    if around:
        yield around
    for key in held:
        yield from value[key]


def _concatenated(text: str) -> Iterator[Any]:
    """The values of JSON documents in a row; none, and an end, where one is broken."""
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
