"""Memories that contradict each other: with their times, the newer one first."""

from datetime import UTC, datetime

from toolmem.core.model import SYSTEM
from toolmem.core.prompt.build import TopicMemory, memories_part, newer_first


def _memory(name: str, day: int, *rivals: str) -> TopicMemory:
    when = datetime(2026, 4, day, 9, 30, tzinfo=UTC)
    return TopicMemory(
        name,
        name,
        f"Text {name}.",
        "t",
        SYSTEM,
        f"{name}.md",
        bool(rivals),
        rivals,
        when,
    )


def test_the_newer_of_two_goes_first_and_all_others_stay():
    found = [
        _memory("a", 1),
        _memory("b", 2, "d"),
        _memory("c", 3),
        _memory("d", 4, "b"),
    ]
    assert [one.id for one in newer_first(found)] == ["a", "d", "c", "b"]


def test_a_rival_that_is_not_shown_changes_nothing():
    found = [_memory("a", 1, "z"), _memory("b", 2)]
    assert newer_first(found) == found


def test_a_contested_memory_has_its_time():
    [item] = memories_part([_memory("a", 1, "z")]).items
    assert "this one is of 2026-04-01T09:30:00Z" in item.text
