"""How a value stands in one line of text."""

from datetime import datetime
from typing import Any

from toolmem.core.safetext import spell_out
from toolmem.core.times import rfc3339


def show(value: Any) -> str:
    """A value in one line of text."""
    if isinstance(value, datetime):
        return rfc3339(value)
    if isinstance(value, list | tuple):
        return ", ".join(show(item) for item in value)
    return spell_out(str(value).replace("\n", " "))
