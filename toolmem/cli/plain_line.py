"""Parse plain command lines, which are nearly all, without loading Typer.

A line is plain if Typer takes it without a remark, and each word has one meaning. The
values are the same as Typer's; all other lines are left to it.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from toolmem.cli import names
from toolmem.cli.tree import Argument, Option, RunContext

_COMPLETING = "_TOOLMEM_COMPLETE"
_VAULT = "--vault"
_INTEGER = re.compile(r"[0-9]{1,9}")
_DECIMAL = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")


class PlainCall(NamedTuple):
    """A command, the values of its parameters, and the folder of ``--vault``."""

    function: Callable[..., None]
    takes_run: bool
    vault: str
    values: dict[str, Any]


class _NotPlainError(ValueError):
    """The line is for Typer."""


class _Parameter(NamedTuple):
    name: str
    kind: Any
    declared: "Option | Argument"
    default: Any = ...


def parse_plain(argv: Sequence[str]) -> PlainCall | None:
    """Parse a plain line; return None for any other."""
    if _COMPLETING in os.environ:
        return None
    words = iter(argv)
    try:
        vault, name = _called(words)
        function, takes_vault = _command(name, words)
        return _Line(function, takes_vault, vault).parsed(words)
    except (_NotPlainError, StopIteration):
        return None


def _called(words: Iterator[str]) -> tuple[str, str]:
    """Return the vault and the name of the command or group."""
    vault = ""
    for word in words:
        if word == _VAULT:
            vault = _value(next(words))
        elif word.startswith(f"{_VAULT}="):
            vault = _value(word.removeprefix(f"{_VAULT}="))
        else:
            return vault, word
    raise _NotPlainError


def _command(name: str, words: Iterator[str]) -> tuple[Callable[..., None], bool]:
    """Return the command's function, and True if it takes ``--vault``."""
    if name in names.COMMANDS:
        return names.command_of(name), True
    if name not in names.GROUPS:
        raise _NotPlainError
    app, word = names.group_of(name), next(words)
    if word not in app.commands:
        raise _NotPlainError
    return app.commands[word], word not in app.hidden


class _Line:
    """The words after the name of one command."""

    def __init__(
        self, function: Callable[..., None], takes_vault: bool, vault: str
    ) -> None:
        self._function = function
        self._takes_vault = takes_vault
        self._vault = vault
        self._parameters = list(_parameters(function))
        self._options = {
            name: one
            for one in self._parameters
            if isinstance(one.declared, Option)
            for name in one.declared.names
        }
        self._texts: list[str] = []
        self._values: dict[str, Any] = {}
        self._again = False

    def parsed(self, words: Iterator[str]) -> PlainCall:
        """Return the call. Raises ``_NotPlainError``, and ``StopIteration`` where a
        value is missing."""
        for word in words:
            if word[:1] != "-" or word == "-":
                self._texts.append(_value(word))
            else:
                self._take_option(word, words)
        self._take_arguments()
        for one in self._parameters:
            if one.name not in self._values:
                if one.default is ...:
                    raise _NotPlainError
                self._values[one.name] = one.default
        takes_run = RunContext in self._function.__annotations__.values()
        return PlainCall(self._function, takes_run, self._vault, self._values)

    def _take_option(self, word: str, words: Iterator[str]) -> None:
        name, equals, text = word.partition("=")
        if name == _VAULT and self._takes_vault and not self._again:
            self._again = True
            self._vault = _value(text if equals else next(words))
            return
        one = self._options.get(name)
        if one is None or (equals and not name.startswith("--")):
            raise _NotPlainError
        if one.kind is bool:
            if equals:
                raise _NotPlainError
            self._set(one, value=True)
        else:
            text = _value(text if equals else next(words))
            if one.kind == list[str]:
                self._values.setdefault(one.name, []).append(text)
            else:
                self._set(one, _converted(one, text))

    def _take_arguments(self) -> None:
        texts = self._texts
        for one in self._parameters:
            if not isinstance(one.declared, Argument) or not texts:
                continue
            if one.kind in (list[str], list[str] | None):
                self._values[one.name] = texts
                texts = []
            else:
                self._set(one, _converted(one, texts[0]))
                texts = texts[1:]
        if texts:
            raise _NotPlainError

    def _set(self, one: _Parameter, value: Any) -> None:
        if one.name in self._values:
            raise _NotPlainError
        self._values[one.name] = value


def _parameters(function: Callable[..., None]) -> Iterator[_Parameter]:
    """Yield the parameters of a command but the context."""
    hints = function.__annotations__
    code = function.__code__
    given = code.co_varnames[: code.co_argcount]
    defaults = function.__defaults__ or ()
    missing = len(given) - len(defaults)
    for at, name in enumerate(given):
        if hints[name] is not RunContext:
            kind, declared = hints[name]
            default = defaults[at - missing] if at >= missing else ...
            yield _Parameter(name, kind, declared, default)


def _value(text: str) -> str:
    """Return a value that has one meaning: a mistake may look like an option."""
    if not text or (text[0] == "-" and text != "-"):
        raise _NotPlainError
    return text


def _converted(one: _Parameter, text: str) -> Any:
    if one.kind is str or one.kind is Path:
        return one.kind(text)
    numbers = {int: _INTEGER, float: _DECIMAL}
    if one.kind not in numbers or not numbers[one.kind].fullmatch(text):
        raise _NotPlainError
    number = one.kind(text)
    bounds = one.declared.settings
    if not bounds.get("min", number) <= number <= bounds.get("max", number):
        raise _NotPlainError
    return number
