"""What a reflection reads, and that looking at few pairs finds what all pairs show."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import pytest

from tests.cli.test_reflect import said
from tests.opened import opened_files
from tests.world import World
from toolmem.core.reflect import memories
from toolmem.core.reflect.word_table import WordTable

WORDS = [a + b + c for a in "bdfgklmn" for b in "aeiou" for c in ("nor", "rim", "lops")]
SCOPES = ("system", "agent-types/coding", "projects/apollo", "projects/beta")


def write_memories(world: World, seed: int, count: int) -> None:
    """Write memories, half of them versions of others in any scope."""
    chance = random.Random(seed)
    known: list[list[str]] = []
    for number in range(count):
        words = chance.sample(WORDS, 40)
        if known and number % 2:
            words = list(chance.choice(known))
            for _ in range(chance.choice((0, 1, 2, 20))):
                words[chance.randrange(40)] = chance.choice(WORDS)
        known.append(words)
        text = ". ".join(" ".join(words[at : at + 8]) for at in range(0, 40, 8))
        scope = chance.choice(SCOPES)
        world.write(
            f"{scope}/memory/m-{number:06}.md", f"# About {words[0]}\n\n{text}.\n"
        )


def all_pairs(
    texts: Sequence[int],
    known: WordTable,
    may_meet: Callable[[int, int], bool],
    report: Callable[[int], None] = lambda _: None,
) -> Iterator[tuple[int, int, float]]:
    """Compare every pair, as ``similar_ones`` need not."""
    sets = [set(known.words_of(text)) for text in texts]
    for one, own in enumerate(sets):
        for other in range(one + 1, len(sets)):
            share = len(own & sets[other]) / len(own | sets[other])
            if share >= 0.4 and may_meet(one, other):
                yield one, other, share


@pytest.mark.one_of(4)
@pytest.mark.parametrize("seed", range(4))
def test_the_steps_are_those_of_comparing_all_pairs(world, monkeypatch, seed):
    world.vault("empty")
    write_memories(world, seed, 60)
    found = said(world)
    monkeypatch.setattr(memories, "similar_ones", all_pairs)
    assert found == said(world)
    assert "merge" in {action for action, _ in found}


@pytest.fixture
def spread(world):
    """Memories that are unlike each other, in every scope."""
    world.vault("empty")
    for number, scope in enumerate((*SCOPES, "agents/helper")):
        words = " ".join(WORDS[number * 20 : number * 20 + 20])
        world.write(f"{scope}/memory/m-{number}.md", f"# Memory {number}\n\n{words}\n")
    return world


def times_read(names: list[str]) -> dict[str, int]:
    return Counter(name for name in names if name != "facts.md")


def test_each_memory_is_read_once(spread):
    with opened_files(".md") as reading:
        assert said(spread) == []
    assert times_read(reading) == {f"m-{number}.md": 1 for number in range(5)}


def test_a_project_alone_reads_the_memories_of_its_chain(spread):
    with opened_files(".md") as reading:
        assert said(spread, "--project", "apollo") == []
    assert times_read(reading) == {f"m-{number}.md": 1 for number in range(3)}
