"""goose: hooks of a plugin in a folder, and the block in its file of hints.

Read in its source, as there is no package of it: a hook before a call can deny, one at
the end of a turn can demand more, and none can give context to the model.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from toolmem.core.agents.agent import Agent, Dialect
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
    text_of,
)
from toolmem.core.agents.samples import COMMAND, LISTING, OUTPUT, SESSION, TYPED
from toolmem.core.agents.wiring import TextFile, Wiring

_KINDS = {
    "SessionStart": SESSION_START,
    "UserPromptSubmit": PROMPT,
    "PreToolUse": BEFORE_TOOL,
    "PostToolUse": AFTER_TOOL,
    "PostToolUseFailure": TOOL_FAILED,
    "Stop": TURN_END,
    "SessionEnd": SESSION_END,
}
_HOOKS = ".agents/plugins/toolmem/hooks/hooks.json"
_WIRING = Wiring(
    "goose",
    _HOOKS,
    _HOOKS,
    tuple(_KINDS),
    note="goose reads the rules in .goosehints: run this again when rules change",
    block=TextFile(
        ".goosehints", ".config/goose/.goosehints", ("XDG_CONFIG_HOME", ".config/")
    ),
    programs=("goose",),
)
_SHELL = "developer__shell"


def read_event(payload: Mapping[str, Any], _name: str = "") -> Event:
    """Read an event of goose."""
    name = text_of(payload, "event")
    kind = _KINDS.get(name, OTHER)
    output = payload.get("tool_output")
    return Event(
        agent="goose",
        kind=kind,
        name=name,
        session=text_of(payload, "session_id"),
        cwd=text_of(payload, "working_dir"),
        prompt=text_of(payload, "message") if kind == PROMPT else "",
        tool=text_of(payload, "tool_name"),
        input=arguments_of(payload, "tool_input"),
        call_id=text_of(payload, "tool_call_id"),
        error=output if kind == TOOL_FAILED and isinstance(output, str) else "",
        reply=text_of(payload, "last_assistant_message"),
    )


def write_answer(event: Event, answer: Answer) -> Reply:
    """Return the answer in goose's format; its user reads the banner of a start."""
    if event.kind in (BEFORE_TOOL, TURN_END) and answer.verdict == "deny":
        return Reply({"decision": "block", "reason": answer.reason})
    if event.kind == SESSION_START and answer.message:
        return Reply({"banner": answer.message})
    return Reply()


def absent(text: str) -> Sequence[Mapping[str, Any]]:
    """Return the banner of a session's start."""
    return [{"banner": text}]


def base(name: str, folder: str) -> Mapping[str, Any]:
    """Return what every payload has."""
    return {"event": name, "session_id": SESSION, "working_dir": folder}


AGENT = Agent(
    "goose",
    _WIRING,
    Dialect(
        read_event,
        write_answer,
        {
            SESSION_START: ("SessionStart", {}),
            PROMPT: ("UserPromptSubmit", {"message": TYPED}),
            BEFORE_TOOL: ("PreToolUse", {"tool_name": _SHELL, "tool_input": COMMAND}),
            AFTER_TOOL: (
                "PostToolUse",
                {"tool_name": _SHELL, "tool_input": LISTING, "tool_output": OUTPUT},
            ),
            TURN_END: ("Stop", {"last_assistant_message": OUTPUT}),
        },
        base,
    ),
    asks=False,
    absent=absent,
)
