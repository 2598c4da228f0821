"""Events of each agent in the common form, and the answers to them."""

import json
from typing import Any

import pytest

from toolmem.core.agents.event import (
    AFTER_TOOL,
    BEFORE_TOOL,
    COMPACTED,
    OTHER,
    PROMPT,
    SESSION_END,
    SESSION_START,
    SUBAGENT_START,
    TOOL_FAILED,
    TURN_END,
    Answer,
    Event,
    Reply,
)
from toolmem.core.agents.registry import dialect_of, hooked
from toolmem.errors import UsageError

LS = {"command": "ls"}
CLAUDE = {"session_id": "s", "cwd": "/w", "transcript_path": "/t.jsonl"}
CURSOR = {"conversation_id": "s", "workspace_roots": ["/w"]}
COPILOT = {"sessionId": "s", "cwd": "/w"}


def read(agent: str, payload: dict[str, Any], name: str = "") -> Event:
    return dialect_of(agent).read(payload, name)


def said(event: Event) -> dict[str, Any]:
    """Fields of the event other than agent and session."""
    plain = Event(event.agent, event.kind, event.name)
    return {
        key: value
        for key, value in event._asdict().items()
        if value != getattr(plain, key) and key not in ("session", "cwd", "transcript")
    }


@pytest.mark.parametrize(
    ("agent", "name", "kind"),
    [
        *(
            (agent, name, kind)
            for agent in ("claude", "codex")
            for name, kind in (
                ("SessionStart", SESSION_START),
                ("UserPromptSubmit", PROMPT),
                ("PreToolUse", BEFORE_TOOL),
                ("PostToolUse", AFTER_TOOL),
                ("Stop", TURN_END),
                ("SessionEnd", SESSION_END),
                ("PreCompact", OTHER),
                ("", OTHER),
            )
        ),
        ("claude", "PostToolUseFailure", TOOL_FAILED),
        ("gemini", "BeforeAgent", PROMPT),
        ("gemini", "BeforeTool", BEFORE_TOOL),
        ("gemini", "AfterTool", AFTER_TOOL),
        ("gemini", "AfterAgent", TURN_END),
        ("gemini", "PreCompress", OTHER),
        ("claude", "SubagentStart", SUBAGENT_START),
        ("copilot", "PreCompact", COMPACTED),
        ("cursor", "sessionStart", SESSION_START),
        ("cursor", "beforeSubmitPrompt", PROMPT),
        ("cursor", "preToolUse", BEFORE_TOOL),
        ("cursor", "beforeShellExecution", BEFORE_TOOL),
        ("cursor", "postToolUse", AFTER_TOOL),
        ("cursor", "postToolUseFailure", TOOL_FAILED),
        ("cursor", "stop", TURN_END),
        ("cursor", "afterFileEdit", OTHER),
        ("copilot", "PreToolUse", BEFORE_TOOL),
    ],
)
def test_each_event_is_known_by_its_name(agent, name, kind):
    assert read(agent, {**CLAUDE, "hook_event_name": name}).kind == kind


@pytest.mark.parametrize(
    ("agent", "payload", "name", "kind", "told"),
    [
        (
            "claude",
            {**CLAUDE, "hook_event_name": "PreToolUse", "tool_name": "Bash",
             "tool_input": LS, "tool_use_id": "t1"},
            "", BEFORE_TOOL,
            {"tool": "Bash", "input": LS, "call_id": "t1", "takes_context": True},
        ),
        (
            "claude",
            {**CLAUDE, "hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
             "tool_input": LS, "error": "Exit code 2\nno", "duration_ms": 7,
             "is_interrupt": True},
            "", TOOL_FAILED,
            {"tool": "Bash", "input": LS, "error": "Exit code 2\nno", "exit_code": 2,
             "duration_ms": 7, "interrupted": True, "takes_context": True},
        ),
        (
            "claude",
            {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": "hi",
             "agent_id": "a1"},
            "", PROMPT,
            {"prompt": "hi", "typed": False, "takes_context": True, "subagent": "a1"},
        ),
        (
            "codex",
            {**CLAUDE, "hook_event_name": "PostToolUse", "tool_name": "Bash",
             "tool_input": LS, "tool_response": '{"metadata": {"exit_code": 2}}'},
            "", AFTER_TOOL,
            {"tool": "Bash", "input": LS, "unfinished": True, "takes_context": True},
        ),
        (
            "codex",
            {**CLAUDE, "hook_event_name": "PostToolUse", "tool_name": "Bash",
             "tool_input": LS, "tool_response": "Process exited with code 0\nOutput:"},
            "", AFTER_TOOL,
            {"tool": "Bash", "input": LS, "unfinished": True, "takes_context": True},
        ),
        (
            "gemini",
            {**CLAUDE, "hook_event_name": "AfterTool", "tool_name": "run_shell_command",
             "tool_input": LS, "tool_response": {"llmContent": "x\nExit Code: 3"}},
            "", TOOL_FAILED,
            {"tool": "run_shell_command", "input": LS, "exit_code": 3,
             "takes_context": True},
        ),
        (
            "gemini",
            {**CLAUDE, "hook_event_name": "AfterTool", "tool_name": "read_file",
             "tool_input": {}, "tool_response": {"error": {"message": "not there"}}},
            "", TOOL_FAILED,
            {"tool": "read_file", "error": "not there", "takes_context": True},
        ),
        (
            "cursor",
            {**CURSOR, "hook_event_name": "beforeShellExecution", "command": "ls"},
            "", BEFORE_TOOL, {"tool": "Shell", "input": LS},
        ),
        (
            "cursor",
            {**CURSOR, "hook_event_name": "postToolUse", "tool_name": "Shell",
             "tool_input": LS, "tool_output": '{"exitCode": 1}', "duration": 5},
            "", TOOL_FAILED,
            {"tool": "Shell", "input": LS, "exit_code": 1, "duration_ms": 5,
             "takes_context": True},
        ),
        (
            "cursor",
            {**CURSOR, "hook_event_name": "postToolUseFailure", "tool_name": "Shell",
             "tool_input": LS, "failure_type": "permission_denied",
             "error_message": "no"},
            "", TOOL_FAILED,
            {"tool": "Shell", "input": LS, "error": "no", "interrupted": True},
        ),
        (
            "copilot",
            {**COPILOT, "toolName": "bash", "toolArgs": json.dumps(LS)},
            "preToolUse", BEFORE_TOOL,
            {"tool": "bash", "input": LS, "takes_context": True},
        ),
        (
            "copilot", {**COPILOT, "toolName": "bash", "toolArgs": "no JSON"},
            "preToolUse", BEFORE_TOOL,
            {"tool": "bash", "input": {"command": "no JSON"}, "takes_context": True},
        ),
        (
            "copilot",
            {**COPILOT, "toolName": "bash", "toolArgs": LS,
             "toolResult": {"resultType": "failure", "textResultForLlm": "no"}},
            "postToolUse", TOOL_FAILED,
            {"tool": "bash", "input": LS, "error": "no", "takes_context": True},
        ),
        (
            "copilot",
            {**COPILOT, "toolName": "bash", "toolArgs": LS,
             "toolResult": {"resultType": "denied"}},
            "postToolUse", AFTER_TOOL,
            {"tool": "bash", "input": LS, "error": "denied", "interrupted": True,
             "takes_context": True},
        ),
        (
            "copilot",
            {**COPILOT, "toolName": "bash", "toolArgs": LS, "timestamp": 1700000000123,
             "toolResult": {"resultType": "success", "textResultForLlm":
                            "no\n<shellId: 0 completed with exit code 2>"}},
            "postToolUse", TOOL_FAILED,
            {"tool": "bash", "input": LS, "exit_code": 2, "takes_context": True,
             "error": "no\n<shellId: 0 completed with exit code 2>",
             "stamp": "1700000000123"},
        ),
        (
            "copilot",
            {"hook_event_name": "PostToolUse", "session_id": "s", "cwd": "/w",
             "timestamp": "2023-11-14T22:13:20.123Z", "tool_name": "Bash",
             "tool_input": LS, "tool_result": {"result_type": "success",
             "text_result_for_llm": "x\n<shellId: 12 completed with exit code 0>"}},
            "", AFTER_TOOL,
            {"tool": "Bash", "input": LS, "exit_code": 0, "takes_context": True,
             "stamp": "1700000000123"},
        ),
        (
            "copilot",
            {**COPILOT, "prompt": "hi", "timestamp": 5}, "userPromptSubmitted", PROMPT,
            {"prompt": "hi", "takes_context": True, "delivers": True, "stamp": "5"},
        ),
        (
            "gemini",
            {**CLAUDE, "hook_event_name": "BeforeAgent",
             "prompt": "<hook_context>a</hook_context>\n\n<hook_context>b"
                       "</hook_context>\n\nnever use npm"},
            "", PROMPT,
            {"prompt": "never use npm", "takes_context": True, "delivers": True,
             "replaced": '{"$set":{"messages":'},
        ),
        (
            "opencode",
            {"event": "prompt", "session": "s", "typed": True, "cwd": "/w", "run": True,
             "prompt": '"say \\"no\\" to npm"'},
            "", PROMPT, {"prompt": 'say "no" to npm', "takes_context": True},
        ),
        (
            "opencode",
            {"event": "prompt", "session": "s", "typed": True, "cwd": "/w", "run": True,
             "prompt": '"never" use "npm"'},
            "", PROMPT, {"prompt": '"never" use "npm"', "takes_context": True},
        ),
        (
            "opencode",
            {"event": "prompt", "session": "s", "typed": True, "cwd": "/w",
             "prompt": '"a quotation"'},
            "", PROMPT, {"prompt": '"a quotation"', "takes_context": True},
        ),
        (
            "opencode",
            {"event": "after_tool", "session": "s", "cwd": "/w", "tool": "bash",
             "args": LS, "exit": 1, "error": "no", "call": "c"},
            "", TOOL_FAILED,
            {"tool": "bash", "input": LS, "exit_code": 1, "error": "no",
             "call_id": "c", "takes_context": True},
        ),
    ],
)  # fmt: skip
def test_a_payload_is_read_into_common_words(agent, payload, name, kind, told):
    event = read(agent, payload, name)
    assert (event.agent, event.session, event.cwd) == (agent, "s", "/w")
    assert (event.kind, said(event)) == (kind, told)


@pytest.mark.parametrize(
    ("tool", "text", "code"),
    [
        ("run_shell_command", "Output: x\nExit Code: 2\nProcess Group PGID: 7", 2),
        ("run_shell_command", "Output: x\nExit Code: 2\nSignal: 9", 2),
        (
            "run_shell_command",
            "<untrusted_context>\nOutput: x\nExit Code: 2\n"
            "Process Group PGID: 7\n</untrusted_context>",
            2,
        ),
        (
            "run_shell_command",
            "<untrusted_context>\nOutput: x\nExit Code: 3\n"
            "</untrusted_context>\nProcess Group PGID: 7\n</untrusted_context>",
            None,
        ),
        ("run_shell_command", "Output: Exit Code: 3\nbye\nProcess Group PGID: 7", None),
        ("run_shell_command", "Output: a\nExit Code: 3\nb", None),
        ("run_shell_command", 'Output: {"exit_code": 3}', None),
        ("replace", "Exit Code: 4", None),
        ("read_file", "x\nExit Code: 4", None),
    ],
)
def test_gemini_is_believed_and_not_what_a_command_prints(tool, text, code):
    call = {"tool_name": tool, "tool_response": {"llmContent": text}}
    event = read("gemini", {**CLAUDE, "hook_event_name": "AfterTool", **call})
    assert event.exit_code == code
    assert event.kind == (AFTER_TOOL if code is None else TOOL_FAILED)
    assert event.kind == (TOOL_FAILED if code else AFTER_TOOL)


@pytest.mark.parametrize("agent", hooked())
@pytest.mark.parametrize("value", [None, 1, True, "x", [], {}, ["x"], {"a": {"b": 1}}])
def test_values_of_any_type_are_read(agent, value):
    keys = (
        "hook_event_name session_id cwd tool_name tool_input tool_response error prompt"
        " duration_ms is_interrupt conversation_id workspace_roots tool_output duration"
        " sessionId toolName toolArgs toolResult event session tool args exit source"
    ).split()
    for name in ("", "preToolUse", "postToolUse"):
        payload = dict.fromkeys(keys, value)
        event = read(agent, payload, name)
        dialect_of(agent).write(event, Answer("c", "deny", "r", "m"))


FULL = Answer(context="for the model", message="for the user")
DENY = Answer(verdict="deny", reason="never")
ASK = Answer(verdict="ask", reason="never")


def special(name: str, **more: str) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": name, **more}}


@pytest.mark.parametrize(
    ("agent", "name", "answer", "document"),
    [
        ("claude", "SessionStart", FULL,
         {**special("SessionStart", additionalContext="for the model"),
          "systemMessage": "for the user"}),
        ("claude", "PreToolUse", ASK,
         special("PreToolUse", permissionDecision="ask",
                 permissionDecisionReason="never")),
        ("claude", "PostToolUse", FULL,
         special("PostToolUse", additionalContext="for the model")),
        ("claude", "Stop", FULL, {"systemMessage": "for the user"}),
        ("claude", "SessionEnd", FULL, None),
        ("codex", "PreToolUse", DENY,
         special("PreToolUse", permissionDecision="deny",
                 permissionDecisionReason="never")),
        ("codex", "Stop", FULL, {"systemMessage": "for the user"}),
        ("gemini", "BeforeTool", DENY, {"decision": "deny", "reason": "never"}),
        ("gemini", "BeforeTool", FULL, None),
        ("gemini", "AfterTool", FULL,
         {"hookSpecificOutput": {"additionalContext": "for the model"}}),
        ("cursor", "preToolUse", DENY,
         {"permission": "deny", "user_message": "never", "agent_message": "never"}),
        ("cursor", "beforeShellExecution", ASK,
         {"permission": "ask", "user_message": "never", "agent_message": "never"}),
        ("cursor", "beforeSubmitPrompt", FULL,
         {"continue": True, "user_message": "for the user"}),
        ("cursor", "postToolUseFailure", FULL, None),
        ("cursor", "stop", FULL, None),
        ("copilot", "PreToolUse", ASK,
         special("PreToolUse", permissionDecision="ask",
                 permissionDecisionReason="never")),
    ],
)  # fmt: skip
def test_an_answer_is_written_in_the_agent_s_own_words(agent, name, answer, document):
    event = read(agent, {"hook_event_name": name, "tool_name": "Write"})
    assert dialect_of(agent).write(event, answer) == Reply(document)


@pytest.mark.parametrize("agent", hooked())
def test_nothing_to_say_prints_nothing(agent):
    for name in ("SessionStart", "preToolUse", "BeforeTool", "before_tool", "stop"):
        event = read(agent, {"hook_event_name": name, "event": name}, name)
        assert dialect_of(agent).write(event, Answer()) == Reply()


@pytest.mark.parametrize(
    ("name", "response", "kind"),
    [
        ("PostToolUse", "Output: a\nExit Code: 3\n", TOOL_FAILED),
        ("PostToolUse", [{"text": "Output: a"}], AFTER_TOOL),
        ("PostToolUseFailure", "", TOOL_FAILED),
    ],
)
def test_qwen_sends_claudes_events_with_geminis_results(name, response, kind):
    call = {"tool_name": "run_shell_command", "tool_input": {"command": "make"}}
    event = read(
        "qwen",
        {
            **CLAUDE,
            **call,
            "hook_event_name": name,
            "timestamp": "2026-01-01T00:00:00Z",
            "tool_response": {"llmContent": response},
        },
    )
    assert (event.agent, event.kind, event.tool) == ("qwen", kind, call["tool_name"])
    assert dialect_of("qwen").write(event, FULL) == Reply(
        special(name, additionalContext="for the model")
    )


@pytest.mark.parametrize("name", ["SessionStart", "PreToolUse", "Stop"])
def test_qwen_is_given_no_text_that_it_would_drop(name):
    event = read("qwen", {**CLAUDE, "hook_event_name": name})
    assert dialect_of("qwen").write(event, FULL) == Reply()


@pytest.mark.parametrize("agent", ["codex", "gemini", "cursor", "opencode", "qwen"])
def test_where_an_agent_cannot_ask_it_is_denied_with_the_way_to_allow_it(agent):
    names = {"codex": "PreToolUse", "gemini": "BeforeTool", "cursor": "preToolUse"}
    names |= {"qwen": "PreToolUse"}
    name = names.get(agent, "before_tool")
    event = read(agent, {"hook_event_name": name, "event": name})
    text = json.dumps(dialect_of(agent).write(event, ASK).stdout)
    assert '"deny"' in text
    assert '"ask"' not in text
    assert "never" in text
    assert "cannot ask here: ask the user to" in text


@pytest.mark.parametrize(
    "text",
    [
        "Exit code: 2\nWall time: 1\nOutput:\nok",
        '{"output": "ok", "metadata": {"exit_code": 3}}',
        '{"exit_code": 3}',
        "Wall time: 10\nProcess running with session ID 7\nOutput:\n",
        "",
    ],
)
def test_how_a_command_of_codex_ended_is_not_read_from_its_output(text):
    call = {"tool_name": "Bash", "tool_input": LS, "tool_response": text}
    event = read("codex", {**CLAUDE, "hook_event_name": "PostToolUse", **call})
    assert (event.kind, event.exit_code) == (AFTER_TOOL, None)
    assert event.unfinished
    patch = {**call, "tool_name": "apply_patch"}
    event = read("codex", {**CLAUDE, "hook_event_name": "PostToolUse", **patch})
    assert not event.unfinished


@pytest.mark.parametrize(
    ("response", "unfinished", "interrupted"),
    [
        ({"stdout": "x"}, False, False),
        ({"backgroundTaskId": "b1"}, True, False),
        ({"timedOutAfterMs": 1000}, True, False),
        ({"interrupted": True}, False, True),
        ("a text", False, False),
    ],
)
def test_a_command_left_running_has_not_passed(response, unfinished, interrupted):
    call = {"tool_name": "Bash", "tool_input": LS, "tool_response": response}
    event = read("claude", {**CLAUDE, "hook_event_name": "PostToolUse", **call})
    assert (event.unfinished, event.interrupted) == (unfinished, interrupted)


@pytest.mark.parametrize(
    "content",
    [
        "Output: x\nExit Code: 2",
        {"text": "Output: x\nExit Code: 2"},
        [{"text": "Output: x"}, {"text": "Exit Code: 2"}, {"inlineData": {}}],
        ["Output: x\nExit Code: 2", [["deep"]]],
    ],
)
def test_the_parts_of_a_result_are_read_for_its_exit_code(content):
    response = {"llmContent": content, "returnDisplay": "x"}
    call = {"tool_name": "run_shell_command", "tool_response": response}
    event = read("gemini", {**CLAUDE, "hook_event_name": "AfterTool", **call})
    assert (event.kind, event.exit_code) == (TOOL_FAILED, 2)


def test_copilot_takes_context_after_a_failure_on_standard_error():
    event = read("copilot", {**COPILOT, "error": "boom"}, "postToolUseFailure")
    assert dialect_of("copilot").write(event, FULL) == Reply(None, "for the model", 2)
    assert dialect_of("copilot").write(event, Answer()) == Reply()


@pytest.mark.parametrize(
    ("payload", "name"),
    [
        (COPILOT, "sessionStart"),
        (COPILOT, "userPromptSubmitted"),
        (COPILOT, "agentStop"),
        ({**COPILOT, "hook_event_name": "UserPromptSubmit"}, "UserPromptSubmit"),
    ],
)
def test_copilot_shows_its_user_each_line_as_progress(payload, name):
    answer = Answer("for the model", message="line 1\nline 2")
    reply = dialect_of("copilot").write(read("copilot", payload, name), answer)
    assert reply.progress == (
        {"type": "progress", "message": "line 1"},
        {"type": "progress", "message": "line 2"},
    )
    assert "line" not in str(reply.stdout)
    assert reply.exit_code == 0


def test_an_unknown_agent_is_named_with_the_nearest_known():
    with pytest.raises(UsageError, match="no agent 'cluade'; did you mean 'claude'"):
        dialect_of("cluade")
