"""Find the commands that a sentence demands in place of the forbidden ones."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from toolmem.core import limits
from toolmem.core.guard.derivation.items import items_in
from toolmem.core.guard.derivation.reading.sentence import Ban
from toolmem.core.guard.spellings import plain_words, wanted_call
from toolmem.core.shell.argv import Call, fit_call, take_apart
from toolmem.core.shell.programs import program_name
from toolmem.core.shell.words import SimpleCommand, Word
from toolmem.core.shell.wrappers import inner_of

Line = tuple[str, ...]


def demanded_instead(ban: Ban, forbidden: Sequence[Sequence[Any]]) -> list[Line]:
    """Return the demanded command lines that a guard on the forbidden ones would stop.

    "Use `uv run pytest`, not `pytest`" demands a command that runs a forbidden one. So
    does any other one in code style, whatever the words around it.
    """
    banned = {words for line in forbidden for words in product(*map(_several, line))}
    patterns = [wanted_call(words).call for words in sorted(banned)]
    demanded = dict.fromkeys(
        line for text in ban.wanted for line in _lines(ban, text) if line not in banned
    )
    quoted = dict.fromkeys(
        line for code in ban.codes for line in _lines(ban._replace(codes=(code,)))
    )
    named = [line for line in demanded if _stopped(line, patterns)]
    run = [line for line in quoted if line not in banned and _runs(line, patterns)]
    return list(dict.fromkeys((*named, *run)))


def _several(word: str | Sequence[str]) -> Sequence[str]:
    return [word] if isinstance(word, str) else word


def _lines(ban: Ban, text: str = "\ue200") -> tuple[Line, ...]:
    return items_in(ban._replace(text=f"run {text}")).lines


def _stopped(line: Line, patterns: Sequence[Call]) -> bool:
    """Return True if a guard may stop a command, or what it runs."""
    words = set(map(program_name, line[1:]))
    return any(
        fit_call(pattern, take_apart(plain_words(command)))
        for command in _run_by(line)
        for pattern in patterns
    ) or any(pattern.program in words for pattern in patterns)


def _runs(line: Line, patterns: Sequence[Call]) -> bool:
    """Return True if a command is not a forbidden one but runs one."""
    own, *inner = [take_apart(plain_words(command)) for command in _run_by(line)]
    return any(
        not fit_call(pattern, own) and any(fit_call(pattern, one) for one in inner)
        for pattern in patterns
    )


def _run_by(line: Line) -> Iterator[SimpleCommand]:
    """Yield a command and those that it runs."""
    waiting = [SimpleCommand(tuple(map(Word, line)))]
    for _ in range(limits.SHELL_DEPTH):
        if not waiting:
            return
        command = waiting.pop()
        yield command
        waiting += map(SimpleCommand, inner_of(command).commands)
