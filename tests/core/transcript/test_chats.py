"""Messages of APIs and libraries, and the minimal form."""

import json
from typing import Any

import pytest

from tests.core.transcript.lines import Json, jsonl, result_of
from toolmem.core.transcript.events import CallStatus, ToolKind, UserText
from toolmem.core.transcript.read import read_transcript


def uses(source: Any) -> list[Any]:
    return [use for turn in read_transcript(source).turns for use in turn.uses]


def texts(source: Any) -> list[tuple[bool, str]]:
    events = read_transcript(source).events
    return [(e.synthetic, e.text) for e in events if isinstance(e, UserText)]


def function(call_id: str, name: str, arguments: str) -> Json:
    made = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": made}


def test_openai_chat_calls_and_results_are_joined_by_id():
    source = json.dumps(
        [
            {"role": "system", "content": "never push"},
            {"role": "user", "content": [{"type": "text", "text": "go"}]},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    function("a", "shell", '{"command": "make"}'),
                    function("b", "write_file", '{"path": "x.py"}'),
                ],
            },
            {"role": "tool", "tool_call_id": "b", "content": "written"},
            {"role": "tool", "tool_call_id": "a", "content": '{"exit_code": 2}'},
        ]
    )
    first, second = uses(source)
    assert texts(source) == [(False, "go")]
    assert (first.call.command, first.status, first.result.exit_code) == (
        "make",
        CallStatus.FAILED,
        2,
    )
    assert (second.call.kind, second.call.paths) == (ToolKind.WRITE, ("x.py",))
    assert second.status is CallStatus.UNKNOWN


def test_openai_chat_of_old_uses_functions():
    (use,) = uses(
        jsonl(
            {"role": "user", "content": "go"},
            {"role": "assistant", "function_call": {"name": "bash", "arguments": "ls"}},
            {"role": "function", "name": "bash", "content": "Error: no such tool"},
        )
    )
    assert use.call.args == {"input": "ls"}
    assert use.status is CallStatus.FAILED


@pytest.mark.parametrize(
    ("content", "status"),
    [
        ("fine", CallStatus.UNKNOWN),
        ("Error: nope", CallStatus.FAILED),
        ("Traceback (most recent call last):\n x", CallStatus.FAILED),
        ("Exit code: 1\nOutput:\nx", CallStatus.FAILED),
        ('{"error": "nope"}', CallStatus.FAILED),
        ('{"error": null, "exit_code": 0}', CallStatus.OK),
        ('{"success": false}', CallStatus.FAILED),
        ('{"isError": true, "content": []}', CallStatus.FAILED),
        ('{"status": "error"}', CallStatus.FAILED),
        ('{"status": ["error"]}', CallStatus.UNKNOWN),
        ('{"error": "The user rejected it"}', CallStatus.REJECTED),
        ({"exit_code": 3}, CallStatus.FAILED),
        (None, CallStatus.UNKNOWN),
        (7, CallStatus.UNKNOWN),
    ],
)
def test_a_result_without_a_flag_is_judged_by_its_text(content, status):
    calls = [function("a", "probe", "{}")]
    (use,) = uses(
        jsonl(
            {"role": "user", "content": "go"},
            {"role": "assistant", "tool_calls": calls},
            {"role": "tool", "tool_call_id": "a", "content": content},
        )
    )
    assert use.status is status


def test_minimal_form_takes_flat_calls_with_their_own_results():
    calls = [
        {"name": "bash", "args": {"command": "go test ./..."}, "exit_code": 1},
        {
            "tool": "write_file",
            "input": {"path": "a.go"},
            "output": "ok",
            "duration_ms": 12,
        },
        {"name": "edit_file", "arguments": {"path": "b.go"}, "error": "no match"},
        {
            "name": "bash",
            "args": {"command": "x"},
            "output": {"exit_code": 0},
            "isDangerous": True,
        },
    ]
    source = json.dumps(
        {
            "messages": [
                {"role": "user", "content": "go"},
                {"role": "assistant", "content": "", "tool_calls": calls},
            ],
            "tools": ["send_email", "bash"],
            "cwd": "/w",
        }
    )
    transcript = read_transcript(source)
    got = uses(source)
    assert transcript.format == "toolmem"
    assert transcript.session.tools == ("send_email", "bash")
    assert transcript.session.cwd == "/w"
    assert [use.status for use in got] == [
        CallStatus.FAILED,
        CallStatus.OK,
        CallStatus.FAILED,
        CallStatus.OK,
    ]
    assert [use.result.exit_code for use in got] == [1, None, None, 0]
    assert got[1].result.duration_ms == 12
    assert [use.call.declared_dangerous for use in got] == [False, False, False, True]


def test_minimal_form_without_any_result_leaves_calls_unknown():
    source = json.dumps(
        {"messages": [{"role": "assistant", "tool_calls": ["send_email"]}]}
    )
    (use,) = uses(source)
    assert (use.call.tool, use.status) == ("send_email", CallStatus.UNKNOWN)
    assert use.result is not None


def test_a_call_without_a_result_next_to_one_with_its_own_is_unknown_or_open():
    finished = {"name": "bash", "args": {"command": "ls"}, "exit_code": 0}
    write = {"name": "write", "args": {"path": "a"}}
    calls = [write, {**write, "id": "c1"}, finished]
    source = json.dumps({"messages": [{"role": "assistant", "tool_calls": calls}]})
    plain, named, last = uses(source)
    assert plain.result is not None
    assert plain.status is CallStatus.UNKNOWN
    assert named.result is None
    assert last.status is CallStatus.OK


def anthropic(role: str, *blocks: Json) -> Json:
    return {"role": role, "content": list(blocks)}


def test_anthropic_messages_are_read():
    source = jsonl(
        {"role": "user", "content": "go"},
        anthropic(
            "assistant",
            {"type": "text", "text": "ok"},
            {"type": "tool_use", "id": "1", "name": "bash", "input": {"command": "x"}},
            {"type": "tool_use", "id": "2", "name": "bash", "input": {"command": "y"}},
        ),
        anthropic(
            "user",
            {
                "type": "tool_result",
                "tool_use_id": "1",
                "content": "no",
                "is_error": True,
            },
            {"type": "tool_result", "tool_use_id": "2", "content": "yes"},
            {"type": "text", "text": "never push"},
        ),
    )
    transcript = read_transcript(source)
    assert transcript.format == "anthropic"
    assert [use.status for use in uses(source)] == [CallStatus.FAILED, CallStatus.OK]
    assert texts(source) == [(False, "go"), (True, "never push")]


def test_responses_items_are_read():
    source = json.dumps(
        {
            "input": [
                {"role": "user", "content": [{"type": "input_text", "text": "go"}]},
                {
                    "type": "function_call",
                    "call_id": "1",
                    "name": "f",
                    "arguments": "{}",
                },
                {"type": "function_call_output", "call_id": "1", "output": "fine"},
                {
                    "type": "shell_call",
                    "call_id": "2",
                    "action": {"commands": ["make", "make test"]},
                },
                {
                    "type": "shell_call_output",
                    "call_id": "2",
                    "output": [
                        {"stdout": "a", "outcome": {"type": "exit", "exit_code": 0}},
                        {"stderr": "b", "outcome": {"type": "exit", "exit_code": 2}},
                    ],
                },
            ],
            "output": [
                {
                    "type": "mcp_call",
                    "id": "3",
                    "name": "t",
                    "server_label": "s",
                    "arguments": "{}",
                    "error": "down",
                },
                {"type": "web_search_call", "id": "4", "status": "completed"},
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": "done"}],
                },
            ],
        }
    )
    transcript = read_transcript(source)
    (turn,) = transcript.turns
    assert transcript.format == "openai-responses"
    assert [(use.call.tool, use.status) for use in turn.uses] == [
        ("f", CallStatus.UNKNOWN),
        ("shell", CallStatus.FAILED),
        ("mcp__s__t", CallStatus.FAILED),
        ("web_search", CallStatus.OK),
    ]
    assert turn.uses[1].call.command == "make\nmake test"
    assert result_of(turn.uses[1]).exit_code == 2
    assert [reply.text for reply in turn.replies] == ["done"]


CALL = {"id": "1", "name": "bash", "args": {"command": "x"}, "type": "tool_call"}
PLAIN = (
    ("human", {"content": "go"}),
    ("ai", {"content": "", "tool_calls": [CALL]}),
    ("tool", {"content": "no", "tool_call_id": "1", "status": "error"}),
)
NAMES = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}


@pytest.mark.parametrize(
    "records",
    [
        [{"type": kind, **fields} for kind, fields in PLAIN],
        [{"type": kind, "data": fields} for kind, fields in PLAIN],
        [
            {"lc": 1, "type": "constructor", "id": ["x", NAMES[kind]], "kwargs": fields}
            for kind, fields in PLAIN
        ],
    ],
)
def test_every_written_form_of_langchain_is_read(records):
    source = json.dumps(records)
    (use,) = uses(source)
    assert read_transcript(source).format == "langchain"
    assert texts(source) == [(False, "go")]
    assert (use.call.command, use.status) == ("x", CallStatus.FAILED)
