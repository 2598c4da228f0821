"""Sketches of memories: what was written is read again, and damage is recognised."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.memories.topic_sketch import (
    SketchedMemory,
    SketchError,
    TopicSketch,
    encode,
    find_topic,
)

STEMS = st.text(string.ascii_lowercase + string.digits + "éß中", min_size=1, max_size=4)
MEMORIES = st.lists(
    st.builds(
        SketchedMemory,
        path=st.text(max_size=12),
        topic=st.text(max_size=8),
        stems=st.lists(STEMS, max_size=8),
    ),
    max_size=6,
)


@given(MEMORIES, st.booleans(), st.floats(0, 1e12))
def test_a_sketch_has_what_was_written(memories, partial, until):
    marks = [("system/memory", 7, 123)]
    stamps = [(number, number) for number in range(len(memories) * partial)]
    sketch = TopicSketch(
        encode(memories, marks, partial=partial, until=until, stamps=stamps)
    )
    assert sketch.stamps == stamps
    assert (sketch.marks, sketch.partial, sketch.until) == (marks, partial, until)
    assert sketch.memories == [(one.path, one.topic) for one in memories]
    every = {stem for one in memories for stem in one.stems} | {"absent"}
    assert {stem: sketch.having(stem) for stem in every} == {
        stem: [place for place, one in enumerate(memories) if stem in one.stems]
        for stem in every
    }


@given(st.binary(max_size=80))
def test_other_bytes_are_no_sketch(data):
    with pytest.raises(SketchError):
        TopicSketch(data)


@given(MEMORIES, st.data())
def test_a_damaged_sketch_is_refused_or_answers(memories, data):
    whole = encode(memories, [], partial=False)
    cut = whole[: data.draw(st.integers(0, len(whole)))]
    try:
        sketch = TopicSketch(cut)
    except SketchError:
        return
    for stem in {stem for one in memories for stem in one.stems}:
        assert all(place < len(memories) for place in sketch.having(stem))


@given(MEMORIES, st.data())
def test_a_memory_that_is_left_out_has_no_influence(memories, data):
    places = range(len(memories))
    gone = data.draw(st.sets(st.sampled_from(places)) if memories else st.just(set()))
    sketch = TopicSketch(encode(memories, [], partial=False))
    sketch.leave_out(gone)
    kept = [memories[place] for place in places if place not in gone]
    rest = TopicSketch(encode(kept, [], partial=False))
    text = " ".join(stem for one in memories for stem in one.stems)
    assert find_topic(text, [sketch]) == find_topic(text, [rest])


def test_a_partial_sketch_without_stamps_is_refused():
    memory = SketchedMemory("a.md", "queue", ["drain"])
    with pytest.raises(SketchError):
        TopicSketch(encode([memory], [], partial=True))


def sketch_of(*memories: tuple[str, str, str]) -> TopicSketch:
    found = [
        SketchedMemory(path, topic, words.split()) for path, topic, words in memories
    ]
    return TopicSketch(encode(found, [], partial=False))


def test_the_most_similar_memory_of_the_topic_is_first():
    narrow = sketch_of(("a.md", "queue", "queue drain"), ("b.md", "oven", "oven heat"))
    broad = sketch_of(("c.md", "queue", "queue drain valv"), ("d.md", "queue", "x"))
    found = find_topic("the drained valves of the queue", [narrow, broad])
    assert found == ("queue", ["c.md", "a.md", "d.md"])


def test_a_text_about_nothing_has_no_topic():
    sketch = sketch_of(("a.md", "queue", "queue drain"), ("b.md", "", "valv"))
    assert find_topic("the oven is cold", [sketch]) == ("", [])
    assert find_topic("the valves", [sketch]) == ("", [])
    assert find_topic("the valves", []) == ("", [])
