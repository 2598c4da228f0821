"""What a query finds: one record, whichever of the five memory types it is from."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from toolmem.core.named_tuple import NamedTuple


class AccessItem(NamedTuple):
    """One thing that is known.

    ``type`` is the kind of a memory or the type of an entry, ``timestamp`` is in
    UTC, ``importance`` is from 0 to 1 (of an entry with a confidence, that).
    ``agent`` is whose it is, empty for what is shared; what is ``private`` no tool
    may see; ``status`` is that of a scratch entry, else empty.
    """

    id: str
    type: str
    content: str
    source: str
    timestamp: datetime | None
    importance: float
    tags: tuple[str, ...]
    metadata: Mapping[str, Any]
    agent: str
    private: bool
    status: str = ""
