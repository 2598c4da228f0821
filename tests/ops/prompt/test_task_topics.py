"""A task loads the memories of the topic that it is about, though it names none.

The vaults, tasks and memories were written before the ranking; ``house`` and
``shop`` were not used to choose it.
"""

import pytest

from tests.ops.prompt.tasks import SCOPE, TopicTasks, read, write_memories
from tests.world import World
from toolmem.core.scope import chain_for, parse_scope
from toolmem.ops.memories.similar import most_similar_memory
from toolmem.ops.prompt.memories_by_topic import topic_memories
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault

NAMES = ["game", "platform", "shop", "house"]


def opened(world: World) -> Vault:
    vault = Vault.open(find_vault({}, world.root), world.now)
    return vault.with_chain(chain_for("shop"))


@pytest.fixture(scope="module", params=NAMES)
def written(request, tmp_path_factory):
    tasks = read(request.param)
    world = World(tmp_path_factory.mktemp(request.param)).vault("empty")
    write_memories(world, tasks)
    return tasks, world


def counts(found: list[tuple[str, str]]) -> tuple[int, int]:
    """Number of (wanted, found) that are right, and of found ones that are wrong."""
    right = sum(bool(wanted) and wanted == got for wanted, got in found)
    wrong = sum(bool(got) and wanted != got for wanted, got in found)
    return right, wrong


def test_most_tasks_load_their_topic_and_hardly_any_another(
    written: tuple[TopicTasks, World],
) -> None:
    tasks, world = written
    vault = opened(world)
    found = []
    for wanted, task in tasks.tasks:
        memories, _ = topic_memories(vault, "", task)
        found.append((wanted, memories[0].topic if memories else ""))
    right, wrong = counts(found)
    assert len(found) == 30
    assert right >= 20
    assert wrong <= 1


def test_most_saves_get_their_topic_and_hardly_any_another(
    written: tuple[TopicTasks, World],
) -> None:
    tasks, world = written
    vault, scope = opened(world), parse_scope("project:shop")
    found = [
        (wanted, most_similar_memory(vault, scope, text, private=False).topic or "")
        for wanted, text in tasks.saves
    ]
    right, wrong = counts(found)
    assert len(found) == 24
    assert right >= 15
    assert wrong <= 1


def test_a_task_that_fits_a_memory_without_a_topic_loads_it(world):
    world.vault("empty")
    text = "# The crane of the north hall\n\nThe crew checks its brake at noon.\n"
    world.write(f"{SCOPE}/memory/crane.md", text)
    memories, _ = topic_memories(opened(world), "", "the brake of the crane squeaks")
    assert [memory.id for memory in memories] == ["crane"]
    assert topic_memories(opened(world), "", "order new chairs")[0] == ()


def test_a_memory_off_the_topic_that_fits_better_comes_first(world):
    world.vault("empty")
    for name, topic, text in (
        ("retry", "payments-api", "Payments retry three times with backoff"),
        ("signed", "payments-api", "Payments webhooks are signed with HMAC"),
        ("twice", "payments", "A webhook may arrive twice"),
        ("chairs", "office", "Chairs are ordered at the front desk"),
    ):
        header = f"---\ntopic: {topic}\n---\n"
        world.write(f"{SCOPE}/memory/{name}.md", f"{header}# {text}\n")
    task = "sign the payments webhook"
    memories, _ = topic_memories(opened(world), "", task)
    assert [memory.id for memory in memories] == ["signed", "twice"]
    alone, _ = topic_memories(opened(world), "payments", task)
    assert [memory.id for memory in alone] == ["twice"]


def test_a_corrected_spelling_is_no_evidence(world):
    world.vault("empty")
    text = "---\ntopic: logging\n---\n# Loggers are JSON\n"
    world.write(f"{SCOPE}/memory/loggers.md", text)
    assert topic_memories(opened(world), "", "thank the loggerz")[0] == ()


def test_a_memory_takes_its_topic_from_the_task_that_it_comes_from(world):
    tasks = read("shop")
    world.vault("empty")
    write_memories(world, tasks)
    vault, scope = opened(world), parse_scope("project:shop")
    text = "The second attempt wins"
    plain = most_similar_memory(vault, scope, text, private=False)
    of_task = most_similar_memory(
        vault, scope, text, private=False, task="the provider sent a webhook twice"
    )
    assert (plain.topic, of_task.topic) == (None, "payments")
