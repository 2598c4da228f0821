"""Find the commands that a sentence demands in place of the forbidden ones."""

from collections.abc import Iterator, Sequence

from toolmem.core import limits
from toolmem.core.guard.derivation.items import items_in
from toolmem.core.guard.derivation.sentence import Ban
from toolmem.core.guard.spellings import plain_words, wanted_call
from toolmem.core.shell.argv import fit_call, take_apart
from toolmem.core.shell.words import SimpleCommand, Word
from toolmem.core.shell.wrappers import inner_of

Line = tuple[str, ...]


def demanded_instead(ban: Ban, forbidden: Sequence[Sequence[str]]) -> list[Line]:
    """Return the demanded command lines that a guard on the forbidden ones would stop.

    "Use `uv run pytest`, not `pytest`" demands a command that runs a forbidden one.
    """
    patterns = [wanted_call(tuple(line)) for line in forbidden]
    lines = [
        line
        for text in ban.wanted
        for line in items_in(ban._replace(text=f"run {text}")).lines
        if list(line) not in [list(one) for one in forbidden]
    ]
    return [
        line
        for line in dict.fromkeys(lines)
        if any(
            fit_call(pattern.call, take_apart(plain_words(command)))
            for command in _run_by(line)
            for pattern in patterns
        )
    ]


def _run_by(line: Line) -> Iterator[SimpleCommand]:
    """Yield a command and those that it runs."""
    waiting = [SimpleCommand(tuple(map(Word, line)))]
    for _ in range(limits.SHELL_DEPTH):
        if not waiting:
            return
        command = waiting.pop()
        yield command
        waiting += map(SimpleCommand, inner_of(command).commands)
