"""Whatever happens to a vault, a search says what reading every file says."""

import os
import shutil
import subprocess
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from tests.examples import examples
from tests.world import START
from toolmem.core.scope import chain_for
from toolmem.core.search.find import find
from toolmem.core.search.meaning.word_similarity import WordSimilarity
from toolmem.core.search.query import parse_query
from toolmem.core.search.scan import Scan
from toolmem.core.visibility import Audience
from toolmem.ops.search.search import SearchRequest, _asked, search, view_of
from toolmem.store.index.word_table import open_table
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.library import _every_document
from toolmem.store.vault.vault import Vault

_FOLDERS = ("system", "projects/p", "projects/q", "agent-types/coding", "agents/a")
_PATHS = st.builds(
    "{}/memory/{}.md".format,
    st.sampled_from(_FOLDERS),
    st.sampled_from(["one", "two", "sub/three", "-rf", "häuser"]),
)
_WORDS = st.lists(
    st.sampled_from("kiln kilns oven glaze token tokenRefresh fires 猫が好き".split()),
    min_size=1,
    max_size=6,
).map(" ".join)
_HEADERS = st.sampled_from(
    [
        "",
        "---\ntopic: fire\n---\n",
        "---\nprivate: true\n---\n",
        "---\nexpires_at: 2026-06-01\n---\n",
        "---\ntags: [x\n---\n",
        "---\nimportance: 0.9\ntags: [x]\n---\n",
    ]
)
_TEXTS = st.builds("{}# {}\n\n{}\n".format, _HEADERS, _WORDS, _WORDS)
_REQUESTS = st.tuples(
    st.sampled_from(["kiln", "kilm glaze", "tokens refresh fire", "猫", "oven"]),
    st.sampled_from([None, "fire"]),
    st.sampled_from([None, None, "x"]),
    st.sampled_from([None, 0.6]),
    st.sampled_from([1, 5, 10]),
).map(
    lambda drawn: SearchRequest(
        drawn[0],
        topic=drawn[1],
        tag=drawn[2],
        importance_min=drawn[3],
        limit=drawn[4],
    )
)


class Life(RuleBasedStateMachine):
    """A vault that is edited by hand, by git and by clocks."""

    @initialize()
    def begin(self) -> None:
        self.root = Path(tempfile.mkdtemp()) / "vault"
        (self.root / "system").mkdir(parents=True)
        (self.root / "toolmem.toml").write_text("schema = 1\n")
        (self.root / "system" / "facts.md").write_text("## kiln\noven: hot\n")
        self.now = START
        self.git("init", "--quiet", "--initial-branch=a")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message=first")
        self.git("branch", "b")

    def teardown(self) -> None:
        shutil.rmtree(self.root.parent)

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=self.root, check=True, capture_output=True
        )
        return done.stdout.decode()

    @rule(path=_PATHS, text=_TEXTS)
    def add(self, path, text) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    @rule(path=_PATHS)
    def edit(self, path) -> None:
        file = self.root / path
        if file.exists():
            file.write_text(file.read_text() + "\nThe oven, again.\n")

    @rule(path=_PATHS)
    def edit_without_a_trace_in_its_time(self, path) -> None:
        file = self.root / path
        if file.exists():
            before = file.stat()
            file.write_bytes(file.read_bytes().replace(b"kiln", b"oven"))
            os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    @rule(path=_PATHS)
    def delete(self, path) -> None:
        (self.root / path).unlink(missing_ok=True)

    @rule(path=_PATHS, to=_PATHS)
    def rename(self, path, to) -> None:
        if (self.root / path).exists():
            (self.root / to).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).replace(self.root / to)

    @rule(path=_PATHS, years=st.sampled_from([-10, -1, 1, 10]))
    def touch(self, path, years) -> None:
        file = self.root / path
        if file.exists():
            moment = file.stat().st_mtime + years * 366 * 86_400
            os.utime(file, (moment, moment))

    @rule(days=st.sampled_from([-3_650, -60, 60, 3_650]))
    def jump(self, days) -> None:
        self.now += timedelta(days=days)

    @rule()
    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message=more")

    @rule(branch=st.sampled_from("ab"))
    def checkout(self, branch) -> None:
        self.git("add", "--all")
        self.git("stash", "--quiet")
        self.git("checkout", "--quiet", branch)

    @rule()
    def clone(self) -> None:
        """As from elsewhere: other inodes and times, and no index."""
        copy = self.root.with_name("copy")
        shutil.copytree(self.root, copy, ignore=shutil.ignore_patterns(".toolmem"))
        shutil.rmtree(self.root)
        copy.rename(self.root)

    @rule()
    def lose_the_index(self) -> None:
        shutil.rmtree(self.root / ".toolmem", ignore_errors=True)

    @rule(
        asked=_REQUESTS,
        project=st.sampled_from([None, "p", "nowhere"]),
        audience=st.sampled_from(Audience),
    )
    def search(self, asked, project, audience) -> None:
        self.compare(asked, project, audience)

    @invariant()
    def a_search_says_what_the_files_say(self) -> None:
        if hasattr(self, "root"):
            self.compare(SearchRequest("kiln oven tokn"), None)

    def compare(
        self,
        asked: SearchRequest,
        project: str | None,
        audience: Audience = Audience.PERSON,
    ) -> None:
        status = self.git("status", "--porcelain")
        found = find_vault({"vault": str(self.root)}, self.root)
        vault = Vault.open(found, self.now, audience)
        if project:
            vault = vault.with_chain(chain_for(project, None, None))
        view = view_of(vault, asked)
        scan = Scan(_every_document(vault), view)
        query = parse_query(asked.query)
        answer = search(vault, asked)
        by_meaning = WordSimilarity(open_table(), query)
        request = _asked(scan, query, view, asked)._replace(similarity=by_meaning)
        assert answer.found == find(scan, request)
        assert not [text for text in answer.remarks if "every file" in text]
        assert self.git("status", "--porcelain") == status


def test_a_search_says_what_reading_every_file_says():
    run_state_machine_as_test(Life, settings=examples(6, stateful_step_count=12))


@pytest.mark.soak
def test_and_so_it_does_for_long():
    run_state_machine_as_test(Life, settings=examples(300, stateful_step_count=40))
