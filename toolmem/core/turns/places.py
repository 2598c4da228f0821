"""Number the turns of a session, from whole or partial transcripts.

A harness may pass a whole transcript that grew, only its new end, or one turn at a
time; its hooks may have captured some messages before. A known turn keeps its number,
others come after all known ones. A forked session repeats the turns of the session that
it goes on with: they are turns of that one.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zlib import crc32

from toolmem.core.transcript.events import Turn, UserText

_UNIQUE = 16
"""Length from which an id is globally unique rather than a number in a session."""
_HOOK = "@"
"""Sign in the ids that hooks give to messages."""
_LATER = timedelta(hours=1)
"""Time after which a single message with known words is a new one."""


class TurnMark(NamedTuple):
    """Identity of a turn: its message, and its first ``calls`` calls.

    ``sure``: no other message has this mark, as it has an id or a time.
    """

    message: str
    calls: int
    digest: int
    sure: bool = False


class StoredTurn(NamedTuple):
    """A turn of a session; ``captured``: its message was searched for decrees."""

    session: str
    number: int
    mark: TurnMark
    captured: bool


def typed_text(turn: Turn) -> UserText | None:
    """Return the message that a person typed at the beginning of the turn."""
    return next((text for text in turn.texts if not text.synthetic), None)


def typed_at(mark: str) -> datetime | None:
    """Return the time from the mark that a hook gave a message, or None."""
    try:
        moment = int(mark.rpartition(_HOOK)[2], 16) // 10**9
        return datetime.fromtimestamp(moment, UTC) if _HOOK in mark else None
    except (ValueError, OverflowError, OSError):
        return None


def own_id(text: UserText) -> str:
    """Return the id that its agent or a hook gave a message, if globally unique."""
    made_up = f"{text.position.line}.{text.position.item}"
    return text.uuid if len(text.uuid) >= _UNIQUE and text.uuid != made_up else ""


def agent_id(text: UserText) -> str:
    """Return the globally unique id that its agent gave a message, or an empty one."""
    found = own_id(text)
    return "" if _HOOK in found else found


def mark_of(turn: Turn, calls: int | None = None) -> TurnMark:
    """Return the mark of a turn, counting its first ``calls`` calls (all, if None)."""
    text = typed_text(turn) or next(iter(turn.texts), None)
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
    body = text.text.replace("\r\n", "\n").encode("utf-8", "replace")
    message = f"{crc32(body):08x}:{len(body)}:{known}"
    return TurnMark(message, len(uses), digest, bool(known))


def turn_numbers(
    known: Sequence[TurnMark], turns: Sequence[Turn], before: int | None = None
) -> tuple[int, ...]:
    """Return the number, from 0, of each turn in the session.

    Turns without ids or times are consecutive: ``before`` turns are ahead of them, or
    the known turns from the first one on must be the first of them.
    """
    marks = [mark_of(turn, 0) for turn in turns]
    if not all(mark.sure for mark in marks):
        first = _first_number(known, turns) if before is None else before
        return tuple(range(first, first + len(turns)))
    by_id = {mark.message: number for number, mark in enumerate(known) if mark.sure}
    hooked = _hooked(known, [mark for mark in marks if mark.message not in by_id])
    numbers, following = [], len(known)
    for mark in marks:
        number = by_id.get(mark.message)
        if number is None and hooked[_content(mark)]:
            number = hooked[_content(mark)].pop()
        if number is None:
            number, following = following, following + 1
        numbers.append(number)
    return tuple(numbers)


def repeated_turns(
    known: Sequence[TurnMark], others: Iterable[StoredTurn], turns: Sequence[Turn]
) -> dict[int, StoredTurn]:
    """Return the turns that another session had first, by their place in ``turns``.

    ``known`` are the marks of the session itself, ``others`` the turns of all others,
    in order. A transcript repeats a session from its beginning. Hooks do not know the
    id that it gives to a message: content and order decide, for a single message the
    time, too. No turn is taken from the session itself.
    """
    marks = [mark_of(turn, 0) for turn in turns]
    if not all(mark.sure and not _is_hooked(mark) for mark in marks):
        return {}
    sessions: dict[str, list[StoredTurn]] = defaultdict(list)
    for other in others:
        sessions[other.session].append(other)
    own = _recognised(known, turns)
    best: dict[int, StoredTurn] = {}
    for stored in sessions.values():
        repeated = _repeated(stored, marks)
        if len(repeated) <= len(best) or not _are_enough(repeated, turns):
            continue
        rest = [turn for at, turn in enumerate(turns) if at not in repeated]
        if _recognised(known, rest) == own:
            best = repeated
    return best


def _recognised(known: Sequence[TurnMark], turns: Sequence[Turn]) -> int:
    return sum(number < len(known) for number in turn_numbers(known, turns))


def _repeated(
    stored: Iterable[StoredTurn], marks: Sequence[TurnMark]
) -> dict[int, StoredTurn]:
    """Return the first turns of a session by place, up to one that is missing."""
    repeated: dict[int, StoredTurn] = {}
    following = iter(enumerate(marks))
    for number, one in enumerate(stored):
        if one.number != number:
            break
        place = next((at for at, mark in following if _is_mark_of(one.mark, mark)), -1)
        if place < 0:
            break
        repeated[place] = one
    return repeated


def _is_mark_of(known: TurnMark, mark: TurnMark) -> bool:
    """Return whether a message of a transcript is the one that has a known mark."""
    if _is_hooked(known):
        return _content(known) == _content(mark)
    return known.sure and known.message == mark.message


def _are_enough(repeated: dict[int, StoredTurn], turns: Sequence[Turn]) -> bool:
    """Return False for one message that a hook captured long before."""
    if len(repeated) != 1:
        return bool(repeated)
    [(place, stored)] = repeated.items()
    text, typed = typed_text(turns[place]), typed_at(stored.mark.message)
    if typed is None or text is None or text.ts is None:
        return typed is None
    return text.ts <= typed + _LATER


def _hooked(
    known: Sequence[TurnMark], marks: Sequence[TurnMark]
) -> dict[str, list[int]]:
    """Return the numbers of known messages that hooks captured, the last one first.

    A hook does not know the id that a transcript gives to a message: of messages with
    one content, the order decides. A partial transcript has the last ones.
    """
    found: dict[str, list[int]] = defaultdict(list)
    wanted: dict[str, int] = defaultdict(int)
    for mark in marks:
        wanted[_content(mark)] += not _is_hooked(mark)
    for number in reversed(range(len(known))):
        content = _content(known[number])
        if _is_hooked(known[number]) and len(found[content]) < wanted[content]:
            found[content].append(number)
    return found


def _first_number(known: Sequence[TurnMark], turns: Sequence[Turn]) -> int:
    for start in range(len(known) if turns else 0):
        rest = known[start : start + len(turns)]
        reaches_end = start + len(turns) >= len(known)
        if reaches_end and all(map(_is_same, rest, turns)):
            return start
    return len(known)


def same_message(known: TurnMark, turn: Turn) -> bool:
    """Return True if a turn begins with the message of a mark."""
    mark = mark_of(turn, 0)
    if _is_hooked(known) and not _is_hooked(mark):
        return _content(known) == _content(mark)
    return known.message == mark.message


def _is_same(known: TurnMark, turn: Turn) -> bool:
    if len(turn.uses) < known.calls or not same_message(known, turn):
        return False
    return mark_of(turn, known.calls).digest == known.digest


def _content(mark: TurnMark) -> str:
    """Return checksum and length of a message."""
    return ":".join(mark.message.split(":", 2)[:2])


def _is_hooked(mark: TurnMark) -> bool:
    return _HOOK in mark.message
