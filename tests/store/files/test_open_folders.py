"""Folders that stay open while others are: never a link, never too many."""

import errno
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core import limits
from toolmem.errors import InvalidFileError
from toolmem.store.files import folders
from toolmem.store.files.tree import OpenFolders

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="it has no descriptors of folders"
)


def open_now() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def names_in(folder: folders.Folder) -> set[str]:
    with folders.scan(folder) as found:
        return {entry.name for entry in found}


def refused(call, *args) -> int | None:
    with pytest.raises(OSError) as caught:
        call(*args)
    return caught.value.errno


def test_a_folder_is_opened_once(vault):
    vault.joinpath("a/b").mkdir(parents=True)
    with OpenFolders(vault) as opened:
        assert opened.folder("a/b") is opened.folder("a/b")
        assert names_in(opened.folder("a")) == {"b"}
        assert names_in(opened.folder("")) == {"a"}


def test_many_folders_leave_few_open_and_those_above_the_last(vault):
    before = open_now()
    for number in range(200):
        vault.joinpath(f"a/b{number}/c").mkdir(parents=True)
    with OpenFolders(vault) as opened:
        above = opened.folder("a")
        for number in range(200):
            opened.folder(f"a/b{number}/c")
            assert opened.folder("a") is above
        assert open_now() <= before + limits.OPEN_FOLDERS
    assert open_now() == before


def test_a_folder_opened_anew_is_the_one_that_is_there_now(vault):
    vault.joinpath("a/rules").mkdir(parents=True)
    with OpenFolders(vault) as opened:
        first = opened.open_anew("a/rules")
        vault.joinpath("a/rules").rename(vault / "a/old")
        vault.joinpath("a/rules").mkdir()
        vault.joinpath("a/rules/new").touch()
        second = opened.open_anew("a/rules")
        assert (names_in(first), names_in(second)) == (set(), {"new"})
        first.close()
        second.close()


@pytest.mark.parametrize("kept", [True, False])
def test_a_link_in_place_of_a_folder_is_not_followed(vault, tmp_path, kept):
    tmp_path.joinpath("outside/rules").mkdir(parents=True)
    tmp_path.joinpath("outside/rules/secret").touch()
    vault.joinpath("a/rules").mkdir(parents=True)
    with OpenFolders(vault) as opened:
        if kept:
            opened.folder("a")
        vault.joinpath("a").rename(vault / "b")
        vault.joinpath("a").symlink_to(tmp_path / "outside")
        if kept:  # what was opened first is what answers
            assert names_in(opened.folder("a/rules")) == set()
        else:
            assert refused(opened.folder, "a/rules") == errno.ELOOP
            assert refused(opened.open_anew, "a/rules") == errno.ELOOP
        vault.joinpath("b/rules").rename(vault / "b/old")
        vault.joinpath("b/rules").symlink_to(tmp_path / "outside/rules")
        opened.close()
        assert refused(opened.folder, "b/rules") == errno.ELOOP
        assert refused(opened.open_anew, "b/rules") == errno.ELOOP


@pytest.mark.parametrize("path", ["..", "a/../..", ".git", "a//b", "/etc", "a/", "./a"])
def test_a_path_that_leaves_the_vault_is_refused(vault, path):
    vault.joinpath("a").mkdir()
    with OpenFolders(vault) as opened:
        for call in (opened.folder, opened.open_anew):
            with pytest.raises(InvalidFileError):
                call(path)


NAMES = st.one_of(
    st.sampled_from(["", ".", "..", ".git", ".GIT. ", "git~1", "GIT~1 .", "a", "a b"]),
    st.text(alphabet="ab.~ \0é\udcff\ud800-%", max_size=4),
)


@examples(2_000)
@given(st.lists(NAMES, min_size=1, max_size=6).map("/".join))
def test_a_whole_path_is_plain_only_if_each_of_its_names_is(path):
    names = path.split("/")
    try:
        split = folders.split(path)
    except InvalidFileError:
        split = None
    plain = all(map(folders.is_plain, names))
    assert split == (tuple(names) if plain else () if not path else None)


def test_a_deep_path_is_refused_at_the_same_depth_whatever_its_names():
    for name in ("a", "é"):
        most = "/".join([name] * (limits.PATH_DEPTH + 1))
        assert len(folders.split(most[: -1 - len(name)])) == limits.PATH_DEPTH
        with pytest.raises(InvalidFileError, match="levels deep"):
            folders.split(most)
