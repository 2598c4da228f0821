"""JSON Schemas of answers, made from the types of results and documents."""

import types
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import reduce
from operator import or_
from pathlib import Path
from typing import (
    Any,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from toolmem.api.answers import UNOPENED
from toolmem.api.documents import forms
from toolmem.api.forms import rules
from toolmem.api.operations.table import METHODS_ONLY, OPERATIONS, method_of
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
    may_miss = type(None) in get_args(hint) and not operation.null
    hint = _present(hint) if may_miss else hint
    if operation.document:
        hint = get_type_hints(getattr(rules, operation.document))["return"]
    elif operation.subject and hint.__name__ not in forms():
        hint = get_type_hints(hint)[operation.subject]
    answer = _Answer()
    whole = answer.schema(hint)
    whole = json_schema.any_of(whole, _MISSING) if may_miss else whole
    head = {"$schema": json_schema.DRAFT, "title": titles()[name]}
    return {**head, "allOf": [whole], "definitions": answer.definitions}


def titles() -> dict[str, str]:
    """Return every schema by name, with its title."""
    files = {name: title for name, (title, _) in schemas.SCHEMAS.items()}
    return files | {
        name: f"answer of the method `{name}`"
        if name in METHODS_ONLY
        else f"answer of `toolmem {name.replace('.', ' ')}`"
        for name in OPERATIONS
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

    def schema(self, hint: Any) -> Schema:
        """Return the schema of the document of a value of a type."""
        inside, origin = get_args(hint), get_origin(hint)
        if origin in (Union, types.UnionType):
            return json_schema.any_of(*map(self.schema, inside))
        if origin is Literal:
            return {"enum": list(inside)}
        if hint in _NUMBERS:
            return _NUMBERS[hint]
        if origin in _LISTS:
            return json_schema.list_of(self.schema(inside[0]))
        if origin in (dict, Mapping):
            return {"type": "object", "additionalProperties": self.schema(inside[1])}
        if not isinstance(hint, type) or hint in (Any, object):
            return {}
        if issubclass(hint, _TEXTS):
            return json_schema.ANY_TEXT
        name = hint.__name__
        if name not in self.definitions:
            self.definitions[name] = {}  # it may contain itself
            self.definitions[name] = self._object(hint)
        return {"$ref": f"#/definitions/{name}"}

    def _object(self, hint: type) -> Schema:
        """Return the schema of a type: of its form, else of its fields as keys."""
        if function := forms().get(hint.__name__):
            return self.schema(get_type_hints(function)["return"])
        is_document = hasattr(hint, "document")
        if is_document or not (hasattr(hint, "_fields") or is_typeddict(hint)):
            return json_schema.ANY_TABLE
        keys = get_type_hints(hint)
        keys.pop("remarks", None)
        optional = getattr(hint, "__optional_keys__", ())
        return {
            "type": "object",
            "properties": {key: self.schema(kind) for key, kind in keys.items()},
            "required": [key for key in keys if key not in optional],
        }


def _present(hint: Any) -> Any:
    """Return a type without None."""
    return reduce(or_, (part for part in get_args(hint) if part is not type(None)))
