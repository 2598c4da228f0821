"""Parse ``[[duty]]`` tables and report their defects."""

import shlex
from collections.abc import Mapping, Sequence
from itertools import islice, product
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.formats import json_schema
from toolmem.core.formats.json_schema import Schema, ValueReader
from toolmem.core.model import Problem
from toolmem.core.patterns.match import fold
from toolmem.core.text.suggest import did_you_mean

END = "end"
"""Value of ``before`` for the end of a turn."""

Command = tuple[str, ...]
"""The words of a command."""
Example = str | tuple[str, ...] | Mapping[str, Any]
"""A command or file, a command's words, or a call's arguments."""


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
    tables: Sequence[Mapping[str, Any]], *, path: str
) -> tuple[tuple[Duty, ...], tuple[Problem, ...]]:
    """Return the duties of a rule file, one per table, and their defects."""
    duties = []
    problems: list[Problem] = []
    for number, table in enumerate(tables, 1):
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
    found: list[Command] = []
    for choice in choices:
        found += _lines(choice)
    if not found:
        raise ValueError(f"expected a command or a list of commands, found {value!r}")
    if len(found) > limits.GUARD_COMMANDS:
        raise ValueError(f"more than {limits.GUARD_COMMANDS} command lines")
    return tuple(found)


def _lines(choice: object) -> list[Command]:
    if isinstance(choice, str):
        try:
            words = shlex.split(choice)
        except ValueError as error:
            raise ValueError(f"{choice!r} cannot be read: {error}") from None
        places: list[Sequence[str]] = [[word] for word in words]
    elif isinstance(choice, list):
        places = [_texts(place) for place in choice]
    else:
        raise ValueError(f"expected a command, found {choice!r}")
    if not places or places[0][0].startswith("-"):
        raise ValueError(f"expected a command, found {choice!r}")
    return list(islice(product(*places), limits.GUARD_COMMANDS + 1))


def _before(value: object) -> tuple[Command, ...]:
    return () if value in (END, [END]) else _commands(value)


def _texts(value: object) -> tuple[str, ...]:
    found = value if isinstance(value, list) else [value]
    if not found or not all(isinstance(text, str) and text for text in found):
        raise ValueError(f"expected a string or a list of strings, found {value!r}")
    return tuple(found)


def _globs(value: object) -> tuple[str, ...]:
    for text in _texts(value):
        if len(fold(text)) > limits.GLOB_CHARS:
            raise ValueError("the pattern is too large")
    return _texts(value)


def _line(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"expected a string, found {value!r}")
    return " ".join(value.split())


def _examples(value: object) -> tuple[Example, ...]:
    found = value if isinstance(value, list) else [value]
    examples: list[Example] = []
    for example in found:
        if isinstance(example, list) and all(isinstance(w, str) for w in example):
            examples.append(tuple(example))
        elif isinstance(example, str | Mapping):
            examples.append(example)
        else:
            raise ValueError(f"expected a command or a file, found {example!r}")
    return tuple(examples)


_PATTERNS = json_schema.one_or_more(json_schema.SOME_TEXT)
_LINE = json_schema.any_of(json_schema.TEXT, json_schema.list_of(_PATTERNS, 1))
_CHOICES = json_schema.one_or_more(_LINE)
_EXAMPLE = json_schema.any_of(
    json_schema.ANY_TEXT,
    json_schema.list_of(json_schema.ANY_TEXT),
    json_schema.ANY_TABLE,
)
_EXAMPLES = json_schema.any_of(_EXAMPLE, json_schema.list_of(_EXAMPLE))
_READERS = {
    "run": ValueReader(_commands, _CHOICES),
    "fact": ValueReader(_line, json_schema.TEXT),
    "change": ValueReader(_globs, _PATTERNS),
    "after": ValueReader(_globs, _PATTERNS),
    "before": ValueReader(_before, _CHOICES),
    "note": ValueReader(_line, json_schema.TEXT),
    "match": ValueReader(_examples, _EXAMPLES),
    "not_match": ValueReader(_examples, _EXAMPLES),
}
_DEMANDS = ("run", "fact", "change")
DUTY_KEYS = tuple(_READERS)
"""Every key of a duty table."""


def schema() -> Schema:
    """Return the JSON Schema of a duty table."""
    demands = [{"required": [key]} for key in _DEMANDS]
    shapes = {key: reader.schema for key, reader in _READERS.items()}
    return json_schema.table(shapes, oneOf=demands)
