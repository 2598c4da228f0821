"""Work grows with the size of a text and no faster, for any text."""

import gc
from functools import partial

import pytest

from tests.cli.hearing import tell
from tests.examples import in_turn
from tests.growth import is_linear
from tests.hostile.readers import READERS, read
from tests.hostile.shapes import SHAPES
from tests.world import World
from toolmem.core.guard.derivation.stated import derived_guards
from toolmem.core.merge.merge import merge_file


@pytest.mark.one_of(3)
@pytest.mark.sampled
@pytest.mark.parametrize(("turn", "name"), [*enumerate(READERS)], ids=[*READERS])
def test_a_reader_of_untrusted_text_is_linear(turn, name):
    reader = partial(read, name)
    reader("warm")
    gc.collect()
    shapes = in_turn([*SHAPES], turn, 4)
    slow = [shape for shape in shapes if not is_linear(reader, SHAPES[shape])]
    assert slow == []


def test_guards_of_a_text_with_a_long_run_of_blanks_take_linear_time():
    def derive(text: str) -> None:
        derived_guards(text, "shell")

    assert is_linear(derive, lambda size: f"keep{' ' * (size // 40)}x")


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
