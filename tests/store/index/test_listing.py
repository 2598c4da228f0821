"""Folders that are not listed again, and files that are not compared."""

import os
import time
from pathlib import Path

import pytest
from hypothesis.stateful import initialize, run_state_machine_as_test

from tests.examples import examples
from tests.store.index.shelf import Shelf
from tests.store.index.test_model import Vault
from toolmem.store.index.generation import device_of, last_check, note_check
from toolmem.store.index.listing import Depth, walk
from toolmem.store.index.source import IndexScan

HOUR = 3600


def check(root, known=(), depth=Depth.FILES):
    known = {folder.path: folder for folder in known}
    return walk(
        root, lambda p: p.endswith(".md"), lambda p: True, known, lambda _: depth
    ).folders


@pytest.fixture
def root(tmp_path):
    for path in ("a.md", "d/b.md", "d/e/c.md"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("text")
    return tmp_path


def edit(root):
    (root / "d/b.md").write_text("more text")


def replace(root):
    (root / "new").write_text("text")
    (root / "new").rename(root / "d/b.md")


def add(root):
    (root / "d/new.md").write_text("text")


def delete(root):
    (root / "d/b.md").unlink()


def rename(root):
    (root / "d/b.md").rename(root / "d/z.md")


def swap_folders(root):
    (root / "d").rename(root / "old")
    (root / "d").mkdir()
    (root / "old/b.md").rename(root / "d/b.md")


def replace_by_link(root):
    (root / "d/b.md").unlink()
    (root / "d/b.md").symlink_to("../a.md")


@pytest.mark.parametrize("depth", [Depth.FOLDER, Depth.FILES])
def test_what_did_not_change_is_the_listing_before(root, depth):
    before = check(root)
    again = check(root, before, depth)
    assert [new is old for new, old in zip(again, before, strict=True)] == [True] * 3


@pytest.mark.parametrize(
    "change", [edit, replace, add, delete, rename, swap_folders, replace_by_link]
)
def test_a_listing_with_what_is_known_is_one_without(root, change):
    before = check(root)
    change(root)
    assert check(root, before) == check(root) != before


@pytest.mark.parametrize("change", [replace, add, delete, rename, swap_folders])
def test_the_time_of_a_folder_shows_all_but_an_edit_in_place(root, change):
    before = check(root)
    edit(root)
    assert check(root, before, Depth.FOLDER) == before
    change(root)
    assert check(root, before, Depth.FOLDER) == check(root)


def test_a_folder_without_a_stamp_is_listed_again(root):
    before = [folder._replace(stamp=b"") for folder in check(root)]
    add(root)
    assert check(root, before, Depth.FOLDER) == check(root)


def test_a_file_that_goes_while_its_folder_is_listed_is_left_out(root):
    before = [f._replace(names=f.names.replace(b"b.md", b"x.md")) for f in check(root)]
    found = check(root, before)
    assert [folder.paths() for folder in found] == [["a.md"], [], ["d/e/c.md"]]


def test_inodes_of_any_size_are_listed(root, monkeypatch):
    """As network file systems have them."""
    before = check(root)
    real = os.stat
    more = 1 << 63

    class Big:
        def __init__(self, found):
            self._found = found

        def __getattr__(self, name):
            value = getattr(self._found, name)
            return value + more if name == "st_ino" else value

    monkeypatch.setattr(os, "stat", lambda *a, **k: Big(real(*a, **k)))
    big = check(root)
    assert [f.stamps for f in big] != [f.stamps for f in before]
    assert check(root) == big
    more = 1 << 64
    assert check(root) == before


def aged(tmp_path, **options):
    shelf = Shelf(tmp_path, age=10, **options)
    shelf.say("a.json", "alpha token")
    shelf.say("d/b.json", "beta token")
    shelf.search("token")
    return shelf


def generation(shelf):
    return Path(shelf.index.status().folder)


def edit_in_place(shelf):
    with (shelf.root / "d/b.json").open("r+b") as file:
        data = file.read().replace(b"beta", b"omega")
        file.seek(0)
        file.write(data)


def test_within_the_age_an_edit_in_place_is_not_seen_and_all_else_is(tmp_path):
    shelf = aged(tmp_path, max_age=HOUR)
    edit_in_place(shelf)
    assert shelf.ids("omega") == []
    shelf.say("c.json", "gamma token")
    (shelf.root / "a.json").rename(shelf.root / "d/a.json")
    assert sorted(shelf.ids("token")) == ["a.json", "c.json", "d/b.json"]
    assert shelf.search("token omega") == shelf.scan("token omega")


@pytest.mark.parametrize("hours", [2, -1])
def test_an_older_check_and_one_of_the_future_are_not_relied_upon(tmp_path, hours):
    shelf = aged(tmp_path, max_age=HOUR)
    edit_in_place(shelf)
    first = last_check(generation(shelf))
    note_check(generation(shelf), first - hours * HOUR * 10**9)
    assert shelf.ids("omega") == ["d/b.json"]
    assert first < last_check(generation(shelf)) < first + HOUR * 10**9


def test_without_an_age_every_file_is_checked(tmp_path):
    edit_in_place(aged(tmp_path, max_age=HOUR))
    assert Shelf(tmp_path, age=10).ids("omega") == ["d/b.json"]


def test_a_damaged_note_of_a_check_counts_for_nothing(tmp_path):
    shelf = aged(tmp_path, max_age=HOUR)
    edit_in_place(shelf)
    (generation(shelf) / "checked").write_text("soon")
    assert shelf.ids("omega") == ["d/b.json"]


def test_the_device_is_known_where_the_time_of_a_folder_changes(tmp_path):
    assert device_of(tmp_path) == tmp_path.stat().st_dev
    (tmp_path / "file").touch()
    assert device_of(tmp_path / "file") == -1


def test_only_old_folders_on_that_device_are_relied_upon(tmp_path):
    shelf = Shelf(tmp_path, age=10)
    shelf.say("d/b.json", "beta")
    device = tmp_path.stat().st_dev

    def recorded(device, began):
        scan = IndexScan(shelf.source, shelf.listing(), began)
        assert len(list(scan.changes())) == 1
        folders = scan.manifest({}, device).folders.values()
        return [bool(folder.stamp) for folder in folders]

    now = time.time_ns()
    assert recorded(device, now) == [True, True]
    assert recorded(device, now - 9 * 10**9) == [False, False]
    assert recorded(-1, now) == [False, False]


class AgedVault(Vault):
    """The same edits in a vault with folders that are all relied upon."""

    @initialize()
    def begin(self) -> None:
        super().begin()
        self.shelf.age = 10


@pytest.mark.soak
def test_an_index_of_old_folders_answers_as_a_scan_does():
    run_state_machine_as_test(AgedVault, settings=examples(300, stateful_step_count=40))
