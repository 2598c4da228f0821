"""OpenCode: events and answers of the plugin that toolmem generates."""

from collections.abc import Mapping
from typing import Any

from toolmem.core.agents.agent import Agent, Dialect, Samples
from toolmem.core.agents.event import (
    AFTER_TOOL,
    BEFORE_TOOL,
    OTHER,
    PROMPT,
    SESSION_END,
    SESSION_START,
    TOOL_FAILED,
    TURN_END,
    Answer,
    Event,
    Reply,
    arguments_of,
    number_of,
    text_of,
)
from toolmem.core.agents.opencode.transcript import unquoted
from toolmem.core.agents.samples import COMMAND, LISTING, SESSION, TYPED
from toolmem.core.agents.wiring import McpEntry, Wiring

_KINDS = (
    SESSION_START,
    PROMPT,
    BEFORE_TOOL,
    AFTER_TOOL,
    TOOL_FAILED,
    TURN_END,
    SESSION_END,
)
_WIRING = Wiring(
    "opencode",
    ".opencode/plugins/toolmem.js",
    ".config/opencode/plugins/toolmem.js",
    shape="plugin",
    moved=("XDG_CONFIG_HOME", ".config/"),
    mcp=McpEntry(
        "opencode.json",
        ".config/opencode/opencode.json",
        ("mcp",),
        item={"type": "local"},
        in_list=True,
        moved=("XDG_CONFIG_HOME", ".config/"),
    ),
    programs=("opencode",),
)


def read_event(payload: Mapping[str, Any], _name: str = "") -> Event:
    """Read ``{event, session, cwd, source, prompt, typed, tool, args, exit, error}``.

    Only a prompt in a session without a parent is ``typed``; a plugin of an older
    version sends nothing about it.
    """
    name = text_of(payload, "event")
    kind = name if name in _KINDS else OTHER
    exit_code = number_of(payload, "exit")
    if kind == AFTER_TOOL and exit_code:
        kind = TOOL_FAILED
    return Event(
        agent="opencode",
        kind=kind,
        name=name,
        session=text_of(payload, "session"),
        cwd=text_of(payload, "cwd"),
        source=text_of(payload, "source"),
        prompt=_typed(payload),
        typed=kind != PROMPT or payload.get("typed") is True,
        tool=text_of(payload, "tool"),
        input=arguments_of(payload, "args"),
        call_id=text_of(payload, "call"),
        exit_code=exit_code,
        error=text_of(payload, "error"),
        takes_context=kind not in (OTHER, TURN_END, SESSION_END),
        delivers=kind == SESSION_START,
    )


def _typed(payload: Mapping[str, Any]) -> str:
    """Return the prompt; ``opencode run`` quotes an argument with spaces."""
    prompt = text_of(payload, "prompt")
    return unquoted(prompt) if payload.get("run") is True else prompt


def write_answer(_event: Event, answer: Answer) -> Reply:
    """Return ``{verdict, reason, context, message}``, without empty values."""
    if answer.verdict == "allow":
        answer = Answer()
    fields = answer._replace(allow="")._asdict()
    document = {key: value for key, value in fields.items() if value}
    return Reply(document or None)


def base(name: str, folder: str) -> Mapping[str, Any]:
    """Return what every payload has."""
    return {"event": name, "session": SESSION, "cwd": folder}


_SAMPLES: Samples = {
    SESSION_START: (SESSION_START, {"source": "startup"}),
    PROMPT: (PROMPT, {"prompt": TYPED, "typed": True}),
    BEFORE_TOOL: (BEFORE_TOOL, {"tool": "bash", "args": COMMAND}),
    AFTER_TOOL: (AFTER_TOOL, {"tool": "bash", "args": LISTING, "exit": 0}),
    TURN_END: (TURN_END, {}),
}
AGENT = Agent(
    "OpenCode",
    _WIRING,
    Dialect(read_event, write_answer, _SAMPLES, base),
    tools=(
        *("bash", "edit", "write", "read", "grep", "glob", "list", "webfetch"),
        *("task", "todowrite"),
    ),
    lost_after=("session_start compact",),
    asks=False,
)
