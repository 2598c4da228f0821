from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.turns.made import bash, edit
from toolmem.core.transcript.events import Position, Turn, UserText
from toolmem.core.turns.places import first_place, mark_of, own_id, same_message

START = datetime(2026, 2, 1, tzinfo=UTC)


def turn(text, *uses, second=None, uuid=""):
    ts = None if second is None else START + timedelta(seconds=second)
    return Turn(0, (UserText(text, ts=ts, uuid=uuid),), uses=uses)


def marks(*turns):
    return [mark_of(each) for each in turns]


A, B, C, AGAIN = turn("a"), turn("b"), turn("c"), turn("again")


@pytest.mark.parametrize(
    ("known", "given", "place"),
    [
        ([], [A], 0),
        ([A], [A], 0),
        ([A, B], [A, B, C], 0),
        ([A, B], [C], 2),
        ([A, B], [B, C], 1),
        ([A, B, C], [C], 2),
        ([A, B, C], [], 3),
        # Without a time or an id, a message in the middle may be a repeated one.
        ([AGAIN, B], [AGAIN], 2),
        ([A, AGAIN, B], [AGAIN, C], 3),
    ],
)
def test_turns_are_placed_after_or_among_those_that_are_known(known, given, place):
    assert first_place(marks(*known), given) == place


def test_a_message_with_a_time_is_recognised_in_the_middle():
    known = [turn("go", second=n) for n in range(4)]
    assert first_place(marks(*known), known[1:2]) == 1
    assert first_place(marks(*known), [turn("go", second=9)]) == 4


def heard_by_hook(text, second):
    """The mark of a message whose id a hook made up, of its session and the time."""
    moment = START + timedelta(seconds=second)
    return mark_of(turn(text, uuid=f"session-0001@{int(moment.timestamp()) * 10**9:x}"))


def test_a_message_that_a_hook_heard_is_recognised_by_its_text_and_time():
    known = [heard_by_hook("go", 0), heard_by_hook("go", 60), heard_by_hook("a", 70)]
    assert first_place(known, [turn("go", second=2), turn("go", second=62)]) == 0
    assert first_place(known, [turn("go", second=59, uuid="u" * 36)]) == 1
    assert first_place(known, [turn("b", second=60)]) == 3
    assert first_place(known, [turn("go", second=30)]) == 3
    assert first_place(known, [turn("go")]) == 3


def test_a_session_that_was_rewound_is_placed_where_it_goes_apart():
    known = [turn("a", second=0), turn("b", second=1)]
    assert first_place(marks(*known), [known[0], turn("c", second=2)]) == 0


def test_a_turn_that_grew_is_the_same_and_one_with_other_calls_is_another():
    known = marks(A, turn("again", bash("make")))
    assert first_place(known, [turn("again", bash("make"), edit("a.py"))]) == 1
    assert first_place(known, [turn("again", bash("ls"))]) == 2
    assert first_place(known, [turn("again")]) == 2


def test_a_message_is_known_by_its_mark():
    assert same_message(mark_of(A), A)
    assert not same_message(mark_of(A), B)


@pytest.mark.parametrize(
    ("uuid", "own"),
    [
        ("4f9c2c6e-7a53-4d3e-9d3f-0a1b2c3d4e5f", True),
        ("msg_01AbCdEfGhIjKlMn", True),
        ("1", False),
        ("3.0", False),
        ("", False),
    ],
)
def test_only_a_long_id_is_one_that_no_other_message_has(uuid, own):
    text = UserText("a", uuid=uuid, position=Position(3, 0, 9, uuid))
    assert own_id(text) == (uuid if own else "")


@given(
    st.lists(st.sampled_from("abc"), max_size=8),
    st.lists(st.sampled_from("abc"), max_size=8),
)
def test_what_goes_on_is_placed_where_it_began(known, more):
    turns = [turn(text, second=n) for n, text in enumerate(known + more)]
    assert first_place(marks(*turns[: len(known)]), turns) == 0
    assert first_place(marks(*turns[: len(known)]), turns[len(known) :]) == len(known)
