"""Compiled guards that stay open: a change is seen at the next call."""

import errno
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from toolmem.store.files.tree import OpenFolders
from toolmem.store.guards import access, open_guards
from toolmem.store.guards.guard_file import NewPart, assembled, save
from toolmem.store.guards.open_guards import OpenGuards
from toolmem.store.guards.stamp import Stamp, is_unchanged, stamp
from toolmem.store.index import watch

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it has no inotify")

SYSTEM, PROJECT, MISSING = "system/rules", "projects/p/rules", "projects/q/rules"
RULE = f"{SYSTEM}/git/a.toml"


class Shelf:
    """A vault with compiled guards, and the folders that a call checks."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.checked: list[tuple[str, Any]] = []
        for path in (RULE, f"{SYSTEM}/npm/b.toml", f"{PROJECT}/git/c.toml"):
            self.write(path, "one")
        monkeypatch.setattr(open_guards, "_LEAST_FILES", 0)
        monkeypatch.setattr("toolmem.store.guards.stamp._RACY_NS", 0)
        self.compile()
        real = is_unchanged

        def noting(above: OpenFolders, folder: str, known: Stamp, *more: Any) -> bool:
            self.checked.append((folder, {*(more[0] or ())}))
            return real(above, folder, known, *more)

        for module in (access, open_guards):
            monkeypatch.setattr(module, "is_unchanged", noting)
        self.access = OpenGuards()
        assert self.is_fresh()
        self.checked.clear()

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def compile(self) -> None:
        with OpenFolders(self.root) as above:
            parts = {
                folder: NewPart(stamp(above, folder, deep=True), {}, b"")
                for folder in (SYSTEM, PROJECT, MISSING)
            }
        save(self.root, assembled(self.root, "v", parts, {}))

    def is_fresh(self, chosen: set[str] | None = None) -> bool:
        file = self.access.open(self.root, "v")
        assert file is not None
        try:
            return all(
                self.access.is_unchanged(self.root, folder, part.stamp, chosen)
                for folder, part in file.parts.items()
            )
        except OSError:
            return False

    def sees(self, change: Callable[["Shelf"], object]) -> bool:
        change(self)
        return not self.is_fresh()


@pytest.fixture
def shelf(tmp_path, monkeypatch) -> Iterator[Shelf]:
    made = Shelf(tmp_path / "vault", monkeypatch)
    yield made
    for one in made.access._vaults.values():
        one.close()


def edit(shelf: Shelf) -> None:
    shelf.write(RULE, "two")


def edit_behind_the_clock(shelf: Shelf) -> None:
    before = (shelf.root / RULE).stat()
    edit(shelf)
    os.utime(shelf.root / RULE, ns=(before.st_atime_ns, before.st_mtime_ns))


def rename_over(shelf: Shelf) -> None:
    (shelf.root / "new").write_text("two")
    (shelf.root / "new").rename(shelf.root / RULE)


def rename_over_from_outside(shelf: Shelf) -> None:
    new = shelf.root.parent / "new"
    new.write_text("two")
    new.rename(shelf.root / RULE)


def add_a_file(shelf: Shelf) -> None:
    shelf.write(f"{SYSTEM}/npm/new.toml", "two")


def add_a_folder(shelf: Shelf) -> None:
    (shelf.root / SYSTEM / "new").mkdir()


def move_a_folder_in(shelf: Shelf) -> None:
    new = shelf.root.parent / "new"
    new.mkdir()
    (new / "a.toml").write_text("two")
    new.rename(shelf.root / SYSTEM / "new")


def add_a_missing_scope(shelf: Shelf) -> None:
    shelf.write(f"{MISSING}/git/a.toml", "two")


def delete(shelf: Shelf) -> None:
    (shelf.root / RULE).unlink()


def delete_a_folder(shelf: Shelf) -> None:
    shutil.rmtree(shelf.root / SYSTEM / "git")


def put_a_link_in_place_of_a_folder(shelf: Shelf) -> None:
    (shelf.root / SYSTEM / "git").rename(shelf.root / "elsewhere")
    (shelf.root / SYSTEM / "git").symlink_to(shelf.root / "elsewhere")


def put_a_link_in_place_of_a_file(shelf: Shelf) -> None:
    (shelf.root / RULE).unlink()
    (shelf.root / RULE).symlink_to(shelf.root / "toolmem.toml")


def move_the_project(shelf: Shelf) -> None:
    (shelf.root / "projects/p").rename(shelf.root / "projects/q")


def move_all_projects(shelf: Shelf) -> None:
    (shelf.root / "projects").rename(shelf.root / "old")


def replace_the_project(shelf: Shelf) -> None:
    shutil.copytree(shelf.root / "projects", shelf.root.parent / "copy")
    (shelf.root / "projects").rename(shelf.root.parent / "old")
    (shelf.root.parent / "copy").rename(shelf.root / "projects")


def replace_the_vault(shelf: Shelf) -> None:
    shutil.copytree(shelf.root, shelf.root.parent / "copy")
    shelf.root.rename(shelf.root.parent / "old")
    (shelf.root.parent / "copy").rename(shelf.root)


CHANGES = [
    edit,
    edit_behind_the_clock,
    rename_over,
    rename_over_from_outside,
    add_a_file,
    add_a_folder,
    move_a_folder_in,
    add_a_missing_scope,
    delete,
    delete_a_folder,
    put_a_link_in_place_of_a_folder,
    put_a_link_in_place_of_a_file,
    move_the_project,
    move_all_projects,
    replace_the_project,
    replace_the_vault,
]


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_seen_at_the_next_call(shelf, change):
    assert shelf.sees(change)
    assert not shelf.is_fresh()


@pytest.mark.parametrize("change", CHANGES[:12])
def test_a_change_is_seen_after_one_that_was_compiled(shelf, change):
    shelf.write(f"{SYSTEM}/npm/b.toml", "two")
    shelf.compile()
    for _ in range(2):
        assert shelf.is_fresh()
    assert shelf.sees(change)


def test_with_nothing_changed_no_file_is_compared(shelf):
    for _ in range(3):
        assert shelf.is_fresh()
    assert shelf.checked == []


def test_only_what_changed_is_compared_again(shelf):
    (shelf.root / RULE).open("a").close()
    os.utime(shelf.root / f"{PROJECT}/git/c.toml")
    shelf.compile()  # which is opened again
    assert shelf.is_fresh()
    shelf.checked.clear()
    (shelf.root / SYSTEM / "notes.txt").write_text("is no rule")
    assert not shelf.is_fresh()
    assert [folder for folder, _ in shelf.checked] == [SYSTEM]


def test_files_of_other_tools_are_compared_when_they_are_asked_for(shelf):
    shelf.access = OpenGuards()
    assert shelf.is_fresh({"npm"})
    assert shelf.is_fresh({"npm"})
    assert shelf.is_fresh({"npm", "git"})
    assert shelf.is_fresh()
    assert [names for folder, names in shelf.checked if folder == SYSTEM] == [
        {"npm"},
        {"git"},
        {""},
    ]


def test_a_change_between_two_calls_of_other_tools_is_seen(shelf):
    shelf.access = OpenGuards()
    edit(shelf)
    assert shelf.is_fresh({"npm"})
    assert not shelf.is_fresh({"git"})


def test_a_file_that_is_written_by_its_other_name_is_compared(shelf):
    (shelf.root.parent / "other").hardlink_to(shelf.root / RULE)
    shelf.compile()
    for _ in range(2):
        assert shelf.is_fresh()
    (shelf.root.parent / "other").write_text("two")
    assert not shelf.is_fresh()


def test_after_an_overflow_of_the_queue_a_change_is_seen(shelf):
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    names = ("x.txt", "y.txt")  # events in a row of one file are one event
    for name in names:
        shelf.write(f"{PROJECT}/git/{name}", "is no rule")
    shelf.compile()
    assert shelf.is_fresh()
    opened = os.open(shelf.root / PROJECT / "git", os.O_RDONLY)
    for number in range(limit + 10):
        os.utime(names[number % 2], dir_fd=opened)
    os.close(opened)
    assert shelf.sees(edit)  # its event is lost


def test_of_a_queue_that_overflowed_nothing_is_believed(shelf, monkeypatch):
    monkeypatch.setattr(watch.FolderWatch, "changed", lambda _: None)
    for _ in range(2):
        assert shelf.is_fresh()
    assert len(shelf.checked) == 6


@pytest.mark.parametrize(
    "number", [errno.ENOSPC, errno.ENOMEM, errno.EMFILE, errno.EACCES]
)
def test_at_a_limit_of_watches_every_call_compares_every_file(
    shelf, monkeypatch, number
):
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(watch.FolderWatch, "add", refuse)
    _compares_every_file(shelf)


def test_where_no_watch_is_possible_every_call_compares_every_file(shelf, monkeypatch):
    monkeypatch.setattr(watch, "is_local", lambda _: False)
    _compares_every_file(shelf)


def test_without_the_library_every_call_compares_every_file(shelf, monkeypatch):
    monkeypatch.setitem(sys.modules, "inotify_simple", None)
    _compares_every_file(shelf)


def _compares_every_file(shelf: Shelf) -> None:
    shelf.access = OpenGuards()
    for _ in range(3):
        assert shelf.is_fresh()
    assert len(shelf.checked) == 9
    assert shelf.sees(edit)


def test_after_a_minute_every_file_is_compared_again(shelf, monkeypatch):
    later = time.monotonic() + 61
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert shelf.is_fresh()
    assert [folder for folder, _ in shelf.checked] == [SYSTEM, PROJECT, MISSING]


def test_a_write_through_a_memory_map_is_seen_after_a_minute(shelf, monkeypatch):
    import mmap

    with (shelf.root / RULE).open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        time.sleep(0.02)
        memory[:] = b"two"
        memory.flush()
        later = time.monotonic() + 61
        monkeypatch.setattr(time, "monotonic", lambda: later)
        assert not shelf.is_fresh()


def test_a_child_process_leaves_the_events_to_its_parent(shelf):
    edit(shelf)
    child = os.fork()
    if child == 0:
        code = 9
        try:
            code = int(shelf.is_fresh())
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert not shelf.is_fresh()


def test_a_file_of_guards_that_was_replaced_is_opened(shelf):
    first = shelf.access.open(shelf.root, "v")
    assert shelf.access.open(shelf.root, "v") is first
    shelf.compile()
    second = shelf.access.open(shelf.root, "v")
    assert second is not None
    assert second is not first
    assert shelf.access.open(shelf.root, "w") is None


def test_few_vaults_are_kept(shelf, tmp_path):
    for number in range(6):
        root = tmp_path / str(number)
        root.mkdir()
        save(root, assembled(root, "v", {}, {}))
        assert shelf.access.open(root, "v") is not None
    assert len(shelf.access._vaults) == 4
    assert shelf.is_fresh()


def test_folders_of_few_files_are_not_watched(shelf, monkeypatch):
    monkeypatch.setattr(open_guards, "_LEAST_FILES", 3)
    shelf.access = OpenGuards()
    for _ in range(2):
        assert shelf.is_fresh()
    assert shelf.access._vaults[shelf.root]._watch is None
    assert len(shelf.checked) == 6
