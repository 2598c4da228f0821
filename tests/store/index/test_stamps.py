"""Stamps of several files, and of each."""

from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.store.index import listing as stamps

_TIMES = st.integers(-290 * 365 * 86_400 * 10**9, 290 * 365 * 86_400 * 10**9)


class _Stat(NamedTuple):
    """The numbers of a stamp."""

    st_ino: int = 1
    st_size: int = 1
    st_ctime_ns: int = 1
    st_mtime_ns: int = 1
    st_dev: int = 1


def stat(**numbers: int) -> Any:
    """Return what ``os.stat`` returns, as far as stamps need it."""
    return _Stat(**numbers)


stats: st.SearchStrategy[Any] = st.builds(
    _Stat,
    st.integers(0, (1 << 64) - 1),
    st.integers(0, (1 << 63) - 1),
    _TIMES,
    _TIMES,
    st.integers(0, (1 << 32) - 1),
)


@examples(100)
@given(st.lists(stats, max_size=8))
def test_stamps_of_several_files_follow_each_other(files):
    together = stamps.stamps_of_files(files)
    each = [stamps.stamps_of_files([file]) for file in files]
    assert stamps.split_stamps(together) == each
    assert stamps.count_stamps(together) == len(files)
    assert len(together) == stamps.STAMP_BYTES * len(files)


@examples(100)
@given(st.lists(stats, max_size=8))
def test_the_last_change_is_the_later_time(files):
    times = [max(file.st_ctime_ns, file.st_mtime_ns) for file in files]
    assert stamps.times_of_stamps(stamps.stamps_of_files(files)) == times


@examples(100)
@given(stats, stats)
def test_other_numbers_are_another_stamp(one, other):
    file = [found._replace(st_dev=0) for found in (one, other)]
    same = stamps.stamps_of_files([one]) == stamps.stamps_of_files([other])
    assert same == (file[0] == file[1])
    folder = [found._replace(st_size=0) for found in (one, other)]
    same = stamps.stamp_of_folder(one) == stamps.stamp_of_folder(other)
    assert same == (folder[0] == folder[1])


def test_each_number_changes_the_stamp():
    for field in ("st_ino", "st_size", "st_ctime_ns", "st_mtime_ns"):
        other = stat(**{field: 2})
        assert stamps.stamps_of_files([stat()]) != stamps.stamps_of_files([other])


def test_a_folder_is_on_one_device():
    stamp = stamps.stamp_of_folder(stat(st_dev=(7 << 32) + 9))
    assert stamps.is_on_device(stamp, (7 << 32) + 9)
    assert not stamps.is_on_device(stamp, 8)
    assert not stamps.is_on_device(stamp, -1)
    assert not stamps.is_on_device(
        stamps.stamp_of_folder(stat(st_dev=(1 << 32) - 1)), -1
    )


def test_a_time_of_a_far_century_is_no_error():
    found = stat(st_mtime_ns=1 << 63)
    assert stamps.times_of_stamps(stamps.stamps_of_files([found])) == [1]
