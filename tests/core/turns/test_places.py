from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.turns.made import bash, edit
from toolmem.core.transcript.events import Position, Turn, UserText
from toolmem.core.turns.places import (
    StoredTurn,
    agent_id,
    mark_of,
    own_id,
    repeated_turns,
    same_message,
    turn_numbers,
)

START = datetime(2026, 2, 1, tzinfo=UTC)


def turn(text, *uses, second=None, uuid=""):
    ts = None if second is None else START + timedelta(seconds=second)
    return Turn(0, (UserText(text, ts=ts, uuid=uuid),), uses=uses)


def marks(*turns):
    return [mark_of(each) for each in turns]


A, B, C, AGAIN = turn("a"), turn("b"), turn("c"), turn("again")


@pytest.mark.parametrize(
    ("known", "given", "numbers"),
    [
        ([], [A], (0,)),
        ([A], [A], (0,)),
        ([A, B], [A, B, C], (0, 1, 2)),
        ([A, B], [C], (2,)),
        ([A, B], [B, C], (1, 2)),
        ([A, B, C], [C], (2,)),
        ([A, B, C], [], ()),
        # Without a time or an id, a message in the middle may be a repeated one.
        ([AGAIN, B], [AGAIN], (2,)),
        ([A, AGAIN, B], [AGAIN, C], (3, 4)),
    ],
)
def test_turns_are_placed_after_or_among_those_that_are_known(known, given, numbers):
    assert turn_numbers(marks(*known), given) == numbers


def test_a_message_with_a_time_is_recognised_in_the_middle():
    known = [turn("go", second=n) for n in range(4)]
    assert turn_numbers(marks(*known), known[1:2]) == (1,)
    assert turn_numbers(marks(*known), [turn("go", second=9)]) == (4,)


def by_hook(text, second):
    """The mark of a message whose id a hook made up, of its session and the time."""
    moment = START + timedelta(seconds=second)
    return mark_of(turn(text, uuid=f"session-0001@{int(moment.timestamp()) * 10**9:x}"))


def typed(*texts, later=0):
    """The turns of a transcript, which has other times than the hooks."""
    return [turn(text, second=100 * n + later) for n, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("captured", "given", "numbers"),
    [
        ("abc", "abc", (0, 1, 2)),
        ("abca", "abca", (0, 1, 2, 3)),
        ("bc", "abc", (2, 0, 1)),  # the hooks missed the first message
        ("ac", "abc", (0, 2, 1)),
        ("aba", "a", (2,)),  # only the end of the session
        ("aa", "aaa", (0, 1, 2)),
        ("abc", "abd", (0, 1, 3)),  # rewound
        ("abc", "d", (3,)),
    ],
)
def test_a_message_that_a_hook_captured_keeps_its_number(captured, given, numbers):
    known = [by_hook(text, second) for second, text in enumerate(captured)]
    assert turn_numbers(known, typed(*given, later=30)) == numbers
    assert turn_numbers(known, typed(*given, later=-9999)) == numbers


def test_two_messages_of_hooks_are_never_one():
    known = [by_hook("go", 0)]
    again = turn("go", uuid="session-0001@ffff")
    assert turn_numbers(known, [again]) == (1,)
    assert not same_message(known[0], again)


@given(st.text("abc", max_size=12), st.data())
def test_a_session_has_the_same_numbers_however_often_it_is_read(texts, data):
    seen = [text for text in texts if data.draw(st.booleans())]
    known = [by_hook(text, second) for second, text in enumerate(seen)]
    turns = typed(*texts)
    numbers = turn_numbers(known, turns)
    assert sorted(numbers) == [*range(len(turns))]
    by_number = dict(zip(numbers, turns, strict=True))
    after = marks(*(by_number[number] for number in range(len(turns))))
    assert turn_numbers(after, turns) == numbers
    assert all(same_message(mark, by_number[n]) for n, mark in enumerate(known))


def of_another(*stored):
    return [StoredTurn("other", at, mark, True) for at, mark in enumerate(stored)]


@pytest.mark.parametrize(
    ("before", "given", "places"),
    [
        ("abc", "abcd", [0, 1, 2]),
        ("abc", "ab", [0, 1]),  # forked in the middle
        ("bc", "abc", [1, 2]),  # the hooks missed the first message
        ("abc", "bcd", []),  # a transcript repeats a session from its beginning
        ("a", "a", []),  # so much later it is said again
        ("", "abc", []),
    ],
)
def test_a_forked_session_repeats_turns_of_another(before, given, places):
    turns = typed(*given, later=9_999)
    hooked = of_another(*(by_hook(text, at) for at, text in enumerate(before)))
    assert [*repeated_turns([], hooked, turns)] == places
    read = of_another(*marks(*typed(*before, later=9_999)))
    if given.startswith(before):
        assert [*repeated_turns([], read, turns)] == [*range(len(before))]


def test_no_turn_of_a_session_is_taken_for_a_repeated_one():
    stored = of_another(by_hook("a", 0), by_hook("b", 1))
    known = [by_hook("a", 9_998), by_hook("b", 9_999)]
    assert repeated_turns(known, stored, typed("a", "b", later=9_999)) == {}
    again = typed("a", "b", "a", "b", later=9_999)
    assert [*repeated_turns(known, stored, again)] == [0, 1]


def test_a_session_that_was_rewound_goes_on_after_all_that_was_said():
    known = [turn("a", second=0), turn("b", second=1)]
    assert turn_numbers(marks(*known), [known[0], turn("c", second=2)]) == (0, 2)


def test_a_turn_that_grew_is_the_same_and_one_with_other_calls_is_another():
    known = marks(A, turn("again", bash("make")))
    assert turn_numbers(known, [turn("again", bash("make"), edit("a.py"))]) == (1,)
    assert turn_numbers(known, [turn("again", bash("ls"))]) == (2,)
    assert turn_numbers(known, [turn("again")]) == (2,)


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
    assert own_id(text) == agent_id(text) == (uuid if own else "")
    assert agent_id(UserText("a", uuid=f"session-0001@{uuid}")) == ""


@given(
    st.lists(st.sampled_from("abc"), max_size=8),
    st.lists(st.sampled_from("abc"), max_size=8),
)
def test_what_goes_on_is_placed_where_it_began(known, more):
    turns = [turn(text, second=n) for n, text in enumerate(known + more)]
    numbers = tuple(range(len(turns)))
    before = marks(*turns[: len(known)])
    assert turn_numbers(before, turns) == numbers
    assert turn_numbers(before, turns[len(known) :]) == numbers[len(known) :]
