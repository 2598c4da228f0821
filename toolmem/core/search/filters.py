"""Conditions on documents besides visibility: type, tags, time and so on."""

from datetime import datetime
from typing import NamedTuple

from toolmem.core.search.doc import Doc
from toolmem.core.text.terms import normal_tags
from toolmem.core.times import stored_days


class SearchFilter(NamedTuple):
    """Conditions that must all be met; empty and None ones are ignored.

    A type is the kind of a memory, else that of the document. All of ``tags`` are
    required; ``agent`` excludes documents that belong to another agent. The times refer
    to the last change.
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
        """Return only the conditions that many documents share: types and tags."""
        return SearchFilter(self.types, self.not_types, self.tags)

    def passes(self, doc: Doc) -> bool:
        """Return True if a document meets all conditions."""
        kind = type_of(doc)
        return (
            (self.types is None or kind in self.types)
            and kind not in self.not_types
            and normal_tags(self.tags) <= normal_tags(doc.tags)
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
    """Return True for a moment in a range with inclusive bounds (None: no bound).

    A file may state a date alone, which counts as any moment of that day.
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
    """Return the kind of a memory, else that of the document."""
    return doc.mem_kind if doc.kind == "memory" and doc.mem_kind else doc.kind


def changed_at(doc: Doc) -> datetime | None:
    """Return the time of the last change, if the document states one."""
    return doc.updated or doc.created
