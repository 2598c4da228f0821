"""Gemini CLI's hooks: its own event names, JSON only, denial by ``decision``."""

from collections.abc import Mapping, Sequence
from typing import Any

from toolmem.core.agents.agent import Agent, Dialect, Samples, Switch, UserFiles
from toolmem.core.agents.claude_form import named_base
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
    table_of,
    text_of,
)
from toolmem.core.agents.gemini import transcript
from toolmem.core.agents.samples import COMMAND, LISTING, OUTPUT, TYPED
from toolmem.core.agents.wiring import SECONDS, McpEntry, TextFile, Wiring

_KINDS = {
    "SessionStart": SESSION_START,
    "BeforeAgent": PROMPT,
    "BeforeTool": BEFORE_TOOL,
    "AfterTool": AFTER_TOOL,
    "AfterAgent": TURN_END,
    "SessionEnd": SESSION_END,
}
_SETTINGS = ".gemini/settings.json"
_WIRING = Wiring(
    "gemini",
    _SETTINGS,
    _SETTINGS,
    tuple(_KINDS),
    handler={"name": "toolmem", "timeout": SECONDS * 1000},  # milliseconds
    matchers={"BeforeTool": ".*", "AfterTool": ".*"},
    mcp=McpEntry(_SETTINGS, _SETTINGS),
    programs=("gemini",),
)
_SAMPLES: Samples = {
    SESSION_START: ("SessionStart", {"source": "startup"}),
    PROMPT: ("BeforeAgent", {"prompt": TYPED}),
    BEFORE_TOOL: (
        "BeforeTool",
        {"tool_name": "run_shell_command", "tool_input": COMMAND},
    ),
    AFTER_TOOL: (
        "AfterTool",
        {
            "tool_name": "run_shell_command",
            "tool_input": LISTING,
            "tool_response": {"llmContent": OUTPUT, "returnDisplay": OUTPUT},
        },
    ),
    TURN_END: ("AfterAgent", {"prompt": TYPED, "prompt_response": OUTPUT}),
}
# Without a terminal, context of SessionStart is put into the user's own message, which
# a resumed session then lacks.
_CONTEXT = frozenset({"BeforeAgent", "AfterTool"})
_MESSAGE = frozenset({"SessionStart", "BeforeAgent", "AfterAgent"})
# PreCompress comes before every request, whether or not anything is compressed.
# The transcript of 0.61.0 has the whole conversation again after a compaction, and
# after a resume.
_REPLACED = '{"$set":{"messages":'
_HOOKS_OPEN, _HOOKS_CLOSE = "<hook_context>", "</hook_context>"


def read_event(payload: Mapping[str, Any], _name: str = "") -> Event:
    """Read an event of Gemini CLI; a failed tool is recognised by its result."""
    name = text_of(payload, "hook_event_name")
    kind = _KINDS.get(name, OTHER)
    response = table_of(payload, "tool_response")
    error = _error(response)
    tool = text_of(payload, "tool_name")
    exit_code = transcript.shell_exit_code(tool, text_in(response.get("llmContent")))
    if kind == AFTER_TOOL and (error or exit_code):
        kind = TOOL_FAILED
    return Event(
        agent="gemini",
        kind=kind,
        name=name,
        session=text_of(payload, "session_id"),
        cwd=text_of(payload, "cwd"),
        source=text_of(payload, "source"),
        prompt=_typed(text_of(payload, "prompt")),
        tool=tool,
        input=arguments_of(payload, "tool_input"),
        exit_code=exit_code,
        error=error,
        transcript=text_of(payload, "transcript_path"),
        takes_context=name in _CONTEXT,
        reply=text_of(payload, "prompt_response"),
        delivers=kind == PROMPT,
        replaced=_REPLACED if kind == PROMPT else "",
        continued=payload.get("stop_hook_active") is True,
    )


def _typed(prompt: str) -> str:
    """Return the prompt without the context that other hooks put before it."""
    if not prompt.startswith(_HOOKS_OPEN):
        return prompt
    return prompt.rpartition(_HOOKS_CLOSE)[2].lstrip()


def text_in(value: Any) -> str:
    """Return a text, or the joined texts of a part or of a list of them."""
    if isinstance(value, Mapping):
        return text_of(value, "text")
    if isinstance(value, list):
        return "\n".join(text_in(part) for part in value if not isinstance(part, list))
    return value if isinstance(value, str) else ""


def _error(response: Mapping[str, Any]) -> str:
    error = response.get("error")
    if isinstance(error, Mapping):
        return text_of(error, "message") or "error"
    return text_in(error)


def write_answer(event: Event, answer: Answer) -> Reply:
    """Return the answer in Gemini CLI's format."""
    document: dict[str, Any] = {}
    if event.kind in (BEFORE_TOOL, TURN_END) and answer.verdict == "deny":
        document = {"decision": "deny", "reason": answer.reason}
    elif answer.context and event.name in _CONTEXT:
        document = {"hookSpecificOutput": {"additionalContext": answer.context}}
    if answer.message and event.name in _MESSAGE:
        document["systemMessage"] = answer.message
    return Reply(document or None)


def absent(text: str) -> Sequence[Mapping[str, Any]]:
    """Return the answer of a session's start for the user."""
    return [{"systemMessage": text}]


def untrusted(files: UserFiles) -> bool:
    """Return whether the user does not trust the folder."""
    kinds = files.read("trustedFolders.json")
    trusting = ("TRUST_FOLDER", "TRUST_PARENT")
    return not files.covers(name for name, kind in kinds.items() if kind in trusting)


def asks_for_trust(files: UserFiles) -> bool | None:
    """Return the user's setting, None if there is none."""
    security = table_of(files.read("settings.json"), "security")
    enabled = table_of(security, "folderTrust").get("enabled")
    return enabled if isinstance(enabled, bool) else None


def missing_step(place: str, files: UserFiles) -> str:
    """Return how to trust the folder, unless the user did."""
    if place == "user" or asks_for_trust(files) is False or not untrusted(files):
        return ""
    return "start gemini in this folder and trust it (--skip-trust runs no hooks)"


AGENT = Agent(
    "Gemini CLI",
    _WIRING,
    Dialect(read_event, write_answer, _SAMPLES, named_base),
    tools=(
        *("run_shell_command", "write_file", "replace", "read_file", "glob"),
        *("grep_search", "list_directory", "google_web_search", "web_fetch"),
        *("save_memory",),
    ),
    lost_after=("SessionStart clear",),
    asks=False,
    absent=absent,
    powershell=True,
    switches=(
        Switch(
            ("hooksConfig", "enabled"),
            False,
            "set hooksConfig.enabled to true",
            (TextFile(_SETTINGS, _SETTINGS),),
        ),
        *(
            Switch(
                ("hooksConfig", "disabled"),
                "toolmem",
                'remove "toolmem" from hooksConfig.disabled',
                (TextFile(*places),),
            )
            for places in ((_SETTINGS, ""), ("", _SETTINGS))
        ),
    ),
    missing_step=missing_step,
)
