"""Which turn of its session a turn is, when transcripts come whole, cut or in pieces.

A harness may hand over a whole transcript that grew, only its new end, or one turn
at a time. A turn is the same as a known one when its message is, and when the calls
that are known are the first of its calls; else it comes after all that are known.
"""

from collections.abc import Sequence
from datetime import timedelta
from zlib import crc32

from toolmem.core.access.dialogue import typed_at
from toolmem.core.named_tuple import NamedTuple
from toolmem.core.transcript.events import Turn, UserText

_UNIQUE = 16
"""Characters from which an id is one of its kind, and no number in a session."""
_HOOKS_TAKE = timedelta(seconds=10)
"""Within which a hook hears a message that an agent writes into its transcript."""


class TurnMark(NamedTuple):
    """What tells a turn from others: its message, and its first ``calls`` calls.

    ``sure`` says that no other message has this mark: it has an id or a time.
    """

    message: str
    calls: int
    digest: int
    sure: bool = False


def typed_text(turn: Turn) -> UserText | None:
    """What a person typed at the beginning of the turn."""
    return next((text for text in turn.texts if not text.synthetic), None)


def own_id(text: UserText) -> str:
    """The id that its agent gave a message, if no other message can have it."""
    made_up = f"{text.position.line}.{text.position.item}"
    return text.uuid if len(text.uuid) >= _UNIQUE and text.uuid != made_up else ""


def mark_of(turn: Turn, calls: int | None = None) -> TurnMark:
    """The mark of a turn, counting its first ``calls`` calls (all, if None)."""
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
    """Which turn of the session the first of ``turns`` is, counted from 0.

    Where the mark of the first is sure it is the known turn with this mark, whatever
    follows: a session can be rewound. Else the known turns from there on must be
    the first of ``turns``, up to the last known one.
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
    """Whether a turn begins with the message that a mark is of."""
    return known.message == mark_of(turn, 0).message


def _is_same(known: TurnMark, turn: Turn) -> bool:
    if len(turn.uses) < known.calls and not known.sure:
        return False
    mark = mark_of(turn, known.calls)
    if known.sure:
        return mark.message == known.message or _was_captured(known, mark, turn)
    return mark == known


def _was_captured(known: TurnMark, mark: TurnMark, turn: Turn) -> bool:
    """Whether a hook, which knows no ids, heard the message as it was typed."""
    if known.message.split(":", 2)[:2] != mark.message.split(":", 2)[:2]:
        return False
    text, at = typed_text(turn), typed_at(known.message)
    if text is None or text.ts is None or at is None:
        return False
    return abs(text.ts - at) <= _HOOKS_TAKE
