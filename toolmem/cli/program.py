"""The program as a Typer application that imports a command when it is asked for."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from toolmem import __version__
from toolmem.cli.output import emit, emit_lines
from toolmem.cli.tree import CommandGroup, command, group, keep_vault
from toolmem.errors import UsageError

_ABOUT = (
    "Keep what AI agents learn about their tools in a vault that people can review."
)
_WIDEST = 100
"""Columns of help on a wide terminal: longer lines are hard to read."""
SECTIONS = {
    "Everyday": (
        *("init", "rule", "fact", "memory", "prompt", "search", "recall"),
        *("review", "commit", "diff", "browse", "settings"),
    ),
    "Agents": ("setup", "agent", "guard", "capture", "hook", "import", "export"),
    "Team": ("sync", "resolve", "log", "git", "trust", "report", "check"),
    "Upkeep": ("doctor", "reflect", "restore", "index", "stats", "trace"),
    "Programs": (
        *("mcp", "rpc", "tool", "query", "apply", "turn"),
        *("scratch", "working", "conversation", "help"),
    ),
}
"""Every command of the program, in the order in which help lists them."""


# Name → the modules that declare it: only those of the command that is called
# are imported, for an agent may call toolmem often.
_GROUPS = {
    "rule": (
        "rule",
        "rule_change",
        "rule_keep",
        "rule_examples",
    ),
    "fact": ("fact",),
    "memory": ("memory", "memory_write"),
    "tool": ("tool",),
    "turn": ("turn",),
    "scratch": ("scratch",),
    "working": ("working",),
    "conversation": ("conversation",),
    "index": ("index",),
    "agent": ("agent",),
    "git": ("git",),
    "trust": ("trust",),
}
_COMMANDS = {
    "init": "vault",
    "settings": "vault",
    "setup": "setup",
    "check": "check",
    "diff": "diff",
    "log": "log",
    "resolve": "resolve",
    "sync": "sync",
    "prompt": "prompt",
    "guard": "guard",
    "hook": "hook",
    "search": "search",
    "recall": "search",
    "query": "query",
    "apply": "apply",
    "capture": "capture",
    "review": "review",
    "commit": "commit",
    "browse": "browse",
    "reflect": "reflect",
    "doctor": "doctor",
    "stats": "stats",
    "trace": "trace",
    "import": "import_",
    "export": "export",
    "report": "report",
    "restore": "vault",
    "rpc": "serve",
    "mcp": "serve",
}


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
        if cmd_name in _GROUPS or cmd_name in _COMMANDS or cmd_name == "help":
            self._load(cmd_name)
        else:
            self.list_commands(ctx)  # for a suggestion
        return super().get_command(ctx, cmd_name)

    def _load(self, name: str) -> None:
        if name not in self.commands:
            self.add_command(typer.main.get_command(_application(name)), name)


def _application(name: str) -> typer.Typer:
    """Return a command or a group of commands as an application."""
    if name in _GROUPS:
        # Running a module registers its commands in the group.
        apps: list[typer.Typer] = [_module(module).app for module in _GROUPS[name]]
        return apps[0]
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    if name == "help":
        command(app, name)(help_command)
    else:
        function = f"{name.replace('-', '_')}_command"
        command(app, name)(getattr(_module(_COMMANDS[name]), function))
    return app


def _module(name: str) -> Any:
    return import_module(f"toolmem.cli.commands.{name}")


@cache
def program() -> TyperGroup:
    """Return the program: a process that runs several command lines has one."""
    app = group(_ABOUT, cls=Program, max_content_width=_WIDEST)
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


def help_command(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="COMMAND...", help="The command, such as rule add."),
    ] = None,
) -> None:
    """Show the help of a command."""
    parent = ctx.find_root()
    for word in words or ():
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
    emit(parent.get_help())
