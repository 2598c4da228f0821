"""What a file of somebody else becomes: rules, texts, and remarks about the rest."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from toolmem.core.model import Priority


class RuleItem(NamedTuple):
    """A sentence that rules how a tool is used; ``line`` counts from 1.

    ``by_person`` is false where a program wrote the file.
    """

    text: str
    tools: tuple[str, ...]
    polarity: str
    line: int
    sentence: str
    by_person: bool = True

    @property
    def priority(self) -> Priority:
        """A ban is critical, a demand high: as when a user says it."""
        banned = self.polarity == "ban" and self.by_person
        return Priority.CRITICAL if banned else Priority.HIGH


class TextItem(NamedTuple):
    """A text to keep whole. ``place`` says where in the file it stands.

    ``always``: the agent that the file is for has it in mind at all times, so that
    it may become guidance; everything else is a memory. ``fields`` are further
    fields of its header.
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
    """Something in a file that was not understood, or is not imported, and why."""

    line: int
    code: str
    message: str


class ImportedContent(NamedTuple):
    """All that one file holds, in its order."""

    rules: tuple[RuleItem, ...] = ()
    texts: tuple[TextItem, ...] = ()
    notes: tuple[ImportNote, ...] = ()
