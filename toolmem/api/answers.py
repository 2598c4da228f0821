"""Ask an operation of a vault: its result, and the remarks of every surface."""

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from toolmem.api.access import NAMES, Access, clock, new_uuid
from toolmem.api.operations.table import OPERATIONS, Operation, method_of
from toolmem.api.vault import Vault
from toolmem.errors import NextStep, Notice
from toolmem.ops.prompt import unknown_scopes as unknown


class Outcome(NamedTuple):
    """Result of an operation, and remarks on it.

    ``asked`` is what was asked for by name or id, ``key`` the argument of it;
    ``is_missing``: it is not there.
    """

    operation: Operation
    key: str
    asked: Any
    result: Any
    remarks: tuple[str, ...]
    is_missing: bool

    def document(self) -> Any:
        """Return the answer for JSON."""
        if self.result is None:
            missing = {self.key: self.asked, "found": False}
            return None if self.operation.null else missing
        return self.operation.document_of(self.result)


UNOPENED = Vault(Access({}, Path(), clock, new_uuid))
"""A vault for the signatures of its methods; it is never opened."""


def parameters(name: str) -> tuple[inspect.Parameter, ...]:
    """Return the parameters of an operation's method."""
    signature = inspect.signature(method_of(UNOPENED, name))
    return tuple(signature.parameters.values())


def ask(vault: Vault, name: str, values: Mapping[str, Any]) -> Outcome:
    """Return the answer of an operation to arguments by name."""
    result = method_of(vault, name)(**values)
    return answer_of(vault.access, name, result, values)


def answer_of(
    access: Access, name: str, result: Any, values: Mapping[str, Any]
) -> Outcome:
    """Return the answer for a result of an operation."""
    operation = OPERATIONS[name]
    first = next(iter(parameters(name)), None)
    key = "" if first is None or first.kind is first.KEYWORD_ONLY else first.name
    asked = values.get(key)
    is_missing = operation.is_missing(result, asked)
    remarks = tuple(operation.notices_of(result))
    if operation.reads and any(map(access.flags.get, NAMES)):
        remarks = tuple(
            dict.fromkeys((*unknown.unknown_scopes(access.read()), *remarks))
        )
    if is_missing and not remarks:
        remarks = (_missing(name, key, asked),)
    return Outcome(operation, key, asked, result, remarks, is_missing)


_NOUNS = {"conversation": "message", "scratch": "entry", "working": "value"}


def _missing(name: str, key: str, asked: Any) -> Notice:
    """Return the remark that there is nothing of a name or id."""
    noun = name.partition(".")[0]
    if noun == "turn":
        return Notice("no such turn, or nothing was stored for it")
    named = asked if isinstance(asked, list | tuple) else [asked]
    kind = "tool" if key == "tool" else _NOUNS.get(noun, noun)
    what = f"no {kind} {', '.join(map(repr, named))}"
    if name == f"{noun}.show" and f"{noun}.list" in OPERATIONS:
        shown = "names" if key == noun else f"{key}s"
        return Notice(f"{what}: ", NextStep(f"{noun}.list"), f" shows the {shown}")
    return Notice(what)
