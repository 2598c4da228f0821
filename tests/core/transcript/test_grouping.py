from collections import Counter
from typing import Any

from toolmem.core.transcript.events import (
    AssistantText,
    CallStatus,
    Event,
    Marker,
    ToolKind,
    ToolResult,
    TranscriptCall,
    UserText,
)
from toolmem.core.transcript.grouping import group_turns


def call(
    call_id: str = "", tool: str = "Bash", command: str = "make"
) -> TranscriptCall:
    return TranscriptCall(call_id, tool, ToolKind.SHELL, command=command)


def result(
    call_id: str = "", status: CallStatus = CallStatus.OK, code: int | None = None
) -> ToolResult:
    return ToolResult(call_id, status, code)


def grouped(*events: Event) -> tuple[list[Any], dict[str, int]]:
    skipped: Counter[str] = Counter()
    turns = group_turns(events, skipped)
    uses = [
        (use.call.command, use.status, use.result.exit_code if use.result else None)
        for turn in turns
        for use in turn.uses
    ]
    return uses, dict(skipped)


def test_each_typed_message_opens_a_turn_and_others_join_it():
    turns = group_turns(
        [
            UserText("a"),
            UserText("note", synthetic=True),
            AssistantText("ok"),
            UserText("b"),
            Marker("interrupt"),
        ],
        Counter(),
    )
    assert [turn.index for turn in turns] == [0, 1]
    assert [[text.text for text in turn.texts] for turn in turns] == [
        ["a", "note"],
        ["b"],
    ]
    assert [len(turn.markers) for turn in turns] == [0, 1]


def test_results_are_joined_by_id_whatever_their_order():
    uses, skipped = grouped(
        UserText("go"),
        call("1", command="a"),
        call("2", command="b"),
        result("2", CallStatus.FAILED, 2),
        result("1"),
    )
    assert uses == [("a", CallStatus.OK, None), ("b", CallStatus.FAILED, 2)]
    assert skipped == {}


def test_results_without_ids_are_joined_in_order():
    uses, _ = grouped(
        UserText("go"),
        call(command="a"),
        call(command="b"),
        result(status=CallStatus.FAILED),
        result(),
    )
    assert [status for _, status, _ in uses] == [CallStatus.FAILED, CallStatus.OK]


def test_a_result_of_an_unknown_call_is_not_given_to_another():
    uses, skipped = grouped(UserText("go"), call("1"), result("9", CallStatus.FAILED))
    assert uses == [("make", CallStatus.UNKNOWN, None)]
    assert skipped == {"result without a call": 1}


def test_a_result_reaches_a_call_of_an_earlier_turn():
    uses, _ = grouped(UserText("a"), call("1"), UserText("b"), result("1"))
    assert uses == [("make", CallStatus.OK, None)]


def test_a_call_that_stands_twice_counts_once():
    uses, skipped = grouped(UserText("a"), call("1"), call("1"), result("1"))
    assert len(uses) == 1
    assert skipped == {"repeated call": 1}


def test_an_id_that_is_used_again_is_another_call():
    uses, _ = grouped(
        UserText("a"),
        call("1"),
        result("1", CallStatus.FAILED, 1),
        UserText("b"),
        call("1"),
        result("1"),
        call("1", command="ls"),
        call("1"),
    )
    assert [status for _, status, _ in uses] == [
        CallStatus.FAILED,
        CallStatus.OK,
        CallStatus.UNKNOWN,
        CallStatus.UNKNOWN,
    ]


def test_a_later_result_ends_a_running_call_and_fills_gaps_of_an_ended_one():
    uses, _ = grouped(
        UserText("a"),
        call("1"),
        result("1", CallStatus.RUNNING),
        result("1", CallStatus.FAILED, 3),
        call("2"),
        result("2", CallStatus.FAILED),
        result("2", CallStatus.OK, 4),
    )
    assert uses == [("make", CallStatus.FAILED, 3), ("make", CallStatus.FAILED, 4)]


def test_exit_code_1_of_a_search_is_turned_into_ok():
    uses, _ = grouped(
        UserText("a"), call("1", command="rg x"), result("1", CallStatus.FAILED, 1)
    )
    assert uses == [("rg x", CallStatus.OK, 1)]


def test_many_results_without_calls_cost_no_more_than_their_number():
    calls = [call(str(number)) for number in range(20_000)]
    orphans = [result(f"x{number}") for number in range(20_000)]
    _, skipped = grouped(UserText("a"), *calls, *orphans)
    assert skipped == {"result without a call": 20_000}
