"""Parse ``[[duty]]`` tables and report their defects."""

import shlex
from collections.abc import Mapping, Sequence
from itertools import islice, product
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.formats import json_schema
from toolmem.core.formats.json_schema import Schema, ValueReader
from toolmem.core.model import Problem
from toolmem.core.rules.guard_table import (
    EXAMPLES,
    PATTERNS,
    Example,
    examples_in,
    globs,
    texts,
)
from toolmem.core.text.suggest import did_you_mean

END = "end"
"""Value of ``before`` for the end of a turn."""

Command = tuple[str, ...]
"""The words of a command."""


class Duty(NamedTuple):
    """One duty table: what must have happened, when it is due, and by when.

    ``run`` are commands of which one must have succeeded, ``fact`` the key of the fact
    that has such a command, ``change`` patterns of files of which one must have
    changed. ``after`` are patterns of the files whose change makes it due; without any
    it is every file of the project but prose. ``before`` are the commands that it must
    precede; without any it is the end of a turn. ``note`` is added to the reason.
    ``broken`` is the defect of an unusable table, which demands nothing.
    """

    run: tuple[Command, ...] = ()
    fact: str = ""
    change: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    before: tuple[Command, ...] = ()
    note: str = ""
    match: tuple[Example, ...] = ()
    not_match: tuple[Example, ...] = ()
    broken: str = ""


def parse_duties(
    tables: Sequence[Mapping[str, Any]], *, path: str, first: int = 1
) -> tuple[tuple[Duty, ...], tuple[Problem, ...]]:
    """Return the duties of a rule file, one per table, and their defects.

    ``first`` is the number of the first one.
    """
    duties = []
    problems: list[Problem] = []
    for number, table in enumerate(tables, first):
        duty, defects = _parse(table)
        duties.append(duty)
        problems += [
            Problem(path, 0, "duty", f"duty {number}: {text}") for text in defects
        ]
    return tuple(duties), tuple(problems)


def _parse(table: Mapping[str, Any]) -> tuple[Duty, list[str]]:
    values: dict[str, Any] = {}
    defects = []
    for key, value in table.items():
        reader = _READERS.get(key)
        if reader is None:
            defects.append(f"no key {key!r}{did_you_mean(str(key), DUTY_KEYS)}")
            continue
        try:
            values[key] = reader.read(value)
        except ValueError as error:
            defects.append(f"{key}: {error}")
    demands = [key for key in _DEMANDS if key in table]
    if len(demands) != 1:
        defects.append("needs one of run, fact and change")
    duty = Duty(**values)
    return (duty._replace(broken=defects[0]) if defects else duty), defects


def _commands(value: object) -> tuple[Command, ...]:
    """Parse a command, or a list of choices: each is a text or a list of words, and a
    word may be a list of alternatives."""
    choices = value if isinstance(value, list) else [value]
    commands: list[Command] = []
    for choice in choices:
        commands += _lines(choice)
    if not commands:
        raise ValueError(f"expected a command or a list of commands, found {value!r}")
    if len(commands) > limits.GUARD_COMMANDS:
        raise ValueError(f"more than {limits.GUARD_COMMANDS} command lines")
    return tuple(commands)


def _lines(choice: object) -> list[Command]:
    if isinstance(choice, str):
        try:
            words = shlex.split(choice)
        except ValueError as error:
            raise ValueError(f"{choice!r} cannot be read: {error}") from None
        places: list[Sequence[str]] = [[word] for word in words]
    elif isinstance(choice, list):
        places = [texts(place) for place in choice]
    else:
        raise ValueError(f"expected a command, found {choice!r}")
    if not places or places[0][0].startswith("-"):
        raise ValueError(f"expected a command, found {choice!r}")
    return list(islice(product(*places), limits.GUARD_COMMANDS + 1))


def _before(value: object) -> tuple[Command, ...]:
    return () if value in (END, [END]) else _commands(value)


def _line(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"expected a string, found {value!r}")
    return " ".join(value.split())


_LINE = json_schema.any_of(json_schema.TEXT, json_schema.list_of(PATTERNS, 1))
_CHOICES = json_schema.one_or_more(_LINE)
_READERS = {
    "run": ValueReader(_commands, _CHOICES),
    "fact": ValueReader(_line, json_schema.TEXT),
    "change": ValueReader(globs, PATTERNS),
    "after": ValueReader(globs, PATTERNS),
    "before": ValueReader(_before, _CHOICES),
    "note": ValueReader(_line, json_schema.TEXT),
    "match": ValueReader(examples_in, EXAMPLES),
    "not_match": ValueReader(examples_in, EXAMPLES),
}
_DEMANDS = ("run", "fact", "change")
DUTY_KEYS = tuple(_READERS)
"""Every key of a duty table."""


def schema() -> Schema:
    """Return the JSON Schema of a duty table."""
    demands = [{"required": [key]} for key in _DEMANDS]
    shapes = {key: reader.schema for key, reader in _READERS.items()}
    return json_schema.table(shapes, oneOf=demands)
