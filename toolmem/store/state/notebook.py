"""Read and write local state in several transactions, and remark what failed."""

from collections.abc import Callable
from pathlib import Path
from sqlite3 import Connection
from types import TracebackType
from typing import Self, TypeVar

from toolmem.errors import StorageError
from toolmem.store.state.database import State, has_state

_Answer = TypeVar("_Answer")


class Notebook:
    """Reads and writes local state; ``remarks`` say what could not be done.

    A dry run reads what is there and writes nothing.
    """

    def __init__(self, root: Path, *, dry_run: bool = False) -> None:
        self._root = root
        self._dry_run = dry_run
        self._state: State | None = None
        self.remarks: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._state is not None:
            self._state.close()

    def read(self, ask: Callable[[Connection], _Answer]) -> _Answer | None:
        """Return the answer of local state, or None without any."""
        if self._state is None and not has_state(self._root):
            return None
        try:
            with self._opened().transaction() as state:
                return ask(state)
        except StorageError as error:
            self._remark(f"the local state cannot be read: {error}")
            return None

    def write(self, keep: Callable[[Connection], None], what: str) -> bool:
        """Keep something, all or nothing; whether it was kept. ``what`` names it."""
        if self._dry_run:
            return True
        try:
            with self._opened().transaction() as state:
                keep(state)
        except StorageError as error:
            self._remark(f"{what} could not be kept in the local state: {error}")
            return False
        return True

    def _opened(self) -> State:
        if self._state is None:
            self._state = State(self._root, self.remarks)
        return self._state

    def _remark(self, text: str) -> None:
        if text not in self.remarks:
            self.remarks.append(text)
