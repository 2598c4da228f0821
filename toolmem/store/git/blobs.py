"""Read many objects from git with one process."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from toolmem.core import limits
from toolmem.errors import StorageError
from toolmem.store.git import run as gitrun
from toolmem.store.git.remote import Transport, promisor_of
from toolmem.store.git.repo import Repo

_AT_ONCE = 50
"""Requests in flight: they fit into a pipe, so that neither side blocks."""
_PIECE = 1 << 16


class Blobs:
    """``git cat-file --batch``, running from the first use until ``close``.

    Contents that a partial clone left out are fetched, as git does, from its remote.
    """

    def __init__(self, top: Path) -> None:
        self._top = top
        self._promisor: Transport | None = None
        self._is_prepared = False
        self._process: subprocess.Popen[bytes] | None = None
        self._buffer = bytearray()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """End the process; the next use starts another."""
        if self._promisor is not None:
            self._promisor.close()
        self._promisor, self._is_prepared = None, False
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        process.wait()
        self._buffer.clear()

    def read(self, ids: Sequence[str], limit: int) -> list[bytes | str]:
        """Return the content of each blob, or a few words on why it is missing.

        Raises ``StorageError`` if git stops answering, or a missing one cannot be
        fetched.
        """
        answers: list[bytes | str] = []
        self._fetch_missing(ids)
        try:
            for first in range(0, len(ids), _AT_ONCE):
                answers += self._exchange(ids[first : first + _AT_ONCE], limit)
        except (OSError, ValueError) as error:
            self.close()
            raise StorageError(f"git cat-file: {error}") from error
        return answers

    def _fetch_missing(self, ids: Sequence[str]) -> None:
        if not self._is_prepared:
            repo = Repo(self._top)
            remote = promisor_of(repo)
            self._promisor = Transport(repo, remote) if remote else None
            self._is_prepared = True
        if self._promisor is not None and ids:
            self._promisor.fetch_missing(ids)

    def _exchange(self, ids: Sequence[str], limit: int) -> Iterator[bytes | str]:
        stdin, _ = self._pipes()
        os.write(stdin, "".join(f"{name}\n" for name in ids).encode())
        return (self._answer(limit) for _ in ids)

    def _answer(self, limit: int) -> bytes | str:
        words = self._line().split()
        if len(words) != 3 or not words[2].isdigit():
            return "is not in this clone: run `git fetch`"
        size = int(words[2])
        if size > limit or words[1] != b"blob":
            self._skip(size + 1)
            return f"is larger than {limit} bytes"
        while len(self._buffer) <= size:
            self._more()
        data = bytes(self._buffer[:size])
        del self._buffer[: size + 1]  # a newline ends the answer
        return data

    def _line(self) -> bytes:
        while (end := self._buffer.find(b"\n")) < 0:
            self._more()
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    def _skip(self, size: int) -> None:
        while size:
            if not self._buffer:
                self._more()
            gone = min(size, len(self._buffer))
            del self._buffer[:gone]
            size -= gone

    def _more(self) -> None:
        _, stdout = self._pipes()
        if not gitrun.is_ready(stdout):
            raise TimeoutError(f"no answer for {limits.GIT_SECONDS:g} s")
        piece = os.read(stdout, _PIECE)
        if not piece:
            raise BrokenPipeError("stopped answering")
        self._buffer += piece

    def _pipes(self) -> tuple[int, int]:
        if self._process is None:
            self._process = subprocess.Popen(
                gitrun.command(self._top, "cat-file", "--batch"),
                env=gitrun.environment(self._top),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise BrokenPipeError("has no pipes")
        return stdin.fileno(), stdout.fileno()
