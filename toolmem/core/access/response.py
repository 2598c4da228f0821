"""Read a ToolResponse and the memories that the tool asks to store.

An invalid envelope fails the response; a fault in one write affects that write only.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.access.faults import DocumentPart, shown
from toolmem.core.access.fields import Fields
from toolmem.core.access.request import Caller, read_caller
from toolmem.core.names import clean_name, fold
from toolmem.core.secrets.detect import refuse_secrets
from toolmem.core.text.safetext import find_unsafe

_KEYS = frozenset("type content tags importance confidence ttl_days".split())
_LEAST_DAYS = 1


class ToolResponse(NamedTuple):
    """A valid response; ``document`` is the whole of it, as received."""

    request_id: str
    tool: str
    caller: Caller
    memory_writes: tuple[DocumentPart, ...]
    scratch_page_writes: tuple[DocumentPart, ...]
    document: Mapping[str, Any]


class MemoryDraft(NamedTuple):
    """A memory to store, checked; ``warnings`` lists the values that were adjusted."""

    type: str
    content: str
    tags: tuple[str, ...]
    importance: float | None
    confidence: float | None
    expires_at: datetime | None
    warnings: tuple[str, ...]


def read_response(document: Any) -> ToolResponse:
    """Read a ToolResponse.

    Raises ``FaultError`` with the JSON path of the first fault of the envelope.
    """
    root = DocumentPart(document)
    if not isinstance(document, Mapping):
        raise root.fault("a ToolResponse is an object")
    return ToolResponse(
        root.at("request_id").text(),
        root.at("tool_id").text().strip(),
        read_caller(root.at("agent_context")),
        tuple(root.at("memory_writes").each()),
        tuple(root.at("scratch_page_writes").each()),
        document,
    )


def read_draft(part: DocumentPart, now: datetime) -> MemoryDraft:
    """Read a memory to store.

    Raises ``UsageError`` for an invalid value and ``SecretError`` for a credential.
    """
    table = part.table()
    if part.value is None:
        raise part.fault("a write is an object")
    fields = Fields(table)
    content = part.at("content")
    text = content.text(most=limits.ENTRY_CHARS)
    if not text.strip():
        raise content.fault("the content of a memory must not be blank")
    unsafe = find_unsafe(text, multiline=True)
    if unsafe:
        raise content.fault(f"contains {unsafe[1]}")
    kind = fold(clean_name(part.at("type").text("observation")))
    refuse_secrets(text, "memory", way_out=False)
    refuse_secrets(kind, "type", way_out=False)
    draft = MemoryDraft(
        kind,
        text,
        fields.tags(),
        None if table.get("importance") is None else fields.confidence("importance"),
        None if table.get("confidence") is None else fields.confidence(),
        _expiry(table.get("ttl_days"), now, fields.warnings),
        (),
    )
    ignored = [
        f"{key!s:.40}: not a key of a memory; ignored"
        for key in table
        if key not in _KEYS
    ]
    return draft._replace(warnings=(*fields.warnings, *ignored))


def _expiry(days: Any, now: datetime, warnings: list[str]) -> datetime | None:
    if days is None:
        return None
    if isinstance(days, bool) or not isinstance(days, int | float) or days != days:
        warnings.append(f"ttl_days: {shown(days)} is not a number: it does not expire")
        return None
    clamped = min(max(days, _LEAST_DAYS), limits.WRITE_MOST_DAYS)
    if clamped != days:
        warnings.append(f"ttl_days: {shown(days)} was clamped to {clamped}")
    return (now + timedelta(days=clamped)).replace(microsecond=0)
