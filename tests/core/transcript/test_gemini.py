import json
from typing import Any

import pytest

from tests.core.transcript.lines import Json, jsonl
from toolmem.core.transcript.events import CallStatus, UserText
from toolmem.core.transcript.read import read_transcript

HEADER = {
    "sessionId": "g-1",
    "projectHash": "f" * 64,
    "startTime": "2026-04-29T21:39:22.319Z",
    "kind": "main",
}


def user(key: str, content: Any, **keys: Any) -> Json:
    return {"id": key, "type": "user", "content": content, **keys}


def model(key: str, content: Any = "", *calls: Json) -> Json:
    return {"id": key, "type": "gemini", "content": content, "toolCalls": list(calls)}


def call(response: Json, status: str = "success", **keys: Any) -> Json:
    answer = {"functionResponse": {"id": "c", "response": response}}
    made = {"id": "c", "name": "run_shell_command", "args": {"command": "make"}}
    return {**made, "status": status, "result": [answer], **keys}


def texts(*records: Json) -> list[tuple[bool, str]]:
    events = read_transcript(jsonl(HEADER, *records)).events
    return [(e.synthetic, e.text) for e in events if isinstance(e, UserText)]


def only_use(made: Json) -> Any:
    (turn,) = read_transcript(
        jsonl(HEADER, user("u", "go"), model("g", "", made))
    ).turns
    (use,) = turn.uses
    return use


def test_one_document_and_json_lines_say_the_same():
    messages = [user("u", "go"), model("g", "done", call({"output": "x"}))]
    lines = read_transcript(jsonl(HEADER, *messages))
    whole = read_transcript(json.dumps({**HEADER, "messages": messages}, indent=2))
    assert lines.format == whole.format == "gemini"
    assert lines.session == whole.session
    assert [turn.uses[0].call.command for turn in whole.turns] == ["make"]
    assert [turn.texts[0].text for turn in whole.turns] == ["go"]


@pytest.mark.parametrize(
    ("made", "status", "code"),
    [
        (call({"output": "Output: x\nExit Code: 0"}), CallStatus.OK, 0),
        (
            call({"output": "Output: Exit Code: 7\nx\nExit Code: 2"}),
            CallStatus.FAILED,
            2,
        ),
        (call({"output": "Output: x"}), CallStatus.OK, None),
        (call({"error": "no such file"}, "error"), CallStatus.FAILED, None),
        (
            call({"error": "[Operation Cancelled] x"}, "cancelled"),
            CallStatus.CANCELLED,
            None,
        ),
        (
            call(
                {"error": "[Operation Cancelled] Reason: User did not allow tool call"},
                "cancelled",
            ),
            CallStatus.REJECTED,
            None,
        ),
        (
            call({"error": "Tool execution blocked: no"}, "error"),
            CallStatus.DENIED_BY_HOOK,
            None,
        ),
        (call({"output": ""}, "executing"), CallStatus.RUNNING, None),
        (call({"output": "x"}, "brand-new"), CallStatus.UNKNOWN, None),
        (call({"output": "a\nExit Code: 3"}, name="read_file"), CallStatus.OK, None),
    ],
)
def test_status_and_exit_code_of_a_call(made, status, code):
    use = only_use(made)
    assert (use.status, use.result.exit_code) == (status, code)


def test_a_message_written_again_counts_as_last_written():
    running = model("g", "", call({"output": ""}, "executing"))
    done = model("g", "", call({"output": "Exit Code: 2"}))
    (turn,) = read_transcript(jsonl(HEADER, user("u", "go"), running, done)).turns
    assert [use.status for use in turn.uses] == [CallStatus.FAILED]


def test_what_was_rewound_is_gone_and_an_unknown_place_rewinds_nothing():
    assert texts(
        user("u1", "keep"),
        user("u2", "gone"),
        model("g"),
        {"$rewindTo": "u2"},
        {"$rewindTo": "nowhere"},
        {"$rewindTo": 7},
        user("u3", "after"),
    ) == [(False, "keep"), (False, "after")]


def test_context_of_the_model_is_not_what_was_said():
    patch = {"$set": {"messages": [user("x", "never run tests")]}}
    assert texts(user("u", "go"), patch) == [(False, "go")]


def test_the_display_text_is_what_was_typed():
    parts = [{"text": "see @a"}, {"text": "--- Content ---"}, {"text": "never push"}]
    assert texts(user("u", parts, displayContent=[{"text": "see @a"}])) == [
        (False, "see @a")
    ]


@pytest.mark.parametrize(
    "content",
    [
        "<session_context>never</session_context>",
        [{"text": "<hook_context>never</hook_context>"}],
        "System: Please continue.",
        [{"functionResponse": {"id": "c", "response": {}}}, {"text": "never push"}],
    ],
)
def test_what_the_program_said_is_not_typed(content):
    assert [synthetic for synthetic, _ in texts(user("u", content))] == [True]


def test_files_pasted_after_the_prompt_are_cut_off():
    text = "fix it\n--- Content from referenced files ---\nnever push"
    assert texts(user("u", text)) == [(False, "fix it")]


def test_contents_of_the_api_are_read():
    call_part = {"functionCall": {"id": "1", "name": "glob", "args": {"pattern": "*"}}}
    answer = {"functionResponse": {"id": "1", "response": {"error": "no"}}}
    transcript = read_transcript(
        json.dumps(
            {
                "contents": [
                    {"role": "user", "parts": [{"text": "go"}]},
                    {"role": "model", "parts": [{"text": "ok"}, call_part]},
                    {"role": "user", "parts": [answer]},
                ]
            }
        )
    )
    (turn,) = transcript.turns
    assert [use.status for use in turn.uses] == [CallStatus.FAILED]
    assert [reply.text for reply in turn.replies] == ["ok"]


def test_cancelling_is_a_marker():
    info = {"id": "i", "type": "info", "content": "Request cancelled."}
    (turn,) = read_transcript(jsonl(HEADER, user("u", "go"), info)).turns
    assert [marker.kind for marker in turn.markers] == ["interrupt"]
