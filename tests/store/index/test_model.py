"""Whatever happens to files, the index answers as a scan of them does."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from tests.core.search.library import NOW, docs, request, requests, views
from tests.examples import examples
from tests.store.index.shelf import Shelf
from toolmem.core import search_limits
from toolmem.core.search.corpus import View
from toolmem.core.search.filters import SearchFilter

_PATHS = st.sampled_from(
    ["a.json", "b.json", "p/a.json", "p/q/c.json", "-rf.json", "ü\n.json", "p.json"]
)
_YEARS = st.sampled_from([-10, -1, 1, 10])


class Vault(RuleBasedStateMachine):
    """Edits by hand, by git and by clocks; a search after each."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.shelf = Shelf(self.folder / "vault")
        self.shelf.root.mkdir()
        self.branches: dict[str, dict[str, bytes]] = {}

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @rule(path=_PATHS, written=docs(most=3))
    def write(self, path, written) -> None:
        self.shelf.write(path, *written)

    @rule(path=_PATHS)
    def delete(self, path) -> None:
        (self.shelf.root / path).unlink(missing_ok=True)

    @rule(path=_PATHS, to=_PATHS)
    def rename(self, path, to) -> None:
        source, target = self.shelf.root / path, self.shelf.root / to
        if source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            source.replace(target)

    @rule(path=_PATHS)
    def break_off(self, path) -> None:
        file = self.shelf.root / path
        if file.exists():
            file.write_bytes(file.read_bytes()[:-1])

    @rule(path=_PATHS, years=_YEARS)
    def touch(self, path, years) -> None:
        file = self.shelf.root / path
        if file.exists():
            moment = file.stat().st_mtime + years * 366 * 86400
            os.utime(file, (moment, moment))

    @rule(path=_PATHS)
    def edit_and_put_the_clock_back(self, path) -> None:
        file = self.shelf.root / path
        if file.exists():
            before = file.stat()
            file.write_bytes(file.read_bytes().replace(b"beta", b"zeta"))
            os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    @rule(name=st.sampled_from("xy"))
    def commit(self, name) -> None:
        self.branches[name] = {
            path: (self.shelf.root / path).read_bytes()
            for path in self.shelf.listing().paths
        }

    @rule(name=st.sampled_from("xy"))
    def checkout(self, name) -> None:
        wanted = self.branches.get(name, {})
        for path in self.shelf.listing().paths:
            if path not in wanted:
                (self.shelf.root / path).unlink()
        for path, data in wanted.items():
            file = self.shelf.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)

    @rule()
    def clone(self) -> None:
        copy = self.folder / "clone"
        shutil.copytree(self.shelf.root, copy)
        shutil.rmtree(self.shelf.root)
        copy.rename(self.shelf.root)

    @rule()
    def lose_the_index(self) -> None:
        shutil.rmtree(self.shelf.state, ignore_errors=True)

    @rule(asked=requests, view=views)
    def search(self, asked, view) -> None:
        assert self.shelf.search(asked, view) == self.shelf.scan(asked, view)
        found, scanned = self.shelf.matching(asked.query.text, view)
        assert found == scanned
        for count in (1, 3, 100):
            found, scanned = self.shelf.newest(count, view)
            assert found == scanned
        topics, expected = self.shelf.topics(view)
        assert topics == expected
        totals, counted = self.shelf.totals(view)
        assert totals == counted

    @invariant()
    def a_search_is_a_scan(self) -> None:
        if hasattr(self, "shelf"):
            asked = request("alpha gama 猫")
            assert self.shelf.search(asked) == self.shelf.scan(asked)


def test_the_index_answers_as_a_scan_does():
    run_state_machine_as_test(Vault, settings=examples(12, stateful_step_count=12))


@pytest.mark.soak
def test_and_so_it_does_for_long():
    run_state_machine_as_test(Vault, settings=examples(300, stateful_step_count=40))


@examples(25)
@given(docs(), docs(), views, requests)
def test_documents_elsewhere_change_no_byte_of_an_answer(
    tmp_path_factory, seen, others, view, asked
):
    shelf = Shelf(tmp_path_factory.mktemp("shelf"))
    shelf.write("seen.json", *(doc for doc in seen if view.shows(doc)))
    before = shelf.search(asked, view)
    unseen = [doc for doc in others if not view.shows(doc)]
    for number, doc in enumerate(unseen):
        shelf.write(f"unseen-{number}.json", doc._replace(id=f"u{number}"))
    assert shelf.search(asked, view) == before
    for number in range(0, len(unseen), 2):
        (shelf.root / f"unseen-{number}.json").unlink()
    assert shelf.search(asked, view) == before


@examples(40)
@given(docs(most=20), st.lists(st.integers(0, 19), max_size=8), views, requests)
def test_what_is_held_back_is_bounded(
    tmp_path_factory, monkeypatch, written, gone, view, asked
):
    """With one candidate at a time, and statistics that know the deleted ones."""
    monkeypatch.setattr(search_limits, "CANDIDATES", 1)
    shelf = Shelf(tmp_path_factory.mktemp("shelf"))
    for number, doc in enumerate(written):
        shelf.write(f"{number}.json", doc._replace(body=f"{doc.body} {doc.title} " * 3))
    shelf.search(asked, view)
    for number in gone:
        (shelf.root / f"{number}.json").unlink(missing_ok=True)
    assert shelf.search(asked, view) == shelf.scan(asked, view)


def test_many_documents_that_tie_are_still_in_order(tmp_path):
    shelf = Shelf(tmp_path)
    for number in range(300):
        shelf.say(f"{number * 7919 % 1000:03}.json", f"token number {number % 7}")
    assert shelf.search("token") == shelf.scan("token")
    for number in range(0, 300, 3):
        (shelf.root / f"{number * 7919 % 1000:03}.json").unlink()
    assert shelf.search("token number") == shelf.scan("token number")


@pytest.mark.parametrize("agent", [None, "", "a", "b"])
def test_a_reader_without_a_name_counts_no_note_of_an_agent(tmp_path, agent):
    """The statistics, too: a term is as rare as in what the reader may see."""
    shelf = Shelf(tmp_path)
    for number, owner in enumerate(["", "a", "a", "b"]):
        shelf.say(f"{number}.json", f"alpha {number}", agent=owner)
    view = View(NOW, search_filter=SearchFilter(agent=agent))
    found, scanned = shelf.totals(view)
    assert found == scanned
    assert shelf.search("alpha", view) == shelf.scan("alpha", view)
