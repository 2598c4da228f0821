"""What an agent tells its hooks, and what a hook may answer: the common words.

Each agent's own names are in the module that bears its name.
"""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from toolmem.core.named_tuple import NamedTuple

SESSION_START = "session_start"
SUBAGENT_START = "subagent_start"
COMPACTED = "compacted"
PROMPT = "prompt"
BEFORE_TOOL = "before_tool"
AFTER_TOOL = "after_tool"
TOOL_FAILED = "tool_failed"
TURN_END = "turn_end"
SESSION_END = "session_end"
OTHER = "other"

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Event(NamedTuple):
    """One event; what the agent did not say is empty.

    ``name`` is the agent's own name of it; ``source`` how a session began
    (``startup``, ``resume``, ``compact`` …); ``typed`` is False for a prompt
    that no person typed; ``exit_code`` and ``error`` belong to a tool that has
    run; ``unfinished`` says that it still runs, or that nobody knows how it ended,
    ``interrupted`` that the user stopped it; ``takes_context`` that
    the answer to this event can carry text for the model, and ``asks_later`` that
    another event of the same call will follow that can ask the user;
    ``reply`` is what the model said last, as its turn ended; ``subagent`` is the id of
    the sub-agent that the event comes from, if it does not come from the main agent.
    ``delivers`` says that the prompt block is given with this event, and ``stamp``
    identifies the event where an agent may run two hooks of ours for it.
    ``silent_end`` says that no event may follow when this call has ended.
    ``compaction`` is a text that the agent writes into its transcript where it has no
    event for a compaction.
    """

    agent: str
    kind: str
    name: str
    session: str = ""
    cwd: str = ""
    source: str = ""
    prompt: str = ""
    typed: bool = True
    tool: str = ""
    input: Mapping[str, Any] = NOTHING
    call_id: str = ""
    exit_code: int | None = None
    error: str = ""
    duration_ms: int | None = None
    interrupted: bool = False
    unfinished: bool = False
    transcript: str = ""
    takes_context: bool = False
    asks_later: bool = False
    reply: str = ""
    subagent: str = ""
    delivers: bool = False
    stamp: str = ""
    compaction: str = ""
    silent_end: bool = False


class Answer(NamedTuple):
    """What we want the agent to do; empty where it need do nothing.

    ``verdict`` is ``deny``, ``ask`` or ``allow`` (approve without asking the user),
    with the ``reason``; ``allow`` is what a user
    can do who would have said yes. ``context`` is for the model, ``message`` for
    the user.
    """

    context: str = ""
    verdict: str = ""
    reason: str = ""
    message: str = ""
    allow: str = ""


class Reply(NamedTuple):
    """What the hook prints and how it ends, in the agent's own terms."""

    stdout: Mapping[str, Any] | None = None
    stderr: str = ""
    exit_code: int = 0


def text_of(payload: Mapping[str, Any], *keys: str) -> str:
    """The first of the keys that holds text."""
    for key in keys:
        value = payload.get(key)
        if isinstance(value, str):
            # Half a character could be neither stored nor printed.
            known = value.isascii()
            return value if known else value.encode("utf-8", "replace").decode()
    return ""


def table_of(payload: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    """The first of the keys that holds a table."""
    for key in keys:
        value = payload.get(key)
        if isinstance(value, Mapping):
            return value
    return NOTHING


def arguments_of(payload: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The arguments of a call: a table, or the JSON text of one."""
    value = payload.get(key)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            # Whatever it is, guards look at it.
            value = {"input": value}
    return value if isinstance(value, Mapping) else NOTHING


def number_of(payload: Mapping[str, Any], *keys: str) -> int | None:
    """The first of the keys that holds a whole number, or a number made whole."""
    for key in keys:
        value = payload.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return int(value)
    return None


def deny_instead_of_ask(answer: Answer, agent: str) -> Answer:
    """The answer for an agent that cannot ask: a denial that says what to do."""
    if answer.verdict != "ask":
        return answer
    way = f"{agent} cannot ask here: tell the user, who can {answer.allow}."
    return answer._replace(verdict="deny", reason=f"{answer.reason}. {way}")
