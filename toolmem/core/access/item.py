"""Item that a query returns, from any of the five memory types."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple


class AccessItem(NamedTuple):
    """A record of memory.

    ``type`` is the kind of a memory or the type of an entry, ``timestamp`` is in UTC,
    ``importance`` is from 0 to 1 (the confidence of an entry that has one). ``agent``
    is the owner, empty if shared. Tools never see ``private`` items. ``status`` is that
    of a scratch entry, else empty.
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
