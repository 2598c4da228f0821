"""Ask an operation of a vault: its result, and the remarks of every surface."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from toolmem.api.access import NAMES, Access
from toolmem.api.table import OPERATIONS, Operation, method_of
from toolmem.api.vault import Vault
from toolmem.ops.prompt import unknown_scopes as unknown


class Answer(NamedTuple):
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


def ask(access: Access, name: str, values: Mapping[str, Any]) -> Answer:
    """Return the answer of an operation to arguments by name."""
    result = method_of(Vault(access), name)(**values)
    return answer_of(access, name, result, values)


def answer_of(
    access: Access, name: str, result: Any, values: Mapping[str, Any]
) -> Answer:
    """Return the answer for a result of an operation."""
    operation = OPERATIONS[name]
    key, asked = next(iter(values.items()), ("", None))
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
    return Answer(operation, result, remarks, is_missing)
