"""Project of a folder: pointer, then remote, then repository."""

import subprocess
from pathlib import Path

import pytest

from toolmem.store.files.settings import user_file
from toolmem.store.vault.discover import find_in_force
from toolmem.store.vault.pointer import remote_name


def git(folder: Path, *args: str) -> None:
    subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of a project, next to the user's default vault with two projects."""
    vault = tmp_path / "vault"
    for project in ("shop", "web%20shop", "main-name"):
        (vault / "projects" / project).mkdir(parents=True)
    (vault / "toolmem.toml").write_text("schema = 1\n")
    user_file().parent.mkdir(parents=True)
    user_file().write_text(f'vault = "{vault}"\n')
    folder = tmp_path / "clone"
    folder.mkdir()
    git(folder, "init", "--quiet")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "first")
    git(folder, "remote", "add", "origin", "git@example.org:team/shop.git")
    return folder


def project(folder: Path) -> str | None:
    return find_in_force({}, folder).text("project")


def test_the_name_of_the_folder_counts_without_a_remote(clone):
    assert project(clone) == "shop"
    clone.rename(clone.with_name("main-name"))
    assert project(clone.with_name("main-name")) == "shop"
    git(clone.with_name("main-name"), "remote", "remove", "origin")
    assert project(clone.with_name("main-name")) == "main-name"


def test_a_pointer_comes_first(clone):
    (clone / ".toolmem.toml").write_text('project = "elsewhere"\n')
    assert project(clone) == "elsewhere"


def test_a_worktree_is_of_the_project_of_its_repository(clone):
    tree = clone.with_name("tree")
    git(clone, "worktree", "add", "--quiet", str(tree))
    (tree / "src").mkdir()
    assert project(tree / "src") == "shop"
    (clone / ".toolmem.toml").write_text('project = "main-name"\n')
    assert project(tree / "src") == "main-name"


def test_a_name_that_the_vault_does_not_have_is_no_project(clone):
    git(clone, "remote", "set-url", "origin", "https://example.org/team/other")
    assert project(clone) is None
    assert project(clone.parent) is None


def test_where_the_name_comes_from_is_said(clone):
    value = find_in_force({}, clone).settings["project"]
    assert value.origin == f"the remote of {clone.resolve()}"


@pytest.mark.parametrize(
    ("config", "name"),
    [
        ("", ""),
        ('[remote "up"]\n\turl = /a/b.git\n', "b"),
        ('[remote "up"]\n\turl = /a/b\n[remote "origin"]\n\turl = h:c/d.git/\n', "d"),
        ('[remote "origin"]\n\tfetch = +refs/*\n[branch "x"]\n\turl = no\n', ""),
        ('[remote "origin"]\nurl=ssh://git@host:22/~me/e.git\n', "e"),
        ('[remote "origin"]\nurl = C:\\src\\f\n', "f"),
        ('[remote "origin"]\nurl = ..\n', ".."),
    ],
)
def test_the_name_in_a_remote_s_address(config, name):
    assert remote_name(config) == name
