"""Assign calls to turns, and results to calls."""

from collections import Counter, deque
from collections.abc import Iterable

from toolmem.core.transcript.events import (
    AssistantText,
    CallStatus,
    Event,
    Marker,
    Position,
    ToolResult,
    ToolUse,
    TranscriptCall,
    Turn,
    UserText,
)
from toolmem.core.transcript.probes import is_benign_exit

_OPEN = (CallStatus.RUNNING, CallStatus.UNKNOWN)


class _Slot:
    __slots__ = ("call", "result")

    def __init__(self, call: TranscriptCall) -> None:
        self.call = call
        self.result: ToolResult | None = None


class _Draft:
    def __init__(self, index: int, position: Position) -> None:
        self.index = index
        self.position = position
        self.texts: list[UserText] = []
        self.replies: list[AssistantText] = []
        self.slots: list[_Slot] = []
        self.markers: list[Marker] = []


class _Joiner:
    """Finds the call of a result: by id, else the oldest call without a result."""

    def __init__(self) -> None:
        self._by_id: dict[str, _Slot] = {}
        self._named: deque[_Slot] = deque()
        self._anonymous: deque[_Slot] = deque()

    def call(self, call: TranscriptCall) -> _Slot | None:
        """Return a slot for the call; None if the same call is already waiting."""
        known = self._by_id.get(call.id) if call.id else None
        if known and known.result is None and _same(known.call, call):
            return None
        slot = _Slot(call)
        if call.id:
            self._by_id[call.id] = slot
            self._named.append(slot)
        else:
            self._anonymous.append(slot)
        return slot

    def result(self, result: ToolResult) -> bool:
        """Assign a result to its call; return False without one.

        A result with an unknown id may belong to a call without an id, but never to one
        with another id.
        """
        slot = self._by_id.get(result.call_id) if result.call_id else None
        slot = slot or _oldest(self._anonymous)
        if slot is None and not result.call_id:
            slot = _oldest(self._named)
        if slot is None:
            return False
        slot.result = _merged(slot.result, result)
        return True


def _oldest(waiting: deque[_Slot]) -> _Slot | None:
    while waiting and waiting[0].result is not None:
        waiting.popleft()
    return waiting[0] if waiting else None


def group_turns(events: Iterable[Event], skipped: Counter[str]) -> tuple[Turn, ...]:
    """Return the turns of a transcript; each typed message begins one.

    Results without a call and duplicate calls are counted in ``skipped``.
    """
    drafts: list[_Draft] = []
    joiner = _Joiner()
    typed = 0
    for event in events:
        if isinstance(event, UserText) and not event.synthetic:
            drafts.append(_Draft(typed, event.position))
            typed += 1
        elif not drafts and isinstance(
            event, UserText | TranscriptCall | AssistantText
        ):
            drafts.append(_Draft(-1, event.position))
        if isinstance(event, ToolResult):
            if not joiner.result(event):
                skipped["result without a call"] += 1
        elif drafts:
            _add(drafts[-1], event, joiner, skipped)
    return tuple(map(_turn, drafts))


def _add(draft: _Draft, event: Event, joiner: _Joiner, skipped: Counter[str]) -> None:
    if isinstance(event, UserText):
        draft.texts.append(event)
    elif isinstance(event, AssistantText):
        draft.replies.append(event)
    elif isinstance(event, Marker):
        draft.markers.append(event)
    elif isinstance(event, TranscriptCall):
        slot = joiner.call(event)
        if slot:
            draft.slots.append(slot)
        else:
            skipped["repeated call"] += 1


def _merged(old: ToolResult | None, new: ToolResult) -> ToolResult:
    """Return the later result of a running call; else the first, completed by the
    later."""
    if old is None:
        return new
    if old.status in _OPEN:
        old, new = new, old
    return old._replace(
        exit_code=new.exit_code if old.exit_code is None else old.exit_code,
        duration_ms=new.duration_ms if old.duration_ms is None else old.duration_ms,
        output=old.output or new.output,
    )


def _same(one: TranscriptCall, other: TranscriptCall) -> bool:
    """Return True if two records are of one call; the second may lack arguments."""
    named = (one.command, one.paths, one.deleted)
    if one.tool != other.tool or named != (other.command, other.paths, other.deleted):
        return False
    return any(named) or one.args == other.args


def _turn(draft: _Draft) -> Turn:
    return Turn(
        draft.index,
        tuple(draft.texts),
        tuple(draft.replies),
        tuple(_use(slot) for slot in draft.slots),
        tuple(draft.markers),
        draft.position,
    )


def _use(slot: _Slot) -> ToolUse:
    """Pair a call with its result; a search without matches did not fail."""
    call, result = slot.call, slot.result
    if (
        result
        and result.status is CallStatus.FAILED
        and call.command
        and is_benign_exit(call.command, result.exit_code, result.output)
    ):
        result = result._replace(status=CallStatus.OK)
    return ToolUse(call, result)
