"""Content of an imported file: rules, texts, and remarks about the rest."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from toolmem.core.model import Priority


class RuleItem(NamedTuple):
    """A sentence about the use of a tool; ``line`` counts from 1.

    ``by_person`` is false if a program wrote the file.
    """

    text: str
    tools: tuple[str, ...]
    polarity: str
    line: int
    sentence: str
    by_person: bool = True

    @property
    def priority(self) -> Priority:
        """Priority: a ban is critical, a demand high, as when a user types it."""
        banned = self.polarity == "ban" and self.by_person
        return Priority.CRITICAL if banned else Priority.HIGH


class TextItem(NamedTuple):
    """A text to import whole; ``place`` is its headings in the file.

    ``always``: the agent reads it at all times, so that it may become guidance;
    everything else is a memory. ``fields`` are further fields of its header.
    """

    title: str
    body: str
    line: int
    place: str = ""
    topic: str = ""
    tags: tuple[str, ...] = ()
    kind: str = ""
    always: bool = False
    fields: Mapping[str, Any] = {}


class ImportNote(NamedTuple):
    """A part of a file that was not understood, or is not imported, and the reason."""

    line: int
    code: str
    message: str


class ImportedContent(NamedTuple):
    """Content of one file, in order."""

    rules: tuple[RuleItem, ...] = ()
    texts: tuple[TextItem, ...] = ()
    notes: tuple[ImportNote, ...] = ()
