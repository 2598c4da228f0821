"""Check the arguments of a request by the signature of the method.

Signatures and the descriptions of operations' arguments make the JSON Schema that a
client sees and the check uses.
"""

import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Union, get_args, get_origin

from toolmem.api.operations.arguments import argument
from toolmem.core.text.suggest import did_you_mean
from toolmem.errors import UsageError

ALIASES = {
    "content": "text",
    "rule": "text",
    "tags": "tag",
    "tool_name": "tool",
    "tools": "tool",
}
"""Names of arguments that models know, and those of the operations."""
_NOT_JSON = (type(None), bytes)
_SIMPLE = {str: "string", bool: "boolean", int: "integer", float: "number"}


class Parameter(NamedTuple):
    """One argument: its name, its JSON Schema, and whether it must be given."""

    name: str
    schema: Mapping[str, Any]
    required: bool


def parameters_of(
    function: Callable[..., Any], operation: str = "", skipped: int = 0
) -> tuple[Parameter, ...]:
    """Return the arguments of a function in order, without the skipped ones.

    Those of an operation are described.
    """
    signature = inspect.signature(function)
    return tuple(
        Parameter(
            parameter.name,
            _described(_schema(parameter.annotation), operation, parameter.name),
            parameter.default is inspect.Parameter.empty,
        )
        for parameter in list(signature.parameters.values())[skipped:]
    )


def _described(schema: dict[str, Any], operation: str, name: str) -> Mapping[str, Any]:
    """Add the description, choices and range of an operation's argument."""
    if not operation:
        return schema
    about = argument(operation, ALIASES.get(name, name))
    if choices := list(about.choices()):
        schema.get("items", schema)["enum"] = choices
    limits = {"minimum": about.least, "maximum": about.most}
    more = {"description": about.about, **limits}
    return schema | {
        key: value for key, value in more.items() if value not in ("", None)
    }


def bind(
    parameters: Sequence[Parameter], given: Mapping[str, Any] | Sequence[Any]
) -> dict[str, Any]:
    """Return the arguments by name, checked; null counts as omitted.

    Raises ``UsageError`` with the argument and its expected type.
    """
    if not isinstance(given, Mapping):
        given = _by_position(parameters, given)
    known = {parameter.name: parameter for parameter in parameters}
    values = {name: value for name, value in given.items() if value is not None}
    for name in values:
        if name not in known:
            hint = did_you_mean(name, known)
            raise UsageError(f"no argument {name!r}{hint} ({', '.join(known) or '-'})")
    for name, parameter in known.items():
        if name in values:
            _check(values[name], parameter.schema, name)
        elif parameter.required:
            raise UsageError(f"the argument {name!r} is missing")
    return values


def _by_position(
    parameters: Sequence[Parameter], given: Sequence[Any]
) -> dict[str, Any]:
    if len(given) > len(parameters):
        raise UsageError(f"at most {len(parameters)} arguments, not {len(given)}")
    return {
        parameter.name: value
        for parameter, value in zip(parameters, given, strict=False)
    }


def _schema(hint: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type; of several without None the first counts."""
    if hint in _SIMPLE:
        return {"type": _SIMPLE[hint]}
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _any_of([_schema(part) for part in inside if part not in _NOT_JSON])
    if origin is Mapping:
        return {"type": "object"}
    if origin is Sequence:
        return {"type": "array", "items": _schema(inside[0])}
    raise TypeError(f"no JSON Schema for {hint}")


def _any_of(schemas: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the schema of a value that fits one of several."""
    kinds = [schema["type"] for schema in schemas]
    merged = {key: value for schema in schemas for key, value in schema.items()}
    return merged | {"type": kinds if kinds[1:] else kinds[0]}


def _check(value: Any, schema: Mapping[str, Any], name: str) -> None:
    kind = schema["type"]
    kinds = kind if isinstance(kind, list) else [kind]
    if not any(_is_a(value, one) for one in kinds):
        wanted = " or ".join(_WANTED[one] for one in kinds)
        raise UsageError(f"{name} must be {wanted}, not {value!r:.40}")
    if isinstance(value, list):
        for number, item in enumerate(value):
            _check(item, schema["items"], f"{name}[{number}]")


_WANTED = {
    "string": "a string",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "array": "a list",
    "object": "an object",
}


def _is_a(value: Any, kind: str) -> bool:
    if kind == "boolean" or isinstance(value, bool):
        return kind == "boolean" and isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int)
    if kind == "number":
        return isinstance(value, int | float)
    return isinstance(value, {"string": str, "array": list, "object": dict}[kind])
