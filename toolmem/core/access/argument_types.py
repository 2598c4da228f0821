"""Type checks for the arguments of operations, by their signatures."""

import types
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from toolmem.errors import UsageError

_LARGEST = 2**31 - 1
"""Upper bound of integers: enough for any limit or count, and safe for SQLite."""
_WANTED = {
    str: "a string",
    bytes: "bytes",
    bool: "True or False",
    int: f"a whole number up to {_LARGEST}",
    float: "a number",
    type(None): "None",
}


def require_types(function: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Raise ``UsageError`` for an argument that does not fit its annotation.

    A string is not accepted as a list of strings, nor True as a number.
    """
    hints = function.__annotations__
    for name, value in given.items():
        hint = hints.get(name)
        if hint is not None and not _is_a(value, hint):
            raise UsageError(f"{name} must be {_wanted(hint)}, not {value!r:.40}")


def _is_a(value: Any, hint: Any) -> bool:
    origin, inside = _parts(hint)
    if isinstance(hint, types.UnionType):
        return any(_is_a(value, kind) for kind in inside)
    if origin is Sequence:
        is_list = isinstance(value, Collection)
        if not is_list or isinstance(value, str | bytes | Mapping):
            return False
        return all(_is_a(item, inside[0]) for item in value)
    if origin is Mapping:
        return isinstance(value, Mapping)
    if hint is int:
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return is_number and abs(value) <= _LARGEST
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return not isinstance(hint, type) or isinstance(value, hint)


def _wanted(hint: Any) -> str:
    origin, inside = _parts(hint)
    if isinstance(hint, types.UnionType):
        return " or ".join(dict.fromkeys(map(_wanted, inside)))
    if origin is Sequence:
        item = _wanted(inside[0]).removeprefix("a ")
        return f"a list of {item}s" if inside[0] is str else "a list"
    if origin is Mapping:
        return "a table"
    return _WANTED.get(hint, "a path")


def _parts(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the type without its parameters, and those."""
    return getattr(hint, "__origin__", None), getattr(hint, "__args__", ())
