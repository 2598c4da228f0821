"""Four times the text takes at most six times the work, for any text."""

import gc
import time
from functools import partial

import pytest

from tests.cli.hearing import tell
from tests.hostile.readers import READERS, Reader, read
from tests.hostile.shapes import SHAPES, Shape
from tests.world import World
from toolmem.core.merge.merge import merge_file

SMALL, LARGE = 10_000, 40_000
MOST = 6
TRIES = 4
NOTHING = 0.01
"""CPU seconds below which a clock says nothing about growth."""


def cpu(reader: Reader, text: str) -> float:
    begun = time.thread_time()
    reader(text)
    return time.thread_time() - begun


def is_linear(reader: Reader, shape: Shape) -> bool:
    """Return True if any of a few measurements shows it: other load only adds time."""
    small, large = shape(SMALL), shape(LARGE)
    quick = slow = float("inf")
    for _ in range(TRIES):
        slow = min(slow, cpu(reader, large))
        if slow <= NOTHING:
            return True
        quick = min(quick, cpu(reader, small))
        if slow <= MOST * quick:
            return True
    return False


@pytest.mark.parametrize("name", READERS)
def test_a_reader_of_untrusted_text_is_linear(name):
    reader = partial(read, name)
    reader("warm")
    gc.collect()
    slow = [shape for shape, make in SHAPES.items() if not is_linear(reader, make)]
    assert slow == []


def test_a_merge_of_many_facts_that_are_in_conflict_is_linear():
    def merge(text: str) -> None:
        base, ours, theirs = (text.replace("=", f": {side}") for side in "abc")
        merged = merge_file("facts", base, ours, theirs, "f.md")
        assert len(merged.conflicts) == text.count("=")

    def facts(size: int) -> str:
        return "".join(f"k{n}=\n" for n in range(size // 40))

    assert is_linear(merge, facts)


def test_a_merge_that_moves_many_facts_is_linear():
    def merge(text: str) -> None:
        moved = f"## new\n{text}"
        merged = merge_file("facts", text, moved, f"{text}last: 1\n{text}", "f.md")
        assert "last: 1" in merged.text

    def facts(size: int) -> str:
        return "".join(f"k{n}: {n}\n" for n in range(size // 40))

    assert is_linear(merge, facts)


def test_capture_of_a_hostile_message_is_linear(tmp_path):
    world = World(tmp_path).vault("empty")

    def capture(text: str) -> None:
        tell(world, text, args=("--dry-run",))

    capture("warm")
    quadratic = [
        shape for shape, make in SHAPES.items() if not is_linear(capture, make)
    ]
    assert quadratic == []
