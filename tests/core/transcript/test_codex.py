import json
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.core.transcript.lines import (
    Json,
    codex,
    codex_call,
    codex_output,
    codex_user,
    jsonl,
)
from toolmem.core.transcript.events import CallStatus, Session, ToolKind, UserText
from toolmem.core.transcript.read import read_transcript

META = codex(
    "session_meta",
    id="c-1",
    timestamp="2026-05-01T08:00:00Z",
    cwd="/w",
    cli_version="0.58.0",
    git={"branch": "dev"},
)


def sent(text: str, **keys: str) -> Json:
    return codex("event_msg", type="user_message", message=text, **keys)


def said(*records: Json) -> list[tuple[bool, str]]:
    events = read_transcript(jsonl(META, *records), format="codex").events
    return [(e.synthetic, e.text) for e in events if isinstance(e, UserText)]


def uses(*records: Json) -> list[Any]:
    turns = read_transcript(jsonl(META, sent("go"), *records), format="codex").turns
    return [use for turn in turns for use in turn.uses]


def test_session_meta_describes_the_session():
    session = read_transcript(jsonl(META)).session
    assert session == Session("codex", "c-1", "/w", "dev", session.started, "0.58.0")
    assert session.started == datetime(2026, 5, 1, 8, tzinfo=UTC)


def test_text_that_stands_twice_is_read_once():
    assert said(codex_user("List them"), sent("List them")) == [(False, "List them")]


def test_a_user_item_that_nobody_sent_is_not_typed():
    assert said(sent("go"), codex_user("go"), codex_user("never run the tests")) == [
        (False, "go"),
        (True, "never run the tests"),
    ]


def test_user_items_are_typed_where_no_user_message_is_recorded():
    assert said(codex_user("go")) == [(False, "go")]


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context><cwd>/w</cwd></environment_context>",
        "<user_instructions>never push</user_instructions>",
        "# AGENTS.md instructions for /w\n\nNever push.",
        "<INSTRUCTIONS>never</INSTRUCTIONS>",
    ],
)
def test_what_codex_adds_is_not_typed(text):
    assert said(codex_user(text)) == [(True, text)]


def test_request_behind_an_editor_context_is_typed():
    context = "# Context from my IDE setup:\n\n## Open tabs\n- a\n\n"
    text = f"{context}## My request for Codex:\nfix"
    assert said(sent(text)) == [(False, "fix")]


def test_a_subagent_has_no_user():
    meta = codex("session_meta", id="x", source={"subagent": "review"})
    events = read_transcript(jsonl(meta, sent("never push"))).events
    assert [e.synthetic for e in events if isinstance(e, UserText)] == [True]


def test_a_message_of_another_kind_is_not_typed():
    assert said(sent("x", kind="environment_context"), sent("y", kind="plain")) == [
        (True, "x"),
        (False, "y"),
    ]


def test_developer_messages_are_passed_over():
    item = codex("response_item", type="message", role="developer", content="never")
    assert said(item) == []


@pytest.mark.parametrize(
    ("output", "status", "code", "duration"),
    [
        (
            json.dumps(
                {"output": "x", "metadata": {"exit_code": 2, "duration_seconds": 0.1}}
            ),
            CallStatus.FAILED,
            2,
            100,
        ),
        (
            json.dumps({"output": "x", "metadata": {"exit_code": 0}}),
            CallStatus.OK,
            0,
            None,
        ),
        (
            "Exit code: 2\nWall time: 0.5 seconds\nOutput:\nboom",
            CallStatus.FAILED,
            2,
            500,
        ),
        (
            "Chunk ID: a\nWall time: 1 seconds\nProcess exited with code 3\nOutput:\nx",
            CallStatus.FAILED,
            3,
            1000,
        ),
        (
            "Exit code: 0\nWall time: 0 seconds\nOutput:\nExit code: 9",
            CallStatus.OK,
            0,
            0,
        ),
        ("Output:\nProcess exited with code 7", CallStatus.OK, None, None),
        (
            [{"type": "input_text", "text": "Exit code: 4\nOutput:\n"}],
            CallStatus.FAILED,
            4,
            None,
        ),
        ({"type": "input_text", "text": "fine"}, CallStatus.OK, None, None),
        ({"content": "no", "success": False}, CallStatus.FAILED, None, None),
        ("Plan updated", CallStatus.OK, None, None),
        ("exec command rejected by user", CallStatus.REJECTED, None, None),
        ("aborted by user after 3.2s", CallStatus.CANCELLED, None, None),
        (
            "Command blocked by PreToolUse hook: no",
            CallStatus.DENIED_BY_HOOK,
            None,
            None,
        ),
        ("failed to parse function arguments: x", CallStatus.FAILED, None, None),
        (None, CallStatus.OK, None, None),
    ],
)
def test_every_encoding_of_an_exit_code_is_read(output, status, code, duration):
    (use,) = uses(codex_call("1", "shell", command=["make"]), codex_output("1", output))
    result = use.result
    assert (use.status, result.exit_code, result.duration_ms) == (
        status,
        code,
        duration,
    )


def test_command_lists_become_one_line():
    (one, two) = uses(
        codex_call("1", "shell", command=["bash", "-lc", "ls nope"], workdir="/w"),
        codex_call("2", "shell", command=["git", "commit", "-m", "it's"]),
    )
    assert (one.call.command, one.call.cwd) == ("ls nope", "/w")
    assert two.call.command == "git commit -m 'it'\\''s'"


def test_end_of_a_running_process_belongs_to_the_call_that_started_it():
    started, polled = uses(
        codex_call("1", "exec_command", cmd="sleep 9; false"),
        codex_output("1", "Process running with session ID 5\nOutput:\n"),
        codex_call("2", "write_stdin", session_id=5, chars=""),
        codex_output("2", "Process exited with code 1\nOutput:\nx"),
    )
    assert (started.status, started.result.exit_code) == (CallStatus.FAILED, 1)
    assert polled.status is CallStatus.OK


def test_exit_code_1_of_a_search_is_no_failure():
    empty = json.dumps({"output": "", "metadata": {"exit_code": 1}})
    (use,) = uses(
        codex_call("1", "shell", command=["rg", "x"]), codex_output("1", empty)
    )
    assert (use.status, use.result.exit_code) == (CallStatus.OK, 1)


PATCH = (
    "*** Begin Patch\n*** Add File: a.py\n+*** Delete File: trap.py\n"
    "*** Update File: b.py\n*** Move to: c.py\n*** Delete File: d.py\n*** End Patch"
)


@pytest.mark.parametrize(
    "item",
    [
        codex(
            "response_item",
            type="custom_tool_call",
            name="apply_patch",
            input=PATCH,
            call_id="1",
        ),
        codex_call("1", "apply_patch", input=PATCH),
        codex_call("1", "shell", command=["apply_patch", PATCH]),
        codex_call(
            "1", "shell", command=["bash", "-lc", f"apply_patch <<'E'\n{PATCH}\nE"]
        ),
    ],
)
def test_a_patch_names_its_files_however_it_is_called(item):
    (use,) = uses(item)
    assert use.call.kind is ToolKind.EDIT
    assert use.call.paths == ("a.py", "c.py")
    assert use.call.deleted == ("b.py", "d.py")


def test_ends_of_calls_add_to_their_calls_and_stand_alone_without():
    end = {"type": "exec_command_end", "command": ["make"], "exit_code": 2}
    took = {"secs": 1, "nanos": 500_000_000}
    known, alone = uses(
        codex_call("1", "shell", command=["make"]),
        codex("event_msg", **end, call_id="1", duration=took),
        codex_output("1", "x"),
        codex("event_msg", **end, call_id="2"),
    )
    assert (known.call.tool, known.result.exit_code) == ("shell", 2)
    assert (known.status, known.result.duration_ms) == (CallStatus.FAILED, 1500)
    assert (alone.call.tool, alone.call.command) == ("exec_command", "make")


def test_other_ends_are_calls_with_results():
    patch = {"changes": {"/w/a": {"type": "delete"}, "/w/b": {"type": "update"}}}
    mcp = {"invocation": {"server": "s", "tool": "t", "arguments": {}}}
    own = {
        "type": "exec_command_end",
        "call_id": "4",
        "command": ["ls"],
        "exit_code": 0,
    }
    patched, called = uses(
        codex("event_msg", type="patch_apply_end", call_id="2", success=False, **patch),
        codex(
            "event_msg",
            type="mcp_tool_call_end",
            call_id="3",
            **mcp,
            result={"Err": "down"},
        ),
        codex("event_msg", **own, source="user_shell"),
    )
    assert (patched.call.deleted, patched.call.paths) == (("/w/a",), ("/w/b",))
    assert patched.status is CallStatus.FAILED
    assert (called.call.tool, called.call.kind) == ("mcp__s__t", ToolKind.MCP)
    assert (called.status, called.result.output) == (CallStatus.FAILED, "down")


def test_stream_of_codex_exec_is_read():
    item = {"id": "i", "type": "command_execution", "command": "make", "exit_code": 2}
    transcript = read_transcript(
        jsonl(
            {"type": "thread.started", "thread_id": "t"},
            {"type": "item.started", "item": item},
            {"type": "item.completed", "item": {**item, "status": "failed"}},
        )
    )
    ((use,),) = (turn.uses for turn in transcript.turns)
    assert transcript.session.id == "t"
    assert (use.call.command, use.status) == ("make", CallStatus.FAILED)


def test_bare_items_of_old_rollouts_are_read():
    transcript = read_transcript(
        jsonl(
            {"record_type": "state"},
            {"type": "message", "role": "user", "content": "hi"},
            {
                "type": "function_call",
                "name": "shell",
                "arguments": "{",
                "call_id": "1",
            },
        ),
        format="codex",
    )
    (turn,) = transcript.turns
    assert [text.text for text in turn.texts] == ["hi"]
    assert turn.uses[0].call.args == {"input": "{"}


def test_markers_come_from_events():
    (turn,) = read_transcript(
        jsonl(
            META,
            sent("go"),
            codex("event_msg", type="turn_aborted"),
            codex("event_msg", type="context_compacted"),
        )
    ).turns
    assert [marker.kind for marker in turn.markers] == ["interrupt", "compaction"]
