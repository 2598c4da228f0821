"""Agents whose events have a form of their own: droid, Cline and goose."""

from typing import Any

import pytest

from toolmem.core.agents.event import (
    AFTER_TOOL,
    BEFORE_TOOL,
    PROMPT,
    SESSION_START,
    TOOL_FAILED,
    TURN_END,
    Answer,
    Event,
    Reply,
)
from toolmem.core.agents.registry import dialect_of

DENY = Answer(verdict="deny", reason="never")
CLINE = {
    "taskId": "t",
    "sessionContext": {"rootSessionId": "s"},
    "workspaceRoots": ["/w"],
}


def read(agent: str, **payload: Any) -> Event:
    return dialect_of(agent).read(payload, "")


def cline(name: str, **more: Any) -> Event:
    return read("cline", **CLINE, hookName=name, **more)


def test_droid_says_in_the_text_how_a_command_ended():
    text = "a\n\n\n[Process exited with code 3]"
    call = {"tool_name": "Execute", "tool_input": {"command": "ls"}}
    event = read("droid", hook_event_name="PostToolUse", tool_response=text, **call)
    assert (event.kind, event.exit_code) == (AFTER_TOOL, 3)
    quoted = f"{text}\nof an earlier run"
    event = read("droid", hook_event_name="PostToolUse", tool_response=quoted, **call)
    assert event.exit_code is None


def test_droid_is_given_no_context_before_a_call():
    event = read("droid", hook_event_name="PreToolUse", tool_name="Execute")
    assert (event.kind, event.takes_context, event.silent_end) == (
        BEFORE_TOOL,
        False,
        True,
    )
    assert dialect_of("droid").write(event, Answer("context")) == Reply()
    asked = dialect_of("droid").write(event, Answer(verdict="ask", reason="why"))
    assert asked.stdout is not None
    assert asked.stdout["hookSpecificOutput"]["permissionDecision"] == "deny"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("agent_start", SESSION_START),
        ("prompt_submit", PROMPT),
        ("tool_call", BEFORE_TOOL),
        ("agent_end", TURN_END),
    ],
)
def test_cline_names_its_events_in_the_payload(name, kind):
    event = cline(name)
    assert (event.kind, event.session, event.cwd, event.typed) == (
        kind,
        "s",
        "/w",
        True,
    )


def test_several_commands_of_cline_are_lines_and_fail_as_one():
    call = {"id": "c", "name": "run_commands", "input": {"commands": ["ls", "false"]}}
    failed = {"error": "Command exited with code 1", "result": "out", "success": False}
    result = {**call, "output": [{"success": True, "result": "a"}, failed]}
    event = cline("tool_result", tool_result=result)
    assert (event.kind, event.exit_code, event.call_id) == (TOOL_FAILED, 1, "c")
    assert event.input == {"command": "ls\nfalse"}
    assert event.error == "Command exited with code 1\nout"


@pytest.mark.parametrize(
    ("given", "read_as"),
    [
        ({"new_text": "b"}, {"content": "b", "old_string": ""}),
        (
            {"old_text": "a", "new_text": "b"},
            {"old_string": "a", "new_string": "b"},
        ),
    ],
)
def test_an_edit_of_cline_has_the_names_of_others(given, read_as):
    call = {"name": "editor", "input": {"path": "/w/a", **given}}
    assert cline("tool_call", tool_call=call).input == {"path": "/w/a", **read_as}


def test_the_agent_above_a_sub_agent_of_cline_types_its_prompt():
    event = cline("prompt_submit", agent_id="b", parent_agent_id="a")
    assert (event.typed, event.subagent) == (False, "b")


def test_cline_is_told_in_its_own_keys():
    write = dialect_of("cline").write
    before, after = cline("tool_call"), cline("tool_result")
    assert write(before, DENY) == Reply({"cancel": True, "errorMessage": "never"})
    assert write(after, Answer("block")) == Reply(
        {"cancel": False, "contextModification": "block"}
    )


def test_a_message_of_qwen_may_be_the_first_of_a_resumed_session():
    assert read("qwen", hook_event_name="UserPromptSubmit", prompt="go on").may_resume
    assert not read("claude", hook_event_name="UserPromptSubmit").may_resume


def test_goose_can_deny_and_show_a_banner():
    write = dialect_of("goose").write
    call = {"tool_name": "developer__shell", "tool_input": {"command": "ls"}}
    event = read("goose", event="PreToolUse", session_id="s", working_dir="/w", **call)
    assert (event.kind, event.session, event.cwd) == (BEFORE_TOOL, "s", "/w")
    assert write(event, DENY) == Reply({"decision": "block", "reason": "never"})
    start = read("goose", event="SessionStart")
    assert write(start, Answer("model", message="user")) == Reply({"banner": "user"})
