"""Compare commands that ran with the command that a duty demands."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from toolmem.core.duties.commands import commands_in
from toolmem.core.shell.parse import parse_argv, parse_command
from toolmem.core.shell.programs import SHELLS, TASK_RUNNERS, program_name
from toolmem.core.shell.words import has_gap

_NOT_RUN = frozenset(
    ("--help", "-h", "--version", "--dry-run", "--just-print", "--recon",
     "--collect-only", "--co", "--list", "--list-tests", "--listtests", "--no-run",
     "-n", "--fixtures", "--list-files", "--show-config", "--showconfig")
)  # fmt: skip
"""Options with which a program does not do its work."""
_NARROWING = re.compile(
    r"-k|-m|-t|-p|--(?:filter|grep|only|package|test-?name-?pattern|test-?path-?pattern"
    r"|tests?|deselect|ignore|exclude|skip)(?:-\w+)*",
    re.IGNORECASE,
)
"""Options with which it does only a part, if their value follows ``=``."""
_NUMBER = re.compile(r"\d+[smh%]?|auto|logical")
_RUN = {words[0] for words in TASK_RUNNERS if words[1:] == ("run",)}
"""Programs that run a script of the project, with ``run`` before its name."""


@lru_cache(maxsize=1024)
def demanded_words(line: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a demanded command as those of a command that runs."""
    whole = (
        parse_command(line[0])
        if len(line) == 1 and " " in line[0]
        else parse_argv(tuple(line))
    )
    commands = commands_in(whole)
    return plain(commands[-1].argv if commands else line)


def plain(argv: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a command in one spelling: ``npm run x`` as ``npm x``, and
    ``bash ./x.sh`` as ``./x.sh``."""
    if len(argv) > 1 and program_name(argv[0]) in SHELLS and "/" in argv[1]:
        argv = argv[1:]
    if len(argv) > 2 and argv[0] in _RUN and argv[1] in ("run", "run-script"):
        argv = (argv[0], *argv[2:])
    return tuple(argv)


def is_fulfilled_by(wanted: Sequence[str], argv: Sequence[str]) -> bool:
    """Return True if a command does all of a demanded one.

    It has all words in order and further options, but no further operand: a file
    narrows what it does. The value of a further option may only be a number.
    """
    if not wanted or not argv or not _is_program(wanted[0], argv[0]):
        return False
    left = [_word(word) for word in wanted[1:]]
    after_option = False
    for text in argv[1:]:
        word = _word(text)
        if left and word == left[0]:
            del left[0]
            after_option = False
        elif word.startswith("-") and len(word) > 1:
            name, equals, _ = word.partition("=")
            if word.lower() in _NOT_RUN - {"-n"}:
                return False
            if equals and _NARROWING.fullmatch(name):
                return False
            after_option = True
        elif not (after_option and _NUMBER.fullmatch(word)):
            return False
        else:
            after_option = False
    return not left and not _only_shows(argv, wanted)


def _only_shows(argv: Sequence[str], wanted: Sequence[str]) -> bool:
    """Return True for ``-n`` without a number: it prints what would be done."""
    for at, word in enumerate(argv):
        number = argv[at + 1] if at + 1 < len(argv) else ""
        if word == "-n" and "-n" not in wanted and not _NUMBER.fullmatch(number):
            return True
    return False


def _is_program(wanted: str, text: str) -> bool:
    if has_gap(text):
        return False
    if "/" not in wanted:
        return program_name(text) == program_name(wanted)
    own, other = _word(wanted).split("/"), _word(text).split("/")
    return other[-len(own) :] == own


def _word(text: str) -> str:
    return text.removeprefix("./").rstrip("/") or text


def any_fulfilled(demands: Iterable[Sequence[str]], argv: Sequence[str]) -> bool:
    """Return True if a command does all of one of several demanded ones."""
    return any(is_fulfilled_by(wanted, argv) for wanted in demands)
