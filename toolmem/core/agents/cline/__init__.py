"""Cline: a folder of programs named by event, and answers with keys like no other's.

Measured with version 3.0.65: TaskStart, TaskComplete and UserPromptSubmit are sent
without waiting for an answer, and a denied call ends the run. Context comes after the
results of a call, from PreToolUse and PostToolUse.
"""

import re
from collections.abc import Mapping
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
    number_of,
    table_of,
    text_of,
)
from toolmem.core.agents.samples import PROGRAM, SESSION, TYPED
from toolmem.core.agents.wiring import Wiring

_EVENTS = {
    "TaskStart": ("agent_start", SESSION_START),
    "TaskResume": ("agent_resume", SESSION_START),
    "UserPromptSubmit": ("prompt_submit", PROMPT),
    "PreToolUse": ("tool_call", BEFORE_TOOL),
    "PostToolUse": ("tool_result", AFTER_TOOL),
    "TaskComplete": ("agent_end", TURN_END),
    "SessionShutdown": ("session_shutdown", SESSION_END),
}
_KINDS = dict(_EVENTS.values()) | {name: kind for name, (_, kind) in _EVENTS.items()}
_WIRING = Wiring(
    "cline",
    ".clinerules/hooks",
    ".cline/hooks",
    tuple(_EVENTS),
    shape="scripts",
    programs=("cline",),
)
_SHELL, _EDITOR = "run_commands", "editor"
_EXIT_CODE = re.compile(r"Command exited with code (-?\d{1,9})")
_SOURCES = {"agent_start": "startup", "agent_resume": "resume"}
_ERROR_CHARS = 4096


def read_event(payload: Mapping[str, Any], _name: str = "") -> Event:
    """Read an event of Cline; a call has failed if one of its commands has."""
    name = text_of(payload, "hookName")
    kind = _KINDS.get(name, OTHER)
    call = table_of(payload, "tool_call", "tool_result")
    context = table_of(payload, "sessionContext")
    parent = text_of(payload, "parent_agent_id")
    error = _error(call) if kind == AFTER_TOOL else ""
    code = _EXIT_CODE.search(error)
    roots = payload.get("workspaceRoots")
    folder = roots[0] if isinstance(roots, list) and roots else ""
    return Event(
        agent="cline",
        kind=TOOL_FAILED if error else kind,
        name=name,
        session=text_of(context, "rootSessionId") or text_of(payload, "taskId"),
        cwd=folder if isinstance(folder, str) else "",
        source=_SOURCES.get(name, ""),
        prompt=text_of(table_of(payload, "userPromptSubmit"), "prompt"),
        typed=not parent,
        tool=text_of(call, "name"),
        input=_arguments(call),
        call_id=text_of(call, "id"),
        exit_code=int(code[1]) if code else None,
        error=error,
        duration_ms=number_of(call, "durationMs"),
        takes_context=kind in (BEFORE_TOOL, AFTER_TOOL),
        subagent=text_of(payload, "agent_id") if parent else "",
        delivers=kind == AFTER_TOOL,
    )


def _arguments(call: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments of a call, with the names that other agents use."""
    given = dict(arguments_of(call, "input"))
    commands = given.get("commands")
    if call.get("name") == _SHELL and isinstance(commands, list):
        given["command"] = "\n".join(filter(_is_text, commands))
        del given["commands"]
    if call.get("name") == _EDITOR and "new_text" in given:
        is_edit = bool(given.get("old_text")) or bool(given.get("insert_line"))
        given["new_string" if is_edit else "content"] = given.pop("new_text")
        given["old_string"] = given.pop("old_text", None) or ""
    return given


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _error(result: Mapping[str, Any]) -> str:
    """Return how a call failed; empty if it did not."""
    output = result.get("output")
    parts = output if isinstance(output, list) else [output]
    failed = [part for part in parts if isinstance(part, Mapping) and part.get("error")]
    texts = [text_of(result, "error"), *(text_of(part, "error") for part in failed)]
    texts += [text_of(part, "result") for part in failed]
    return "\n".join(filter(None, texts))[:_ERROR_CHARS]


def write_answer(event: Event, answer: Answer) -> Reply:
    """Return the answer in Cline's format."""
    if event.kind == BEFORE_TOOL and answer.verdict == "deny":
        return Reply({"cancel": True, "errorMessage": answer.reason})
    if answer.context and event.takes_context:
        return Reply({"cancel": False, "contextModification": answer.context})
    return Reply()


def base(name: str, folder: str) -> Mapping[str, Any]:
    """Return what every payload has."""
    hook = _EVENTS[name][0]
    session = {"taskId": SESSION, "sessionContext": {"rootSessionId": SESSION}}
    return {**session, "workspaceRoots": [folder], "hookName": hook}


def _call(command: str) -> Mapping[str, Any]:
    return {"id": "call-1", "name": _SHELL, "input": {"commands": [command]}}


AGENT = Agent(
    "Cline",
    _WIRING,
    Dialect(
        read_event,
        write_answer,
        {
            SESSION_START: ("TaskStart", {"taskStart": {"taskMetadata": {}}}),
            PROMPT: ("UserPromptSubmit", {"userPromptSubmit": {"prompt": TYPED}}),
            BEFORE_TOOL: ("PreToolUse", {"tool_call": _call(f"{PROGRAM} --now")}),
            AFTER_TOOL: (
                "PostToolUse",
                {"tool_result": {**_call("ls"), "output": [{"success": True}]}},
            ),
            TURN_END: ("TaskComplete", {"taskComplete": {"taskMetadata": {}}}),
        },
        base,
    ),
    tools=(
        *("run_commands", "editor", "read_files", "search_codebase"),
        *("fetch_web_content", "ask_question", "spawn_agent"),
    ),
    asks=False,
)
