"""Which formats there are, and which one a transcript is written in."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import chain
from typing import Any

from toolmem.core import limits
from toolmem.core.named_tuple import NamedTuple
from toolmem.core.transcript.events import Event
from toolmem.core.transcript.records import TranscriptRecord
from toolmem.errors import UsageError

Reader = Callable[[Iterable[TranscriptRecord], Counter[str]], Iterator[Event]]


class Format(NamedTuple):
    """The module that knows a format; ``kind`` ends the names of its functions."""

    module: str
    kind: str = ""

    def sniff(self, value: dict[str, Any]) -> int:
        """How much a record looks like this format, in points."""
        points: int = self._function("sniff")(value)
        return points

    @property
    def read(self) -> Reader:
        """What reads the format."""
        reader: Reader = self._function("read")
        return reader

    def _function(self, name: str) -> Any:
        # Who knows the format of a transcript needs the readers of no other.
        module = import_module(f"toolmem.core.transcript.readers.{self.module}")
        return getattr(module, name + self.kind)


FORMATS = {
    "claude": Format("claude"),
    "codex": Format("codex"),
    "gemini": Format("gemini"),
    "cursor": Format("cursor"),
    "copilot": Format("copilot"),
    "opencode": Format("opencode"),
    "openai-chat": Format("chat"),
    "anthropic": Format("anthropic"),
    "openai-responses": Format("responses"),
    "langchain": Format("langchain"),
    "toolmem": Format("chat", "_own"),
}
"""Every format by its name; where two fit equally well, the earlier one is taken."""


def choose(
    name: str, records: Iterator[TranscriptRecord]
) -> tuple[str, Format | None, Iterator[TranscriptRecord]]:
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
    looked_at: list[TranscriptRecord] = []
    for record in records:
        looked_at.append(record)
        for key, candidate in FORMATS.items():
            points[key] += candidate.sniff(record.value)
        if _is_decided(points) or len(looked_at) == limits.SNIFF_RECORDS:
            break
    best = max(FORMATS, key=lambda key: points[key])
    back = chain(looked_at, records)
    return (best, FORMATS[best], back) if points[best] else ("unknown", None, back)


def _is_decided(points: Counter[str]) -> bool:
    (_, best), (_, second) = points.most_common(2)
    return best - second >= limits.SNIFF_SURE
