"""Memories that may say the same in other words are proposed to be compared."""

import json
from itertools import chain
from typing import Any

import pytest

from tests.cli.test_reflect import NEW, OLD, A, B, applied, make_plan, planned, said
from tests.core.reflect.test_rewording import DATA, ONE, OTHER
from tests.world import World
from toolmem.ops.reflect import compare_steps
from toolmem.store.index import word_table

FIRST, SECOND = (
    "system/memory/first-a00001.md",
    "projects/apollo/memory/second-a00002.md",
)
REASON = (
    "second-a00002 and first-a00001 may say the same in other words (both have 'ines', "
    "1.9 times as similar in meaning as to their neighbours)"
)


def note(text: str, day: int = 1, more: str = "") -> str:
    return f"---\ncreated: 2026-02-{day:02}\n{more}---\n{text}\n"


@pytest.fixture
def vault(world):
    world.vault("empty")
    for number, text in enumerate(DATA["background"][:60]):
        world.write(f"system/memory/note-{number:06}.md", note(text))
    return world.write(FIRST, note(ONE)).write(SECOND, note(OTHER, 2))


def compared(vault: World, *flags: str) -> list[tuple[str, str]]:
    return [step for step in said(vault, *flags) if step[0] == "compare"]


def test_the_pair_is_named_with_the_reason(vault):
    [step] = planned(vault)
    assert (step["action"], step["reason"]) == ("compare", REASON)
    assert [one["path"] for one in step["files"]] == [SECOND, FIRST]
    assert vault.call("reflect").stderr == (
        "toolmem: 62 memories and 0 rules: 1 compare\n"
    )


def test_applied_it_changes_nothing(vault):
    make_plan(vault)
    before = vault.files()
    [done] = applied(vault)
    assert (done["result"], vault.files()) == ("looked", before)


def test_a_person_may_merge_the_two(vault):
    plan = make_plan(vault).replace('action = "compare"', 'action = "merge"')
    vault.write("plan.toml", plan)
    assert [done["result"] for done in applied(vault)] == ["done"]
    assert (vault.root / f"archive/{FIRST}").is_file()


def test_it_comes_last_and_changes_no_other_step(vault):
    vault.write(A, OLD).write(B, NEW)
    steps = planned(vault)
    assert [step["action"] for step in steps] == ["merge", "compare"]
    vault.write("toolmem.toml", 'schema = 1\nsearch.semantic = "off"\n')
    assert planned(vault) == steps[:1]


@pytest.mark.parametrize("field", ["related_to", "contested_with", "supersedes"])
def test_linked_memories_are_not_proposed_again(vault, field):
    vault.write(FIRST, note(ONE, 1, f"{field}: [second-a00002]\n"))
    assert planned(vault) == []


def test_what_words_decide_is_not_compared(vault):
    vault.write("system/memory/third-a00003.md", note(ONE, 3))
    assert [action for action, _ in said(vault)] == ["merge"]


def test_in_other_languages_nothing_is_compared(vault):
    vault.write("toolmem.toml", 'schema = 1\nlanguage = "de"\n')
    assert compared(vault) == []


def test_without_the_table_nothing_is_compared_and_that_is_said(
    vault, tmp_path, monkeypatch
):
    vault.write(A, OLD).write(B, NEW)
    others = planned(vault)[:1]
    path = tmp_path / "word_vectors.bin"
    path.write_bytes(word_table.FILE.read_bytes()[:-1])
    monkeypatch.setattr(word_table, "open_table", lambda: word_table.read_table(path))
    assert planned(vault) == others
    assert vault.call("reflect", "--json").stderr.startswith(
        "toolmem: compared without word vectors: /world/word_vectors.bin: not the file "
    )


def test_a_project_gets_the_pairs_that_concern_it(vault):
    assert [reason for _, reason in said(vault, "--project", "apollo")] == [REASON]
    text = DATA["background"][70]
    vault.write("projects/apollo-2/memory/other-a00004.md", note(text, 4))
    assert said(vault, "--project", "apollo-2") == []


def test_the_most_likely_pairs_are_proposed_and_the_others_counted(vault, monkeypatch):
    for number, pair in enumerate(DATA["same"]):
        for side, text in enumerate(pair):
            vault.write(f"system/memory/same-{number:02}{side}.md", note(text))
    monkeypatch.setattr(compare_steps, "_MOST_STEPS", 100)
    every = said(vault)
    assert len(every) > 3
    monkeypatch.setattr(compare_steps, "_MOST_STEPS", 2)
    done = vault.call("reflect", "--json")
    steps = json.loads(done.stdout)["steps"]
    assert [(step["action"], step["reason"]) for step in steps] == every[:2]
    assert done.stderr.startswith(
        f"toolmem: {len(every)} pairs may say the same in other words: the 2 most "
        "likely are proposed\n"
    )


@pytest.fixture
def ada(vault, monkeypatch):
    """Ask as an agent."""
    monkeypatch.setenv("TOOLMEM_AGENT", "ada")
    return vault


def answer(vault: World) -> tuple[Any, str]:
    done = vault.call("reflect", "--json")
    return json.loads(done.stdout), done.stderr


HIDDEN = {
    "private": ("system/memory/hidden-{}.md", "private: true\n"),
    "of another agent": ("agents/bob/memory/hidden-{}.md", ""),
}


@pytest.mark.parametrize(("path", "more"), HIDDEN.values(), ids=HIDDEN)
def test_what_an_agent_may_not_see_changes_nothing(ada, path, more):
    before = answer(ada)
    for number, text in enumerate((OTHER, ONE, *chain(*DATA["same"]))):
        ada.write(path.format(number), note(text, 9, more))
    assert answer(ada) == before
    assert len(before[0]["steps"]) == 1


@pytest.mark.parametrize(("path", "more"), HIDDEN.values(), ids=HIDDEN)
def test_hidden_memories_are_compared_with_no_others(vault, path, more):
    vault.write(SECOND, note("Nothing.", 2))
    vault.write(path.format(1), note(OTHER, 2, more))
    assert compared(vault) == []


def test_two_reflections_propose_the_same(vault):
    for number, pair in enumerate(DATA["same"][:20]):
        for side, text in enumerate(pair):
            vault.write(f"system/memory/same-{number:02}{side}.md", note(text))
    first = planned(vault)
    vault.call("search", "pelican")
    assert planned(vault) == first
