"""Stamps that are read in batches are those that are read one by one."""

import _thread
import ctypes
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from tests.examples import examples
from tests.store.index.test_model import Vault
from tests.store.listing.test_stamps import stat
from toolmem.store.listing import batch_stat, listing, stamps

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads one by one")
_TIMES = st.integers(0, (1 << 33) * 10**9 - 1)


@pytest.fixture(autouse=True, params=[0, 1], ids=["alone", "threads"])
def threads(request, monkeypatch):
    """The number of other threads, on which the way to read depends."""
    monkeypatch.setattr(_thread, "_count", lambda: request.param)
    return request.param


@pytest.fixture
def always(monkeypatch):
    """Batches of few files, whatever is known."""
    monkeypatch.setattr(listing, "_MANY", 0)
    monkeypatch.setattr(stamps, "BLOCK", 3)


def batch():
    """The reader that every walk on Linux has."""
    made = batch_stat.open_batch()
    assert made is not None
    return made


def both(folder, names):
    """The stamps in batches, and one by one."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        found = batch().stamps(opened, [os.fsencode(n) for n in names])
    finally:
        os.close(opened)
    return found, stamps.of_files((folder / name).lstat() for name in names)


@examples(30)
@given(st.lists(st.tuples(st.binary(max_size=20), _TIMES), max_size=8))
def test_a_batch_has_the_stamps_of_each_file(tmp_path_factory, always, files):
    folder = tmp_path_factory.mktemp("files")
    names = [f"{number}-\udcff.md" for number in range(len(files))]
    for name, (data, changed) in zip(names, files, strict=True):
        (folder / name).write_bytes(data)
        os.utime(folder / name, ns=(0, changed))
    batched, single = both(folder, names)
    assert batched == single


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "link.md").symlink_to("nothing")
    batched, single = both(tmp_path, ["link.md"])
    assert batched == single


@pytest.mark.parametrize("seconds", [-1, -(1 << 31), 1 << 32, 1 << 33])
def test_times_of_any_year_have_one_stamp(tmp_path, seconds):
    (tmp_path / "a.md").touch()
    os.utime(tmp_path / "a.md", ns=(0, seconds * 10**9 + 5))
    batched, single = both(tmp_path, ["a.md"])
    assert batched == single


def test_inodes_and_sizes_of_64_bits_have_one_stamp():
    inode, size = 0xFEDC_BA98_7654_3210, 0x8000_0001_0000_0003

    def write(_folder, _name, place, _flags):
        words = (ctypes.c_uint64 * 15).from_buffer(place._obj)
        words[1], words[6] = inode, size
        return 0

    found = stat(st_ino=inode, st_size=size, st_ctime_ns=0, st_mtime_ns=0)
    assert batch_stat.BatchStat(write).stamps(0, [b"a.md"]) == stamps.of_files([found])


def test_a_missing_file_is_left_to_the_other_way(tmp_path):
    opened = os.open(tmp_path, os.O_RDONLY)
    assert batch().stamps(opened, [b"gone.md"]) is None
    assert batch().stamps(opened, []) == b""
    os.close(opened)


def test_where_there_is_no_such_function_files_are_read_one_by_one(
    tmp_path, always, monkeypatch
):
    (tmp_path / "a.md").touch()

    def everything(_):
        return True

    before = listing.walk(tmp_path, everything, everything).folders
    known = {folder.path: folder for folder in before}
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    monkeypatch.setattr(ctypes, "PyDLL", lambda _: object())
    assert batch_stat.open_batch() is None
    again = listing.walk(tmp_path, everything, everything, known).folders
    assert again[0] is before[0]


def test_the_working_folder_is_as_before(tmp_path, monkeypatch):
    home, folder = tmp_path / "home", tmp_path / "home/d"
    folder.mkdir(parents=True)
    monkeypatch.chdir(home)
    (folder / "a.md").touch()
    for names in (["a.md"], ["gone.md"]):
        opened = os.open(folder, os.O_RDONLY)
        batch().stamps(opened, [os.fsencode(n) for n in names])
        os.close(opened)
        assert Path.cwd() == home
    home.rename(tmp_path / "moved")
    batched, single = both(tmp_path / "moved/d", ["a.md"])
    assert batched == single
    assert Path.cwd() == tmp_path / "moved"


@pytest.mark.parametrize("fails", ["open", "fchdir"])
def test_without_a_way_back_the_working_folder_is_not_changed(
    tmp_path, monkeypatch, fails, threads
):
    (tmp_path / "a.md").touch()
    opened = os.open(tmp_path, os.O_RDONLY)
    before = Path.cwd()
    reader = batch()

    def fail(*_):
        raise PermissionError

    with monkeypatch.context() as patch:
        patch.setattr(os, fails, fail)
        found = reader.stamps(opened, [b"a.md"])
    os.close(opened)
    assert (found is None) == (threads == 0)
    assert Path.cwd() == before


def test_on_machines_with_another_layout_files_are_read_one_by_one(monkeypatch):
    names = os.uname()
    monkeypatch.setattr(os, "uname", lambda: os.uname_result([*names[:4], "mips64"]))
    assert batch_stat.open_batch() is None


def test_an_index_checked_in_batches_answers_as_a_scan_does(always):
    run_state_machine_as_test(Vault, settings=examples(12, stateful_step_count=12))
