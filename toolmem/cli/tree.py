"""Declare commands for Typer: every one takes ``--vault``, and none contains logic."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from toolmem.cli import examples
from toolmem.cli.output import aside
from toolmem.cli.run import Run
from toolmem.errors import UsageError

SETTINGS = {"help_option_names": ["-h", "--help"]}
_USAGE = 2
"""Exit code of a wrong command line."""
REMOVED = {
    "bench": "the programs in bench/ of the source",
    "conversation add": "the JSON-RPC method conversation.add",
    "index verify": "`toolmem doctor`",
    "memory promote": "`toolmem memory move ID --scope SCOPE`",
    "scratch archive": "`toolmem scratch set-status ID archived`",
    "scratch resolve": "`toolmem scratch set-status ID resolved`",
    "working set": "the JSON-RPC method working.set",
}
"""Commands of earlier versions, and what takes their place."""
_Command = TypeVar("_Command", bound=Callable[..., None])


class Exit(Exception):  # noqa: N818 -- the end of a run, not an error
    """End of a run with an exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class VaultCommand(TyperCommand):
    """A command that takes ``--vault`` after its name, too, like the program itself."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.append(
            TyperOption(
                param_decls=["--vault"],
                metavar="FOLDER",
                help="The vault to work on.",
                expose_value=False,
                callback=keep_vault,
            )
        )

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the command's examples below its options."""
        lines = examples.EXAMPLES.get(ctx.command_path.partition(" ")[2], ())
        if lines:
            with formatter.section("Examples"):
                for line in lines:
                    formatter.write(f"{' ' * formatter.current_indent}{line}\n")


def keep_vault(
    ctx: typer.Context, _: typer.CallbackParam, value: str | None
) -> str | None:
    """Store the folder for the run while parsing: completions call no command."""
    run = ctx.find_root().obj
    if value and isinstance(run, Run):
        run.vault = value
    return value


class CommandGroup(TyperGroup):
    """A group whose help shows the whole summary of each command, by section."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Print the help of a group that is called without a command."""
        if not args and not ctx.resilient_parsing:
            aside(ctx.get_help())
            raise typer.Exit(_USAGE)
        return super().parse_args(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; None if there is none of this name.

        Raises ``UsageError`` with the new spelling of a command that was removed.
        """
        named = super().get_command(ctx, cmd_name)
        words = f"{ctx.command_path} {cmd_name}".partition(" ")[2]
        if named is None and words in REMOVED and not ctx.resilient_parsing:
            raise UsageError(f"no command `{words}`: use {REMOVED[words]}")
        return named

    def sections(self) -> Mapping[str, Sequence[str]]:
        """Return the names of the commands by title."""
        return {"Commands": list(self.commands)}

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, aligned over all sections."""
        width = max(map(len, self.list_commands(ctx)), default=0)
        for title, names in self.sections().items():
            commands = {name: self.get_command(ctx, name) for name in names}
            rows = [
                (name.ljust(width), command.get_short_help_str(1000))
                for name, command in commands.items()
                if command is not None and not command.hidden
            ]
            with formatter.section(title):
                formatter.write_dl(rows)


APPS: dict[str, typer.Typer] = {}
"""Commands and groups of commands that have been imported, by name."""


def group(
    name: str, about: str, *, cls: type[CommandGroup] = CommandGroup, **settings: Any
) -> typer.Typer:
    """Return a new group of commands."""
    APPS[name] = typer.Typer(
        cls=cls,
        help=about,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={**SETTINGS, **settings},
    )
    return APPS[name]


def app_of(name: str) -> typer.Typer:
    """Return the group of a command such as ``rule add``; of ``init``, itself."""
    noun = name.partition(" ")[0]
    return APPS.setdefault(
        noun, typer.Typer(add_completion=False, rich_markup_mode=None)
    )


def command(name: str, *, hidden: bool = False) -> Callable[[_Command], _Command]:
    """Register a function as a command; a hidden one is for git, not for people."""
    cls = TyperCommand if hidden else VaultCommand
    last = name.rpartition(" ")[2]
    return app_of(name).command(last, cls=cls, hidden=hidden, context_settings=SETTINGS)


def run_of(ctx: typer.Context) -> Run:
    """Return the run that a command belongs to."""
    run = ctx.find_root().obj
    if not isinstance(run, Run):
        raise TypeError("a command was called outside a run")
    return run
