"""Cursor, Copilot and OpenCode."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from tests.core.transcript.lines import Json, jsonl, result_of
from toolmem.core.agents.opencode.transcript import unquoted
from toolmem.core.transcript.events import CallStatus, Session, Transcript, UserText
from toolmem.core.transcript.read import read_transcript


def texts(transcript: Transcript) -> list[tuple[bool, str]]:
    return [(e.synthetic, e.text) for e in transcript.events if isinstance(e, UserText)]


def cursor(role: str, *blocks: Json, **keys: Any) -> Json:
    return {"role": role, "message": {"content": list(blocks)}, **keys}


def text_block(text: str) -> Json:
    return {"type": "text", "text": text}


def test_cursor_call_without_any_result_is_unknown():
    (turn,) = read_transcript(
        jsonl(
            cursor("user", text_block("run ls")),
            cursor(
                "assistant",
                {"type": "tool_use", "name": "Shell", "input": {"command": "ls"}},
            ),
            {"type": "turn_ended", "status": "success"},
        )
    ).turns
    assert [(use.call.command, use.status) for use in turn.uses] == [
        ("ls", CallStatus.UNKNOWN)
    ]
    assert turn.uses[0].result is not None


def test_cursor_results_are_joined_in_order():
    block = {"type": "tool_use", "name": "Read", "input": {"path": "a"}}
    bad = {"type": "tool_result", "tool_use_id": "t1", "content": "x", "is_error": True}
    odd = {"type": "tool-result", "content": [{"type": "text", "text": "fine"}]}
    (turn,) = read_transcript(
        jsonl(
            cursor("user", text_block("go")),
            cursor("assistant", block, {**block, "type": "tool_call"}),
            cursor("user", bad),
            cursor("user", odd, metadata={"toolResultStatus": "success"}),
        )
    ).turns
    assert [use.status for use in turn.uses] == [CallStatus.FAILED, CallStatus.OK]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<timestamp>x</timestamp>\n<user_query>\nfix it\n</user_query>", "fix it"),
        (
            "<attached_files><user_query>never</user_query></attached_files>\n"
            "<user_query>fix it</user_query>",
            "fix it",
        ),
        ("<user_query>what is <user_query> for?</user_query>", "for?"),
        ("plain", "plain"),
    ],
)
def test_cursor_query_is_what_was_typed(text, expected):
    transcript = read_transcript(jsonl(cursor("user", text_block(text))))
    assert texts(transcript) == [(False, expected)]


def test_cursor_context_without_a_query_is_not_typed():
    context = "<attached_files>never push</attached_files>"
    transcript = read_transcript(jsonl(cursor("user", text_block(context))))
    assert texts(transcript) == [(True, context)]


def event(kind: str, key: str, **data: Any) -> Json:
    stamp = "2025-12-18T21:32:05.000Z"
    return {"type": kind, "data": data, "id": key, "timestamp": stamp}


START = event(
    "session.start",
    "e0",
    sessionId="p-1",
    copilotVersion="1.0",
    context={"cwd": "/w", "branch": "main"},
)


def copilot_use(**data: Any) -> Any:
    request = {"toolCallId": "c", "name": "bash", "arguments": '{"command": "make"}'}
    (turn,) = read_transcript(
        jsonl(
            START,
            event("user.message", "e1", content="go"),
            event("assistant.message", "e2", content="ok", toolRequests=[request]),
            event(
                "tool.execution_start",
                "e3",
                toolCallId="c",
                toolName="bash",
                arguments={"command": "make"},
            ),
            event("tool.execution_complete", "e4", toolCallId="c", **data),
        )
    ).turns
    (use,) = turn.uses
    return use


@pytest.mark.parametrize(
    ("data", "status", "code"),
    [
        ({"success": True, "result": {"content": "x"}}, CallStatus.OK, None),
        (
            {"success": True, "result": {"content": "x\n<exited with exit code 0>"}},
            CallStatus.OK,
            0,
        ),
        (
            {"success": True, "result": {"content": "x\n<exited with exit code 2>"}},
            CallStatus.FAILED,
            2,
        ),
        (
            {
                "success": True,
                "result": {"content": "x\n<shellId: 0 completed with exit code 2>"},
            },
            CallStatus.FAILED,
            2,
        ),
        (
            {
                "success": False,
                "error": {"message": "Denied by preToolUse hook: never run npm"},
            },
            CallStatus.DENIED_BY_HOOK,
            None,
        ),
        (
            {"success": False, "result": {"content": "exit code: 1\n"}},
            CallStatus.FAILED,
            1,
        ),
        (
            {
                "success": False,
                "error": {"message": "The user rejected this tool call"},
            },
            CallStatus.REJECTED,
            None,
        ),
        ({}, CallStatus.UNKNOWN, None),
    ],
)
def test_copilot_result_status_and_code(data, status, code):
    use = copilot_use(**data)
    assert (use.status, use.result.exit_code) == (status, code)


def test_copilot_session_and_duration():
    metrics = {"metrics": {"durationMs": 4}}
    assert copilot_use(success=True, toolTelemetry=metrics).result.duration_ms == 4
    session = read_transcript(jsonl(START)).session
    assert session == Session("copilot", "p-1", "/w", "main", session.started, "1.0")


def test_copilot_messages_of_others_are_not_typed():
    transcript = read_transcript(
        jsonl(
            START,
            event("user.message", "1", content="typed", transformedContent="never"),
            event("user.message", "2", content="a skill", source="skill-x"),
            event("user.message", "3", content="a task", parentAgentTaskId="t"),
            event(
                "user.message",
                "6",
                content="typed in 1.0",
                parentAgentTaskId="t",
                delivery="idle",
            ),
            event("system.message", "4", content="never push"),
            event("hook.end", "5", output="never push"),
        )
    )
    assert texts(transcript) == [
        (False, "typed"),
        (True, "a skill"),
        (True, "a task"),
        (False, "typed in 1.0"),
    ]


def part(kind: str, **keys: Any) -> Json:
    return {"type": kind, "messageID": "m2", **keys}


def tool_part(status: str, **state: Any) -> Json:
    made = {"tool": "bash", "callID": "c"}
    return part(
        "tool", **made, state={"status": status, "input": {"command": "x"}, **state}
    )


@pytest.mark.parametrize(
    ("stored", "typed"),
    [
        ('"never use npm"', "never use npm"),
        ('"say \\"no\\" to npm"', 'say "no" to npm'),
        ('"never" use "npm"', '"never" use "npm"'),
        ('"npm"', '"npm"'),
        ('"', '"'),
        ("", ""),
    ],
)
def test_opencode_run_puts_quotes_round_an_argument_with_spaces(stored, typed):
    assert unquoted(stored) == typed


def opencode(*parts: Json, user: Sequence[Json] = ()) -> str:
    user = user or [{"type": "text", "text": "go"}]
    return json.dumps(
        {
            "info": {"id": "o-1", "directory": "/w", "version": "1.3"},
            "messages": [
                {
                    "info": {"id": "m1", "role": "user", "time": {"created": 1}},
                    "parts": user,
                },
                {
                    "info": {"id": "m2", "role": "assistant", "time": {"created": 2}},
                    "parts": list(parts),
                },
            ],
        }
    )


@pytest.mark.parametrize(
    ("made", "status", "code", "duration"),
    [
        (
            tool_part("completed", metadata={"exit": 0}, time={"start": 5, "end": 9}),
            CallStatus.OK,
            0,
            4,
        ),
        (tool_part("completed", metadata={"exit": 1}), CallStatus.FAILED, 1, None),
        (tool_part("error", error="not found"), CallStatus.FAILED, None, None),
        (
            tool_part("error", error="The user rejected permission to use this tool"),
            CallStatus.REJECTED,
            None,
            None,
        ),
        (
            tool_part("error", error="Tool execution aborted"),
            CallStatus.CANCELLED,
            None,
            None,
        ),
        (tool_part("running"), CallStatus.RUNNING, None, None),
    ],
)
def test_opencode_tool_parts(made, status, code, duration):
    (turn,) = read_transcript(opencode(made)).turns
    (use,) = turn.uses
    result = result_of(use)
    assert (use.status, result.exit_code, result.duration_ms) == (
        status,
        code,
        duration,
    )


def test_opencode_parts_that_a_program_wrote_are_not_typed():
    parts: list[Json] = [
        {"type": "text", "text": "typed"},
        {"type": "text", "text": "never push", "synthetic": True},
        {"type": "file", "filename": "a"},
    ]
    assert texts(read_transcript(opencode(user=parts))) == [
        (False, "typed"),
        (True, "never push"),
    ]


def test_opencode_stored_files_in_a_row_are_put_in_order():
    stored = jsonl(
        {"id": "o-1", "projectID": "p", "directory": "/w"},
        {
            "messageID": "m2",
            "type": "tool",
            "tool": "bash",
            "callID": "c",
            "state": {"status": "completed", "input": {"command": "ls"}},
        },
        {"id": "m2", "sessionID": "o-1", "role": "assistant", "time": {"created": 2}},
        {"id": "m1", "sessionID": "o-1", "role": "user", "time": {"created": 1}},
        {"messageID": "m1", "type": "text", "text": "go"},
    )
    transcript = read_transcript(stored)
    (turn,) = transcript.turns
    assert transcript.session.cwd == "/w"
    assert [text.text for text in turn.texts] == ["go"]
    assert [use.call.command for use in turn.uses] == ["ls"]


def droid(role: str, *blocks: Json, **keys: Any) -> Json:
    return {"type": "message", "message": {"role": role, "content": blocks, **keys}}


def test_what_a_hook_of_droid_demands_is_not_typed():
    start = {"type": "session_start", "id": "s", "cwd": "/w", "hostId": "h"}
    call = {"type": "tool_use", "id": "c", "name": "Execute", "input": {"command": "x"}}
    failed = {"type": "tool_result", "tool_use_id": "c", "is_error": True}
    transcript = read_transcript(
        jsonl(
            start,
            droid("user", text_block("fix it")),
            droid("assistant", call),
            droid(
                "user", {**failed, "content": "Error\n\n[Process exited with code 2]"}
            ),
            droid("user", hookEventName="Stop"),
            droid("user", text_block("run the tests first")),
        )
    )
    texts = [e for e in transcript.events if isinstance(e, UserText)]
    assert (transcript.format, transcript.session.id) == ("droid", "s")
    assert [(one.text, one.synthetic) for one in texts] == [
        ("fix it", False),
        ("run the tests first", True),
    ]
