"""Read the transcript of any agent as turns."""

from collections import Counter

from toolmem.core.transcript.events import (
    START,
    Event,
    Position,
    Session,
    Transcript,
)
from toolmem.core.transcript.formats import choose
from toolmem.core.transcript.grouping import group_turns
from toolmem.core.transcript.records import Lines, RecordReader


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


def _filled(known: Session, new: Session) -> Session:
    """Complete the known metadata with later values."""
    gaps = {
        name: getattr(new, name) for name in known._fields if not getattr(known, name)
    }
    return known._replace(**gaps)
