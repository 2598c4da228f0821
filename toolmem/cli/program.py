"""The program as a Typer application that imports a command when it is asked for."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from toolmem import __version__
from toolmem.cli.output import emit, emit_lines
from toolmem.cli.tree import CommandGroup, app_of, command, group, keep_vault
from toolmem.errors import UsageError

_ABOUT = (
    "Keep what AI agents learn about their tools in a vault that people can review."
)
_WIDEST = 100
"""Columns of help on a wide terminal: longer lines are hard to read."""
SECTIONS = {
    "Everyday": (
        *("init", "rule", "fact", "memory", "prompt", "search", "recall"),
        *("review", "undo", "commit", "diff", "browse", "settings"),
    ),
    "Agents": ("setup", "agent", "guard", "capture", "hook", "import", "export"),
    "Team": ("sync", "resolve", "log", "git", "trust", "report", "check"),
    "Upkeep": ("doctor", "reflect", "restore", "index", "stats", "trace"),
    "Programs": (
        *("mcp", "rpc", "tool", "query", "apply", "turn"),
        *("scratch", "working", "conversation", "schema", "help"),
    ),
}
"""Every command of the program, in the order in which help lists them."""


_MODULES = {
    "rule": ("rule", "rule_change"),
    "init": ("vault",),
    "settings": ("vault",),
    "schema": ("vault",),
    "restore": ("vault",),
    "recall": ("search",),
    "query": ("access",),
    "apply": ("access",),
    "import": ("import_",),
    "rpc": ("serve",),
    "mcp": ("serve",),
    "help": (),
}
"""Modules of a command, if their names differ. Only those of the command that is called
are imported: an agent may call toolmem often."""


class Program(CommandGroup):
    """The program: it knows the names of its commands, and imports one when asked."""

    def sections(self) -> Mapping[str, Sequence[str]]:
        """Return the names of the commands by title."""
        return SECTIONS

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, which are imported."""
        for names in SECTIONS.values():
            for name in names:
                self._load(name)
        return [name for names in SECTIONS.values() for name in names]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; None if there is none of this name."""
        if any(cmd_name in names for names in SECTIONS.values()):
            self._load(cmd_name)
        else:
            self.list_commands(ctx)  # for a suggestion
        return super().get_command(ctx, cmd_name)

    def _load(self, name: str) -> None:
        if name not in self.commands:
            self.add_command(typer.main.get_command(_application(name)), name)


def _application(name: str) -> typer.Typer:
    """Return a command or a group of commands as an application."""
    for module in _MODULES.get(name, (name,)):
        # It registers its commands when it runs: when something in it is read.
        dir(import_module(f"toolmem.cli.commands.{module}"))
    return app_of(name)


@cache
def program() -> TyperGroup:
    """Return the program: a process that runs several command lines has one."""
    app = group("toolmem", _ABOUT, cls=Program, max_content_width=_WIDEST)
    app.callback()(_flags)
    made = typer.main.get_command(app)
    if not isinstance(made, TyperGroup):
        raise TypeError("the program is no group of commands")
    return made


def _version(wanted: bool) -> None:
    if wanted:
        emit_lines([f"toolmem {__version__}"])
        raise typer.Exit


def _flags(
    vault: Annotated[
        str,
        typer.Option(
            "--vault",
            metavar="FOLDER",
            help="The vault to work on.",
            callback=keep_vault,
        ),
    ] = "",
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            "-V",
            callback=_version,
            is_eager=True,
            help="Print the version.",
        ),
    ] = False,
) -> None:
    """Do nothing: the flags are stored as they are parsed (see ``keep_vault``)."""


def _command_at(ctx: typer.Context, words: Sequence[str]) -> Any:
    """Return the context of the command that words name; raise ``UsageError``."""
    parent = ctx.find_root()
    for word in words:
        group = parent.command
        named = (
            group.get_command(parent, word) if isinstance(group, TyperGroup) else None
        )
        if named is None:
            raise UsageError(
                f"{parent.command_path} has no command {word!r}: "
                f"`{parent.command_path} --help` lists them"
            )
        parent = typer.Context(named, info_name=word, parent=parent)
    return parent


def _topics(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the commands that may follow the words before."""
    try:
        parent = _command_at(ctx, ctx.params.get("words") or ())
    except UsageError:
        return []
    group = parent.command
    names = group.list_commands(parent) if isinstance(group, TyperGroup) else []
    return [name for name in names if name.startswith(incomplete)]


@command("help")
def help_command(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND...",
            help="The command, such as rule add.",
            autocompletion=_topics,
        ),
    ] = None,
) -> None:
    """Show the help of a command."""
    emit(_command_at(ctx, words or ()).get_help())
