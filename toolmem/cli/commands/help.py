"""``toolmem help``: the help of a command."""

from typing import Annotated

import typer

from toolmem.cli.output import emit
from toolmem.errors import UsageError


def help_command(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="COMMAND...", help="Words of the command: rule add."),
    ] = None,
) -> None:
    """Show the help of a command."""
    found = ctx.find_root()
    for word in words or ():
        command = getattr(found.command, "commands", {}).get(word)
        if command is None:
            raise UsageError(
                f"{found.command_path} has no command {word!r}: "
                f"`{found.command_path} --help` lists them"
            )
        found = typer.Context(command, info_name=word, parent=found)
    emit(found.get_help())
