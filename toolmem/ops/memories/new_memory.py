"""A memory that is to be saved, with what its own front matter says of it."""

from datetime import date
from typing import NamedTuple

from toolmem.core.memories.front_matter import read_header, split_header
from toolmem.core.memories.memory_text import parse_memory
from toolmem.core.memories.merge import united
from toolmem.errors import UsageError

_GIVEN = (
    "tags",
    "topic",
    "kind",
    "importance",
    "source",
    "source_task",
    "private",
    "expires_at",
)
KIND = "insight"


class NewMemory(NamedTuple):
    """A text to remember; a topic of None is inferred.

    ``allow_secret`` stores it even if it looks like a credential; ``replaces`` are ids
    (or unique prefixes) of memories that it supersedes.
    """

    text: str
    topic: str | None = None
    tags: tuple[str, ...] = ()
    kind: str | None = KIND
    importance: float | None = None
    source: str | None = None
    source_task: str | None = None
    private: bool = False
    expires_at: date | None = None
    allow_secret: bool = False
    replaces: tuple[str, ...] = ()


def with_header(wanted: NewMemory) -> NewMemory:
    """Take the fields of a text's own front matter; arguments go before them.

    Raises ``UsageError`` for a header that cannot be read, and for a field that is
    not given when a memory is saved.
    """
    split = split_header(wanted.text, headed=True)
    for problem in split.problems:
        raise UsageError(f"line {problem.line} of the memory: {problem.message}")
    if not split.opening:
        return wanted
    parsed = parse_memory(wanted.text, path="")
    for problem in parsed.problems:
        raise UsageError(f"line {problem.line} of the memory: {problem.message}")
    entries = read_header(split).entries
    unknown = [key for key in entries if key not in _GIVEN]
    if unknown:
        known = ", ".join(_GIVEN)
        message = f"the front matter has {unknown[0]!r}: saving takes {known}"
        raise UsageError(message)
    return wanted._replace(
        text=split.body,
        topic=wanted.topic if wanted.topic is not None else parsed.topic,
        tags=united(parsed.tags, wanted.tags),
        kind=(parsed.kind or wanted.kind) if wanted.kind == KIND else wanted.kind,
        importance=(
            parsed.importance
            if "importance" in entries and wanted.importance is None
            else wanted.importance
        ),
        source=wanted.source or parsed.source,
        source_task=wanted.source_task or parsed.source_task,
        private=wanted.private or parsed.private,
        expires_at=wanted.expires_at or parsed.expires_at,
    )
