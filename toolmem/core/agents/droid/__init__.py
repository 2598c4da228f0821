"""Factory's droid: Claude Code's events, without one for a failed call.

Measured with version 0.215.0: no call has an id, ``droid exec`` does not send a prompt,
and context reaches the model from SessionStart, UserPromptSubmit and PostToolUse.
"""

import re
from collections.abc import Mapping
from typing import Any

from toolmem.core.agents.agent import Agent, Dialect, Switch
from toolmem.core.agents.claude_form import (
    absent_like_claude,
    named_base,
    read_like_claude,
    with_names,
    write_like_claude,
)
from toolmem.core.agents.event import (
    AFTER_TOOL,
    BEFORE_TOOL,
    PROMPT,
    SESSION_START,
    Answer,
    Event,
    Reply,
)
from toolmem.core.agents.wiring import McpEntry, TextFile, Wiring

_SETTINGS = ".factory/settings.json"
_WIRING = Wiring(
    "droid",
    _SETTINGS,
    _SETTINGS,
    (
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "Stop",
        "SessionEnd",
    ),
    mcp=McpEntry(".factory/mcp.json", ".factory/mcp.json", item={"type": "stdio"}),
    programs=("droid",),
)
_CONTEXT = frozenset({SESSION_START, PROMPT, AFTER_TOOL})
_ENDED = re.compile(r"\[Process exited with code (-?\d{1,9})\]\s*\Z")
_LOOKED_AT = 200


def read_event(payload: Mapping[str, Any], _name: str = "") -> Event:
    """Read an event of droid; a command's exit code is in the last line of its text."""
    event = read_like_claude(payload, "droid")
    event = event._replace(
        takes_context=event.kind in _CONTEXT, silent_end=event.kind == BEFORE_TOOL
    )
    response = payload.get("tool_response")
    if event.kind != AFTER_TOOL or not isinstance(response, str):
        return event
    ended = _ENDED.search(response[-_LOOKED_AT:])
    return event._replace(exit_code=int(ended[1]) if ended else None)


def write_answer(event: Event, answer: Answer) -> Reply:
    """Return the answer in droid's format; it runs a call that a hook wants asked."""
    if event.kind not in _CONTEXT:
        answer = answer._replace(context="")
    return write_like_claude(event, answer)


AGENT = Agent(
    "droid",
    _WIRING,
    Dialect(
        read_event,
        write_answer,
        with_names("Execute", "done\n\n\n[Process exited with code 0]"),
        named_base,
    ),
    tools=("Execute", "Read", "LS", "Edit", "Grep", "Glob", "Create", "Task"),
    lost_after=("SessionStart compact", "SessionStart clear"),
    asks=False,
    absent=absent_like_claude,
    switches=(
        Switch(
            ("hooksDisabled",),
            True,
            "remove hooksDisabled",
            (TextFile(_SETTINGS, _SETTINGS),),
        ),
    ),
)
