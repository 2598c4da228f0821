"""The topic that a typed message enters, found by the index."""

import os
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.opened import opened_files
from tests.ops.prompt.tasks import read, write_memories
from tests.world import World
from toolmem.core.agents.event import PROMPT, Event
from toolmem.core.scope import chain_for
from toolmem.core.visibility import Audience
from toolmem.ops.hooks import prompt_submitted
from toolmem.ops.hooks.entered_topic import find_entered, read_entered
from toolmem.ops.prompt.memories_by_topic import topic_memories
from toolmem.store.files.background import run_detached
from toolmem.store.vault import library
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault

NOW = datetime(2026, 4, 7, tzinfo=UTC)
MEMORIES = {
    "system/memory/tokens-aaaaaa.md": (
        "---\ntopic: authentication\ntags: [oauth, sessions]\n---\n"
        "# OAuth tokens expire after an hour\n\n"
        "Refreshing an expired token asks the provider for the scopes again.\n"
    ),
    "system/memory/db/pool-bbbbbb.md": (
        "---\ntopic: database pooling\n---\n# The pool is exhausted at night\n\n"
        "Nightly imports hold connections; the limit of the pool is twenty.\n"
    ),
    "system/memory/limits-cccccc.md": (
        "---\ntopic: rate-limits\n---\n# The API limits requests\n\n"
        "Requests above sixty a minute are refused by the gateway.\n"
    ),
    "system/memory/none-dddddd.md": (
        "---\ntags: [x]\n---\n# Deploys run on Fridays\n\nNo one knows why.\n"
    ),
    "system/memory/bare-eeeeee.md": "# Deploys of the importer\n\nA script runs.\n",
}
WORDS = sorted(
    {
        word.strip('.,;:#[]"-')
        for text in MEMORIES.values()
        for word in text.lower().split()
    }
    | {"fix", "please", "database", "pooling", "limiting", "refresh", "importing"}
)


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path).vault("template")
    for path, text in MEMORIES.items():
        world.write(path, text)
    return world


def opened(world: World, now: datetime = NOW) -> Vault:
    return Vault.open(find_vault({}, world.root), now, Audience.AGENT)


def shown(world: World, message: str, now: datetime = NOW) -> tuple[str, list[str]]:
    """Topic of a message, and the ids of the memories that are shown."""
    vault = opened(world, now)
    entered = find_entered(vault, message)
    return entered.topic, [one.name for one in read_entered(vault, entered).items]


@pytest.mark.parametrize(
    ("message", "topic"),
    [
        ("fix the authentication", "authentication"),
        ("refreshed tokens expired", "authentication"),
        ("the database pooling again", "database-pooling"),
        ("please run the tests", ""),
        ("", ""),
    ],
)
def test_a_message_enters_the_topic_that_it_names_or_is_about(world, message, topic):
    assert shown(world, message)[0] == topic


def test_it_is_the_topic_that_a_search_finds(world):
    chance = random.Random(7)
    vault, entered = opened(world), 0
    for _ in range(60):
        text = " ".join(chance.sample(WORDS, chance.randint(2, 7)))
        found, _ = topic_memories(vault, "", text)
        topic = found[-1].topic if found else ""  # those that fit better are first
        assert find_entered(vault, text)[0] == topic, text
        entered += bool(topic)
    assert 5 < entered < 60


@pytest.mark.parametrize("name", ["game", "platform", "shop", "house"])
def test_most_messages_enter_their_topic_and_hardly_any_another(tmp_path, name):
    world = World(tmp_path).vault("empty")
    tasks = read(name)
    write_memories(world, tasks)
    vault = opened(world).with_chain(chain_for("shop"))
    found = [(wanted, find_entered(vault, task)[0]) for wanted, task in tasks.tasks]
    right = sum(bool(wanted) and wanted == got for wanted, got in found)
    wrong = sum(bool(got) and wanted != got for wanted, got in found)
    assert right >= 20
    assert wrong <= 1


def test_a_typed_message_opens_no_memory_file(world, monkeypatch):
    monkeypatch.setattr("toolmem.store.index.source.RACY_NS", 0)
    shown(world, "please run the tests")
    with opened_files(".md") as second:
        shown(world, "please run the tests")
    assert second == []
    with opened_files(".md") as entering:
        shown(world, "fix the authentication")
    assert set(entering) == {"tokens-aaaaaa.md"}


def test_a_change_to_any_of_a_few_memories_is_noticed(world):
    assert shown(world, "fix the valves") == ("", [])
    path = world.root / "system/memory/tokens-aaaaaa.md"
    path.write_text("---\ntopic: valves\n---\n# They leak\n")
    assert shown(world, "fix the valves") == ("valves", ["tokens-aaaaaa"])
    world.write("system/memory/new/x-ffffff.md", "---\ntopic: valves\n---\n# Y\n")
    assert shown(world, "fix the valves")[1] == ["x-ffffff", "tokens-aaaaaa"]
    path.unlink()
    assert shown(world, "fix the valves")[1] == ["x-ffffff"]


def test_a_private_and_an_expired_memory_are_never_shown(world):
    world.write(
        "system/memory/pay-ffffff.md",
        "---\ntopic: salaries\nprivate: true\n---\n# Salaries are paid late\n",
    )
    world.write(
        "system/memory/fair-ffffff.md",
        "---\ntopic: fair\nexpires_at: 2026-04-08T00:00:00Z\n---\n# The fair\n",
    )
    assert shown(world, "pay the salaries") == ("", [])
    assert shown(world, "go to the fair") == ("fair", ["fair-ffffff"])
    assert shown(world, "go to the fair", NOW + timedelta(days=2)) == ("", [])


@pytest.fixture
def many(world, monkeypatch):
    """More memories than a hook reads before its answer."""
    monkeypatch.setattr("toolmem.core.limits.HOOK_FILES_READ", 3)
    return world


def test_of_many_changes_the_index_learns_after_the_answer(many, monkeypatch):
    updates = []
    monkeypatch.setattr(
        "toolmem.store.files.background.run_detached",
        lambda work, _: updates.append(work),
    )
    with opened_files(".md") as reading:
        assert shown(many, "fix the authentication") == ("", [])
    assert reading == []
    event = Event("claude", PROMPT, "", "s", prompt="fix it all", takes_context=True)
    told = prompt_submitted.answer(opened(many), event).context
    unread = library.index_of(opened(many)).files_to_read()
    assert f"{unread} files of the vault are not in the search index yet" in told
    update, _ = updates
    update()
    assert shown(many, "fix the authentication") == (
        "authentication",
        ["tokens-aaaaaa"],
    )
    assert len(updates) == 2


def test_a_few_changes_to_many_memories_are_noticed(many):
    library.index_of(opened(many)).update()
    path = many.root / "system/memory/tokens-aaaaaa.md"
    path.write_text("---\ntopic: valves\n---\n# They leak\n")
    assert shown(many, "fix the authentication") == ("", [])
    assert shown(many, "fix the valves") == ("valves", ["tokens-aaaaaa"])
    path.unlink()
    assert shown(many, "fix the valves") == ("", [])


def test_without_memories_no_index_is_made(tmp_path):
    world = World(tmp_path).vault("empty")
    assert shown(world, "fix the authentication") == ("", [])
    assert not (world.root / ".toolmem/index").exists()


def test_what_fits_a_message_is_first_and_the_rest_is_counted(world):
    answer = "---\ntopic: billing\nimportance: 0.4\ncreated: 2025-01-01\n---\n"
    world.write(
        "system/memory/refund-aaaaff.md",
        f"{answer}# Billing refund deadline\n\nFourteen days after the invoice.\n",
    )
    for number in range(60):
        head = f"topic: billing\ncreated: 2026-03-{number % 28 + 1:02}"
        text = f"---\n{head}\n---\n# Billing note {number}\n\nLedger {number}.\n"
        world.write(f"system/memory/m{number}.md", text)
    vault = opened(world)
    found = find_entered(vault, "what is the billing refund deadline for an invoice?")
    part = read_entered(vault, found)
    assert part.items[0].name == "refund-aaaaff"
    assert len(part.items) + len(part.omitted) == 61


def test_detached_work_holds_no_pipe_of_its_parent(tmp_path):
    fifo = tmp_path / "done"
    os.mkfifo(fifo)
    reading, writing = os.pipe()
    run_detached(lambda: fifo.write_text("done"), 30)
    os.close(writing)
    assert os.read(reading, 1) == b""
    assert fifo.read_text() == "done"
    os.close(reading)
