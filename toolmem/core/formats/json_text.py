"""Write values as JSON without invisible characters."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from toolmem.core import times
from toolmem.core.text.safetext import spell_out


def json_text(
    document: Mapping[str, Any] | Sequence[Any] | None, *, indent: int | None = 2
) -> str:
    """Return the document as JSON; invisible and control characters are escaped."""
    text = json.dumps(document, ensure_ascii=False, indent=indent, default=_plain)
    return spell_out(text, _json_escape)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return times.rfc3339(value)
    return str(value)


def _json_escape(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
