"""A text that is too long for its memory is in a file next to it, and moves with it."""

import json
from typing import Any

import pytest

from tests.world import World
from toolmem.core import limits

_SENTENCE = "Line after line of a log that somebody wants. "
_TEXT = "# A log\n\n" + _SENTENCE * 1_500
LONG = pytest.mark.soak
SIZES = ["short", "over 1 MiB"]
_LARGE = "# A log\n\n" + _SENTENCE * (limits.TEXT_FILE_BYTES // len(_SENTENCE) + 1)


@pytest.fixture
def vault(world: World) -> World:
    return world.vault("empty")


def _save(world: World, text: str, *args: str) -> dict[str, Any]:
    done = world.call("memory", "save", "-", *args, "--json", stdin=text)
    assert done.code == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def _files(world: World) -> list[str]:
    return sorted(path for path in world.files() if "a-log" in path)


def _shows_all(world: World) -> bool:
    shown = world.call("memory", "show", "a-log", "--full").stdout
    return _TEXT.partition("\n\n")[2].strip() in shown


@pytest.mark.parametrize("size", [66_000, pytest.param(1_100_000, marks=LONG)])
def test_a_large_text_is_next_to_a_memory_of_a_page(vault, size):
    cause = "The outage was caused by an expired certificate of the proxy."
    lines = [
        f"12:00:{n % 60:02} worker {n} finished its job." for n in range(size // 35)
    ]
    text = "\n".join([*lines[:-9], cause, *lines[-9:]]) + "\n"
    saved = _save(vault, f"# A log\n\n{text}")
    memory, original = _files(vault)
    assert (memory, vault.read(original)) == (saved["path"], text)
    assert original == memory.removesuffix(".md") + ".txt"
    assert cause in vault.read(memory)
    assert len(vault.read(memory)) < 2_000


def test_it_is_shown_with_full_alone(vault):
    _save(vault, _TEXT)
    assert len(vault.call("memory", "show", "a-log").stdout) < 2000
    assert _shows_all(vault)


@pytest.mark.parametrize("text", [_TEXT, pytest.param(_LARGE, marks=LONG)], ids=SIZES)
def test_the_same_again_is_known(vault, text):
    saved = _save(vault, text)
    again = _save(vault, text)
    assert (again["action"], again["id"]) == ("deduplicated", saved["id"])


def test_a_long_text_inside_its_memory_is_known_again(vault):
    _save(vault, _TEXT[:50_000])
    assert _save(vault, _TEXT[:50_000])["action"] == "deduplicated"


def test_nothing_is_merged_with_it(vault):
    saved = _save(vault, _TEXT)
    again = _save(vault, _TEXT + "\n\nOne more thing that nobody had said so far.\n")
    assert again["action"] == "created"
    assert again["nearest"] == saved["id"]


@pytest.mark.soak
def test_two_texts_that_have_no_room_in_one_file_stay_two(vault):
    sentence = "Every word of this is worth keeping for long. "
    half = "# Half\n\n" + sentence * (limits.TEXT_FILE_BYTES // len(sentence) // 2 + 1)
    _save(vault, half)
    again = _save(vault, half + "\n\nOne more thing that nobody had said so far.\n")
    assert again["action"] == "created"
    assert vault.call("memory", "list").stderr == ""


@pytest.mark.parametrize("spare", [40, pytest.param(5_000, marks=LONG)])
def test_a_text_near_the_limit_can_be_read_again(vault, spare):
    size = limits.TEXT_FILE_BYTES - spare
    _save(vault, "# A log\n\n" + "word " * (size // 5))
    assert vault.call("memory", "list").stderr == ""
    assert vault.call("memory", "show", "a-log").code == 0


def test_it_is_promoted_with_its_memory(vault):
    _save(vault, _TEXT, "--project", "p")
    vault.call("memory", "move", "a-log", "--scope", "system")
    assert [path.rpartition("-")[0] for path in _files(vault)] == [
        "system/memory/a-log"
    ] * 2
    assert _shows_all(vault)


def test_it_is_archived_and_restored_with_its_memory(vault):
    _save(vault, _TEXT)
    before = {path: vault.read(path) for path in _files(vault)}
    vault.call("memory", "archive", "a-log", "--reason", "old")
    assert _files(vault) == [f"archive/{path}" for path in before]
    vault.call("restore", "a-log")
    assert {path: vault.read(path) for path in _files(vault)} == before


def test_another_in_the_archive_is_not_written_over(vault):
    saved = _save(vault, _TEXT)
    name = f"archive/system/memory/{saved['id']}.txt"
    vault.write(name, "what was archived before\n")
    vault.call("memory", "archive", "a-log", "--reason", "old")
    assert vault.read(name) == "what was archived before\n"
    assert f"archive/system/memory/{saved['id']}-2.txt" in _files(vault)
    vault.call("restore", "a-log")
    assert _shows_all(vault)


def test_it_is_deleted_with_its_memory(vault):
    _save(vault, _TEXT)
    vault.call("memory", "delete", "a-log")
    assert _files(vault) == []


def test_a_file_that_people_linked_stays(vault):
    vault.write("system/memory/shared.txt", "for several memories\n")
    header = "---\noriginal: shared.txt\n---\n"
    vault.write("system/memory/a-log-aaaaaa.md", f"{header}# A log\n\nIts summary.\n")
    vault.call("memory", "delete", "a-log")
    assert "system/memory/shared.txt" in vault.files()


def test_a_new_text_takes_the_place_of_original_and_summary(vault):
    saved = _save(vault, _TEXT)
    edited = vault.call("memory", "edit", "a-log", "--text", "The log is gone.")
    assert edited.code == 0, edited.stderr
    assert _files(vault) == [saved["path"]]
    shown = vault.call("memory", "show", "a-log", "--full").stdout
    assert shown.endswith("# A log\n\nThe log is gone.\n")


def _edited(vault: World, text: str) -> None:
    saved = _save(vault, "# A log\n\nIt is short as yet.")
    edited = vault.call("memory", "edit", saved["id"], "--text", "-", stdin=text)
    assert edited.code == 0, edited.stderr


def _merged(vault: World, text: str) -> None:
    """A person reviews the plan, in which the first text has become longer."""
    for number in (1, 2):
        path = f"system/memory/a-log-{number}.md"
        vault.write(path, "# A log\n\nThe log is short.\n")
    assert vault.call("reflect", "-o", "plan.toml").code == 0
    plan = f"{vault.read('plan.toml')}text = {json.dumps(text)}\n"
    vault.write("plan.toml", plan)
    done = vault.call("reflect", "--apply", "plan.toml")
    assert done.code == 0, done.stderr


def _imported(vault: World, text: str) -> None:
    note = ".cursor/rules/a-log.mdc"
    vault.write(note, text)
    done = vault.call("import", note, "--json")
    assert done.code == 0, done.stderr


@pytest.mark.parametrize("write", [_edited, _merged, _imported])
@pytest.mark.parametrize("size", [66_000, pytest.param(1_000_000, marks=LONG)])
def test_every_way_to_write_a_large_text_sets_it_aside(vault, write, size):
    line = "Worker number nine of the farm has finished its job for today. "
    text = "# A log\n\n" + line * (size // len(line)) + "\n"
    write(vault, text)
    (original,) = (path for path in _files(vault) if path.endswith(".txt"))
    memory = original.removesuffix(".txt") + ".md"
    assert text.partition("\n\n")[2].strip() in vault.read(original)
    assert len(vault.read(memory)) < 2_000
    assert f"original: {original.rpartition('/')[2]}\n" in vault.read(memory)
    assert vault.call("check").code == 0


def test_a_large_import_is_renewed_with_its_source_alone(vault):
    _imported(vault, _TEXT[:100_000])
    before = {path: vault.read(path) for path in _files(vault)}
    _imported(vault, _TEXT[:100_000])
    assert {path: vault.read(path) for path in _files(vault)} == before
    _imported(vault, _TEXT[:100_000] + "\n\nIts last line.\n")
    (original,) = (path for path in _files(vault) if path.endswith(".txt"))
    assert vault.read(original).endswith("Its last line.\n")
    vault.write(original, "A person wrote this.\n")
    _imported(vault, _TEXT[:90_000])
    assert vault.read(original) == "A person wrote this.\n"


def test_it_is_committed_with_its_memory(vault):
    vault.commit("the start")
    _save(vault, _TEXT)
    for way in (
        (),
        ("memory", "archive", "a-log", "--reason", "old"),
        ("restore", "a-log"),
    ):
        assert not way or vault.call(*way).code == 0
        assert vault.call("commit").code == 0
        assert vault.git("status", "--porcelain", "--untracked-files=all") == ""
    vault.call("memory", "edit", "a-log", "--text", "The log is gone.")
    assert vault.call("commit").code == 0
    assert vault.git("status", "--porcelain", "--untracked-files=all") == ""


_CHANGES = {
    "saved": None,
    "edited": ("memory", "edit", "a-log", "--text", "The log is gone."),
    "archived": ("memory", "archive", "a-log", "--reason", "old"),
    "deleted": ("memory", "delete", "a-log"),
}


@pytest.mark.parametrize("text", [_TEXT, pytest.param(_LARGE, marks=LONG)], ids=SIZES)
@pytest.mark.parametrize("change", _CHANGES)
def test_a_rejected_change_is_taken_back_with_it(vault, change, text):
    vault.commit("the start")
    words = _CHANGES[change]
    saved = _save(vault, text)
    if words:
        assert vault.call("commit").code == 0
        before = vault.files()
        assert vault.call(*words).code == 0
    else:
        mine = set(_files(vault))
        before = {path: d for path, d in vault.files().items() if path not in mine}
    done = vault.call("review", "--reject", saved["id"])
    assert done.code == 0, done.stderr
    assert vault.files() == before
    assert vault.git("status", "--porcelain", "--untracked-files=all") == ""


def test_it_is_searched_to_its_end(vault):
    saved = _save(vault, f"{_LARGE}\n\nThe zebracorn lives here.\n")
    assert any(path.endswith(".txt") for path in _files(vault))
    found = json.loads(vault.call("search", "zebracorn", "--json").stdout)
    assert [hit["id"] for hit in found["results"]] == [saved["id"]]
    vault.call("memory", "archive", saved["id"], "--reason", "old")
    assert vault.call("search", "zebracorn").stdout == ""
