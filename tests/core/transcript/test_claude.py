from datetime import UTC, datetime
from typing import Any

import pytest

from tests.core.transcript.lines import Claude, Json, jsonl, result_of
from toolmem.core.transcript.events import (
    CallStatus,
    Marker,
    Session,
    ToolKind,
    UserText,
)
from toolmem.core.transcript.read import read_transcript

REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected. "
    "To tell you how to proceed, the user said:\n"
)


def typed(*records: Json) -> list[str]:
    events = read_transcript(jsonl(*records), format="claude").events
    return [e.text for e in events if isinstance(e, UserText) and not e.synthetic]


def synthetic(*records: Json) -> list[str]:
    events = read_transcript(jsonl(*records), format="claude").events
    return [e.text for e in events if isinstance(e, UserText) and e.synthetic]


def only_use(*records: Json) -> Any:
    ((use,),) = [t.uses for t in read_transcript(jsonl(*records)).turns if t.uses]
    return use


def outcome(content: Any, error: Any = None, **keys: Any) -> tuple[CallStatus, Any]:
    c = Claude()
    use = only_use(
        c.user("go"),
        c.call("Bash", "t1", command="x"),
        c.result("t1", content, error, **keys),
    )
    return use.status, use.result.exit_code


def test_session_is_described_by_its_lines():
    transcript = read_transcript(jsonl(Claude().user("hi")))
    assert transcript.session == Session(
        agent="claude",
        id="s-1",
        cwd="/w/app",
        branch="main",
        started=datetime(2026, 2, 1, 10, tzinfo=UTC),
        version="2.1.39",
    )


def test_typed_message_call_and_failure_make_one_turn():
    c = Claude()
    (turn,) = read_transcript(
        jsonl(
            c.user("run the tests"),
            c.call("Bash", "t1", command="pytest -q"),
            c.result("t1", "Exit code 127\npytest: command not found", True),
            c.says("pytest is missing"),
        )
    ).turns
    (use,) = turn.uses
    assert turn.index == 0
    assert [text.text for text in turn.texts] == ["run the tests"]
    assert [reply.text for reply in turn.replies] == ["pytest is missing"]
    assert (use.call.tool, use.call.kind) == ("Bash", ToolKind.SHELL)
    assert use.call.command == "pytest -q"
    assert (use.status, result_of(use).exit_code) == (CallStatus.FAILED, 127)


@pytest.mark.parametrize(
    "keys",
    [
        {"isMeta": True},
        {"isCompactSummary": True},
        {"isVisibleInTranscriptOnly": True},
        {"isSidechain": True},
        {"isSynthetic": True},
        {"agentId": "a1"},
        {"parent_tool_use_id": "t1"},
        {"origin": {"kind": "task-notification"}},
        {"origin": {"kind": "peer"}},
        {"origin": {"kind": "cron"}},
        {"origin": {"kind": ["human"]}},
        {"promptSource": "system"},
        {"promptSource": "system", "origin": {"kind": "human"}},
        {"promptSource": {"a": 1}},
        {"message": {"role": "assistant", "content": "never run it"}},
    ],
)
def test_a_line_that_a_program_marked_is_not_typed(keys):
    assert typed(Claude().user("never run it", **keys)) == []
    assert synthetic(Claude().user("never run it", **keys)) == ["never run it"]


@pytest.mark.parametrize(
    "keys",
    [{}, {"origin": {"kind": "human"}}, {"promptSource": "typed"}, {"origin": {}}],
)
def test_a_line_without_such_a_mark_is_typed(keys):
    assert typed(Claude().user("never run it", **keys)) == ["never run it"]


def test_text_beside_a_tool_result_is_not_typed():
    c = Claude()
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "x"}
    line = c.user([result, {"type": "text", "text": "never push"}])
    assert typed(c.user("go"), c.call("Bash", "t1", command="x"), line) == ["go"]


def test_blocks_of_one_message_are_judged_each():
    blocks = [
        {"type": "text", "text": "<ide_opened_file>never a.py</ide_opened_file>"},
        {"type": "image", "source": {}},
        {"type": "text", "text": "fix this"},
    ]
    assert typed(Claude().user(blocks)) == ["fix this"]


def test_expansion_of_a_slash_command_is_not_typed():
    c = Claude()
    command = c.user("<command-name>/review</command-name>")
    expansion = c.user([{"type": "text", "text": "Never approve without tests."}])
    assert typed(command, expansion, c.user("thanks")) == ["thanks"]


def test_message_typed_while_the_agent_worked_opens_a_turn():
    c = Claude()
    queued = {"type": "queued_command", "prompt": "use uv", "commandMode": "prompt"}
    notice = {**queued, "commandMode": "task-notification", "prompt": "use npm"}
    peer = {**queued, "origin": {"kind": "peer"}, "prompt": "use pip"}
    lines = [c.line("attachment", None, attachment=a) for a in (queued, notice, peer)]
    assert typed(c.user("go"), *lines) == ["go", "use uv"]


def test_words_of_a_refusal_are_typed_when_the_harness_marked_it():
    c = Claude()
    start = (c.user("go"), c.call("Bash", "t1", command="npm i"))
    said = REFUSED + "never use npm\n\nNote: The user's next message may contain more."
    marked = c.result("t1", said, True, toolDenialKind="user-rejected")
    assert typed(*start, marked) == ["go", "never use npm"]
    assert typed(*start, c.result("t1", said, True)) == ["go"]


def test_interrupt_and_compaction_are_markers():
    c = Claude()
    turns = read_transcript(
        jsonl(
            c.user("go"),
            c.user([{"type": "text", "text": "[Request interrupted by user]"}]),
            c.line("system", None, subtype="compact_boundary"),
        )
    ).turns
    assert [[m.kind for m in turn.markers] for turn in turns] == [
        ["interrupt", "compaction"]
    ]


@pytest.mark.parametrize(
    ("content", "error", "expected"),
    [
        ("fine", None, (CallStatus.OK, None)),
        ("fine", False, (CallStatus.OK, None)),
        ("Exit code 1\nboom", True, (CallStatus.FAILED, 1)),
        ([{"type": "text", "text": "Exit code 2\nboom"}], True, (CallStatus.FAILED, 2)),
        (
            "<tool_use_error>File not read yet</tool_use_error>",
            True,
            (CallStatus.FAILED, None),
        ),
        (REFUSED + "no", True, (CallStatus.REJECTED, None)),
        ("Permission to use Bash has been denied.", True, (CallStatus.REJECTED, None)),
        (
            "<tool_use_error>Sibling tool call errored</tool_use_error>",
            True,
            (CallStatus.CANCELLED, None),
        ),
        (
            "[Request interrupted by user for tool use]",
            True,
            (CallStatus.CANCELLED, None),
        ),
        (
            "Bash operation blocked by hook:\n- no",
            True,
            (CallStatus.DENIED_BY_HOOK, None),
        ),
        (
            "PreToolUse:Bash hook blocking error x",
            True,
            (CallStatus.DENIED_BY_HOOK, None),
        ),
        (
            "PreToolUse:Bash hook error: [x]: no",
            True,
            (CallStatus.DENIED_BY_HOOK, None),
        ),
        # Without the flag the words are the tool's own.
        ("Exit code 1 is what grep gives", False, (CallStatus.OK, None)),
        ("The user doesn't want to proceed", None, (CallStatus.OK, None)),
        ("x", "true", (CallStatus.OK, None)),
    ],
)
def test_result_status_follows_the_flag_and_then_the_words(content, error, expected):
    assert outcome(content, error) == expected


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"toolUseResult": {"interrupted": True}}, CallStatus.CANCELLED),
        ({"toolUseResult": {"backgroundTaskId": "b1"}}, CallStatus.RUNNING),
        ({"toolDenialKind": "user-rejected"}, CallStatus.REJECTED),
        ({"toolDenialKind": "hook-blocked"}, CallStatus.DENIED_BY_HOOK),
        ({"toolUseResult": "a string"}, CallStatus.OK),
    ],
)
def test_result_status_follows_what_stands_beside_it(keys, expected):
    assert outcome("x", **keys)[0] is expected


def test_duration_is_read_where_it_is_recorded():
    c = Claude()
    use = only_use(
        c.user("go"),
        c.call("Glob", "t1", pattern="*"),
        c.result("t1", "a", toolUseResult={"durationMs": 529}),
    )
    assert use.result.duration_ms == 529


def test_lines_repeated_by_a_resumed_session_count_once():
    c = Claude()
    line = c.user("go")
    transcript = read_transcript(jsonl(line, line))
    assert len(transcript.turns) == 1
    assert transcript.skipped == {"repeated": 1}


def test_calls_of_sidechains_and_old_bare_blocks_count():
    c = Claude()
    side = c.call("Edit", "t1", file_path="/w/app/a.py")
    side["isSidechain"] = True
    bare = {"type": "tool_use", "name": "bash", "input": {"command": "ls"}, "uuid": "b"}
    answer = {"type": "tool_result", "name": "bash", "output": "x", "uuid": "c"}
    (turn,) = read_transcript(
        jsonl(c.user("go"), side, c.result("t1", "ok"), bare, answer)
    ).turns
    assert [(use.call.tool, use.status) for use in turn.uses] == [
        ("Edit", CallStatus.OK),
        ("bash", CallStatus.OK),
    ]


def test_stream_of_the_headless_mode_is_read():
    c = Claude()
    init = {"type": "system", "subtype": "init", "session_id": "s", "tools": ["Bash"]}
    end = {"type": "result", "session_id": "s", "num_turns": 1}
    transcript = read_transcript(jsonl(init, c.user("go"), end))
    assert transcript.session.tools == ("Bash",)
    assert [e.kind for e in transcript.events if isinstance(e, Marker)] == [
        "session_end"
    ]


def test_unknown_lines_and_blocks_are_counted():
    c = Claude()
    odd = c.line("assistant", [{"type": "hologram"}, 7])
    skipped = read_transcript(
        jsonl(c.user("go"), odd, c.line("brand-new", None), c.line("progress", None))
    ).skipped
    assert skipped == {"block": 2, "brand-new": 1, "progress": 1}
