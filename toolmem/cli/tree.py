"""Declare commands: every one takes ``--vault``, and none contains logic.

Typer is made of the declarations by ``typer_tree``. Its import takes a third of a
search, so a plain command line is parsed without it, by ``plain_line``.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from toolmem.cli.run import Run

_Command = TypeVar("_Command", bound=Callable[..., None])


class Exit(Exception):  # noqa: N818 -- the end of a run, not an error
    """End of a run with an exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class RunContext(NamedTuple):
    """The call of a command."""

    run: Run


class Option:
    """Declaration of an option: names, and settings as ``typer.Option`` takes them.

    ``offers`` is the function of ``offers`` that completes its values.
    """

    def __init__(self, *names: str, offers: str = "", **settings: Any) -> None:
        self.names = names
        self.offers = offers
        self.settings = settings


class Argument:
    """Declaration of an argument, as ``typer.Argument`` takes it; see ``Option``."""

    def __init__(self, *, offers: str = "", **settings: Any) -> None:
        self.offers = offers
        self.settings = settings


class DeclaredGroup:
    """A group of commands; ``commands`` are functions by name.

    ``hidden`` ones are for git, not for people, and take no ``--vault``.
    """

    def __init__(self, about: str) -> None:
        self.about = about
        self.commands: dict[str, Callable[..., None]] = {}
        self.hidden: set[str] = set()


def group(about: str) -> DeclaredGroup:
    """A group of commands."""
    return DeclaredGroup(about)


def command(
    app: DeclaredGroup, name: str, *, hidden: bool = False
) -> Callable[[_Command], _Command]:
    """Register a function as a command of the group."""

    def register(function: _Command) -> _Command:
        app.commands[name] = function
        if hidden:
            app.hidden.add(name)
        return function

    return register


def run_of(ctx: RunContext) -> Run:
    """The run that a command belongs to."""
    return ctx.run
