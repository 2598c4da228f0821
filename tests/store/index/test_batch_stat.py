"""Stamps that are read in batches are those that are read one by one."""

import ctypes
import os
import sys
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from tests.examples import examples
from tests.store.index.test_model import Vault
from toolmem.store.index import batch_stat, listing

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs statx")
_TIMES = st.integers(0, (1 << 33) * 10**9 - 1)


@pytest.fixture
def always(monkeypatch):
    """Batches of few files, whatever is known."""
    monkeypatch.setattr(listing, "_MANY", 0)
    monkeypatch.setattr(batch_stat, "_FILES", 3)


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
    lstat = partial(os.stat, follow_symlinks=False)
    paths = [folder / name for name in names]
    return found, listing._stamps(listing._OF_FILE, lstat, paths)


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


@pytest.mark.parametrize("seconds", [-1, 1 << 33])
def test_times_of_more_than_63_bits_are_left_to_the_other_way(tmp_path, seconds):
    (tmp_path / "a.md").touch()
    os.utime(tmp_path / "a.md", (0, seconds))
    if (tmp_path / "a.md").stat().st_mtime == seconds:
        assert both(tmp_path, ["a.md"])[0] is None


def test_inodes_of_64_bits_are_left_to_the_other_way():
    def write(_folder, _name, _flags, _wanted, place):
        words = (ctypes.c_uint64 * 32).from_buffer(place._obj)
        words[4] = 1 << 63
        return 0

    assert batch_stat.BatchStat(write).stamps(0, [b"a.md"]) is None


def test_a_missing_file_is_left_to_the_other_way(tmp_path):
    opened = os.open(tmp_path, os.O_RDONLY)
    assert batch().stamps(opened, [b"gone.md"]) is None
    assert batch().stamps(opened, []) == b""
    os.close(opened)


def test_where_there_is_no_statx_files_are_read_one_by_one(
    tmp_path, always, monkeypatch
):
    (tmp_path / "a.md").touch()

    def everything(_):
        return True

    before = listing.walk(tmp_path, everything, everything).folders
    known = {folder.path: folder for folder in before}
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    assert batch_stat.open_batch() is None
    again = listing.walk(tmp_path, everything, everything, known).folders
    assert again[0] is before[0]


def test_an_index_checked_in_batches_answers_as_a_scan_does(always):
    run_state_machine_as_test(Vault, settings=examples(12, stateful_step_count=12))
