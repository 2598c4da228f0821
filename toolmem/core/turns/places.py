"""Find the number of a turn in its session, from whole or partial transcripts.

A harness may pass a whole transcript that grew, only its new end, or one turn at a
time. A turn is a known one if its message is the same and the known calls are the first
of its calls; otherwise it comes after all known turns.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple
from zlib import crc32

from toolmem.core.access.dialogue import typed_at
from toolmem.core.transcript.events import Turn, UserText

_UNIQUE = 16
"""Length from which an id is globally unique rather than a number in a session."""
_HOOKS_TAKE = timedelta(seconds=10)
"""Delay in which an agent writes a message to its transcript after the hook."""


class TurnMark(NamedTuple):
    """Identity of a turn: its message, and its first ``calls`` calls.

    ``sure``: no other message has this mark, as it has an id or a time.
    """

    message: str
    calls: int
    digest: int
    sure: bool = False


def typed_text(turn: Turn) -> UserText | None:
    """Return the message that a person typed at the beginning of the turn."""
    return next((text for text in turn.texts if not text.synthetic), None)


def own_id(text: UserText) -> str:
    """Return the id that its agent gave a message, if it is globally unique."""
    made_up = f"{text.position.line}.{text.position.item}"
    return text.uuid if len(text.uuid) >= _UNIQUE and text.uuid != made_up else ""


def mark_of(turn: Turn, calls: int | None = None) -> TurnMark:
    """Return the mark of a turn, counting its first ``calls`` calls (all, if None)."""
    text = typed_text(turn)
    uses = turn.uses if calls is None else turn.uses[:calls]
    digest = 0
    for use in uses:
        call = use.call
        identity = "\0".join(
            (call.tool, call.command or "", *call.paths, *call.deleted)
        )
        digest = crc32(identity.encode("utf-8", "replace"), digest)
    if text is None:
        return TurnMark("", len(uses), digest)
    known = own_id(text) or (text.ts.isoformat() if text.ts else "")
    body = text.text.encode("utf-8", "replace")
    message = f"{crc32(body):08x}:{len(body)}:{known}"
    return TurnMark(message, len(uses), digest, bool(known))


def first_place(known: Sequence[TurnMark], turns: Sequence[Turn]) -> int:
    """Return the number, from 0, of the first of ``turns`` in the session.

    If the first mark is sure, it is the known turn with this mark, whatever follows: a
    session can be rewound. Otherwise the known turns from there on must be the first of
    ``turns``, up to the last known one.
    """
    for start in range(len(known) if turns else 0):
        rest = known[start : start + len(turns)]
        if not _is_same(rest[0], turns[0]):
            continue
        reaches_end = start + len(turns) >= len(known)
        if rest[0].sure or (reaches_end and all(map(_is_same, rest, turns))):
            return start
    return len(known)


def same_message(known: TurnMark, turn: Turn) -> bool:
    """Return True if a turn begins with the message of a mark."""
    return known.message == mark_of(turn, 0).message


def _is_same(known: TurnMark, turn: Turn) -> bool:
    if len(turn.uses) < known.calls and not known.sure:
        return False
    mark = mark_of(turn, known.calls)
    if known.sure:
        return mark.message == known.message or _was_captured(known, mark, turn)
    return mark == known


def _was_captured(known: TurnMark, mark: TurnMark, turn: Turn) -> bool:
    """Return True if a hook, which has no ids, captured the message as it was typed."""
    if known.message.split(":", 2)[:2] != mark.message.split(":", 2)[:2]:
        return False
    text, at = typed_text(turn), typed_at(known.message)
    if text is None or text.ts is None or at is None:
        return False
    return abs(text.ts - at) <= _HOOKS_TAKE
