"""Messages that could not be captured when they were typed: they wait their turn."""

import time
from pathlib import Path
from typing import Any

from toolmem.core import limits
from toolmem.core.agents.event import Event
from toolmem.core.agents.record import redacted
from toolmem.store.state import journal

WAITING = "0.waiting"
"""The journal of such messages; no session's has a name with a dot in it."""


def message_of(event: Event) -> dict[str, Any]:
    """A message that a person typed, with all that capture wants to know of it."""
    return {
        "id": f"{event.session}@{time.time_ns():x}",
        "session": event.session,
        "agent": event.agent,
        "cwd": event.cwd,
        "text": event.prompt,
    }


def keep_for_later(root: Path, message: dict[str, Any], *, outside: bool) -> None:
    """Let a message wait; without credentials, and not without end.

    ``root`` is the vault's, or where there was none to be opened the folder that
    the message was typed in. Raises ``StorageError``.
    """
    text = redacted(message["text"][: limits.TOOL_ARG_CHARS])
    journal.append(root, WAITING, {**message, "text": text}, outside=outside)


def waits(root: Path, event: Event) -> bool:
    """Whether a message waits for this vault, or for the folder of the event."""
    roots = dict.fromkeys((root, Path(event.cwd or root)))
    return any(journal.is_there(one, WAITING) for one in roots)
