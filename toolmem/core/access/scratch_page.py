"""Entries of the scratch page: fields, checks and transitions of their status.

An entry is a note to act on before it expires. Its status goes from ``active`` over
``pending_review`` and ``resolved`` to ``archived``, never back.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.access.fields import Fields
from toolmem.core.access.item import AccessItem
from toolmem.core.text.suggest import did_you_mean
from toolmem.core.times import rfc3339
from toolmem.errors import UsageError

ACTIVE = "active"
PENDING = "pending_review"
RESOLVED = "resolved"
ARCHIVED = "archived"
STATUSES = (ACTIVE, PENDING, RESOLVED, ARCHIVED)
OPEN = (ACTIVE, PENDING)
CLOSED = (RESOLVED, ARCHIVED)
TYPES = (
    "pending_confirmation",
    "contextual_insight",
    "risk_alert",
    "observation",
    "action_suggestion",
    "pattern_detected",
    "dependency",
    "reminder",
)
"""The built-in types; the setting ``scratch.types`` adds to them."""
OWNER = "agent"
_TYPE = "observation"
_TTL = timedelta(days=limits.SCRATCH_DAYS)
_KEYS = frozenset(
    "type content source owner status confidence context tags expires_at ttl_minutes"
    " ttl_days ttl metadata".split()
)
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_FIXED = ("id", "agent", "created_at", "updated_at", "source")


class NewEntry(NamedTuple):
    """A new entry, checked and without credentials."""

    type: str
    content: str
    source: str
    expires_at: datetime
    owner: str = OWNER
    status: str = ACTIVE
    confidence: float = limits.CONFIDENCE
    context: Mapping[str, Any] = _NOTHING
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = _NOTHING


class ScratchEntry(NamedTuple):
    """A stored entry; ``agent`` is the owner of the page."""

    id: str
    type: str
    content: str
    source: str
    owner: str
    status: str
    confidence: float
    context: Mapping[str, Any]
    tags: tuple[str, ...]
    created_at: datetime
    updated_at: datetime
    expires_at: datetime
    metadata: Mapping[str, Any]
    agent: str
    project: str


class EntryFilter(NamedTuple):
    """Filter of a listing; all fields must match, empty ones match anything."""

    type: str = ""
    status: str = ""
    owner: str = ""
    source: str = ""
    tags: tuple[str, ...] = ()
    confidence: float = 0.0
    context: tuple[tuple[str, str], ...] = ()


def read_entry(
    document: Mapping[str, Any],
    now: datetime,
    *,
    source: str,
    types: Iterable[str] = TYPES,
) -> tuple[NewEntry, tuple[str, ...]]:
    """Read a new entry from a document; return it with warnings about adjusted values.

    ``source`` applies where the document names none. Raises ``UsageError`` for an
    unknown type, empty content and values that cannot be stored.
    """
    fields = Fields(document)
    entry = NewEntry(
        type=_known_type(fields.name("type", _TYPE), types),
        content=_content(fields),
        source=fields.name("source", source),
        expires_at=fields.expiry(now, _TTL),
        owner=fields.name("owner", OWNER),
        status=known_status(fields.name("status", ACTIVE)),
        confidence=fields.confidence(),
        context=fields.table("context"),
        tags=fields.tags(),
        metadata=fields.table("metadata"),
    )
    unknown = (str(key) for key in document if key not in _KEYS)
    ignored = [f"{key:.40}: not a key of an entry; ignored" for key in unknown]
    return entry, (*fields.warnings, *ignored)


def edited(
    entry: ScratchEntry,
    document: Mapping[str, Any],
    now: datetime,
    *,
    types: Iterable[str] = TYPES,
) -> tuple[ScratchEntry, tuple[str, ...]]:
    """Return the entry changed by a document, and warnings.

    Raises ``UsageError`` for a fixed or unknown key, an earlier status and values that
    cannot be stored.
    """
    for key in document:
        if key in _FIXED:
            raise UsageError(f"the {key} of an entry cannot change")
        if key not in _KEYS:
            raise UsageError(f"an entry has no {str(key)!r:.40}")
    fields = Fields(document)
    changes: dict[str, Any] = {}
    for key, value in document.items():
        if value is not None:
            name = "expires_at" if key.startswith("ttl") else key
            changes[name] = _changed(fields, key, now, types)
    for key in ("context", "metadata"):
        if key in changes:
            changes[key] = {**getattr(entry, key), **changes[key]}
    if "status" in changes:
        require_forward(entry, changes["status"])
    after = entry._replace(**changes)
    if after != entry:
        after = after._replace(updated_at=now)
    return after, tuple(fields.warnings)


def _changed(fields: Fields, key: str, now: datetime, types: Iterable[str]) -> Any:
    match key:
        case "type":
            return _known_type(fields.name(key), types)
        case "content":
            return _content(fields)
        case "status":
            return known_status(fields.name(key))
        case "confidence":
            return fields.confidence()
        case "tags":
            return fields.tags()
        case "context" | "metadata":
            return fields.table(key)
        case "owner":
            return fields.name(key, OWNER)
        case _:
            return fields.expiry(now, _TTL)


def known_status(status: str) -> str:
    """Return the status; raise ``UsageError`` for an unknown one."""
    if status not in STATUSES:
        hint = did_you_mean(status, STATUSES)
        raise UsageError(f"no status {status!r:.40}{hint} ({', '.join(STATUSES)})")
    return status


def require_forward(entry: ScratchEntry, status: str) -> None:
    """Raise ``UsageError`` if the status would go back."""
    if STATUSES.index(status) < STATUSES.index(entry.status):
        way = ", ".join(STATUSES)
        raise UsageError(
            f"{entry.id} is {entry.status}: it cannot go back to {status} (the order "
            "is "
            f"{way})"
        )


def as_of(entry: ScratchEntry, now: datetime) -> ScratchEntry | None:
    """Return the entry as of a time: archived if due, or None once it is gone.

    Open entries expire; resolved ones are archived first.
    """
    if entry.status in OPEN:
        return entry if now < entry.expires_at else None
    age = now - entry.updated_at
    if entry.status == RESOLVED and age >= _TTL:
        archived_at = entry.updated_at + _TTL
        entry = entry._replace(status=ARCHIVED, updated_at=archived_at)
        age = now - archived_at
    archive_span = timedelta(days=limits.SCRATCH_ARCHIVE_DAYS)
    return None if entry.status == ARCHIVED and age >= archive_span else entry


def matches(entry: ScratchEntry, wanted: EntryFilter) -> bool:
    """Return True if an entry matches every field of a filter exactly."""
    return (
        (not wanted.type or entry.type == wanted.type)
        and (not wanted.status or entry.status == wanted.status)
        and (not wanted.owner or entry.owner == wanted.owner)
        and (not wanted.source or entry.source == wanted.source)
        and set(wanted.tags) <= set(entry.tags)
        and entry.confidence >= wanted.confidence
        and all(str(entry.context.get(k)) == v for k, v in wanted.context)
    )


def item_of(entry: ScratchEntry) -> AccessItem:
    """Return the entry as an item that a query returns; confidence is importance."""
    metadata = {
        "owner": entry.owner,
        "confidence": entry.confidence,
        "expires_at": rfc3339(entry.expires_at),
        **({"context": entry.context} if entry.context else {}),
        **({"project": entry.project} if entry.project else {}),
        **({"metadata": entry.metadata} if entry.metadata else {}),
    }
    return AccessItem(
        entry.id,
        entry.type,
        entry.content,
        entry.source,
        entry.created_at,
        entry.confidence,
        entry.tags,
        metadata,
        entry.agent,
        False,
        entry.status,
    )


def _known_type(name: str, types: Iterable[str]) -> str:
    known = tuple(dict.fromkeys((*TYPES, *types)))
    if name not in known:
        hint = did_you_mean(name, known)
        raise UsageError(f"no type {name!r:.40}{hint} ({', '.join(known)})")
    return name


def _content(fields: Fields) -> str:
    content = fields.text("content")
    if not content.strip():
        raise UsageError("content: must not be blank")
    return content
