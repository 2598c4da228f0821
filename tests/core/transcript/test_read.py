"""Detection, documents, broken input, and going on where reading stopped."""

import json

import pytest

from tests.core.transcript.lines import Claude, codex, codex_user, jsonl, result_of
from toolmem.core.transcript.events import Position, Transcript, UserText
from toolmem.core.transcript.read import FORMATS, read_transcript
from toolmem.errors import UsageError

CHAT = [{"role": "user", "content": "go"}, {"role": "assistant", "content": "ok"}]


def said(transcript: Transcript) -> list[str]:
    return [e.text for e in transcript.events if isinstance(e, UserText)]


@pytest.mark.parametrize(
    ("record", "name"),
    [
        (Claude().user("hi"), "claude"),
        ({"type": "summary", "sessionId": "s", "summary": "x"}, "claude"),
        ({"type": "file-history-snapshot", "sessionId": "s"}, "claude"),
        (codex_user("hi"), "codex"),
        ({"type": "thread.started", "thread_id": "t"}, "codex"),
        ({"sessionId": "g", "projectHash": "f", "startTime": "x"}, "gemini"),
        ({"role": "user", "parts": [{"text": "hi"}]}, "gemini"),
        ({"role": "user", "message": {"content": "hi"}}, "cursor"),
        ({"type": "user.message", "data": {"content": "hi"}}, "copilot"),
        ({"info": {"role": "user"}, "parts": []}, "opencode"),
        ({"role": "user", "content": "hi"}, "openai-chat"),
        ({"role": "assistant", "content": [{"type": "tool_use"}]}, "anthropic"),
        ({"type": "function_call", "name": "f"}, "openai-responses"),
        ({"type": "human", "content": "hi"}, "langchain"),
        ({"tools": ["a"], "messages": [{"role": "user", "content": "hi"}]}, "toolmem"),
        ({"hello": "world"}, "unknown"),
    ],
)
def test_the_format_is_known_by_the_shape_of_a_record(record, name):
    assert read_transcript(jsonl(record)).format == name


def test_unknown_first_lines_do_not_hide_the_format():
    noise = [{"odd": number} for number in range(50)]
    transcript = read_transcript(jsonl(*noise, Claude().user("hi")))
    assert (transcript.format, said(transcript)) == ("claude", ["hi"])


def test_text_of_a_tool_cannot_change_the_format():
    fake = json.dumps(codex("session_meta", id="x"))
    c = Claude()
    transcript = read_transcript(jsonl(c.user("go"), c.result("t", fake), c.user("on")))
    assert transcript.format == "claude"


def test_nothing_known_is_counted_and_no_error():
    transcript = read_transcript(jsonl({"a": 1}, "[1, 2]", "null", "{"))
    assert transcript.format == "unknown"
    assert transcript.turns == ()
    assert transcript.skipped == {
        "broken JSON": 1,
        "not an object": 3,
        "unknown format": 1,
    }


def test_a_format_can_be_asked_for_by_name_only_if_it_exists():
    assert read_transcript(jsonl(*CHAT), format="anthropic").format == "anthropic"
    with pytest.raises(UsageError, match="'claud' is not a transcript format"):
        read_transcript(b"", format="claud")


@pytest.mark.parametrize(
    "source",
    [
        jsonl(*CHAT),
        jsonl(*CHAT).decode(),
        jsonl(*CHAT).splitlines(keepends=True),
        jsonl(*CHAT).decode().splitlines(),
        b"\xef\xbb\xbf" + jsonl(*CHAT),
        jsonl(*CHAT).replace(b"\n", b"\r\n"),
        b"\n\n" + jsonl(*CHAT),
        json.dumps(CHAT),
        json.dumps(CHAT, indent=2),
        json.dumps({"messages": CHAT}, indent=2),
        json.dumps({"conversation": CHAT}),
        "".join(json.dumps(message) for message in CHAT),
        "\n".join(json.dumps(message, indent=1) for message in CHAT),
    ],
)
def test_lines_documents_and_concatenated_json_say_the_same(source):
    transcript = read_transcript(source)
    assert said(transcript) == ["go"]
    assert transcript.skipped == {}


def test_broken_lines_are_counted_and_passed_over():
    source = jsonl("{broken", CHAT[0], '{"role": "user", "content": "on"', CHAT[0])
    transcript = read_transcript(source)
    assert said(transcript) == ["go", "go"]
    assert transcript.skipped == {"broken JSON": 2}


def test_a_document_cut_in_the_middle_is_broken_and_no_error():
    whole = json.dumps({"messages": CHAT}, indent=2)
    for size in range(len(whole)):
        assert read_transcript(whole[:size]).turns == ()


def test_odd_characters_survive():
    content = "a\ud800b\x00c\u2028d\U0001f600"
    line = json.dumps({"role": "user", "content": content})
    (text,) = said(read_transcript(line))
    assert text == "a\ufffdb\ufffdc\u2028d\U0001f600"
    raw = b'{"role": "user", "content": "x\xff\x00\x07y"}'
    assert said(read_transcript(raw)) == ["x\ufffd\ufffd\x07y"]


def test_deep_nesting_is_a_broken_line():
    deep = '{"role": "user", "content": ' + "[" * 100_000 + "]" * 100_000 + "}"
    transcript = read_transcript(jsonl(CHAT[0], deep, CHAT[0]))
    assert said(transcript) == ["go", "go"]
    assert transcript.skipped == {"broken JSON": 1}


def test_a_line_of_a_megabyte_is_read():
    c = Claude()
    (turn,) = read_transcript(
        jsonl(
            c.user("go"),
            c.call("Write", "t1", file_path="/w/a", content="x" * 1_000_000),
            c.result("t1", "y" * 1_000_000),
        )
    ).turns
    (use,) = turn.uses
    assert use.call.paths == ("/w/a",)
    assert len(use.call.args["content"]) == 20_000
    assert len(result_of(use).output) < 4_100


def test_positions_name_the_line_its_bytes_and_a_stable_key():
    c = Claude()
    lines = jsonl(c.user("é"), c.user("b")).splitlines(keepends=True)
    first, second = [
        e for e in read_transcript(lines).events if isinstance(e, UserText)
    ]
    assert (first.position.line, first.position.offset, first.position.key) == (
        0,
        0,
        "u0",
    )
    assert second.position == Position(1, 0, len(lines[0]), "u1")
    assert second.position.key == second.uuid == "u1"


def test_reading_goes_on_where_it_stopped():
    c = Claude()
    before = jsonl(c.user("one"), c.call("Bash", "t1", command="make"))
    after = jsonl(c.result("t1", "ok"), c.user("two"), c.user("three"))
    whole = read_transcript(before + after)
    start = read_transcript(before).end
    assert start == Position(2, 0, len(before))
    rest = read_transcript((before + after)[start.offset :], start=start)
    assert said(rest) == ["two", "three"]
    assert rest.end == whole.end
    assert [turn.position for turn in rest.turns] == [
        t.position for t in whole.turns[1:]
    ]
    assert rest.skipped == {"result without a call": 1}


def test_what_ran_before_the_first_message_has_index_minus_one():
    c = Claude()
    rest = read_transcript(jsonl(c.call("Bash", "t", command="x"), c.user("two")))
    assert [turn.index for turn in rest.turns] == [-1, 0]


def test_a_last_line_that_is_still_being_written_is_read_again():
    lines = jsonl(*CHAT)
    torn = read_transcript(lines + b'{"role": "user", "con')
    assert torn.end == Position(2, 0, len(lines))
    assert torn.skipped == {"broken JSON": 1}
    whole = read_transcript(lines + b'{"role": "user", "content": "x"}')
    assert whole.end.offset == len(lines) + 32


def test_every_format_in_the_table_reads_nothing_from_nothing():
    for name in FORMATS:
        transcript = read_transcript(b"", format=name)
        assert (transcript.turns, transcript.skipped) == ((), {})
