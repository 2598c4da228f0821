"""What must hold of a document beside who may see it: its type, tags, time …"""

from datetime import datetime
from typing import NamedTuple

from toolmem.core.search.doc import Doc


class SearchFilter(NamedTuple):
    """Conditions that must all hold; what is empty or None asks for nothing.

    A type is the kind of a memory, else that of the document. All of ``tags``
    must be there; with ``agent`` nothing is shown that is noted as another
    agent's. The times bound the last change.
    """

    types: frozenset[str] | None = None
    not_types: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    agent: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    importance_min: float | None = None
    source: str | None = None

    def passes(self, doc: Doc) -> bool:
        """Whether all of it holds."""
        kind = type_of(doc)
        return (
            (self.types is None or kind in self.types)
            and kind not in self.not_types
            and self.tags <= set(doc.tags)
            and (self.agent is None or doc.agent in ("", self.agent))
            and (self.importance_min is None or doc.importance >= self.importance_min)
            and (self.source is None or doc.source == self.source)
            and self._in_time(doc)
        )

    def _in_time(self, doc: Doc) -> bool:
        if self.since is None and self.until is None:
            return True
        changed = changed_at(doc)
        return (
            changed is not None
            and (self.since is None or changed >= self.since)
            and (self.until is None or changed <= self.until)
        )


def type_of(doc: Doc) -> str:
    """The kind of a memory, else that of the document."""
    return doc.mem_kind if doc.kind == "memory" and doc.mem_kind else doc.kind


def changed_at(doc: Doc) -> datetime | None:
    """When a document was last changed, as far as it says so."""
    return doc.updated or doc.created
