"""A progress bar on a terminal, for work that takes more than a moment."""

import sys
from collections.abc import Callable
from time import monotonic

import typer

from toolmem.store.vault.vault import Progress

_PATIENCE = 0.7
"""Seconds before a bar appears: short work needs none."""


def terminal_progress() -> Progress | None:
    """A bar on standard error; None where that is no terminal."""
    return _Bar().show if sys.stderr.isatty() else None


class _Bar:
    def __init__(self) -> None:
        self._began = monotonic()
        self._what = ""
        self._shown = 0
        self._update: Callable[[int], None] | None = None

    def show(self, what: str, done: int, total: int) -> None:
        """Show how far the work is."""
        if what != self._what:
            self._what, self._shown, self._update = what, 0, None
        if self._update is None:
            if monotonic() - self._began < _PATIENCE:
                return
            self._update = _show_bar(what, total)
        self._update(done - self._shown)
        self._shown = done
        if done >= total:
            sys.stderr.write("\n")


def _show_bar(what: str, total: int) -> Callable[[int], None]:
    """Show a bar on standard error; return the function that moves it on."""
    bar = typer.progressbar(length=total, label=what, file=sys.stderr)
    return bar.__enter__().update
