"""JSON documents of results, by their shapes."""

from collections.abc import Iterator, Mapping
from typing import Any

from toolmem.api.operations.shapes import Key, constant, function, shapes
from toolmem.core.model import Scope

_DIGITS = 6
_EMPTY: tuple[object, ...] = (None, "", (), [], {})


def plain(value: Any, shape: str = "") -> Any:
    """Return a result for JSON: a value with named fields becomes an object of them.

    A type with another form has a shape, or that form as ``document``.
    """
    if type(value) in (list, tuple) or isinstance(value, Iterator):
        return [plain(item, shape) for item in value]
    if value is None:
        return None
    if keys := shapes().get(shape or type(value).__name__):
        return _shaped(value, keys)
    if isinstance(value, Scope):
        return str(value)
    if (document := getattr(value, "document", None)) is not None:
        return document() if callable(document) else document
    if hasattr(value, "_asdict"):
        items = value._asdict().items()  # remarks are given apart
        return {key: plain(item) for key, item in items if key != "remarks"}
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return value


def _shaped(value: Any, keys: tuple[Key, ...]) -> Any:
    """Return the document of a value with these keys."""
    document: dict[str, Any] = {}
    for key in keys:
        item = _value_at(value, key.path)
        if key.replaces:
            return plain(item)
        if not key.name:
            document |= plain(item) or {}
        elif key.mark == "~":
            document[key.name] = plain(item or None, key.shape)
        elif key.mark == "#":
            document[key.name] = round(item, _DIGITS)
        elif not (item in _EMPTY if key.mark == "?" else key.mark and not item):
            document[key.name] = plain(item, key.shape)
    return document


def _value_at(value: Any, path: tuple[str, ...]) -> Any:
    """Return the value at the end of a path; None if something on it is missing."""
    for part in path:
        if part[:1] == "'":
            return constant(part[1:])
        if value is None:
            return None
        if called := function(part):
            value = called(value)
        elif isinstance(value, Mapping):
            value = value.get(part)
        else:
            value = getattr(value, part)
    return value
