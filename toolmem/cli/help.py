"""Help of the program: commands by section, and examples of each command."""

from collections.abc import Iterable, Iterator

from typer._click.core import Context
from typer._click.formatting import HelpFormatter
from typer.core import TyperGroup

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
    from toolmem.cli.examples import EXAMPLES

    lines = EXAMPLES.get(ctx.command_path.partition(" ")[2], ())
    if lines:
        with formatter.section("Examples"):
            for line in lines:
                formatter.write(f"{' ' * formatter.current_indent}{line}\n")
