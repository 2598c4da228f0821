"""Say and count something once, where an agent asks more often."""

import os
import time
from pathlib import Path
from zlib import crc32

from toolmem.core.agents.event import TURN_END, Event
from toolmem.errors import StorageError
from toolmem.ops.hooks.journal_event import SHOWN_SUFFIX, reader_journal
from toolmem.store.journal import journal

_SEEN_SUFFIX = ".seen"
_SEEN, _BY, _FAULT = "seen", "by", "fault"


def is_first(root: Path, event: Event) -> bool:
    """Return whether no other hook has been called for this event of a session.

    Copilot runs its own hooks and those of Claude Code: both calls have the stamp.
    What cannot be found out counts as the first call.
    """
    name = journal.name_of(event.session) + _SEEN_SUFFIX
    given = crc32(repr((event.input, event.prompt)).encode("utf-8", "replace"))
    seen = f"{event.stamp} {event.kind} {given:08x}"
    by = f"{os.getpid()}-{time.monotonic_ns():x}"
    if event.kind == TURN_END:
        journal.forget(journal.take(root, name))
    try:
        journal.append(root, name, {_SEEN: seen, _BY: by})
    except StorageError:
        return True
    lines = journal.read(root, name)
    first = next((line for line in lines if line.get(_SEEN) == seen), None)
    return first is None or first.get(_BY) == by


def is_new(folder: Path, event: Event, text: str) -> bool:
    """Return whether a session without a vault has not been given a text yet."""
    name = reader_journal(event, SHOWN_SUFFIX)
    known = journal.read(folder, name)
    if any(line.get(_FAULT) == text for line in known):
        return False
    try:
        journal.append(folder, name, {_FAULT: text}, outside=True)
    except StorageError:
        return True
    return True
