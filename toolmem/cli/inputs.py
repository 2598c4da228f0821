"""Values of a command's arguments: from words, standard input and files."""

import inspect
import json
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, get_origin

from toolmem.api.access import Access
from toolmem.api.answers import parameters
from toolmem.api.operations.argument import DOCUMENT, FIELDS, FILE, JSON, TEXT, listed
from toolmem.api.operations.arguments import argument
from toolmem.api.operations.table import method_of
from toolmem.api.vault import Vault
from toolmem.cli.run import Run, file_text, pairs_of, text_or_stdin
from toolmem.core import limits
from toolmem.core.formats import document_text, toml_text
from toolmem.errors import Arg, InvalidFileError, UsageError, unopened

_EMPTY: tuple[Any, ...] = ("", [], {})


class Invocation:
    """A call of an operation by a command.

    ``values`` are its arguments, ``names`` those of the chain of scopes; ``more`` are
    the other options of the command.
    """

    def __init__(
        self,
        run: Run,
        name: str,
        values: Mapping[str, Any],
        names: Mapping[str, str],
        more: Mapping[str, Any],
        *,
        as_json: bool,
    ) -> None:
        self.run, self.name, self.values = run, name, dict(values)
        self.names, self.more, self.as_json = names, more, as_json
        self.is_yaml = False

    @cached_property
    def access(self) -> Access:
        """Access to the vault for the chain of scopes."""
        return self.run.access_for(**self.names)

    def perform(self) -> Any:
        """Return the result of the operation."""
        return method_of(Vault(self.access), self.name)(**self.values)

    def has_only(self, *names: str) -> bool:
        """Return True if no other argument than these differs from its default."""
        return all(
            self.values[parameter.name] in (parameter.default, *_EMPTY)
            for parameter in parameters(self.name)
            if parameter.name in self.values and parameter.name not in names
        )


def check_choice(operation: str, name: str, value: Any) -> None:
    """Raise ``UsageError`` for a value that is not one of the choices."""
    choices = argument(operation, name).choices()
    if value and choices and value not in choices:
        raise UsageError(Arg(name), f" {value!r}: {listed(choices)}")


def read(call: Invocation, parameter: inspect.Parameter) -> None:
    """Replace the words of an argument by its value.

    Raises ``UsageError``, and the failures of reading a file.
    """
    values, name = call.values, parameter.name
    about, given = argument(call.name, name), values[name]
    if about.stdin:
        _read_stdin(values, name, about.stdin)
    elif about.reads == TEXT:
        values[name] = text_or_stdin(given, name).rstrip("\r\n")
    elif about.reads == FILE and given:
        call.access.require_allowed(call.name, {"file": given})
        values[name] = _text_of(call.run, given)
    elif about.reads == JSON:
        values[name] = json_object(text_or_stdin(given, name), f"--{name}")
    elif about.reads == DOCUMENT:
        document = document_text.read_document(_document_text(given, name), name)
        values[name], call.is_yaml = document.value, document.is_yaml
    elif about.reads == FIELDS:
        text = values["text"]
        values[name] = json_object(text, "the text") if given and text else {}
        values["text"] = "" if given else text
    elif get_origin(parameter.annotation) is Mapping:
        values[name] = pairs_of(given, f"--{name}")
    elif parameter.annotation == Sequence[Mapping[str, Any]]:
        values[name] = [toml_table(text, f"--{name}") for text in given]


def _read_stdin(values: dict[str, Any], name: str, taker: str) -> None:
    """Pass standard input to another argument, if ``-`` is among these files."""
    given = values[name]
    if given != "-" and "-" not in (given if isinstance(given, list) else ()):
        return
    if sys.stdin.isatty():
        raise UsageError("name a file, or pass it on standard input")
    values[taker] = sys.stdin.buffer.read()
    is_list = isinstance(given, list)
    values[name] = [text for text in given if text != "-"] if is_list else ""


def _text_of(run: Run, name: str) -> str:
    """Return the text of a file, or of standard input; it may be empty."""
    if name != "-":
        return file_text(run.cwd, name).rstrip("\r\n")
    if sys.stdin.isatty():
        raise UsageError("name a file, or pass it on standard input")
    return sys.stdin.buffer.read().decode("utf-8", "replace").rstrip("\r\n")


def _document_text(name: str, what: str) -> str:
    if name == "-":
        return text_or_stdin("-", what)
    try:
        with Path(name).open("rb") as file:
            return file.read(4 * limits.REQUEST_BYTES + 1).decode()
    except OSError as error:
        raise unopened(name, error) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{name}: is not UTF-8 text") from error


def json_object(text: str, what: str) -> dict[str, Any]:
    """Return a JSON object; raise ``UsageError`` for any other text."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{what} is not JSON: {error}") from error
    if not isinstance(document, dict):
        example = '{"command": "git push"}'
        raise UsageError(f"{what} must be a JSON object, such as {example}")
    return document


def toml_table(text: str, what: str) -> Mapping[str, Any]:
    """Return a table of a flag: ``key = value``, or several in braces."""
    is_table = text[:1] == "{"
    try:
        inside = toml_text.parse_toml(f"table = {text}" if is_table else text, what)
    except InvalidFileError as error:
        raise UsageError(f"{what} {text!r}: {error.reason}") from error
    table = inside["table"] if is_table else inside
    return table if isinstance(table, Mapping) else {}
