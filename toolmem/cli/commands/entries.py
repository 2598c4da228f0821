"""Output of entries and messages in local state."""

from typing import Any

from toolmem.cli.output import emit, fields
from toolmem.core.formats.json_text import json_text
from toolmem.core.text.safetext import one_line

_SHOWN_CHARS = 60


def emit_entry(document: dict[str, Any]) -> None:
    """Print an entry or a message: its fields, then its text."""
    content = document.pop("content")
    for name in ("context", "metadata"):
        if name in document:
            table = document[name].items()
            document[name] = tuple(f"{key}={_text(value)}" for key, value in table)
    emit(fields(document) + "\n\n" + content)


def shortened(content: str) -> str:
    """Return a text in one line of a table."""
    line = one_line(content)
    return line if len(line) <= _SHOWN_CHARS else f"{line[:_SHOWN_CHARS]}…"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json_text(value, indent=None)
