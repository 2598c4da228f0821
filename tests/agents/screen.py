"""A screen for an agent that is run on a terminal: what it draws, and its keys."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

import pyte

_SIZE = (50, 150)
_ANSWERS = {
    b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
    b"\x1b[?u": b"\x1b[?0u",
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[c": b"\x1b[?62;c",
}
"""Questions that programs ask a terminal, and the answers of a dark one."""
_STEP = 0.2
_PRESSES, _SETTLE, _PAUSE = 4, 2, 10


class _Drawn(pyte.Screen):
    """Rows of text; pyte itself fails at the private forms of two sequences."""

    def select_graphic_rendition(
        self, *_attributes: int, private: bool = False
    ) -> None:
        """Ignore colours."""

    def report_device_status(self, mode: int, private: bool = False) -> None:
        """Ignore the question: ``Screen`` answers it."""


class Screen:
    """An agent on a terminal of 50 rows and 150 columns.

    ``process`` leads a session of its own, with the terminal as its controlling one.
    """

    def __init__(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> None:
        self._end, other = pty.openpty()
        size = struct.pack("HHHH", *_SIZE, 0, 0)
        fcntl.ioctl(other, termios.TIOCSWINSZ, size)
        variables = {**environment, "TERM": "xterm-256color"}
        variables.pop("NO_COLOR", None)
        self.process = subprocess.Popen(
            ["setsid", "--ctty", *command],
            cwd=folder,
            env=variables,
            stdin=other,
            stdout=other,
            stderr=other,
        )
        os.close(other)
        self._drawn = _Drawn(_SIZE[1], _SIZE[0])
        self._stream = pyte.ByteStream(self._drawn)
        self._states = [""]

    @property
    def text(self) -> str:
        """Return the rows that are not empty."""
        rows = (row.rstrip() for row in self._drawn.display)
        return "\n".join(row for row in rows if row)

    def read(self, seconds: float) -> bool:
        """Draw what arrives within the time; return whether the agent still runs."""
        end = monotonic() + seconds
        while (left := end - monotonic()) > 0:
            if not select.select([self._end], [], [], min(left, _STEP))[0]:
                continue
            try:
                data = os.read(self._end, 65536)
            except OSError:  # Linux: the other end is closed
                return False
            for question, answer in _ANSWERS.items():
                if question in data:
                    os.write(self._end, answer)
            self._stream.feed(data)
            if self.text != self._states[-1]:
                self._states.append(self.text)
        return True

    def wait(self, text: str, seconds: float = 60) -> None:
        """Wait until a text is on the screen."""
        end = monotonic() + seconds
        running = True
        while running and monotonic() < end:
            running = self.read(_STEP)
            if text in self.text:
                return
        raise AssertionError(f"never on the screen: {text}\n{self.text}")

    def has_shown(self, text: str) -> bool:
        """Return whether a text was on the screen at any time: some are for seconds."""
        return any(text in state for state in self._states)

    def answer(self, question: str, keys: str, until: str) -> None:
        """Wait for a question and press keys; again if it stays as it is."""
        self.wait(question)
        for _ in range(_PRESSES):
            self.read(_SETTLE)
            before = self.text
            os.write(self._end, keys.encode())
            self.read(_SETTLE)
            if self.text != before:
                break
        self.wait(until)

    def ask(self, line: str, until: str) -> None:
        """Type a line, and confirm it until a text appears: busy agents lose keys."""
        os.write(self._end, line.encode())
        for _ in range(_PRESSES):
            self.read(_SETTLE)
            os.write(self._end, b"\r")
            with suppress(AssertionError):
                self.wait(until, _PAUSE)
                break
        self.wait(until)

    def close(self) -> None:
        """Close the terminal; the agent is hung up on."""
        os.close(self._end)
