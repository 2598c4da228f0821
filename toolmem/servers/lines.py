"""Messages on standard streams, one a line, with no other output among them.

Standard output carries only the protocol, whatever a library or a child process prints:
the original stream is duplicated, and printed text goes to standard error.
"""

import os
import threading
from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core import limits

_READ = 1 << 16


class TooLong(NamedTuple):
    """A line that was longer than a message may be."""

    bytes: int


class Lines:
    """The two ends of a connection over standard input and output."""

    def __init__(self, source: int, sink: int) -> None:
        self._source = source
        self._sink = sink
        self._sending = threading.Lock()

    @classmethod
    def take(cls) -> "Lines":
        """Take over the process's own streams exclusively."""
        source, sink = os.dup(0), os.dup(1)
        _empty(0)
        os.dup2(2, 1)
        return cls(source, sink)

    def end(self) -> None:
        """End the input here and drop what is written from here on.

        A read or write that waits goes on at once.
        """
        _empty(self._source)
        _empty(self._sink)

    def read(self) -> Iterator[bytes | TooLong]:
        """Yield every incoming line, without its end."""
        line, dropped = bytearray(), 0
        while data := os.read(self._source, _READ):
            *ends, rest = data.split(b"\n")
            for end in ends:
                line += end
                if dropped or len(line) > limits.SERVER_LINE_BYTES:
                    yield TooLong(dropped + len(line))
                elif line.strip():
                    yield bytes(line)
                line, dropped = bytearray(), 0
            line += rest
            if len(line) > limits.SERVER_LINE_BYTES:
                line, dropped = bytearray(), dropped + len(line)
        if line.strip() and not dropped:
            yield bytes(line)

    def write(self, text: str) -> None:
        """Send one message; raise ``BrokenPipeError`` without a reader."""
        data = memoryview(text.encode() + b"\n")
        with self._sending:
            while data:
                data = data[os.write(self._sink, data) :]


def _empty(number: int) -> None:
    """Replace an open file by an empty one, which takes any text."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, number)
    os.close(nothing)
