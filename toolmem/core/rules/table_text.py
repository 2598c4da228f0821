"""Tables of rule files as values that ``marshal`` supports, and as JSON texts.

Either way every TOML value is restored exactly.
"""

import json
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any

_TIME = "\0time"
_KINDS = {kind.__name__: kind.fromisoformat for kind in (datetime, date, time)}

Packed = tuple[dict[str, Any], tuple[tuple[str, str, str], ...]] | str
"""A table without its times, and key, kind and text of each; or a JSON text."""


def pack(table: Mapping[str, Any], texts: dict[str, str]) -> Packed:
    """Return a table as a value for ``marshal``: ``unpack`` is fast then.

    Equal texts become one object, which ``marshal`` writes once; ``texts`` has those
    so far.
    """
    moments: list[tuple[str, str, str]] = []
    plain: dict[str, Any] = {}

    def shared(text: str) -> str:
        return texts.setdefault(text, text)

    try:
        for key, value in table.items():
            if isinstance(value, date | time):  # a datetime is a date, too
                text, kind = value.isoformat(), type(value).__name__
                moments.append((shared(key), shared(kind), shared(text)))
                value = None  # keeps the order
            plain[shared(key)] = _plain(value, texts)
    except TypeError:
        return to_text(table)
    return plain, tuple(moments)


def unpack(packed: Packed) -> dict[str, Any]:
    """Return the table that was packed."""
    if isinstance(packed, str):
        found: dict[str, Any] = from_text(packed)
        return found
    table, moments = packed
    return table | {key: _KINDS[kind](text) for key, kind, text in moments}


def _plain(value: Any, texts: dict[str, str]) -> Any:
    if isinstance(value, str):
        return texts.setdefault(value, value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {
            texts.setdefault(key, key): _plain(one, texts) for key, one in value.items()
        }
    if isinstance(value, list):
        return [_plain(one, texts) for one in value]
    raise TypeError(f"{type(value).__name__} inside a value")


def to_text(value: object) -> str:
    """Return a value of TOML as a JSON text."""
    return json.dumps(value, default=_moment, separators=(",", ":"))


def from_text(text: str) -> Any:
    """Return the value of such a text."""
    return json.loads(text, object_hook=_from_moment if "\\u0000" in text else None)


def _moment(value: object) -> dict[str, str]:
    for kind in (datetime, date, time):
        if isinstance(value, kind):
            return {_TIME: f"{kind.__name__} {value.isoformat()}"}
    raise TypeError(f"{type(value).__name__} is not a TOML value")


def _from_moment(table: dict[str, Any]) -> Any:
    if len(table) != 1 or not isinstance(table.get(_TIME), str):
        return table
    kind, _, text = table[_TIME].partition(" ")
    try:
        return _KINDS[kind](text)
    except (KeyError, ValueError):
        return table  # the table is the rule file's own
