"""Indexes that an older toolmem left are removed once it uses them no more."""

import os
import time

import pytest

from tests.store.index.shelf import Shelf
from toolmem.store.index.exclusive import locked
from toolmem.store.index.generation import FORMAT, VERSION

DAY = 86_400


def left(shelf, name, *, days):
    """An index of another version, and when it was last written."""
    folder = shelf.state / "index" / name
    (folder / "g1").mkdir(parents=True)
    (folder / "g1" / "manifest").write_text("old")
    (folder / "lock").touch()
    at = time.time() - days * DAY
    os.utime(folder / "lock", (at, at))
    return folder


def names(shelf):
    return sorted(path.name for path in (shelf.state / "index").iterdir())


@pytest.fixture
def shelf(tmp_path):
    found = Shelf(tmp_path, age=10)
    found.say("a.json", "tokens expire")
    return found


@pytest.mark.parametrize("name", ["v9-0badcafe-en", "v9-en", "v1"])
def test_one_that_was_not_written_for_a_week_is_removed(shelf, name):
    left(shelf, name, days=8)
    assert shelf.ids("tokens") == ["a.json"]
    assert names(shelf) == [f"{VERSION}-en"]


def test_one_that_was_written_lately_stays_until_it_is_a_week_old(shelf):
    folder = left(shelf, "v9-0badcafe-en", days=6)
    assert shelf.ids("tokens") == ["a.json"]
    assert folder.exists()
    left_at = time.time() - 8 * DAY
    os.utime(folder / "lock", (left_at, left_at))
    assert shelf.ids("tokens") == ["a.json"]
    assert folder.exists()  # reading removes nothing
    shelf.say("b.json", "more tokens")
    assert shelf.ids("more") == ["b.json"]
    assert not folder.exists()


def test_one_that_another_process_writes_stays(shelf):
    folder = left(shelf, "v9-0badcafe-en", days=8)
    lock = folder / "lock"
    before = lock.stat().st_mtime_ns
    with locked(lock, 0, "building"):
        os.utime(lock, ns=(before, before))
        assert shelf.ids("tokens") == ["a.json"]
        assert folder.exists()


def test_what_is_newer_or_no_index_stays(shelf, tmp_path):
    newer = left(shelf, f"v{FORMAT + 1}-0badcafe-en", days=400)
    other = left(shelf, "vault", days=400)
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    (outside / "file").write_text("mine")
    link = shelf.state / "index" / "v8-en"
    link.symlink_to(outside)
    shelf.ids("tokens")
    assert newer.exists()
    assert other.exists()
    assert (outside / "file").exists()


def test_a_build_that_fails_removes_nothing(shelf, monkeypatch):
    folder = left(shelf, "v9-0badcafe-en", days=8)
    monkeypatch.setattr(
        "toolmem.store.index.engine.create", lambda *_: (_ for _ in ()).throw(OSError())
    )
    shelf.ids("tokens")
    assert folder.exists()
