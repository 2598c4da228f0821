"""Find the commands of a call that a duty must precede, and what ran before them."""

from collections.abc import Iterator, Sequence

from toolmem.core.duties.commands import OK, commands_in, ends_of
from toolmem.core.duties.steps import Step, command_steps, parsed
from toolmem.core.guard.calls import ToolCall, shell_sources
from toolmem.core.guard.spellings import fit_any, plain_words, wanted_call
from toolmem.core.rules.duty_table import Command
from toolmem.core.shell.argv import take_apart
from toolmem.core.shell.words import Fit

_NOT_RUN = frozenset(("--dry-run", "--help", "-h"))


def steps_before(call: ToolCall, before: Sequence[Command]) -> Iterator[list[Step]]:
    """Yield, for each command of a call that one of ``before`` names, the steps that
    the call takes up to it, newest first."""
    wanted = [wanted_call(words) for words in before]
    for source in shell_sources(call):
        shell = parsed(source)
        commands = commands_in(shell)
        for number, command in enumerate(commands):
            seen = take_apart(plain_words(command.command))
            if fit_any(wanted, seen, command.command) is not Fit.YES:
                continue
            if not _NOT_RUN.isdisjoint(command.argv):
                continue
            ends = ends_of(shell.text, commands[: number + 1], OK)
            earlier = command_steps(shell, commands[:number], ends[:number], call)
            yield list(earlier)[::-1]
