"""Whatever other processes write is in a server's next answer."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice

import pytest

from tests.extra import needs_mcp
from tests.servers.connection import Server
from tests.servers.test_mcp import called, greet
from toolmem.api.access import Access, new_uuid
from toolmem.api.vault import Vault
from toolmem.core.search.scan import Scan
from toolmem.store.index.warm import WarmIndexes
from toolmem.store.vault.vault import clock

pytestmark = [
    needs_mcp,
    pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes"),
]


class Memories:
    """Memories of a project, changed as people, editors and git change files."""

    def __init__(self, vault):
        self.vault = vault
        self.folder = vault / "projects/shop/memory"
        self.folder.mkdir(parents=True)
        (vault / "toolmem.toml").write_text("schema = 1\n")
        (vault / ".gitignore").write_text(".toolmem/\n")
        self.git("init", "--quiet", "--initial-branch", "left")
        (self.folder / "first.md").write_text("kumquat\n")
        self.commit()
        self.git("branch", "right")
        self.branches = cycle(("right", "left"))

    def git(self, *words):
        name = ("-c", "user.name=a", "-c", "user.email=a@localhost")
        git = ("git", "-C", str(self.vault), *name)
        subprocess.run([*git, *words], check=True, capture_output=True)

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "more")

    def create(self, number):
        (self.folder / f"new-{number}.md").write_text(f"kumquat turn{number}\n")

    def create_in_a_new_folder(self, number):
        place = self.folder / f"deep{number}/deeper"
        place.mkdir(parents=True)
        (place / f"deep-{number}.md").write_text(f"kumquat turn{number}\n")

    def edit_in_place(self, number):
        with (self.folder / "first.md").open("r+") as file:
            file.write(f"kumquat turn{number}\n")

    def rename(self, number):
        self._newest().rename(self.folder / f"moved-{number}.md")

    def delete(self, number):
        del number
        self._newest().unlink()

    def check_out_the_other_branch(self, number):
        del number
        self.commit()
        self.git("checkout", "--quiet", next(self.branches))

    def with_turn(self, word):
        """Return the ids of the memories written in this turn."""
        paths = self.folder.rglob("*.md")
        return sorted(path.stem for path in paths if f"{word}\n" in path.read_text())

    def all(self):
        return sorted(path.stem for path in self.folder.rglob("*.md"))

    def _newest(self):
        return max(self.folder.rglob("*-*.md"), key=lambda path: path.stat().st_ctime)


CHANGES = (
    Memories.create,
    Memories.edit_in_place,
    Memories.rename,
    Memories.create_in_a_new_folder,
    Memories.check_out_the_other_branch,
    Memories.create,
    Memories.edit_in_place,
    Memories.delete,
)


def see(vault, changes):
    memories = Memories(vault)
    with Server(vault, "mcp", "--project", "shop") as server:
        greet(server)
        for number, change in enumerate(islice(cycle(CHANGES), changes)):
            change(memories, number)
            question = {"query": "kumquat", "limit": 100}
            found = called(server, "memory_idea_recall", **question)
            assert sorted(hit["id"] for hit in found["results"]) == memories.all()
            question = {"query": f"turn{number}", "limit": 100}
            found = called(server, "memory_idea_recall", **question)
            word = f"turn{number}"
            ids = [hit["id"] for hit in found["results"] if word in hit["snippet"]]
            assert ids == memories.with_turn(word)


def test_every_kind_of_change_is_seen(tmp_path):
    see(tmp_path / "vault", 2 * len(CHANGES))


RULE = 'id = "00000001-0000-4000-8000-000000000000"\ntool = "git"\nrule = "{0}"\n'


def write_rule(vault, text, more=""):
    file = vault / "projects/shop/rules/git/rule-00000001.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(RULE.format(text) + more)


def test_changed_rules_and_facts_are_seen(tmp_path):
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "toolmem.toml").write_text("schema = 1\n")
    with Server(vault, "mcp") as server:
        greet(server)
        for word in ("kumquat", "papaya", "papaya", "quince"):
            write_rule(vault, f"weigh each {word}")
            (vault / "projects/shop/facts.md").write_text(f"- fruit: a {word}\n")
            for _ in range(2):
                found = called(server, "memory_recall", query=f"{word} weighed")
                shown = {hit["kind"]: hit["snippet"] for hit in found["results"]}
                assert all(word in snippet for snippet in shown.values())
                assert len(shown) == 2


def test_a_rule_that_expires_is_not_found_any_more(tmp_path):
    now = [datetime(2026, 1, 1, tzinfo=UTC)]
    (tmp_path / "toolmem.toml").write_text("schema = 1\n")
    write_rule(tmp_path, "weigh each kumquat", "expires_at = 2026-01-02T00:00:00Z\n")
    flags = {"vault": str(tmp_path)}
    access = Access(flags, tmp_path, lambda: now[0], new_uuid, warm=WarmIndexes())
    vault = Vault(access)

    def found():
        return len(vault.search("kumquat").found.hits)

    assert found() == 1
    now[0] += timedelta(days=2)
    assert found() == 0
    now[0] -= timedelta(days=2)
    assert found() == 1


def test_rules_are_read_again_only_after_a_change(tmp_path, monkeypatch):
    read = []
    real = Scan.of

    def of(*given):
        read.append(given)
        return real(*given)

    monkeypatch.setattr(Scan, "of", of)
    (tmp_path / "toolmem.toml").write_text("schema = 1\n")
    write_rule(tmp_path, "weigh each kumquat")
    flags = {"vault": str(tmp_path)}
    access = Access(flags, tmp_path, clock, new_uuid, warm=WarmIndexes())
    vault = Vault(access)
    for many, word in ((1, "kumquat"), (2, "papaya")):
        write_rule(tmp_path, f"weigh each {word}")
        for _ in range(3):
            assert len(vault.search(word).found.hits) == 1
        assert len(read) == many


@pytest.mark.soak
def test_two_hundred_changes_are_seen(tmp_path):
    see(tmp_path / "vault", 200)
