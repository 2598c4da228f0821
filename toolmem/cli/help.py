"""Help of the program: commands by section, and examples of each command."""

from collections.abc import Iterable, Iterator
from typing import Annotated

import typer
from typer._click.core import Context
from typer._click.formatting import HelpFormatter
from typer.core import TyperGroup

from toolmem.cli import examples
from toolmem.cli.output import emit
from toolmem.errors import UsageError

SECTIONS = {
    "Everyday": (
        *("init", "rule", "fact", "memory", "prompt", "search", "recall"),
        *("review", "commit", "diff", "browse", "settings"),
    ),
    "Agents": ("agent", "guard", "capture", "hook", "import", "export"),
    "Team": ("sync", "resolve", "log", "git", "trust", "report", "check"),
    "Upkeep": ("doctor", "reflect", "restore", "index", "stats", "trace", "bench"),
    "Programs": (
        *("mcp", "rpc", "tool", "query", "apply", "turn"),
        *("scratch", "working", "conversation", "help"),
    ),
}
"""Every command of the program, in the order in which help lists them."""


class CommandGroup(TyperGroup):
    """A group whose help shows the whole summary of each command."""

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the commands, aligned over all sections."""
        width = max(map(len, self.commands), default=0)
        for title, names in self._sections():
            rows = [
                (name.ljust(width), self.commands[name].get_short_help_str(1000))
                for name in names
            ]
            with formatter.section(title):
                formatter.write_dl(rows)

    def _sections(self) -> Iterable[tuple[str, Iterable[str]]]:
        return [("Commands", self.commands)]


class Program(CommandGroup):
    """The program: its help lists the commands by section."""

    def _sections(self) -> Iterator[tuple[str, Iterable[str]]]:
        for title, names in SECTIONS.items():
            yield title, [name for name in names if name in self.commands]


def write_examples(ctx: Context, formatter: HelpFormatter) -> None:
    """Write the examples of the command whose help is printed."""
    lines = examples.EXAMPLES.get(ctx.command_path.partition(" ")[2], ())
    if lines:
        with formatter.section("Examples"):
            for line in lines:
                formatter.write(f"{' ' * formatter.current_indent}{line}\n")


def help_command(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="COMMAND...", help="The command, such as rule add."),
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
