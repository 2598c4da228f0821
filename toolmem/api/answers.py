"""Ask an operation of a vault: its result, and the remarks of every surface."""

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from toolmem.api.access import NAMES, Access, clock, new_uuid
from toolmem.api.operations.table import OPERATIONS, Operation, method_of
from toolmem.api.vault import Vault
from toolmem.ops.prompt import unknown_scopes as unknown


class Outcome(NamedTuple):
    """Result of an operation, and remarks on it.

    ``is_missing``: what was asked for by name or id is not there.
    """

    operation: Operation
    result: Any
    remarks: tuple[str, ...]
    is_missing: bool

    def document(self) -> Any:
        """Return the answer for JSON."""
        return self.operation.document(self.result)


_UNOPENED = Vault(Access({}, Path(), clock, new_uuid))
"""A vault for the signatures of its methods; it is never opened."""


def parameters(name: str) -> tuple[inspect.Parameter, ...]:
    """Return the parameters of an operation's method."""
    signature = inspect.signature(method_of(_UNOPENED, name))
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
        noun = name.partition(".")[0]
        named = asked if isinstance(asked, list | tuple) else [asked]
        text = ", ".join(map(repr, named))
        remarks = (f"{noun}: nothing has the {key} {text}",)
    return Outcome(operation, result, remarks, is_missing)
