"""Working memory: named values that an agent needs during a task."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.access import fields as checking
from toolmem.core.access.dialogue import Message
from toolmem.core.access.item import AccessItem
from toolmem.core.times import rfc3339
from toolmem.errors import UsageError

TASK, TURN = "task", "turn"
"""Names under which hooks and capture store the task and turn of a session."""
GOAL, CONTEXT = "goal", "context"
"""Types of these; other types are allowed."""
TTL_OF_SESSION = timedelta(hours=limits.WORKING_HOURS)
_KEYS = frozenset(
    "type content source confidence tags metadata expires_at ttl_minutes"
    " ttl_days ttl".split()
)
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class WorkingValue(NamedTuple):
    """A named value; ``session`` is empty if it outlives sessions."""

    name: str
    content: str
    at: datetime
    expires_at: datetime
    type: str = CONTEXT
    source: str = ""
    confidence: float = limits.CONFIDENCE
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = _NOTHING
    agent: str = ""
    session: str = ""
    project: str = ""


def read_value(
    name: str, document: Mapping[str, Any], now: datetime, *, source: str
) -> tuple[WorkingValue, tuple[str, ...]]:
    """Read a value from a document; return it with warnings about adjusted values.

    Raises ``UsageError`` for a blank name or content and for values that cannot be
    stored.
    """
    named = checking.Fields({"name": name})
    fields = checking.Fields(document)
    content = fields.text("content")
    key = named.name("name")
    if not key:
        raise UsageError("the name of the value is blank")
    if not content.strip():
        raise UsageError(f"{key}: the value must not be blank")
    value = WorkingValue(
        key,
        content,
        now,
        fields.expiry(now, TTL_OF_SESSION),
        fields.name("type", CONTEXT),
        fields.name("source", source),
        fields.confidence(),
        fields.tags(),
        fields.table("metadata"),
    )
    unknown = (str(each) for each in document if each not in _KEYS)
    ignored = [f"{each:.40}: not a key of a value; ignored" for each in unknown]
    return value, (*named.warnings, *fields.warnings, *ignored)


def task_of(message: Message) -> WorkingValue:
    """Return the task of a session: the last message that its user typed."""
    return WorkingValue(
        TASK,
        message.content,
        message.at,
        message.at + TTL_OF_SESSION,
        GOAL,
        message.source,
        agent=message.agent,
        session=message.session,
        project=message.project,
    )


def item_of(value: WorkingValue) -> AccessItem:
    """Return the value as an item that a query returns; confidence is importance."""
    metadata = {
        "name": value.name,
        "confidence": value.confidence,
        "expires_at": rfc3339(value.expires_at),
        **({"session": value.session} if value.session else {}),
        **({"project": value.project} if value.project else {}),
        **({"metadata": value.metadata} if value.metadata else {}),
    }
    return AccessItem(
        "/".join(map(_part, filter(None, (value.session, value.name)))),
        value.type,
        value.content,
        value.source,
        value.at,
        value.confidence,
        value.tags,
        metadata,
        value.agent,
        False,
    )


def _part(text: str) -> str:
    """Escape the separator of an id's parts."""
    return text.replace("%", "%25").replace("/", "%2F")
