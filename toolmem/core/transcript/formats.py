"""Which formats there are, and which one a transcript is written in."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.transcript import (
    anthropic,
    chat,
    claude,
    codex,
    copilot,
    cursor,
    gemini,
    langchain,
    opencode,
    responses,
)
from toolmem.core.transcript.events import Event
from toolmem.core.transcript.records import Record
from toolmem.errors import UsageError

Reader = Callable[[Iterable[Record], Counter[str]], Iterator[Event]]


class Format(NamedTuple):
    """How one format is recognised (points for a record) and read."""

    sniff: Callable[[dict[str, Any]], int]
    read: Reader


FORMATS = {
    "claude": Format(claude.sniff, claude.read),
    "codex": Format(codex.sniff, codex.read),
    "gemini": Format(gemini.sniff, gemini.read),
    "cursor": Format(cursor.sniff, cursor.read),
    "copilot": Format(copilot.sniff, copilot.read),
    "opencode": Format(opencode.sniff, opencode.read),
    "openai-chat": Format(chat.sniff, chat.read),
    "anthropic": Format(anthropic.sniff, anthropic.read),
    "openai-responses": Format(responses.sniff, responses.read),
    "langchain": Format(langchain.sniff, langchain.read),
    "toolmem": Format(chat.sniff_own, chat.read_own),
}
"""Every format by its name; where two fit equally well, the earlier one is taken."""


def choose(
    name: str, records: Iterator[Record]
) -> tuple[str, Format | None, Iterator[Record]]:
    """The format asked for, or the one the records fit best; none if they fit none.

    Returns its name, itself, and the records with those looked at put back. Raises
    ``UsageError`` for a name that is not in the table.
    """
    if name != "auto":
        if name not in FORMATS:
            known = ", ".join(("auto", *FORMATS))
            raise UsageError(f"{name!r} is not a transcript format: use {known}")
        return name, FORMATS[name], records
    points: Counter[str] = Counter()
    looked_at: list[Record] = []
    for record in records:
        looked_at.append(record)
        for key, candidate in FORMATS.items():
            points[key] += candidate.sniff(record.value)
        if _settled(points) or len(looked_at) == limits.SNIFF_RECORDS:
            break
    best = max(FORMATS, key=lambda key: points[key])
    back = chain(looked_at, records)
    return (best, FORMATS[best], back) if points[best] else ("unknown", None, back)


def _settled(points: Counter[str]) -> bool:
    (_, best), (_, second) = points.most_common(2)
    return best - second >= limits.SNIFF_SURE
