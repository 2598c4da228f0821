"""JSON Schemas of answers, made from the types of results and their shapes."""

import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from datetime import date, datetime
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from toolmem.api.answers import UNOPENED
from toolmem.api.operations.shapes import Key, constant, function, shapes
from toolmem.api.operations.table import OPERATIONS, method_of
from toolmem.core.formats import json_schema
from toolmem.core.formats.json_schema import Schema
from toolmem.core.model import Scope
from toolmem.ops.setup import schemas

_TEXTS = (str, Path, Scope, date, datetime)
_LISTS = (tuple, list, Sequence, Iterator)
_NUMBERS: Mapping[Any, Schema] = {
    bool: json_schema.FLAG,
    int: {"type": "integer"},
    float: {"type": "number"},
    type(None): {"type": "null"},
}


def schema(name: str) -> Mapping[str, Any]:
    """Return the schema of a kind of file, or of an operation's answer.

    Raises ``NotFoundError`` for an unknown name.
    """
    if name not in OPERATIONS:
        return schemas.schema(name)
    operation, method = OPERATIONS[name], method_of(UNOPENED, name)
    hint = get_type_hints(method.__func__.__wrapped__)["return"]
    if called := function(operation.document):
        hint = get_type_hints(called)["return"]
    answer = _Answer()
    may_miss = type(None) in get_args(hint) and not operation.null
    whole = answer.schema(_present(hint) if may_miss else hint, operation.document)
    whole = json_schema.any_of(whole, _MISSING) if may_miss else whole
    head = {"$schema": json_schema.DRAFT, "title": titles()[name]}
    return {**head, "allOf": [whole], "definitions": answer.definitions}


def titles() -> dict[str, str]:
    """Return every schema by name, with its title."""
    files = {name: title for name, (title, _) in schemas.SCHEMAS.items()}
    words = {name: name.replace(".", " ") for name in OPERATIONS}
    return files | {
        name: f"answer of `toolmem {command}`" for name, command in words.items()
    }


_MISSING: Schema = {
    "type": "object",
    "properties": {
        "found": {"enum": [False]},
        "suggestions": json_schema.list_of(json_schema.ANY_TEXT),
    },
    "required": ["found", "suggestions"],
}
"""The answer where what was asked for is not there."""


class _Answer:
    """Schemas of types, each defined once by its name."""

    def __init__(self) -> None:
        self.definitions: dict[str, Any] = {}

    def schema(self, hint: Any, shape: str = "") -> Schema:
        """Return the schema of the document of a value of a type."""
        inside, origin = get_args(hint), get_origin(hint)
        if origin in (Union, types.UnionType):
            return json_schema.any_of(*(self.schema(part, shape) for part in inside))
        if origin is Literal:
            return {"enum": list(inside)}
        if hint in _NUMBERS and not shape:
            return _NUMBERS[hint]
        if origin in _LISTS:
            return json_schema.list_of(self.schema(inside[0], shape))
        if origin in (dict, Mapping):
            return {"type": "object", "additionalProperties": self.schema(inside[1])}
        if not isinstance(hint, type) or hint in (Any, object):
            return {}
        if issubclass(hint, _TEXTS):
            return json_schema.ANY_TEXT
        name = shape or hint.__name__
        if name not in self.definitions:
            self.definitions[name] = {}  # it may contain itself
            self.definitions[name] = self._object(hint, name)
        return {"$ref": f"#/definitions/{name}"}

    def _object(self, hint: type, name: str) -> Schema:
        """Return the schema of a type with a shape, or with its fields as keys."""
        if name in shapes():
            return self._shaped(hint, shapes()[name])
        if hasattr(hint, "document") or not _has_fields(hint):
            return json_schema.ANY_TABLE
        hints = get_type_hints(hint)
        keys = [Key(key, (key,), "", "", False) for key in hints if key != "remarks"]
        return self._shaped(hint, keys)

    def _shaped(self, hint: type, keys: Sequence[Key]) -> Schema:
        properties: dict[str, Schema] = {}
        required: list[str] = []
        for key in keys:
            kind = _kind_at(hint, key.path)
            left_out = key.mark in ("?", "!")
            may_miss = type(None) in get_args(kind)
            kind = kind if key.name and not left_out else _present(kind)
            value = self.schema(kind, key.shape)
            if key.replaces:
                return value
            if not key.name:
                more = self.definitions.get(str(value.get("$ref"))[14:], {})
                properties |= more.get("properties", {})
                required += () if may_miss else more.get("required", ())
                continue
            if key.mark == "~":
                value = json_schema.any_of(value, _NUMBERS[type(None)])
            properties[key.name] = value
            required += [] if left_out else [key.name]
        needed = list(dict.fromkeys(required))
        return {"type": "object", "properties": properties, "required": needed}


def _has_fields(hint: type) -> bool:
    return hasattr(hint, "_fields") or is_dataclass(hint)


def _kind_at(hint: Any, path: Sequence[str]) -> Any:
    """Return the type at the end of a path, which may be missing on the way."""
    is_optional = False
    for part in path:
        if part[:1] == "'":
            return Literal[constant(part[1:])]
        is_optional |= type(None) in get_args(hint)
        hint = _step(_present(hint), part)
    return hint | None if is_optional else hint


def _present(hint: Any) -> Any:
    """Return a type without None."""
    if get_origin(hint) not in (Union, types.UnionType):
        return hint
    return reduce(or_, (part for part in get_args(hint) if part is not type(None)))


def _step(hint: Any, part: str) -> Any:
    if called := function(part):
        return get_type_hints(called)["return"]
    if get_origin(hint) is Mapping:
        return Any
    if isinstance(attribute := getattr(hint, part, None), property):
        return get_type_hints(attribute.fget)["return"]
    return get_type_hints(hint)[part]
