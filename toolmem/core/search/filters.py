"""What must hold of a document beside who may see it: its type, tags, time …"""

from datetime import datetime
from typing import NamedTuple

from toolmem.core.search.doc import Doc
from toolmem.core.times import stored_days


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

    def without_own_fields(self) -> "SearchFilter":
        """The conditions that hold alike for many documents: types and tags."""
        return SearchFilter(self.types, self.not_types, self.tags)

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
        return is_within(changed_at(doc), self.since, self.until)


def is_within(
    moment: datetime | None, since: datetime | None, until: datetime | None
) -> bool:
    """True for a moment between two, both included; without both, for anything.

    A file may state a date alone, which is any moment of that day.
    """
    if since is None and until is None:
        return True
    if moment is None:
        return False
    later = since is None or moment >= since
    if later and (until is None or moment <= until):
        return True
    return moment in stored_days(since, until)


def type_of(doc: Doc) -> str:
    """The kind of a memory, else that of the document."""
    return doc.mem_kind if doc.kind == "memory" and doc.mem_kind else doc.kind


def changed_at(doc: Doc) -> datetime | None:
    """When a document was last changed, as far as it says so."""
    return doc.updated or doc.created
