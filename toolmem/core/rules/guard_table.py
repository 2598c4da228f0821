"""Parse ``[[guard]]`` tables and report their defects."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.formats import json_schema
from toolmem.core.formats.json_schema import Schema, ValueReader
from toolmem.core.model import Action, Problem
from toolmem.core.names import plain_key
from toolmem.core.patterns import match as matching
from toolmem.core.shell import operations as file_uses
from toolmem.core.text.suggest import did_you_mean

_CONDITIONS = (
    "contains", "adds", "recipient", "glob", "regex", "command", "path", "host",
    "branch", "within",
)  # fmt: skip
_TESTS = ("argument", *_CONDITIONS, "operation")
_NARROWING = (*_CONDITIONS, "tool", "outside", "without", "recipient_outside")
_OTHERS = ("action", "tool", "unless", "instead", "note", "match", "not_match")
GUARD_KEYS = (*_TESTS, *_OTHERS)
"""Every key of a guard table, for messages that suggest one."""
_INSIDE_OUTSIDE = {
    "path": ("path", "outside"),
    "within": ("within", "without"),
    "recipient": ("recipient", "recipient_outside"),
}
OPERATIONS = ("read", "change", "delete")
"""Uses of a file by a call; ``change`` includes deleting and moving it."""

Example = str | tuple[str, ...] | Mapping[str, Any]
"""A command or value, a command's words, or a call's arguments."""


class Guard(NamedTuple):
    """One guard table.

    One alternative of each condition must match; without conditions every call matches.
    ``tool`` are globs of tools' names as words (``mcp_notion_delete_page``),
    ``command`` has whole command lines, ``adds`` texts that the call would add to a
    file or to the message of a commit or pull request,
    ``recipient`` addresses that the call sends to,
    ``recipient_outside`` the domains of all other addresses, ``outside`` the folders
    that a file must not be in, ``operation`` the use of the file, ``branch`` git
    branches that must be checked out. ``within`` are places that the call must be in,
    ``without`` those that it must not be in: its files, or the folder that it works in;
    a call asks if its place is unknown. One that certainly matches ``unless`` is
    allowed, one that may match it asks. ``instead`` are command lines that are allowed
    with all that they run. ``note`` is added to the reason. ``broken`` is the defect of
    an unusable table, for which every call asks.
    """

    action: Action = Action.DENY
    tool: tuple[str, ...] = ()
    argument: tuple[str, ...] = ()
    contains: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()
    recipient: tuple[str, ...] = ()
    recipient_outside: tuple[str, ...] = ()
    glob: tuple[str, ...] = ()
    regex: tuple[str, ...] = ()
    command: tuple[tuple[str, ...], ...] = ()
    path: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    host: tuple[str, ...] = ()
    branch: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    operation: tuple[str, ...] = ()
    unless: "Guard | None" = None
    instead: tuple[tuple[str, ...], ...] = ()
    note: str = ""
    match: tuple[Example, ...] = ()
    not_match: tuple[Example, ...] = ()
    broken: str = ""


def parse_guards(
    tables: Sequence[Mapping[str, Any]], *, path: str, first: int = 1
) -> tuple[tuple[Guard, ...], tuple[Problem, ...]]:
    """Return the guards of a rule file, one per table, and their defects.

    A table with a defect is not dropped: it asks before every call, unless the rest of
    it still decides. ``first`` is the number of the first one.
    """
    guards = []
    problems: list[Problem] = []
    for number, table in enumerate(tables, first):
        guard, defects = _parse(table)
        guards.append(guard)
        problems += [
            Problem(path, 0, code, f"guard {number}: {text}") for code, text in defects
        ]
    return tuple(guards), tuple(problems)


def impossible(table: Mapping[str, Any]) -> Iterator[str]:
    """Yield the defects of tests that can match nothing."""
    for name in _patterns(table.get("argument")):
        last = name.rpartition(".")[2]
        if last != name:
            hint = f"name the last part, {last!r}, which is found at any depth"
            yield f"argument: {name!r} has a dot: {hint}"
    for host in _patterns(table.get("host")):
        if not _is_host(host):
            yield (
                f"host: {host!r} is not a host name: write it without scheme, "
                "user, port and path"
            )
    for key, text in _places_in(table):
        parts = text.replace("\\", "/").split("/")
        if ".." in parts or "." in parts[1:]:
            yield f"{key}: {text!r} has `..` or `.`: write the path from / or ~"
        elif text.startswith(("$", "%")):
            yield f"{key}: {text!r}: variables are not read here: write ~ or a path"


def _places_in(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key in ("path", "within"):
        value = table.get(key)
        for place in value.values() if isinstance(value, Mapping) else (value,):
            yield from ((key, text) for text in _patterns(place))


def _patterns(value: object) -> list[str]:
    patterns = value if isinstance(value, list | tuple) else [value]
    return [text for text in patterns if isinstance(text, str)]


def _is_host(text: str) -> bool:
    # An IPv6 address has several colons, and may be in brackets.
    bare = text.removeprefix("[").removesuffix("]")
    letters = bare.replace(":", "") if bare.count(":") > 1 else text
    plain = all(c.isalnum() or c in "-_.*?" for c in letters)
    return plain and any(c.isalnum() or c == "*" for c in letters)


def _parse(table: Mapping[str, Any]) -> tuple[Guard, list[tuple[str, str]]]:
    if not isinstance(table, Mapping):
        return Guard(broken="the guard is not a table"), [("guard", "not a table")]
    unknown = [
        ("guard-key", f"no key {key!r}{did_you_mean(str(key), GUARD_KEYS)}")
        for key in table
        if key not in GUARD_KEYS
    ]
    values: dict[str, Any] = {}
    wrong: list[tuple[str, str]] = []
    for key in GUARD_KEYS:
        if key in table:
            try:
                values |= _read(key, table[key])
            except ValueError as error:
                wrong.append(("guard", f"{key}: {error}"))
    if "operation" in values and not ("path" in values or "outside" in values):
        wrong.append(("guard", "operation: needs a path"))
    guard = Guard(**values)
    if wrong:
        guard = guard._replace(broken=f"the guard of this rule: {wrong[0][1]}")
    elif unknown and values.keys().isdisjoint(_NARROWING):
        guard = guard._replace(broken=f"the guard of this rule: {unknown[0][1]}")
    return guard, unknown + wrong


def _read(key: str, value: object) -> dict[str, Any]:
    if key in _INSIDE_OUTSIDE and isinstance(value, Mapping):
        return _places(key, value)
    return {key: _READERS[key].read(value)}


def _places(key: str, value: Mapping[str, Any]) -> dict[str, Any]:
    """Parse ``path = { inside = …, outside = … }``, relative to the project."""
    if not value or set(value) - {"inside", "outside"}:
        raise ValueError(f"expected inside, outside or both, found {dict(value)!r}")
    names = dict(zip(("inside", "outside"), _INSIDE_OUTSIDE[key], strict=True))
    return {names[where]: globs(patterns) for where, patterns in value.items()}


def _unless(value: object) -> Guard:
    """Parse the tests of an exception, in a separate table."""
    if not isinstance(value, Mapping) or not value:
        raise ValueError(f"expected a table of tests, found {value!r}")
    for key in value:
        if key not in _TESTS:
            raise ValueError(f"no test {key!r}{did_you_mean(str(key), _TESTS)}")
    guard, wrong = _parse(value)
    if wrong:
        raise ValueError(wrong[0][1])
    return guard


def _operations(value: object) -> tuple[str, ...]:
    operations = texts(value)
    for name in operations:
        if name not in OPERATIONS:
            raise ValueError(f"expected {', '.join(OPERATIONS)}, found {name!r}")
    return (*operations, *file_uses.RESTORE) if "change" in operations else operations


def _note(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"expected a string, found {value!r}")
    return " ".join(value.split())


def _action(value: object) -> Action:
    if value not in ("deny", "ask", "warn"):
        raise ValueError(f"expected deny, ask or warn, found {value!r}")
    return Action(value)


def texts(value: object) -> tuple[str, ...]:
    """Return a text or a list of texts, none of them empty, as a tuple."""
    listed = value if isinstance(value, list) else [value]
    if not listed or not all(isinstance(text, str) and text for text in listed):
        raise ValueError(f"expected a string or a list of strings, found {value!r}")
    return tuple(listed)


def _names(value: object) -> tuple[str, ...]:
    return tuple(plain_key(name) for name in texts(value))


def globs(value: object) -> tuple[str, ...]:
    """Return the patterns of files in a value; refuse one that is too large."""
    for text in texts(value):
        if len(matching.fold(text)) > limits.GLOB_CHARS:
            raise ValueError("the pattern is too large")
    return texts(value)


def _regexes(value: object) -> tuple[str, ...]:
    for text in texts(value):
        try:
            matching.regex_automaton(text)
        except ValueError as error:
            raise ValueError(f"{text!r} is refused: {error}") from None
    return texts(value)


def _commands(value: object) -> tuple[tuple[str, ...], ...]:
    """Parse command lines from a text, a list of words (each a text or a list of
    alternatives), or a list of such lists."""
    if isinstance(value, str):
        value = value.split()
    if not isinstance(value, list) or not value:
        raise ValueError(f"expected a list of words, found {value!r}")
    several = all(isinstance(part, list) for part in value)
    commands: list[tuple[str, ...]] = []
    for line in value if several else [value]:
        places = [texts(place) for place in line]
        commands += islice(product(*places), limits.GUARD_COMMANDS + 1)
    if len(commands) > limits.GUARD_COMMANDS:
        raise ValueError(f"more than {limits.GUARD_COMMANDS} command lines")
    for words in commands:
        if not words or words[0].startswith("-") or len(words[0].split()) != 1:
            raise ValueError(
                'expected one word for each item, such as ["git", "push"], found '
                f"{value!r}"
            )
    return tuple(commands)


def examples_in(value: object) -> tuple[Example, ...]:
    """Return the examples in a value: one or several."""
    listed = value if isinstance(value, list) else [value]
    examples: list[Example] = []
    for example in listed:
        if isinstance(example, list) and all(isinstance(w, str) for w in example):
            examples.append(tuple(example))
        elif isinstance(example, str | Mapping):
            examples.append(example)
        else:
            raise ValueError(
                f"expected a command or a call's arguments, found {example!r}"
            )
    return tuple(examples)


PATTERNS = json_schema.one_or_more(json_schema.SOME_TEXT)
_WORDS = json_schema.any_of(
    json_schema.TEXT,
    json_schema.list_of(
        json_schema.any_of(PATTERNS, json_schema.list_of(PATTERNS, 1)), 1
    ),
)
_PLACES = json_schema.any_of(
    PATTERNS,
    json_schema.table({"inside": PATTERNS, "outside": PATTERNS}, minProperties=1),
)
_EXAMPLE = json_schema.any_of(
    json_schema.ANY_TEXT,
    json_schema.list_of(json_schema.ANY_TEXT),
    json_schema.ANY_TABLE,
)
EXAMPLES = json_schema.any_of(_EXAMPLE, json_schema.list_of(_EXAMPLE))
_READERS = {
    "action": ValueReader(_action, {"enum": ["deny", "ask", "warn"]}),
    "tool": ValueReader(globs, PATTERNS),
    "argument": ValueReader(_names, PATTERNS),
    "contains": ValueReader(texts, PATTERNS),
    "adds": ValueReader(texts, PATTERNS),
    "recipient": ValueReader(texts, _PLACES),
    "glob": ValueReader(globs, PATTERNS),
    "regex": ValueReader(_regexes, PATTERNS),
    "command": ValueReader(_commands, _WORDS),
    "path": ValueReader(globs, _PLACES),
    "host": ValueReader(globs, PATTERNS),
    "branch": ValueReader(globs, PATTERNS),
    "within": ValueReader(globs, _PLACES),
    "operation": ValueReader(
        _operations, json_schema.one_or_more({"enum": list(OPERATIONS)})
    ),
    "unless": ValueReader(_unless, json_schema.ANY_TABLE),
    "instead": ValueReader(_commands, _WORDS),
    "note": ValueReader(_note, json_schema.TEXT),
    "match": ValueReader(examples_in, EXAMPLES),
    "not_match": ValueReader(examples_in, EXAMPLES),
}
_NEEDS = {"operation": ["path"]}


def schema() -> Schema:
    """Return the JSON Schema of a guard table."""
    shapes = {key: _READERS[key].schema for key in GUARD_KEYS}
    tests = {key: shapes[key] for key in _TESTS}
    shapes["unless"] = json_schema.table(tests, minProperties=1, dependencies=_NEEDS)
    return json_schema.table(shapes, dependencies=_NEEDS)
