"""Conversation memory: recent messages by role and session."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.access import fields as checking
from toolmem.core.access.item import AccessItem
from toolmem.core.text.suggest import did_you_mean
from toolmem.errors import UsageError

USER, ASSISTANT = "user", "assistant"
ROLES = (USER, ASSISTANT, "system", "tool")
TTL = timedelta(days=limits.CONVERSATION_DAYS)
_KEYS = frozenset(
    "role content source confidence tags metadata expires_at ttl_minutes"
    " ttl_days ttl".split()
)
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Message(NamedTuple):
    """A message of a conversation; ``turn`` may be unknown (None).

    Each turn of a session has at most one message per role.
    """

    id: str
    role: str
    content: str
    at: datetime
    expires_at: datetime
    source: str = ""
    confidence: float = limits.CONFIDENCE
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = _NOTHING
    agent: str = ""
    session: str = ""
    turn: int | None = None
    project: str = ""


def read_message(
    document: Mapping[str, Any], now: datetime, *, message_id: str, source: str
) -> tuple[Message, tuple[str, ...]]:
    """Read a message from a document; return it with warnings about adjusted values.

    ``source`` applies where the document names none; a user's message has the source
    ``user``. Raises ``UsageError`` for an unknown role, empty content and values that
    cannot be stored.
    """
    fields = checking.Fields(document)
    role = fields.name("role", USER)
    if role not in ROLES:
        hint = did_you_mean(role, ROLES)
        raise UsageError(f"no role {role!r:.40}{hint} ({', '.join(ROLES)})")
    content = fields.text("content")
    if not content.strip():
        raise UsageError("content: must not be blank")
    message = Message(
        message_id,
        role,
        content,
        now,
        fields.expiry(now, TTL),
        fields.name("source", USER if role == USER else source),
        fields.confidence(),
        fields.tags(),
        fields.table("metadata"),
    )
    unknown = (str(key) for key in document if key not in _KEYS)
    ignored = [f"{key:.40}: not a key of a message; ignored" for key in unknown]
    return message, (*fields.warnings, *ignored)


def item_of(message: Message) -> AccessItem:
    """Return the message as a query item, of type ``user_message`` and so on."""
    metadata = {
        "role": message.role,
        "confidence": message.confidence,
        **({"session": message.session} if message.session else {}),
        **({"turn": message.turn} if message.turn is not None else {}),
        **({"project": message.project} if message.project else {}),
        **({"metadata": message.metadata} if message.metadata else {}),
    }
    return AccessItem(
        message.id,
        f"{message.role}_message",
        message.content,
        message.source,
        message.at,
        message.confidence,
        message.tags,
        metadata,
        message.agent,
        False,
    )
