"""What a memory means counts wherever memories are looked for."""

import json
from typing import Any

import pytest

from tests.world import World
from toolmem.core import search_limits
from toolmem.core.comparison.verdict import SaveAction
from toolmem.core.model import Scope
from toolmem.core.search.corpus import View
from toolmem.ops.memories.similar import _candidates, most_similar_memory
from toolmem.store.index import word_table
from toolmem.store.vault import library
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.library import ask_library
from toolmem.store.vault.vault import Vault, utc_now

REVERT = "# Revert the last change\n\nRun git reset --soft HEAD~1; the files stay.\n"
NOTES = {
    "revert": f"---\ntopic: git\n---\n{REVERT}",
    "lunch": "# Canteen\n\nThe kitchen serves hot meals until two.\n",
    "logs": "---\ntopic: git\n---\n# Logs\n\nOld journals are removed every night.\n",
    "release": "# Release\n\nIt goes out on Tuesdays after the smoke tests.\n",
}
QUESTION = "how do I undo a commit"


@pytest.fixture
def vault(world: World) -> World:
    world.write("toolmem.toml", "schema = 1\n")
    for name, text in NOTES.items():
        world.write(f"system/memory/{name}.md", text)
    return world


def ids(text: str) -> list[str]:
    return [hit["id"] for hit in json.loads(text)["results"]]


@pytest.mark.parametrize("command", ["search", "recall"])
def test_a_memory_that_shares_no_word_is_found_by_its_meaning(vault, command):
    assert ids(vault.call(command, QUESTION, "--json").stdout)[0] == "revert"
    off = vault.call(command, QUESTION, "--json", "--semantic", "off")
    assert (off.code, ids(off.stdout)) == (0, [])


def test_a_similar_word_does_not_outrank_the_meaning(vault):
    text = "# Staging\n\nThe database is restored every Sunday night.\n"
    vault.write("system/memory/staging.md", text)
    explained = vault.call("search", QUESTION, "--explain").stderr
    assert "restor in all (similar)" in explained
    assert ids(vault.call("search", QUESTION, "--json").stdout)[0] == "revert"


def test_a_single_word_that_is_nowhere_is_not_found(vault):
    done = vault.call("search", "zebra")
    assert (done.code, done.stdout) == (0, "")


def test_the_memories_of_a_prompt_are_ordered_by_it(vault):
    asked = ("prompt", "--topic", "git", "--task", QUESTION, "--only", "memories")
    shown = vault.call(*asked).stdout
    assert 0 < shown.index("Revert the last change") < shown.index("Old journals")


def test_it_is_a_candidate_for_a_duplicate_and_never_one_by_meaning_alone(vault):
    found = find_vault({"vault": str(vault.root)}, vault.root)
    opened = Vault.open(found, utc_now())
    view = View(utc_now(), kinds=frozenset({"memory"}))
    candidates = ask_library(
        opened, view, lambda known: _candidates(known, QUESTION, private=False)
    )
    assert candidates[0].doc.id == "revert"
    similar = most_similar_memory(opened, Scope("system"), QUESTION, private=False)
    assert similar.verdict.action is SaveAction.CREATED


def test_explain_shows_the_part_of_words_and_that_of_meaning(vault):
    asked = ("search", "undo the last release", "--explain", "-n", "2")
    lines = vault.call(*asked).stderr.splitlines()
    assert any(line.endswith("  meaning") for line in lines)
    assert any(line.endswith("  releas in head") for line in lines)


def test_in_a_large_vault_similar_words_lead_to_a_memory_that_shares_none(
    vault, monkeypatch
):
    monkeypatch.setattr(search_limits, "VECTORS_READ", 0)
    vault.write("system/memory/keys.md", "# Keys\n\nCredentials are in the safe.\n")
    asked = ("search", "where is my admin password", "--explain", "--json")
    done = vault.call(*asked)
    assert ids(done.stdout) == ["keys"]
    assert any(
        line.endswith("credenti in head (similar)") for line in done.stderr.splitlines()
    )


@pytest.mark.parametrize(
    "hidden",
    [
        "agents/other/memory/hidden.md",
        "projects/other/memory/hidden.md",
    ],
)
def test_what_a_reader_cannot_see_changes_no_byte(vault, hidden):
    def answer() -> dict[str, Any]:
        done = vault.call("search", QUESTION, "--project", "mine", "--json")
        document: dict[str, Any] = json.loads(done.stdout)
        del document["took_ms"]
        return document

    before = answer()
    vault.write(hidden, "# Undo a commit\n\nHow to undo a commit.\n")
    assert answer() == before
    (vault.root / hidden).unlink()
    assert answer() == before


@pytest.fixture
def damage(tmp_path):
    """Make the table unreadable; undone at the end, or by its ``undo``."""
    path = tmp_path / "word_vectors.bin"
    path.write_bytes(word_table.FILE.read_bytes()[:-1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(word_table, "open_table", lambda: word_table.read_table(path))
        patch.setattr(library, "_said", set())
        yield patch


@pytest.mark.usefixtures("damage")
def test_with_a_damaged_table_words_decide_and_that_is_said_once(vault):
    plain = vault.call("search", "journals", "--semantic", "off", "--json")
    done = vault.call("search", "journals", "--json")
    assert ids(done.stdout) == ids(plain.stdout) == ["logs"]
    assert done.stderr == (
        "toolmem: searched without word vectors: /world/word_vectors.bin: not the file "
        "of this version: reinstall toolmem\n"
    )
    assert vault.call("search", "journals", "--json").stderr == ""
    assert vault.call("search", "journals", "--semantic", "table").code == 11


def test_documents_indexed_without_the_table_get_their_vectors_later(vault, damage):
    vault.call("search", "journals")
    damage.undo()
    found = vault.call("search", QUESTION, "--json").stdout
    vault.call("index", "rebuild")
    again = vault.call("search", QUESTION, "--json").stdout
    assert ids(found) == ids(again)
    assert ids(found)[0] == "revert"


def test_a_vault_in_another_language_is_searched_by_words(vault):
    vault.write("toolmem.toml", 'schema = 1\nlanguage = "de"\n')
    assert vault.call("search", QUESTION).stdout == ""
