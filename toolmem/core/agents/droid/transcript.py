"""Sessions of Factory's droid: ``~/.factory/sessions/FOLDER/ID.jsonl``.

Messages are those of the Anthropic API, with a line for each hook among them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from toolmem.core.transcript.events import Event, Session, UserText
from toolmem.core.transcript.fields import mapping, text
from toolmem.core.transcript.readers.anthropic import message_events, result_in
from toolmem.core.transcript.records import TranscriptRecord

_HOOK = "hookEventName"


def sniff(record: dict[str, Any]) -> int:
    """Score how much an object looks like a line of droid, 0 to 3."""
    if record.get("type") == "session_start":
        return 3 if "hostId" in record or "isSessionTitleManuallySet" in record else 1
    is_message = record.get("type") == "message" and "role" in mapping(
        record.get("message")
    )
    return 2 if is_message else 0


def read(records: Iterable[TranscriptRecord], skipped: Counter[str]) -> Iterator[Event]:
    """Yield the events of a session.

    What a hook demanded at the end of a turn is the next message of the user, which
    nobody typed.
    """
    stopped = False
    for record in records:
        line, place = record.value, record.position.named(text(record.value.get("id")))
        if line.get("type") == "session_start":
            yield Session("droid", text(line.get("id")), text(line.get("cwd")))
            continue
        message = mapping(line.get("message"))
        if line.get("type") != "message" or not message:
            skipped[text(line.get("type"))[:40] or "no type"] += 1
            continue
        if _HOOK in message:
            stopped = message[_HOOK] == "Stop"
            continue
        role = message.get("role")
        for event in message_events(role, message, place, skipped, result_in):
            if isinstance(event, UserText) and stopped:
                event = event._replace(synthetic=True)
            yield event
        stopped = False
