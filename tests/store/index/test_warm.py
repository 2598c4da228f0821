"""An index that is kept open answers as one that is opened for each question."""

import os
import shutil
from datetime import timedelta

import pytest
from hypothesis.stateful import initialize, run_state_machine_as_test

from tests.core.search.library import NOW
from tests.examples import examples
from tests.store.index.shelf import Shelf
from tests.store.index.test_model import Vault
from toolmem.core.language.language import ENGLISH, LANGUAGES
from toolmem.core.search.corpus import View
from toolmem.store.index.warm import WarmIndex, WarmIndexes


@pytest.fixture
def shelf(tmp_path):
    made = Shelf(tmp_path / "vault", age=10)
    for path in ("a.json", "d/b.json", "d/e/c.json"):
        made.say(path, f"token {path[-6]}")
    made.warm = WarmIndex()
    assert len(made.ids("token")) == 3
    made.read.clear()
    return made


def edit(shelf):
    (shelf.root / "d/b.json").write_bytes(
        (shelf.root / "d/b.json").read_bytes().replace(b"token b", b"token x")
    )


def edit_behind_the_clock(shelf):
    before = (shelf.root / "d/b.json").stat()
    edit(shelf)
    os.utime(shelf.root / "d/b.json", ns=(before.st_atime_ns, before.st_mtime_ns))


def replace(shelf):
    shelf.say("new", "token x")
    (shelf.root / "new").rename(shelf.root / "d/b.json")


def add(shelf):
    shelf.say("d/new.json", "token x")


def add_deep(shelf):
    shelf.say("p/q/r/new.json", "token x")


def delete(shelf):
    (shelf.root / "d/b.json").unlink()


def rename(shelf):
    (shelf.root / "d/b.json").rename(shelf.root / "d/e/z.json")


def move_a_folder(shelf):
    (shelf.root / "d/e").rename(shelf.root / "e")


def replace_a_folder(shelf):
    shutil.rmtree(shelf.root / "d")
    shelf.say("d/b.json", "token x")


def replace_the_vault(shelf):
    shutil.copytree(shelf.root, shelf.root.parent / "copy")
    shelf.root.rename(shelf.root.parent / "old")
    (shelf.root.parent / "copy").rename(shelf.root)
    add(shelf)


def replace_a_folder_above_it(shelf):
    above = shelf.root.parent
    shutil.copytree(above, f"{above}-copy")
    above.rename(f"{above}-old")
    above.parent.joinpath(f"{above.name}-copy").rename(above)
    add(shelf)


CHANGES = [
    edit,
    edit_behind_the_clock,
    replace,
    add,
    add_deep,
    delete,
    rename,
    move_a_folder,
    replace_a_folder,
    replace_the_vault,
    replace_a_folder_above_it,
]


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_seen_at_the_next_question(shelf, change):
    change(shelf)
    assert shelf.search("token x") == shelf.scan("token x")
    change_again = add if change is not add else delete
    change_again(shelf)
    assert shelf.search("token x") == shelf.scan("token x")


def test_with_nothing_changed_no_file_is_read(shelf):
    assert len(shelf.ids("token")) == 3
    assert shelf.read == []


def test_only_the_file_that_changed_is_read(shelf):
    edit(shelf)
    assert shelf.search("token x") == shelf.scan("token x")
    assert set(shelf.read) == {"d/b.json"}


def test_a_change_while_the_question_is_answered_is_seen_at_the_next(shelf):
    shelf.index.answer(lambda opened: add(shelf))
    assert "d/new.json" in shelf.ids("token")


def test_a_failed_answer_leaves_nothing_unchecked(shelf):
    edit(shelf)
    real, shelf.check = shelf.check, lambda known, depth: 1 / 0
    with pytest.raises(ZeroDivisionError):
        shelf.ids("token")
    shelf.check = real
    assert shelf.search("token x") == shelf.scan("token x")


def test_a_lost_index_is_not_missed_until_something_changes(shelf):
    shutil.rmtree(shelf.state)
    assert shelf.search("token") == shelf.scan("token")
    add(shelf)
    assert shelf.search("token x") == shelf.scan("token x")
    assert shelf.index.status().state == "fresh"


def test_another_vault_takes_the_place_of_the_one_kept_open(tmp_path):
    kept = WarmIndexes()
    first = kept.of(tmp_path, ENGLISH)
    assert kept.of(tmp_path, ENGLISH) is first
    second = kept.of(tmp_path, LANGUAGES["de"])
    assert second is not first
    assert kept.of(tmp_path / "other", LANGUAGES["de"]) is not second


class WarmVault(Vault):
    """The same edits, with an index that is kept open."""

    @initialize()
    def begin(self) -> None:
        super().begin()
        self.shelf.warm = WarmIndex()


def test_an_index_kept_open_answers_as_a_scan_does():
    run_state_machine_as_test(WarmVault, settings=examples(12, stateful_step_count=12))


@pytest.mark.soak
def test_and_so_it_does_for_long():
    run_state_machine_as_test(WarmVault, settings=examples(300, stateful_step_count=40))


def test_a_document_expires_though_its_index_is_kept_open(tmp_path):
    shelf = Shelf(tmp_path, age=10)
    shelf.say("a.json", "token one")
    shelf.say("b.json", "token two", expires_at=NOW + timedelta(seconds=1))
    shelf.warm = WarmIndex()
    for seconds, expected in ((0, 2), (1, 1), (0, 2)):
        view = View(NOW + timedelta(seconds=seconds))
        assert len(shelf.search("token", view).hits) == expected
        assert shelf.search("token", view) == shelf.scan("token", view)


def test_what_was_counted_for_a_reader_is_counted_once(shelf):
    def corpus(at):
        return shelf.index.answer(lambda opened: opened.corpus(View(at)))

    first = corpus(NOW)
    assert corpus(NOW + timedelta(hours=1)) is first
    add(shelf)
    second = corpus(NOW)
    assert second is not first
    shelf.say("e.json", "token", expires_at=NOW + timedelta(hours=2))
    third = corpus(NOW)
    assert third is not second
    assert corpus(NOW + timedelta(hours=1)) is third
    assert corpus(NOW + timedelta(hours=2)) is not third
