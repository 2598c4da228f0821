"""Normalise the words of commands to the spelling that guards use.

This does not need the shell parser.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from toolmem.core.patterns.match import fold_marks
from toolmem.core.shell import argv, settings
from toolmem.core.shell.programs import PASSES, program_name, split_name
from toolmem.core.shell.words import Fit, SimpleCommand, Word, fit_text, has_gap


class CommandPattern(NamedTuple):
    """A guard's command line, and the wrappers (``sudo``) that it requires.

    ``into`` is the command that gets its output, as in ``curl | sh``.
    """

    call: argv.Call
    via: tuple[str, ...]
    into: argv.Call | None = None


@lru_cache(maxsize=1024)
def wanted_call(words: tuple[str, ...]) -> CommandPattern:
    """Parse a guard's command line like a command."""
    via: list[str] = []
    if "|" in words[1:-1]:
        at = words.index("|", 1)
        into = wanted_call(words[at + 1 :]).call
        return wanted_call(words[:at])._replace(into=into)
    if "--" in words[:-1]:
        words = tuple(word for word in words[:-1] if word != "--") + words[-1:]
    while len(words) > 1 and PASSES.get(words[0]) == 0 and not words[1].startswith("-"):
        via.append(words[0])
        words = words[1:]
    command = SimpleCommand(tuple(Word(word) for word in words))
    return CommandPattern(argv.take_apart(plain_words(command)), tuple(via))


def fit_any(
    wanted: Sequence[CommandPattern],
    call: argv.Call,
    command: SimpleCommand,
    handed: Callable[[argv.Call], Fit] = lambda _: Fit.NO,
) -> Fit:
    """Match a command with the best of several command lines.

    ``handed`` returns whether a command gets the output of this one.
    """
    best = Fit.NO
    for pattern in wanted:
        limit = handed(pattern.into) if pattern.into else Fit.YES
        if all(wrapper in command.via for wrapper in pattern.via):
            seen = call
            if has_gap(call.program) and fit_text(call.program, pattern.call.program):
                seen = argv.take_apart(command.argv, pattern.call.program)
            best = max(best, min(limit, argv.fit_call(pattern.call, seen)))
    return best


def is_bare(call: argv.Call) -> bool:
    """Return True for a program without options and operands."""
    return not (call.operands or call.flags)


def is_run_by(lines: Sequence[tuple[str, ...]], command: SimpleCommand) -> bool:
    """Return True if a command, or one that runs it, is certainly one of some command
    lines."""
    wanted = [wanted_call(words) for words in lines]
    chain = [
        command._replace(argv=words, outer=command.outer[:number])
        for number, words in enumerate((*command.outer, command.argv))
    ]
    return any(
        fit_any(wanted, argv.take_apart(plain_words(text)), text) is Fit.YES
        for text in chain
    )


def plain_words(command: SimpleCommand) -> tuple[Word, ...]:
    """Normalise a command's words: ``git-reset`` as ``git reset``, ``docker-compose``
    as ``docker compose``, plain dashes and letters."""
    words = command.argv
    if not words:
        return ()
    first = split_name(program_name(words[0].text))
    if len(first) > 1:
        words = (*(Word(part) for part in first), *words[1:])
    plain = tuple(map(_plain_word, (*words, *settings.given_words(command))))
    read = _VALUES.get(plain[0].text)
    return read(plain) if read else plain


def _signals(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Write every form of a signal as its number: ``-s KILL`` as ``-9``."""
    texts = " ".join(word.text for word in words if " " not in word.text)
    match = re.search(_SIGNAL, texts)
    number = _SIGNALS.get(match[1].upper().removeprefix("SIG")) if match else None
    if not match or not number:
        return words
    named = set(match[0].split())
    rest = (word for word in words[1:] if word.text not in named)
    return (words[0], Word(f"-{number}"), *rest)


def _modes(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Write every form of the mode that allows everything as ``777``."""
    return tuple(
        word._replace(text="777")
        if at and re.fullmatch(_EVERY_MODE, word.text)
        else word
        for at, word in enumerate(words)
    )


_EVERY_MODE = r"0+777|(?:a|[ugo]{3})?[+=](?=.*r)(?=.*w)(?=.*x)[rwx]{3}"
_SIGNAL = r"(?i)(?<= )(?:-s ?|-n ?|--signal[ =]|-)((?:sig)?[a-z]{3,4}|\d{1,2})(?= |$)"
_SIGNALS = {
    name: number
    for number, name in (("9", "KILL"), ("15", "TERM"), ("2", "INT"), ("1", "HUP"))
} | {number: number for number in ("1", "2", "9", "15")}
_VALUES = {**dict.fromkeys(("kill", "pkill", "killall"), _signals), "chmod": _modes}
"""Programs whose arguments have several spellings, and what writes them as one."""


def _plain_word(word: Word) -> Word:
    text = word.text
    if text.isascii() and not (text.startswith("--") and text != text.lower()):
        return word
    if not text.isascii():
        text = fold_marks(text)
    name, equals, value = text.partition("=")
    if name.startswith("--"):
        text = name.lower() + equals + value
    return word if text == word.text else word._replace(text=text)
