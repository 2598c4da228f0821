"""Differences between two commits agree with git's own list."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.errors import NotFoundError
from toolmem.store.git.diff import History
from toolmem.store.git.repo import Repo

NAMES = ["a.md", "b", "b/c.md", "b/d/e.toml", "über.md", "x y/z.md", "b/d/f/g.md"]
TREES = st.dictionaries(st.sampled_from(NAMES), st.sampled_from("123"), max_size=5)


def put(vault, git, files):
    """Make these the only files of the vault, as far as they go together."""
    git("rm", "-rqf", "--ignore-unmatch", ".")
    for name, text in files.items():
        place = vault / name
        if place.is_dir() or any(parent.is_file() for parent in place.parents):
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    git("add", "--all")
    git("commit", "-q", "--allow-empty", "-m", "x")
    return git("rev-parse", "HEAD")


def by_git(git, *revisions):
    args = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev")
    fields = git(*args, *revisions).split("\0")[:-1]
    found = []
    for about, path in zip(fields[::2], fields[1::2], strict=True):
        _, _, before, after, _ = about.split(" ")
        found.append((path, before.strip("0") and before, after.strip("0") and after))
    return sorted(found)


@examples(12)
@given(st.lists(TREES, min_size=2, max_size=2))
def test_any_two_commits(git, vault, trees):
    commits = [put(vault, git, files) for files in trees]
    with History(Repo(vault)) as history:
        old, new = (history.snapshot(commit) for commit in commits)
        found = [one[:3] for one in history.touched(old.tree, new.tree)]
    assert found == by_git(git, *commits)


def test_a_vault_below_the_top_sees_its_own_files_only(git, vault):
    first = put(vault, git, {"b/c.md": "1", "a.md": "1"})
    second = put(vault, git, {"b/c.md": "2", "a.md": "2"})
    with History(Repo(vault, "b")) as history:
        old, new = history.snapshot(first), history.snapshot(second)
        assert [one.path for one in history.touched(old.tree, new.tree)] == ["c.md"]
        assert [one.path for one in history.touched("", new.tree)] == ["c.md"]


def test_links_and_modes_are_told(git, vault):
    first = put(vault, git, {"a.md": "1", "b": "1"})
    vault.joinpath("a.md").chmod(0o755)
    vault.joinpath("b").unlink()
    os.symlink("a.md", vault / "b")  # noqa: PTH211
    git("add", "--all")
    git("commit", "-qm", "x")
    with History(Repo(vault)) as history:
        old, new = history.snapshot(first), history.snapshot("HEAD")
        found = {one.path: one for one in history.touched(old.tree, new.tree)}
    assert (found["a.md"].mode_after, found["a.md"].is_plain) == ("100755", True)
    assert (found["b"].mode_after, found["b"].is_plain) == ("120000", False)


def test_revisions_dates_and_what_is_neither(git, vault):
    first = put(vault, git, {"a.md": "1"})
    with History(Repo(vault)) as history:
        assert history.snapshot("HEAD").id == first
        assert history.snapshot(first[:8]).id == first
        assert history.snapshot("2999-01-01").id == first
        when = history.snapshot("main").when
        assert f"{when:%Y-%m-%dT%H:%M:%SZ}" == "2026-04-07T10:00:00Z"
        for name in ("nowhere", "HEAD\nHEAD", "HEAD:a.md", "", "--all", "a b"):
            with pytest.raises(NotFoundError):
                history.snapshot(name)
