"""Common form of agents' hook events and of the answers to them.

Each agent's own names are in its module.
"""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

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
    """A hook event; fields that the agent did not send are empty.

    ``name`` is the agent's own name of it. ``source`` is the way a session began
    (``startup``, ``resume``, ``compact`` …). ``typed`` is False for a prompt that no
    person typed. ``exit_code`` and ``error`` belong to a finished tool; ``unfinished``
    means that it still runs or ended in an unknown way, ``interrupted`` that the user
    stopped it. ``takes_context``: the answer may contain text for the model.
    ``asks_later``: a later event of the same call can ask the user. ``reply`` is the
    model's last message of a turn. ``subagent`` is the id of the sub-agent, empty for
    the main agent. ``delivers``: the prompt block is given with this event. ``stamp``
    identifies the event where an agent may run two of our hooks for it. ``silent_end``:
    no event may follow the end of this call. ``replaced`` begins a line of the
    transcript that replaces the conversation, if the agent has no event for that.
    ``continued``: the turn that ends goes on because a hook demanded it; ``busy``: the
    turn was stopped by the user, or a task in the background goes on. ``may_resume``: a
    session can go on later with this event, and none says so.
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
    replaced: str = ""
    silent_end: bool = False
    continued: bool = False
    busy: bool = False
    may_resume: bool = False


class Answer(NamedTuple):
    """Answer to an event; empty where the agent need do nothing.

    ``verdict`` is ``deny``, ``ask`` or ``allow`` (approve without asking the user),
    with a ``reason``. ``allow`` says what a user who agrees can do where the agent
    cannot ask. ``context`` is for the model, ``message`` for the user.
    """

    context: str = ""
    verdict: str = ""
    reason: str = ""
    message: str = ""
    allow: str = ""


class Reply(NamedTuple):
    """Output and exit code of the hook, in the agent's own format.

    ``progress`` are lines of JSON before the answer.
    """

    stdout: Mapping[str, Any] | None = None
    stderr: str = ""
    exit_code: int = 0
    progress: tuple[Mapping[str, Any], ...] = ()


def text_of(payload: Mapping[str, Any], *keys: str) -> str:
    """Return the value of the first key that has a string."""
    for key in keys:
        value = payload.get(key)
        if isinstance(value, str):
            # A lone surrogate could be neither stored nor printed.
            known = value.isascii()
            return value if known else value.encode("utf-8", "replace").decode()
    return ""


def table_of(payload: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    """Return the value of the first key that has a table."""
    for key in keys:
        value = payload.get(key)
        if isinstance(value, Mapping):
            return value
    return NOTHING


def arguments_of(payload: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the arguments of a call: a table, or the JSON text of one.

    Any other text, and a list, is the command of the call.
    """
    value = payload.get(key)
    if isinstance(value, str):
        value = _parsed(value)
    if isinstance(value, list):
        value = _command_in(value)
    if isinstance(value, str):
        value = {"command": value} if value else NOTHING
    return value if isinstance(value, Mapping) else NOTHING


def _parsed(text: str) -> Any:
    """Return the table, list or string that a text is in JSON, else the text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, Mapping | list | str) else text


def _command_in(items: Sequence[Any]) -> Mapping[str, Any]:
    """Return the command that a list is: its words, or its lines.

    No program has white space in its name, so that such an item begins a line.
    """
    words = [item if isinstance(item, str) else json.dumps(item) for item in items]
    is_words = bool(words) and not any(map(str.isspace, words[0]))
    return {"command": words if is_words else "\n".join(words)}


def number_of(payload: Mapping[str, Any], *keys: str) -> int | None:
    """Return the value of the first key that has a number, truncated."""
    for key in keys:
        value = payload.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return int(value)
    return None


def deny_instead_of_ask(answer: Answer, agent: str) -> Answer:
    """Return a denial with instructions, for an agent that cannot ask its user."""
    if answer.verdict != "ask":
        return answer
    way = f"{agent} cannot ask here: ask the user to {answer.allow}."
    return answer._replace(verdict="deny", reason=f"{answer.reason}. {way}")
