"""GitHub Copilot's hooks: camelCase events without their own names."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from toolmem.core.agents.agent import Agent, Dialect, Samples, Switch, UserFiles
from toolmem.core.agents.claude_form import read_like_claude, write_like_claude
from toolmem.core.agents.event import (
    AFTER_TOOL,
    BEFORE_TOOL,
    COMPACTED,
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
from toolmem.core.agents.samples import COMMAND, LISTING, OUTPUT, SESSION, TYPED
from toolmem.core.agents.wiring import SECONDS, McpEntry, TextFile, Wiring

_KINDS = {
    "sessionStart": SESSION_START,
    "userPromptSubmitted": PROMPT,
    "preToolUse": BEFORE_TOOL,
    "postToolUse": AFTER_TOOL,
    "postToolUseFailure": TOOL_FAILED,
    "preCompact": COMPACTED,
    "agentStop": TURN_END,
    "sessionEnd": SESSION_END,
}
_WIRING = Wiring(
    "copilot",
    ".github/hooks/toolmem.json",
    ".copilot/hooks/toolmem.json",
    tuple(_KINDS),
    shape="shells",
    handler={"timeoutSec": SECONDS},
    base={"version": 1},
    moved=("COPILOT_HOME", ".copilot/"),
    twice=False,  # the second call for an event does nothing
    mcp=McpEntry(
        ".github/mcp.json",
        ".copilot/mcp-config.json",
        item={"type": "local", "tools": ["*"]},
        moved=("COPILOT_HOME", ".copilot/"),
    ),
    programs=("copilot",),
)
# Context of the start of a session is lost at its compaction.
_CONTEXT = frozenset(
    {"userPromptSubmitted", "preToolUse", "postToolUse", "postToolUseFailure"}
)
_MESSAGE = frozenset({SESSION_START, PROMPT, TURN_END})
_FAILED = ("failure", "error", "denied", "rejected")
SHELL_ENDED = re.compile(
    r"<(?:shellId: \S{1,40} completed|exited) with exit code (-?\d{1,9})>\s*\Z"
)
_NOT_DONE = ("aborted", "cancelled", "error", "user_abort")
"""Ends of a turn that the agent did not choose."""
_LOOKED_AT, _ERROR_CHARS = 200, 4096


def read_event(payload: Mapping[str, Any], name: str = "") -> Event:
    """Read an event of Copilot; ``name`` is the key it is configured under.

    With names in PascalCase, and for hooks in the settings of Claude Code, Copilot
    sends Claude Code's shape.
    """
    if "hook_event_name" in payload:
        return _like_claude(payload)
    kind = _KINDS.get(name, OTHER)
    event = Event(
        agent="copilot",
        kind=kind,
        name=name,
        session=text_of(payload, "sessionId"),
        cwd=text_of(payload, "cwd"),
        source=text_of(payload, "source"),
        prompt=text_of(payload, "prompt", "initialPrompt"),
        tool=text_of(payload, "toolName"),
        input=arguments_of(payload, "toolArgs"),
        error=text_of(payload, "error"),
        transcript=text_of(payload, "transcriptPath"),
        takes_context=name in _CONTEXT,
        delivers=kind == PROMPT,
        stamp=_stamp(payload),
        continued=payload.get("stopHookActive") is True,
        busy=kind == TURN_END and text_of(payload, "stopReason") in _NOT_DONE,
    )
    result = table_of(payload, "toolResult")
    outcome = text_of(result, "resultType").lower()
    return _with_result(event, outcome, text_of(result, "textResultForLlm"))


def _like_claude(payload: Mapping[str, Any]) -> Event:
    event = read_like_claude(payload, "copilot")
    delivers = event.kind == PROMPT
    takes = event.takes_context and event.kind != SESSION_START
    event = event._replace(delivers=delivers, takes_context=takes)
    event = event._replace(stamp=_stamp(payload))
    if event.name == "PreCompact":
        event = event._replace(kind=COMPACTED)
    result = table_of(payload, "tool_result")
    outcome = text_of(result, "result_type").lower()
    return _with_result(event, outcome, text_of(result, "text_result_for_llm"))


def _with_result(event: Event, outcome: str, text: str) -> Event:
    """Return the event with the outcome of its call; a shell's exit code is in its
    text.
    """
    if outcome in _FAILED:
        event = event._replace(error=event.error or text or outcome)
    if event.kind != AFTER_TOOL:
        return event
    ended = SHELL_ENDED.search(text[-_LOOKED_AT:])
    code = int(ended[1]) if ended else None
    event = event._replace(
        exit_code=code, interrupted=outcome in ("denied", "rejected")
    )
    if code:
        return event._replace(kind=TOOL_FAILED, error=text[:_ERROR_CHARS])
    return event._replace(kind=TOOL_FAILED) if outcome == "failure" else event


def _stamp(payload: Mapping[str, Any]) -> str:
    """Time of an event in milliseconds; both forms of an event have it."""
    number = number_of(payload, "timestamp")
    if number is not None:
        return str(number)
    try:
        moment = datetime.fromisoformat(text_of(payload, "timestamp"))
        return str(round(moment.timestamp() * 1000))
    except (ValueError, OverflowError):
        return ""


def write_answer(event: Event, answer: Answer) -> Reply:
    """Return the answer for Copilot, which shows its user only progress."""
    lines = answer.message.splitlines() if event.kind in _MESSAGE else ()
    shown = tuple({"type": "progress", "message": line} for line in lines)
    return _answer(event, answer)._replace(progress=shown)


def _answer(event: Event, answer: Answer) -> Reply:
    """Return the answer itself; before a tool any exit code but 0 denies."""
    if event.name[:1].isupper():
        return write_like_claude(event, answer._replace(message=""))
    if event.kind == BEFORE_TOOL and answer.verdict:
        return Reply(
            {
                "permissionDecision": answer.verdict,
                "permissionDecisionReason": answer.reason,
            }
        )
    if event.kind == TURN_END and answer.verdict == "deny":
        return Reply({"decision": "block", "reason": answer.reason})
    if event.name == "postToolUseFailure" and answer.context:
        # Only for this event code 2 is not a failure: the text goes to the model.
        return Reply(None, answer.context, 2)
    if answer.context and event.name in _CONTEXT:
        return Reply({"additionalContext": answer.context})
    return Reply()


def missing_step(place: str, files: UserFiles) -> str:
    """Return how to trust the folder, unless the user did."""
    config = files.read("config.json")
    # Copilot 1.0.102 writes the first name, and reads the second as well.
    lists = (config.get(key) for key in ("trustedFolders", "trusted_folders"))
    trusted = any(
        files.covers(folders) for folders in lists if isinstance(folders, list)
    )
    if place == "user" or trusted:
        return ""
    return "start copilot in this folder and trust it"


def absent(text: str) -> Sequence[Mapping[str, Any]]:
    """Return the lines of a session's start, for the user and for the model."""
    return [{"type": "progress", "message": text}, {"additionalContext": text}]


def base(_name: str, folder: str) -> Mapping[str, Any]:
    """Return what every payload has."""
    return {"sessionId": SESSION, "cwd": folder}


_SAMPLES: Samples = {
    SESSION_START: ("sessionStart", {"source": "new"}),
    PROMPT: ("userPromptSubmitted", {"prompt": TYPED}),
    BEFORE_TOOL: ("preToolUse", {"toolName": "bash", "toolArgs": COMMAND}),
    AFTER_TOOL: (
        "postToolUse",
        {
            "toolName": "bash",
            "toolArgs": LISTING,
            "toolResult": {"resultType": "success", "textResultForLlm": OUTPUT},
        },
    ),
    TURN_END: ("agentStop", {"stopReason": "end_turn"}),
}
AGENT = Agent(
    "Copilot",
    _WIRING,
    Dialect(read_event, write_answer, _SAMPLES, base),
    tools=("bash", "create", "edit", "view", "grep", "glob", "web_fetch"),
    lost_after=("preCompact", "PreCompact"),
    absent=absent,
    names_event=True,
    switches=(
        Switch(
            ("disableAllHooks",),
            True,
            "remove disableAllHooks",
            # The user's own settings have no such switch (1.0.102).
            tuple(
                TextFile(f"{folder}/{name}", "")
                for folder in (".github/copilot", ".claude")
                for name in ("settings.local.json", "settings.json")
            ),
        ),
    ),
    missing_step=missing_step,
)
