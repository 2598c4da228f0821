"""Tables of rule files as JSON texts; every TOML value is restored exactly."""

import json
from datetime import date, datetime, time
from typing import Any

_TIME = "\0time"
_KINDS = {kind.__name__: kind.fromisoformat for kind in (datetime, date, time)}


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
