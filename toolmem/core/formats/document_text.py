"""Read a document of another program, JSON or YAML, within limits."""

import json
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.formats import yaml_text
from toolmem.errors import UsageError


class ParsedDocument(NamedTuple):
    """A document, and whether it was YAML."""

    value: Any
    is_yaml: bool = False


def read_document(text: str, what: str) -> ParsedDocument:
    """Read JSON, or YAML where a text does not begin as JSON does.

    Raises ``UsageError``, which calls the document ``what``, with the line.
    """
    text = text.removeprefix("\ufeff")
    if len(text) > limits.REQUEST_BYTES:
        raise UsageError(f"the {what} is larger than {limits.REQUEST_BYTES >> 20} MiB")
    if text.lstrip()[:1] in ("{", "["):
        # A YAML flow mapping also begins so, but JSON has the better error messages.
        return ParsedDocument(_json(text, what))
    return ParsedDocument(yaml_text.parse_yaml(text, what), is_yaml=True)


def _json(text: str, what: str) -> Any:
    def constant(name: str) -> Any:
        raise UsageError(f"the {what} is not JSON: {name} is not a number")

    def number(digits: str) -> float:
        found = float(digits)
        if found in (float("inf"), float("-inf")):
            raise UsageError(f"the {what} is not JSON: {digits:.40} is too large")
        return found

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(found)
        if len(table) < len(found):
            keys = [key for key, _ in found]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise UsageError(f"the {what} contains the key {twice!r:.60} twice")
        return table

    try:
        value = json.loads(
            text,
            parse_constant=constant,
            parse_float=number,
            object_pairs_hook=pairs,
        )
    except json.JSONDecodeError as error:
        message = f"{error.msg}: line {error.lineno}, column {error.colno}"
        raise UsageError(f"the {what} is not JSON: {message}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the {what} is not JSON: {error}") from error
    if _is_deep(value, limits.REQUEST_DEPTH):
        raise UsageError(f"the {what} is nested more than {limits.REQUEST_DEPTH} deep")
    return value


def _is_deep(value: Any, left: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return left == 0 or any(_is_deep(each, left - 1) for each in inner)
