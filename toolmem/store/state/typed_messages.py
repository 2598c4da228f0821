"""Messages that the user typed in a session, for the check of quotations.

One journal per session, without credentials; it is deleted with the session's journals.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from toolmem.core import limits
from toolmem.store.journal import journal, journal_edit

TYPED = ".typed"
"""Suffix of the journal of the user's messages."""
_SECONDS = 24 * 3600
"""Maximum age of a message if no session is named."""


class TypedMessage(NamedTuple):
    """A message that the user typed; ``at`` is in seconds since 1970.

    ``cut``: only its beginning was stored.
    """

    session: str
    agent: str
    text: str
    at: float
    cut: bool = False


def store_typed(root: Path, message: TypedMessage) -> None:
    """Append a message to its session's journal. Raises ``StorageError``."""
    name = journal.name_of(message.session) + TYPED
    journal.append(root, name, message._asdict(), most=limits.TYPED_BYTES)


def typed_messages(root: Path, session: str = "") -> Iterator[TypedMessage]:
    """Yield the messages of a session, or those of the last day; newest first."""
    if session:
        names = [journal.name_of(session) + TYPED]
    else:
        names = [name for name in journal.names(root) if name.endswith(TYPED)]
    lines = [line for name in names for line in journal.read(root, name)]
    oldest = 0.0 if session else time.time() - _SECONDS
    found = [message for line in lines if (message := _message(line))]
    found.sort(key=lambda message: message.at, reverse=True)
    yield from (message for message in found if message.at >= oldest)


def forget(root: Path, *, agent: str | None = None, session: str | None = None) -> None:
    """Delete the messages to an agent in a session, or in any."""

    def is_other(line: dict[str, object]) -> bool:
        return agent not in (None, line.get("agent")) or (
            session not in (None, line.get("session"))
        )

    for name in journal.names(root):
        if name.endswith(TYPED):
            journal_edit.edit(root, name, lambda line: line if is_other(line) else None)


def _message(line: dict[str, object]) -> TypedMessage | None:
    session, agent, text, at, cut = map(line.get, TypedMessage._fields)
    if not isinstance(text, str) or not isinstance(at, int | float):
        return None
    return TypedMessage(str(session), str(agent), text, float(at), bool(cut))
