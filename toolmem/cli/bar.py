"""Typer's progress bar, loaded when one appears."""

import sys
from collections.abc import Callable

import typer


def show_bar(what: str, total: int) -> Callable[[int], None]:
    """Show a bar on standard error; return the function that moves it on."""
    made = typer.progressbar(length=total, label=what, file=sys.stderr)
    return made.__enter__().update
