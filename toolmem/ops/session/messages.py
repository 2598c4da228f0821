"""Messages for capture: a transcript's turns by place, and typed messages.

A transcript is read from its bookmark where one is left off, or whole; its turns
are placed among those that are known of its session.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from toolmem.core.model import Scope
from toolmem.core.scope import parse_scope
from toolmem.core.secrets import detect
from toolmem.core.transcript.events import Transcript, Turn
from toolmem.core.turns.places import (
    StoredTurn,
    TurnMark,
    agent_id,
    repeated_turns,
    turn_numbers,
    typed_text,
)


class UserMessage(NamedTuple):
    """One message that a person typed, with what its tools may be.

    ``turn`` is its number in its session, ``key`` identifies the message, and ``own``
    is the id that its agent gave it. ``is_known`` if it was captured before.
    ``session`` is empty if it is not known, ``place`` is what evidence calls it.
    ``called`` are the calls that the message may speak of, ``used`` all up to it,
    ``declared`` the tools that its agent says it has.
    """

    text: str
    turn: int
    session: str
    place: str
    key: str
    called: tuple[str, ...]
    used: tuple[str, ...]
    declared: tuple[str, ...]
    agent: str
    scope: Scope
    own: str = ""
    is_known: bool = False


class NumberedTurn(NamedTuple):
    """A turn and which of its session it is.

    ``first`` is the turn of another session that it repeats.
    """

    number: int
    turn: Turn
    first: StoredTurn | None = None


def place_turns(
    turns: Sequence[Turn],
    known: Sequence[TurnMark],
    before: int | None,
    others: Iterable[StoredTurn] = (),
) -> tuple[NumberedTurn, ...]:
    """The turns with their indexes.

    ``before`` turns are ahead of those without ids; None: they are found among the
    ``known`` ones. What ran before the first message belongs to the turn before.
    ``others`` are turns of other sessions, which these may repeat.
    """
    typed = [turn for turn in turns if turn.index >= 0]
    repeated = repeated_turns(known, others, typed)
    new = [turn for at, turn in enumerate(typed) if at not in repeated]
    numbers = turn_numbers(known, new, before)
    ahead = before if before is not None else (*numbers, len(known))[0]
    own = iter(numbers)
    placed: list[NumberedTurn] = []
    for turn in turns:
        at = len(placed) + len(typed) - len(turns)
        first = repeated.get(max(at, 0))
        if first is not None:
            number = first.number - (turn.index < 0)
            placed.append(NumberedTurn(number, turn, first))
        else:
            number = next(own) if turn.index >= 0 else ahead - 1
            placed.append(NumberedTurn(number, turn))
    return tuple(placed)


def marks_in_order(marks: Mapping[int, TurnMark]) -> tuple[TurnMark, ...]:
    """The marks of the turns from 0 on; a gap counts as a turn like no other."""
    last = max(marks, default=-1)
    nothing = TurnMark("?", 0, 0)
    return tuple(marks.get(index, nothing) for index in range(last + 1))


def user_messages(
    placed: Sequence[NumberedTurn], transcript: Transcript, about: UserMessage
) -> tuple[UserMessage, ...]:
    """The messages that a person typed; of a sub-agent's session, none.

    ``about`` holds what is the same for all of them, and the tools that were
    called and used before the first.
    """
    if transcript.session.subagent:
        return ()
    messages: list[UserMessage] = []
    used = dict.fromkeys(about.used)
    before = about.called
    for index, turn, first in placed:
        calls = tuple(
            dict.fromkeys(use.call.tool for use in turn.uses if use.call.tool)
        )
        used |= dict.fromkeys(calls)
        text = typed_text(turn)
        if text is not None:
            # "Never do that again" mentions what was done before it was said.
            messages.append(
                about._replace(
                    text=text.text,
                    turn=index,
                    key=f"{first.session if first else about.key}#{index}",
                    is_known=bool(first and first.captured),
                    own=agent_id(text),
                    called=before or calls,
                    used=tuple(used),
                )
            )
        before = calls
    return tuple(messages)


def message_document(message: UserMessage) -> dict[str, Any]:
    """A message as plain values, to be kept for later; credentials are redacted."""
    text = detect.redact(message.text)
    return {**message._asdict(), "text": text, "scope": str(message.scope)}


def message_from(document: dict[str, Any]) -> UserMessage:
    """The message that ``message_document`` made the document of."""
    fields = dict(document)
    fields["scope"] = parse_scope(fields["scope"])
    for name in ("called", "used", "declared"):
        fields[name] = tuple(fields[name])
    return UserMessage(**fields)
