"""Store the messages of turns, and what they mean for the task.

What a harness wrote is not among it, credentials are redacted, and of a long message
the head and the tail are kept. The conversation of a sub-agent is not stored.
"""

from collections.abc import Sequence
from datetime import datetime
from sqlite3 import Connection
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.access.dialogue import ASSISTANT, TTL, USER, Message
from toolmem.core.access.working_memory import (
    CONTEXT,
    GOAL,
    TASK,
    TTL_OF_SESSION,
    TURN,
    WorkingValue,
)
from toolmem.core.agents.record import spoken
from toolmem.core.transcript.fields import clean
from toolmem.core.turns.places import typed_text
from toolmem.ops.session.messages import NumberedTurn
from toolmem.store.state import conversation, working
from toolmem.store.vault.vault import Vault


class Utterance(NamedTuple):
    """Message of one side in a turn, without credentials."""

    turn: int
    role: str
    text: str
    at: datetime


class Speaker(NamedTuple):
    """The session and project that something was said in, and to which agent."""

    session: str
    agent: str
    project: str


def is_logged(vault: Vault) -> bool:
    """Return whether conversations are stored at all."""
    return bool(vault.settings["conversation.keep"].value)


def utterances_of(
    placed: Sequence[NumberedTurn], now: datetime
) -> tuple[Utterance, ...]:
    """Return the messages of the last turns of a transcript, in order."""
    utterances: list[Utterance] = []
    for number, turn, _ in placed[-limits.CONVERSATION_MESSAGES // 2 :]:
        typed = typed_text(turn)
        at = (typed.ts if typed else None) or now
        if typed and turn.index >= 0:
            utterances.append(Utterance(number, USER, spoken(typed.text), at))
        replies = "\n\n".join(reply.text for reply in turn.replies if reply.text)
        if replies.strip() and number >= 0:
            last = next((r.ts for r in reversed(turn.replies) if r.ts), at)
            utterances.append(Utterance(number, ASSISTANT, spoken(replies), last))
    return tuple(utterances)


def save_utterances(
    state: Connection,
    vault: Vault,
    speaker: Speaker,
    utterances: Sequence[Utterance],
    *,
    more: bool = False,
) -> None:
    """Keep what was said; with ``more`` a turn that is known goes on."""
    lately = [utterance for utterance in utterances if utterance.at + TTL > vault.now]
    messages = (
        Message(
            id=f"{speaker.session}/{said.turn}/{said.role}",
            role=said.role,
            content=clean(said.text),
            at=said.at,
            expires_at=said.at + TTL,
            source=speaker.agent if said.role == ASSISTANT else said.role,
            agent=speaker.agent,
            session=speaker.session,
            turn=said.turn,
            project=speaker.project,
        )
        for said in lately[-limits.CONVERSATION_MESSAGES :]
    )
    conversation.add_in(state, messages, vault.now, more=more)


def save_working_memory(
    state: Connection,
    vault: Vault,
    speaker: Speaker,
    utterances: Sequence[Utterance],
    block: str,
) -> None:
    """Keep what a session is about: its last request, and what its last turn did."""
    asked = [utterance for utterance in utterances if utterance.role == USER]
    at = asked[-1].at if asked else vault.now
    if at + TTL_OF_SESSION <= vault.now:
        return
    blocks = {TASK: (GOAL, asked[-1].text if asked else ""), TURN: (CONTEXT, block)}
    values = (
        WorkingValue(
            name,
            clean(text),
            at,
            at + TTL_OF_SESSION,
            kind,
            USER if name == TASK else speaker.agent,
            agent=speaker.agent,
            session=speaker.session,
            project=speaker.project,
        )
        for name, (kind, text) in blocks.items()
        if text
    )
    working.put_in(state, values, vault.now)
