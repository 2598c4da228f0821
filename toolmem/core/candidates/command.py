"""Read ``toolmem rule keep …`` and ``… retract …`` in the command of a shell call.

The hook approves and carries out exactly this command, so it reads no other: one
simple command, without redirection, expansion, chaining or a second program.
"""

import shlex
from typing import NamedTuple

_SPECIAL = frozenset(";|&<>$`(){}[]*?!#~\n\r\\")
"""Characters that mean something to a shell outside quotation marks."""
_IN_DOUBLE = frozenset("$`\\!\n\r")
_CHARS = 4000
_WITH_VALUE = {
    "--quote": "quote",
    "--tool": "tools",
    "--scope": "scope",
    "--priority": "priority",
    "-p": "priority",
    "--which": "which",
    "--as": "wording",
    "--wording": "wording",
}


class KeepCommand(NamedTuple):
    """Parsed words of a ``rule keep`` or ``rule retract``."""

    verb: str
    ids: tuple[str, ...] = ()
    quote: str = ""
    tools: tuple[str, ...] = ()
    scope: str = ""
    priority: str = ""
    which: str = ""
    wording: str = ""
    json: bool = False


def read_keep_command(command: str) -> KeepCommand | None:
    """Return the command's words; None for any other command line."""
    if "toolmem" not in command or not _is_simple(command):
        return None
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    if words[:2] != ["toolmem", "rule"] or words[2:3] not in (["keep"], ["retract"]):
        return None
    return _read(words[2], words[3:])


def _is_simple(command: str) -> bool:
    """Return True if quotation marks are all that a shell would interpret."""
    if len(command) > _CHARS:
        return False
    mark = ""
    for char in command.strip():
        if mark:
            if char == mark:
                mark = ""
            elif mark == '"' and char in _IN_DOUBLE:
                return False
        elif char in "'\"":
            mark = char
        elif char in _SPECIAL:
            return False
    return not mark


def _read(verb: str, words: list[str]) -> KeepCommand | None:
    options: dict[str, list[str]] = {}
    ids: list[str] = []
    json = False
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if word == "--json":
            json = True
        elif name in _WITH_VALUE:
            given = value if equals else next(rest, None)
            if given is None:
                return None
            options.setdefault(_WITH_VALUE[name], []).append(given)
        elif word.startswith("-"):
            return None
        else:
            ids.append(word)
    if not ids and not options.get("quote"):
        return None
    single = {key: values[-1] for key, values in options.items() if key != "tools"}
    tools = tuple(options.get("tools", ()))
    return KeepCommand(verb, tuple(ids), tools=tools, json=json, **single)
