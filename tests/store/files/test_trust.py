"""Folders are recognised by their path and by a mark that no clone can bring."""

import shutil
import subprocess
from pathlib import Path

import pytest

from toolmem.errors import InvalidFileError
from toolmem.store.files.settings import read_layer
from toolmem.store.files.trust import (
    TrustedFolder,
    identity_of,
    is_trusted,
    read_mark,
    write_mark,
)


def git(folder: Path, *args: str) -> None:
    subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True)


def repository(folder: Path) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet")
    folder.joinpath("toolmem.toml").write_text("schema = 1\n")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "first")
    return folder


def trusted(folder: Path) -> list[TrustedFolder]:
    identity = identity_of(folder)
    return [TrustedFolder(identity.folder, write_mark(identity, ()))]


def test_a_marked_folder_is_trusted_and_its_neighbour_is_not(tmp_path):
    ours, other = repository(tmp_path / "ours"), repository(tmp_path / "other")
    known = trusted(ours)
    assert is_trusted(ours, known)
    assert not is_trusted(other, known)
    assert not is_trusted(ours / "vendor", known)
    assert not is_trusted(ours, ())


def test_the_mark_of_a_repository_is_in_git_s_folder_and_no_one_else_s_to_read(
    tmp_path,
):
    ours = repository(tmp_path / "ours")
    trusted(ours)
    mark = ours / ".git/toolmem-trust"
    assert mark.stat().st_mode & 0o777 == 0o600
    done = subprocess.run(
        ["git", "status", "--porcelain"], cwd=ours, capture_output=True, check=True
    )
    assert done.stdout == b""


def test_without_git_the_mark_is_in_the_local_state(tmp_path):
    known = trusted(tmp_path)
    assert (tmp_path / ".toolmem/toolmem-trust").exists()
    assert (tmp_path / ".toolmem/.gitignore").read_text() == "*\n"
    assert is_trusted(tmp_path, known)


def test_another_clone_at_the_same_path_is_not_trusted(tmp_path):
    ours = repository(tmp_path / "ours")
    known = trusted(ours)
    git(tmp_path, "clone", "--quiet", str(ours), "copy")
    shutil.rmtree(ours)
    (tmp_path / "copy").rename(ours)
    assert not is_trusted(ours, known)


def test_a_link_to_a_trusted_folder_is_that_folder(tmp_path):
    ours = repository(tmp_path / "ours")
    known = trusted(ours)
    (tmp_path / "link").symlink_to(ours, target_is_directory=True)
    assert is_trusted(tmp_path / "link", known)


def test_the_worktrees_of_a_trusted_repository_are_trusted(tmp_path):
    ours = repository(tmp_path / "ours")
    known = trusted(ours)
    git(ours, "worktree", "add", "--quiet", str(tmp_path / "tree"))
    assert is_trusted(tmp_path / "tree", known)
    (tmp_path / "tree/sub").mkdir()
    assert not is_trusted(tmp_path / "tree/sub", known)
    assert identity_of(tmp_path / "tree") == identity_of(ours)


@pytest.mark.parametrize("target", [".git", ".git/worktrees/tree"])
def test_a_folder_that_says_it_is_a_worktree_is_not_trusted(tmp_path, target):
    ours = repository(tmp_path / "ours")
    known = trusted(ours)
    git(ours, "worktree", "add", "--quiet", str(tmp_path / "tree"))
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    (stranger / ".git").write_text(f"gitdir: {ours / target}\n")
    assert not is_trusted(stranger, known)


@pytest.mark.parametrize("text", ["", "gitdir:", "gitdir: \0", "x" * 9000, "\xff"])
def test_a_broken_git_file_is_a_folder_of_its_own(tmp_path, text):
    (tmp_path / ".git").write_text(text, encoding="latin-1")
    assert identity_of(tmp_path).folder == str(tmp_path.resolve())
    assert is_trusted(tmp_path, trusted(tmp_path))


def test_a_mark_that_a_stranger_brought_is_replaced(tmp_path):
    state = tmp_path / ".toolmem"
    state.mkdir()
    (state / "toolmem-trust").write_text("0" * 32 + "\n")
    [one] = trusted(tmp_path)
    assert one.mark != "0" * 32
    assert read_mark(identity_of(tmp_path)) == one.mark


def test_a_mark_that_is_known_is_kept(tmp_path):
    [one] = trusted(tmp_path)
    assert write_mark(identity_of(tmp_path), [one.mark]) == one.mark


def test_a_mark_behind_a_link_is_none(tmp_path):
    ours, other = repository(tmp_path / "ours"), repository(tmp_path / "other")
    [one] = trusted(ours)
    (other / ".git/toolmem-trust").symlink_to(ours / ".git/toolmem-trust")
    assert not is_trusted(other, [TrustedFolder(str(other), one.mark)])


@pytest.mark.parametrize(
    "text",
    [
        "trust = 1\n",
        'trust = ["/a"]\n',
        '[trust]\nfolder = "/a"\n',
        '[[trust]]\nfolder = "/a"\n',
        '[[trust]]\nfolder = "/a"\nmark = 1\n',
        '[[trust]]\nfolder = "/a"\nmark = "b"\nmore = "c"\n',
    ],
)
def test_tables_of_another_shape_are_an_error(text):
    with pytest.raises(InvalidFileError, match="expected the texts folder and mark"):
        read_layer(text, where="user", origin="config.toml")


def test_only_the_user_s_file_says_what_is_trusted():
    text = '[[trust]]\nfolder = "/a"\nmark = "b"\n'
    assert read_layer(text, where="user", origin="x").trusted == (
        TrustedFolder("/a", "b"),
    )
    for where in ("vault", "pointer"):
        layer = read_layer(text, where=where, origin="x")
        assert layer.trusted == ()
        assert [one.code for one in layer.problems] == ["unknown-key"]
