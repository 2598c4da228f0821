"""Merging preserves the metadata of memories: tags, expiry, privacy.

The same text, or a longer one, is saved twice with other tags, expiry, privacy and
importance, and the vault is cleaned up: each value is in the remaining memory, or its
loss was reported when it was saved.
"""

import json
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.world import World

_NOTE = "The pump in hall three starts at noon and stops at six every day."
_MORE = f"{_NOTE} We changed its seal in May, with both of the apprentices."
_save = st.fixed_dictionaries(
    {"text": st.sampled_from([_NOTE, _MORE])},
    optional={
        "tags": st.sampled_from([["a"], ["b"], ["a", "b"]]),
        "days": st.sampled_from([10, 20]),
        "private": st.just(True),
        "importance": st.sampled_from([0.2, 0.9]),
    },
)
Given = dict[str, Any]


def saved(world: World, given_: Given) -> str:
    """Save a memory; what was said of it on standard error."""
    words = ["memory", "save", "-", "--json"]
    for tag in given_.get("tags", ()):
        words += ["--tag", tag]
    if "days" in given_:
        end = world.now + timedelta(days=given_["days"])
        words += ["--expires", end.isoformat()]
    words += ["--private"] if "private" in given_ else []
    if "importance" in given_:
        words += ["--importance", str(given_["importance"])]
    done = world.call(*words, stdin=given_["text"])
    assert done.code == 0, done
    return done.stderr


def memories(world: World) -> list[Given]:
    """The memories that are there, with their texts."""
    listed = json.loads(world.call("memory", "list", "--json").stdout)
    shown = (
        world.call("memory", "show", one["id"], "--full", "--json") for one in listed
    )
    return [json.loads(one.stdout) for one in shown]


def is_as_strong(memory: Given, given_: Given, end: str | None) -> bool:
    tags = set(given_.get("tags", ())) <= set(memory["tags"])
    held = memory.get("expires_at")
    lasts = held is None or (end is not None and held >= end)
    return tags and lasts and memory["importance"] >= given_.get("importance", 0.0)


def nothing_is_weaker(folder, saves: list[Given]) -> None:
    world = World(folder).write("toolmem.toml", "schema = 1\n")
    told = [saved(world, one) for one in saves]
    assert world.call("reflect", "-o", "plan.toml").code == 0
    assert world.call("reflect", "--apply", "plan.toml").code == 0
    found = memories(world)
    for given_, said in zip(saves, told, strict=True):
        private = "private" in given_
        end = None
        if "days" in given_:
            moment = world.now + timedelta(days=given_["days"])
            end = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
        sentences = given_["text"].rstrip(".").split(". ")
        same = [
            one
            for one in found
            if all(words in one["text"] for words in sentences)
            if bool(one.get("private")) == private
        ]
        assert same, (given_, found)
        strong = any(is_as_strong(one, given_, end) for one in same)
        assert strong or said, (given_, same)


_saves = given(st.lists(_save, min_size=2, max_size=3))


@_saves
@examples(50)
def test_tags_life_and_privacy_are_as_strong_after_a_merge(tmp_path_factory, saves):
    nothing_is_weaker(tmp_path_factory.mktemp("saves"), saves)


@pytest.mark.soak
@_saves
@examples(500, derandomize=False)
def test_tags_life_and_privacy_are_as_strong_after_a_merge_at_length(
    tmp_path_factory, saves
):
    nothing_is_weaker(tmp_path_factory.mktemp("saves"), saves)
