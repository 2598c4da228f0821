"""Parts of JSON Schemas (draft 7), kept next to the readers whose values they describe.

A schema describes the structure of a file: what depends on other files, on dates or on
the meaning of a text is for ``toolmem check``.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

Schema = Mapping[str, Any]
DRAFT = "http://json-schema.org/draft-07/schema#"

ANY_TEXT: Schema = {"type": "string"}
TEXT: Schema = {"type": "string", "pattern": r"\S"}
"""A text that is not blank."""
SOME_TEXT: Schema = {"type": "string", "minLength": 1}
FLAG: Schema = {"type": "boolean"}
NUMBER: Schema = {"type": "integer", "minimum": 1}
TIME: Schema = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d"}
"""A time: JSON has none, so that validators of TOML take it for a text."""
ANY_TABLE: Schema = {"type": "object"}


class ValueReader(NamedTuple):
    """Reader of a value, which raises ``ValueError``, and the schema of the value."""

    read: Callable[[Any], Any]
    schema: Schema


def list_of(item: Schema, least: int = 0) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": item, **({"minItems": least} if least else {})}


def one_or_more(item: Schema) -> Schema:
    """Return the schema of a value, or of a list of such values that is not empty."""
    return any_of(item, list_of(item, 1))


def any_of(*schemas: Schema) -> Schema:
    """Return the schema of values that fit one of these."""
    return {"anyOf": list(schemas)}


def choice(names: Iterable[str]) -> Schema:
    """Return the schema of one of some words, in capitals or not, space around it."""
    listed = list(names)
    letters = (
        "".join(f"[{c.lower()}{c.upper()}]" if c.isalpha() else c for c in name)
        for name in listed
    )
    pattern = rf"^\s*(?:{'|'.join(letters)})\s*$"
    return any_of({"enum": listed}, {"type": "string", "pattern": pattern})


def table(properties: Mapping[str, Schema], **more: Any) -> Schema:
    """Return the schema of a table with these keys alone."""
    return {
        "type": "object",
        "properties": dict(properties),
        "additionalProperties": False,
        **more,
    }
