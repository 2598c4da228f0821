"""List the programs that a shell text runs, in order, for turn memory."""

from itertools import zip_longest
from typing import NamedTuple

from toolmem.core.shell.parse import parse_command
from toolmem.core.shell.programs import PREFIXES, SHELLS, program_name
from toolmem.core.shell.words import (
    PLAIN_GAP,
    SimpleCommand,
    Word,
    has_gap,
)

_LOOPS = frozenset(("for",))
_LISTED = Word(PLAIN_GAP, many=True)
"""Words that ``xargs`` adds."""
_TRANSPARENT = PREFIXES.keys() | SHELLS
"""Programs that only run the subject of a command line."""


class StepWord(NamedTuple):
    """One word; ``certain`` if the shell gives the program exactly this text."""

    text: str
    certain: bool = True


class ShellStep(NamedTuple):
    """One program with its arguments, and the operator that joins it to the last one.

    ``targets`` are the files that output goes to. A name that only the shell knows is
    empty.
    """

    words: tuple[StepWord, ...]
    operator: str = ""
    targets: tuple[StepWord, ...] = ()
    substituted: bool = False

    @property
    def name(self) -> str:
        """Program name without its folder."""
        text = self.words[0].text if self.words else ""
        return "" if has_gap(text) else program_name(text)

    @property
    def arguments(self) -> tuple[str, ...]:
        """Texts of the words after the program."""
        return tuple(word.text for word in self.words[1:])


class ShellSteps(NamedTuple):
    """Steps of a shell text; ``complete`` if all of the text was understood.

    ``every`` also has the wrappers (``sudo``, ``bash -c``), commands in a container or
    an environment, and commands whose output is substituted; ``plain`` does not.
    """

    plain: tuple[ShellStep, ...]
    every: tuple[ShellStep, ...]
    complete: bool


def shell_steps(text: str) -> ShellSteps:
    """Return the steps of a shell text, as far as it is understood."""
    shell = parse_command(text)
    commands = [
        command
        for command in shell.commands
        if not (command.argv and command.argv[0].text in _LOOPS)
    ]
    complete = shell.complete and not shell.opaque
    return ShellSteps(_steps(_plain(commands)), _steps(commands), complete)


def _steps(commands: list[SimpleCommand]) -> tuple[ShellStep, ...]:
    found = map(_step, commands)
    return tuple(step for step in found if step.words or step.targets)


def _plain(commands: list[SimpleCommand]) -> list[SimpleCommand]:
    found = []
    for command, after in zip_longest(commands, commands[1:]):
        name = program_name(command.argv[0].text) if command.argv else ""
        inside = after is not None and after.via == (*command.via, name)
        wraps = inside and name in _TRANSPARENT
        own = _TRANSPARENT.issuperset(command.via) and not command.substituted
        if own and not wraps:
            found.append(command)
    return found


def _step(command: SimpleCommand) -> ShellStep:
    targets = (
        redirect.target
        for redirect in command.redirects
        if ">" in redirect.operator and not _is_descriptor(redirect.target.text)
    )
    return ShellStep(
        tuple(_word(word) for word in command.argv if word != _LISTED),
        command.operator,
        tuple(map(_word, targets)),
        command.substituted,
    )


def _is_descriptor(text: str) -> bool:
    return text.strip("-").isdigit() or text == "-"


def _word(word: Word) -> StepWord:
    changed = word.many or has_gap(word.text + word.shape) or word.text[:1] == "~"
    return StepWord(word.text, not changed)
