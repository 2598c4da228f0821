"""What a tool call holds: its values, and the shell text among its arguments."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolmem.core.guard import argv
from toolmem.core.guard.patterns import readings
from toolmem.core.guard.shell import parse_argv, parse_command, program_names
from toolmem.core.guard.words import ShellCommand

SHELL_KEYS = frozenset(("command", "cmd", "script", "commandline", "shellcommand"))
"""Arguments (as ``plain_key`` writes them) that hold a shell text."""
_PATCH_TOOLS = frozenset(("applypatch", "patch"))


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One concrete call. ``cwd`` and ``home`` make paths in it absolute; either
    may be empty, then relative and ``~`` paths stay what they are."""

    tool: str
    arguments: Mapping[str, Any]
    cwd: str = ""
    home: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """One text in the arguments, the key (``plain_key``) that it stands under, and
    the ways to read it."""

    key: str
    text: str
    readings: tuple[str, ...]


@dataclass(slots=True)
class Shell:
    """One shell text of a call, its commands taken apart once for all guards."""

    command: ShellCommand
    calls: list[argv.Call | None] = field(init=False)
    loose: dict[tuple[str, str], list[argv.Call]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.calls = [
            argv.take_apart(simple.argv) if simple.argv else None
            for simple in self.command.commands
        ]

    def loose_calls(self, text: str, program: str) -> list[argv.Call]:
        """What could be calls of a program in a text that is not understood."""
        key = (text, program)
        if key not in self.loose:
            self.loose[key] = argv.loose_calls(text, program)
        return self.loose[key]


@dataclass(slots=True)
class Reading:
    """A call as guards see it: each text is read once, and only if asked for."""

    call: ToolCall
    shells: dict[tuple[str, ...], tuple[Shell, ...]] = field(default_factory=dict)
    known: dict[tuple[str, ...], tuple[Value, ...]] = field(default_factory=dict)

    def values(self, names: tuple[str, ...] = ()) -> tuple[Value, ...]:
        """The texts under these arguments (``plain_key``), or all of them."""
        if names not in self.known:
            found = _leaves(self.call.arguments, names)
            self.known[names] = tuple(
                Value(key, text, readings(text, shell=key in SHELL_KEYS))
                for key, text in found
            )
        return self.known[names]

    def shell(self, names: tuple[str, ...] = ()) -> tuple[Shell, ...]:
        """The shell texts under these arguments, or under the usual ones."""
        if names not in self.shells:
            texts = shell_texts(self.call, names)
            self.shells[names] = tuple(Shell(_parse(text)) for text in texts)
        return self.shells[names]

    def programs(self) -> tuple[str, ...]:
        """The programs that the call's shell texts run, each once."""
        names = [n for shell in self.shell() for n in program_names(shell.command)]
        return tuple(dict.fromkeys(names))


def plain_key(name: str) -> str:
    """An argument's name without case, ``_`` and ``-``: agents spell them apart."""
    return name.casefold().replace("_", "").replace("-", "")


def shell_texts(
    call: ToolCall, names: tuple[str, ...] = ()
) -> tuple[str | tuple[str, ...], ...]:
    """The shell texts of a call, or the words of one that hands over a list."""
    if not names and plain_key(call.tool) in _PATCH_TOOLS:
        return ()
    found: list[str | tuple[str, ...]] = []
    for name, value in call.arguments.items():
        if plain_key(str(name)) not in (names or SHELL_KEYS):
            continue
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, Sequence) and all(isinstance(w, str) for w in value):
            found.append(tuple(value))
    return tuple(found)


def _leaves(arguments: object, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    waiting = [("", arguments, not names)]
    while waiting:
        key, value, wanted = waiting.pop()
        if isinstance(value, Mapping):
            for name, inner in reversed(list(value.items())):
                plain = plain_key(str(name))
                waiting.append((plain, inner, wanted or plain in names))
        elif isinstance(value, list | tuple):
            waiting.extend((key, inner, wanted) for inner in reversed(value))
        elif wanted and value is not None:
            yield key, _text(value)


def _parse(text: str | tuple[str, ...]) -> ShellCommand:
    return parse_command(text) if isinstance(text, str) else parse_argv(text)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
