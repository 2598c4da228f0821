"""Ask an operation of a vault: its result, and the remarks of every surface."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from toolmem.api import notices
from toolmem.api.access import NAMES, Access, new_uuid
from toolmem.api.documents import forms, plain
from toolmem.api.forms import rules
from toolmem.api.known import suggestions
from toolmem.api.operations.table import OPERATIONS, Operation, method_of
from toolmem.api.vault import Vault
from toolmem.errors import NextStep, NotFoundError, Notice
from toolmem.ops.rules import new_names
from toolmem.store.vault.vault import clock


class Outcome(NamedTuple):
    """Result of an operation, and remarks on it.

    ``asked`` is what was asked for by name or id, ``key`` the argument of it;
    ``is_missing``: it is not there, but ``suggestions`` are. ``hints`` say of an empty
    list what was searched; they are for a terminal alone.
    """

    operation: Operation
    key: str
    asked: Any
    result: Any
    remarks: tuple[str, ...]
    is_missing: bool
    suggestions: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()

    def document(self) -> Any:
        """Return the answer for JSON."""
        if self.result is None:
            similar = list(self.suggestions)
            missing = {self.key: self.asked, "found": False, "suggestions": similar}
            return None if self.operation.null else missing
        return document_of(self.operation, self.result)


def document_of(operation: Operation, result: Any) -> Any:
    """Return the answer of an operation for JSON."""
    if operation.document:
        return plain(getattr(rules, operation.document)(result))
    has_form = type(result).__name__ in forms()
    return plain(result if has_form else operation.answer(result))


UNOPENED = Vault(Access({}, Path(), clock, new_uuid))
"""A vault for the signatures of its methods; it is never opened."""


def parameters(name: str) -> tuple[inspect.Parameter, ...]:
    """Return the parameters of an operation's method."""
    signature = inspect.signature(method_of(UNOPENED, name))
    return tuple(signature.parameters.values())


def ask(
    vault: Vault,
    name: str,
    values: Mapping[str, Any],
    perform: Callable[[], Any] | None = None,
) -> Outcome:
    """Return the answer of an operation to arguments by name.

    ``perform`` returns the result in place of the method. A ``NotFoundError`` gets
    suggestions.
    """
    first = next(iter(parameters(name)), None)
    key = "" if first is None or first.kind is first.KEYWORD_ONLY else first.name
    try:
        result = perform() if perform else method_of(vault, name)(**values)
    except NotFoundError as error:
        error.suggestions = suggestions(vault, name, key, values.get(key))
        raise
    return _answer_of(vault, name, result, key, values)


def _answer_of(
    vault: Vault, name: str, result: Any, key: str, values: Mapping[str, Any]
) -> Outcome:
    operation, access, asked = OPERATIONS[name], vault.access, values.get(key)
    is_missing = operation.is_missing(result, asked)
    remarks = tuple(notices.notices_of(operation, result))
    if operation.reads and any(map(access.flags.get, NAMES)):
        remarks = tuple(
            dict.fromkeys((*new_names.unknown_scopes(access.read()), *remarks))
        )
    similar = suggestions(vault, name, key, asked) if is_missing else ()
    if is_missing and not remarks:
        remarks = (_missing(name, key, asked, similar),)
    hints = () if is_missing or remarks else notices.nothing(name, result, values)
    return Outcome(
        operation, key, asked, result, remarks, is_missing, similar, tuple(hints)
    )


_NOUNS = {"conversation": "message", "scratch": "entry", "working": "value"}


def _missing(name: str, key: str, asked: Any, similar: Sequence[str]) -> Notice:
    """Return the remark that there is nothing of a name or id."""
    noun = name.partition(".")[0]
    if noun == "turn":
        return Notice("no such turn, or nothing was stored for it")
    named = asked if isinstance(asked, list | tuple) else [asked]
    kind = "tool" if key == "tool" else _NOUNS.get(noun, noun)
    what = f"no {kind} {', '.join(map(repr, named))}"
    if similar:
        return Notice(f"{what}; did you mean {' or '.join(map(repr, similar))}?")
    if name == f"{noun}.show" and f"{noun}.list" in OPERATIONS:
        shown = "names" if key == noun else f"{key}s"
        return Notice(f"{what}: ", NextStep(f"{noun}.list"), f" shows the {shown}")
    return Notice(what)
