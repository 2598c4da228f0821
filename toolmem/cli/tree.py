"""Declare commands: every one takes ``--vault``, and none contains logic."""

from collections.abc import Callable
from typing import Any, TypeVar

import typer
from typer._click.core import Context
from typer._click.formatting import HelpFormatter
from typer.core import TyperCommand, TyperOption

from toolmem.cli.help import CommandGroup, write_examples
from toolmem.cli.run import Run

_Command = TypeVar("_Command", bound=Callable[..., None])
_SETTINGS = {"help_option_names": ["-h", "--help"]}


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

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the command's examples below its options."""
        write_examples(ctx, formatter)


def group(about: str) -> typer.Typer:
    """A group of commands."""
    return typer.Typer(
        cls=CommandGroup,
        help=about,
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings=_SETTINGS,
        pretty_exceptions_enable=False,
    )


def command(app: typer.Typer, name: str) -> Callable[[_Command], _Command]:
    """Register a function as a command of the group."""
    return app.command(name, cls=VaultCommand, context_settings=_SETTINGS)


def run_of(ctx: typer.Context) -> Run:
    """The run that a command belongs to."""
    run = ctx.find_root().obj
    if not isinstance(run, Run):
        raise TypeError("a command was called outside a run")
    return run


def keep_vault(
    ctx: typer.Context, _: typer.CallbackParam, value: str | None
) -> str | None:
    """Store the folder for the run while parsing: completions call no command."""
    run = ctx.find_root().obj
    if value and isinstance(run, Run):
        run.vault = value
    return value
