"""Read the transcript of any agent as turns."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import chain
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.transcript.events import (
    START,
    Event,
    Position,
    Session,
    Transcript,
)
from toolmem.core.transcript.grouping import group_turns
from toolmem.core.transcript.records import Lines, RecordReader, TranscriptRecord
from toolmem.errors import Arg, UsageError


def read_transcript(
    lines: Lines,
    *,
    format: str = "auto",
    start: Position = START,
) -> Transcript:
    """Read the lines of a transcript, or one text, in any known format.

    ``format`` is a name of ``formats.FORMATS`` or ``auto``. ``start`` is the position
    of the first line when continuing from an earlier ``Transcript.end``; lines include
    their newlines, as from an open file. Unreadable records are counted in ``skipped``.
    Raises only ``UsageError``, for an unknown format name.
    """
    skipped: Counter[str] = Counter()
    source = RecordReader(lines, start, skipped)
    name, chosen, records = choose(format, iter(source))
    events: list[Event] = []
    session = Session()
    if chosen is None:
        skipped.update("unknown format" for _ in records)
    else:
        for event in chosen.read(records, skipped):
            if isinstance(event, Session):
                session = _filled(session, event)
            events.append(event)
    return Transcript(
        format=name,
        session=session,
        events=tuple(events),
        turns=group_turns(events, skipped),
        skipped=dict(sorted(skipped.items())),
        end=source.end,
    )


def require_format(transcript: Transcript) -> None:
    """Raise ``UsageError`` for text that is in no known format."""
    if transcript.format == "unknown" and transcript.skipped:
        raise UsageError(
            "the format of this transcript is unknown: name it with ", Arg("format")
        )


def _filled(known: Session, new: Session) -> Session:
    """Complete the known metadata with later values."""
    gaps = {
        name: getattr(new, name) for name in known._fields if not getattr(known, name)
    }
    return known._replace(**gaps)


Reader = Callable[[Iterable[TranscriptRecord], Counter[str]], Iterator[Event]]


class Format(NamedTuple):
    """Module of a format's reader; ``kind`` is the suffix of its functions' names."""

    module: str
    kind: str = ""

    def sniff(self, value: dict[str, Any]) -> int:
        """Score how much a record looks like this format, in points."""
        points: int = self._function("sniff")(value)
        return points

    @property
    def read(self) -> Reader:
        """Reader of the format."""
        reader: Reader = self._function("read")
        return reader

    def _function(self, name: str) -> Any:
        # Loads the readers of no other format.
        return getattr(import_module(self.module), name + self.kind)


_WITH_READER = "claude codex copilot cursor droid gemini opencode".split()
"""Agents whose folder has a reader of transcripts."""
_AGENTS, _READERS = "toolmem.core.agents", "toolmem.core.transcript.readers"
FORMATS = {
    **{name: Format(f"{_AGENTS}.{name}.transcript") for name in _WITH_READER},
    "openai-chat": Format(f"{_READERS}.chat"),
    "anthropic": Format(f"{_READERS}.anthropic"),
    "openai-responses": Format(f"{_READERS}.responses"),
    "langchain": Format(f"{_READERS}.chat", "_langchain"),
    "toolmem": Format(f"{_READERS}.chat", "_own"),
}
"""Formats by name; of two that fit equally well, the first is chosen."""


def choose(
    name: str, records: Iterator[TranscriptRecord]
) -> tuple[str, Format | None, Iterator[TranscriptRecord]]:
    """Return the format asked for, or the one that fits the records best, if any.

    Returns its name, itself, and all records. Raises ``UsageError`` for an unknown
    name.
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
