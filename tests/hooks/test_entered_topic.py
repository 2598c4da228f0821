"""The topic that a typed message enters, found without opening the memories."""

import os
import random
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from tests.opened import opened_files
from tests.ops.prompt.tasks import read, write_memories
from tests.world import World
from toolmem.core.scope import chain_for, parse_scope
from toolmem.core.visibility import Audience
from toolmem.ops.hooks.entered_topic import find_entered, read_entered
from toolmem.ops.prompt.memories_by_topic import topic_memories
from toolmem.store.files.background import run_detached
from toolmem.store.vault import topic_sketches
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault

NOW = datetime(2026, 4, 7, tzinfo=UTC)
SYSTEM = parse_scope("system")
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


@pytest.fixture
def believed(monkeypatch):
    """Believe the times of files that were written just now."""
    monkeypatch.setattr(topic_sketches, "_RACY_NS", 0)


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


@pytest.mark.usefixtures("believed")
def test_a_typed_message_opens_no_memory_file(world):
    with opened_files(".md") as first:
        shown(world, "please run the tests")
    assert sorted(first) == sorted(path.rpartition("/")[2] for path in MEMORIES)
    with opened_files(".md") as second:
        shown(world, "please run the tests")
    assert second == []
    with opened_files(".md") as entering:
        shown(world, "fix the authentication")
    assert set(entering) == {"tokens-aaaaaa.md"}


@pytest.mark.usefixtures("believed")
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


@pytest.mark.usefixtures("believed")
def test_a_sketch_is_made_again_when_one_of_its_memories_expires(world):
    for day in (8, 9):
        world.write(
            f"system/memory/fair-ffff0{day}.md",
            f"---\ntopic: fair\nexpires_at: 2026-04-0{day}T00:00:00Z\n---\n# Fair\n",
        )
    shown(world, "x")
    for days, topic in ((0, "fair"), (1, "fair"), (2, "")):
        now = NOW + timedelta(days=days)
        with opened_files(".md") as reading:
            entered = find_entered(opened(world, now), "go to the fair")
        assert (entered.topic, len(entered.paths)) == (topic, 2 - days)
        assert bool(reading) == (days > 0)


def test_temporaries_of_killed_processes_are_removed_when_old(world):
    folder = world.root / ".toolmem/topics"
    shown(world, "x")
    old, young = folder / "system.en.1.tmp", folder / "system.en.2.tmp"
    for path in (old, young):
        path.write_text("half")
    os.utime(old, (1e9, 1e9))
    shown(world, "y")
    assert (old.exists(), young.exists()) == (False, True)


@pytest.fixture
def many(world, believed, monkeypatch):
    """More memories than a hook reads one by one."""
    monkeypatch.setattr("toolmem.core.limits.HOOK_MEMORIES_READ", 3)
    topic_sketches.begin_update(opened(world), SYSTEM)
    return world


def test_of_many_memories_the_sketch_comes_from_the_index(many):
    with opened_files(".md") as reading:
        assert shown(many, "fix the authentication") == ("", [])
    assert reading == []
    topic_sketches.read_indexed(opened(many), SYSTEM)
    assert shown(many, "fix the authentication")[1] == ["tokens-aaaaaa"]
    assert shown(many, "refreshed tokens expired")[0] == "authentication"
    with opened_files(".md") as reading:
        shown(many, "please run the tests")
    assert reading == []


def test_a_stale_sketch_of_many_shows_only_what_the_files_say(many):
    topic_sketches.read_indexed(opened(many), SYSTEM)
    path = many.root / "system/memory/tokens-aaaaaa.md"
    path.write_text("---\ntopic: valves\n---\n# They leak\n")
    assert shown(many, "fix the authentication") == ("", [])
    path.unlink()
    assert shown(many, "fix the authentication") == ("", [])


@pytest.mark.one_of(5)
@pytest.mark.parametrize("path", MEMORIES)
def test_a_memory_that_is_private_since_the_sketch_of_many_decides_nothing(
    many, tmp_path_factory, path
):
    other = World(tmp_path_factory.mktemp("other")).vault("template")
    for each, text in MEMORIES.items():
        if each != path:
            other.write(each, text)
    for world in (many, other):
        topic_sketches.begin_update(opened(world), SYSTEM)
        topic_sketches.read_indexed(opened(world), SYSTEM)
    file = many.root / path
    with file.open("r+") as same:  # the folder does not change
        text = same.read().removeprefix("---\n")
        same.seek(0)
        end = "---\n" if text.startswith("#") else ""
        same.write(f"---\nprivate: true\n{end}{text}")
    for message in (*WORDS, *map(" ".join, pairwise(WORDS)), "deploys of the importer"):
        assert shown(many, message) == shown(other, message)


def test_a_change_in_a_folder_beyond_those_that_are_compared_is_noticed(
    many, monkeypatch
):
    monkeypatch.setattr("toolmem.core.limits.SKETCH_FOLDERS", 2)
    for name in "xyz":
        many.write(f"system/memory/{name}/a-{name}00001.md", f"# About {name}\n")
    topic_sketches.read_indexed(opened(many), SYSTEM)
    many.write("system/memory/z/b-000001.md", "---\ntopic: valves\n---\n# They leak\n")
    (tried,) = (many.root / ".toolmem/topics").glob("*.tried")
    os.utime(tried, (0, 0))
    monkeypatch.setattr(
        "toolmem.store.files.background.run_detached", lambda work, _: work()
    )
    shown(many, "fix the valves")
    assert shown(many, "fix the valves") == ("valves", ["b-000001"])


def test_an_expired_memory_leaves_the_sketch_of_many(many, monkeypatch):
    many.write(
        "system/memory/fair-ffffff.md",
        "---\ntopic: fair\nexpires_at: 2026-04-08T00:00:00Z\n---\n# The fair\n",
    )
    topic_sketches.read_indexed(opened(many), SYSTEM)
    assert shown(many, "go to the fair") == ("fair", ["fair-ffffff"])
    (tried,) = (many.root / ".toolmem/topics").glob("*.tried")
    os.utime(tried, (0, 0))
    monkeypatch.setattr(
        "toolmem.store.files.background.run_detached", lambda work, _: work()
    )
    shown(many, "x", NOW + timedelta(days=2))
    assert shown(many, "go to the fair", NOW + timedelta(days=2)) == ("", [])


def test_an_update_begins_once_a_minute(many):
    vault = opened(many)
    assert topic_sketches.begin_update(vault, SYSTEM) is False
    tried = next((many.root / ".toolmem/topics").glob("*.tried"))
    os.utime(tried, (0, 0))
    assert topic_sketches.begin_update(vault, SYSTEM) is True
    assert topic_sketches.begin_update(vault, SYSTEM) is False


def test_an_update_begins_after_the_clock_was_put_back(many):
    tried = next((many.root / ".toolmem/topics").glob("*.tried"))
    os.utime(tried, (2e9, 2e9))
    assert topic_sketches.begin_update(opened(many), SYSTEM) is True
    assert topic_sketches.begin_update(opened(many), SYSTEM) is False


@pytest.mark.usefixtures("believed")
def test_a_file_that_vanishes_while_it_is_sketched_makes_no_lasting_sketch(
    world, monkeypatch
):
    path = world.root / "system/memory/tokens-aaaaaa.md"
    mark = topic_sketches._mark

    def vanishing(*place):
        path.unlink(missing_ok=True)
        return mark(*place)

    with monkeypatch.context() as patched:
        patched.setattr(topic_sketches, "_mark", vanishing)
        shown(world, "fix the authentication")
    path.write_text("---\ntopic: valves\n---\n# They leak\n")
    assert shown(world, "fix the valves") == ("valves", ["tokens-aaaaaa"])


def test_a_link_in_place_of_the_folder_of_sketches_is_not_followed(world, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (world.root / ".toolmem").mkdir(exist_ok=True)
    (world.root / ".toolmem/topics").symlink_to(elsewhere)
    assert shown(world, "fix the authentication")[0] == "authentication"
    assert topic_sketches.begin_update(opened(world), SYSTEM) is False
    assert list(elsewhere.iterdir()) == []


def test_a_link_in_place_of_a_sketch_is_not_followed(many, tmp_path):
    mine = tmp_path / "mine"
    mine.write_text("mine")
    topic_sketches.read_indexed(opened(many), SYSTEM)
    folder = many.root / ".toolmem/topics"
    (sketch,) = folder.glob("*.en")
    for path in (sketch, *folder.glob("*.tried"), folder / f"{sketch.name}.tried"):
        path.unlink(missing_ok=True)
        path.symlink_to("/dev/zero" if path == sketch else mine)
    assert shown(many, "fix the authentication") == ("", [])
    assert topic_sketches.begin_update(opened(many), SYSTEM) is False
    topic_sketches.read_indexed(opened(many), SYSTEM)
    assert shown(many, "fix the authentication")[1] == ["tokens-aaaaaa"]
    assert mine.read_text() == "mine"


def test_a_sketch_has_few_memories_of_each_topic(many, monkeypatch):
    monkeypatch.setattr("toolmem.core.limits.SKETCH_MEMORIES", 6)
    for number in range(5):
        head = f"topic: authentication\nupdated: 2026-04-0{number + 1}"
        weight = "importance: 0.9" if number == 1 else "kind: note"
        text = f"---\n{head}\n{weight}\n---\n# A\n"
        many.write(f"system/memory/more-{number}.md", text)
    sketches = [
        topic_sketches.read_indexed(opened(many), SYSTEM),
        topic_sketches.read_small(opened(many), SYSTEM),
    ]
    assert sketches[1] is None
    monkeypatch.setattr("toolmem.core.limits.HOOK_MEMORIES_READ", 200)
    sketches[1] = topic_sketches.read_small(opened(many), SYSTEM)
    names = [
        sorted(path for path, topic in one.memories if topic == "authentication")
        for one in sketches
        if one is not None
    ]
    assert names == [["system/memory/more-1.md", "system/memory/more-4.md"]] * 2


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
