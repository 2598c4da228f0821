"""Committing given paths: those, as they are on disk, and nothing else."""

import os
from pathlib import Path

import pytest

from tests.store.conftest import Git
from toolmem.errors import ExistsError, InvalidFileError, LockedError, StorageError
from toolmem.store.git.repo import Repo

REAL_GIT = next(
    f"{folder}/git" for folder in os.get_exec_path() if os.access(f"{folder}/git", 1)
)


@pytest.fixture
def repo(git, vault):
    """A repository whose one commit holds a.md and b.md."""
    for name in ("a.md", "b.md"):
        vault.joinpath(name).write_text(name)
    git("add", "--all")
    git("commit", "-qm", "first")
    found = Repo.find(vault)
    assert found is not None
    return found


def changed(git: Git) -> str:
    """Return the changes of the last commit by file."""
    return git("diff-tree", "-r", "--root", "--name-status", "--no-commit-id", "HEAD")


def test_new_changed_and_deleted_files_are_committed_and_the_status_is_clean(
    git, vault, repo
):
    vault.joinpath("rules/shell").mkdir(parents=True)
    vault.joinpath("rules/shell/c.toml").write_text("c")
    vault.joinpath("a.md").write_text("changed")
    vault.joinpath("b.md").unlink()
    first = git("rev-parse", "HEAD")
    paths = ("rules/shell/c.toml", "a.md", "b.md")
    made = repo.commit_paths(paths, "shell: add a rule\n\nSaid by Ada.\n")
    assert made == git("rev-parse", "HEAD")
    assert git("rev-parse", "HEAD^") == first
    assert changed(git) == "M\ta.md\nD\tb.md\nA\trules/shell/c.toml"
    assert (
        git("log", "-1", "--format=%an <%ae>%n%B").splitlines()
        == [
            "Ada <ada@example.org>",
            "shell: add a rule",
            "",
            "Said by Ada.",
            "",
        ][:4]
    )
    assert git("status", "--porcelain") == ""
    assert git("symbolic-ref", "HEAD") == "refs/heads/main"
    assert git("reflog", "-1", "--format=%gs") == "commit: shell: add a rule"
    assert git("fsck", "--strict") == ""


def test_a_merge_that_waits_to_be_committed_is_not_cut_off(git, vault, repo):
    vault.joinpath(".git/MERGE_HEAD").write_text(git("rev-parse", "HEAD") + "\n")
    vault.joinpath("a.md").write_text("changed")
    with pytest.raises(ExistsError) as caught:
        repo.commit_paths(("a.md",), "a")
    assert str(caught.value) == (
        "git is in the middle of a merge: finish it with `git commit`"
    )


def test_what_else_is_staged_or_changed_stays_as_it_was(git, vault, repo):
    vault.joinpath("staged.md").write_text("staged")
    git("add", "staged.md")
    vault.joinpath("b.md").write_text("not staged")
    vault.joinpath("untracked.md").touch()
    vault.joinpath("a.md").write_text("changed")
    repo.commit_paths(("a.md",), "a")
    assert changed(git) == "M\ta.md"
    assert git("status", "--porcelain").splitlines() == [
        " M b.md",
        "A  staged.md",
        "?? untracked.md",
    ]


@pytest.mark.parametrize(
    "setting",
    ["core.splitIndex=true", "index.version=4", "core.untrackedCache=true", "x.y=z"],
)
def test_any_kind_of_index_is_kept(setting, git, vault, repo):
    git("config", *setting.split("="))
    vault.joinpath("staged.md").touch()
    git("add", "staged.md")
    before = git("ls-files", "--debug", "b.md")
    vault.joinpath("a.md").write_text("changed")
    repo.commit_paths(("a.md",), "a")
    assert git("diff-index", "--cached", "--name-status", "HEAD") == "A\tstaged.md"
    assert git("ls-files", "--debug", "b.md") == before
    assert git("status", "--porcelain") == "A  staged.md"
    assert not vault.joinpath(".git/index.lock").exists()


def test_a_change_as_young_as_the_index_is_still_seen(git, vault, repo):
    git("config", "core.trustctime", "false")
    git("config", "core.checkStat", "minimal")
    place = vault / "b.md"
    young = place.stat().st_mtime_ns
    place.write_text("B.MD")  # of the same size
    for path in (place, vault / ".git/index"):
        os.utime(path, ns=(young, young))
    vault.joinpath("a.md").write_text("changed")
    repo.commit_paths(("a.md",), "a")
    assert vault.joinpath(".git/index").stat().st_mtime_ns == young
    assert git("status", "--porcelain") == " M b.md"


def test_an_index_that_changes_meanwhile_is_taken_up_anew(
    git, vault, repo, tmp_path, monkeypatch
):
    vault.joinpath("staged.md").touch()
    add = f"env -u GIT_INDEX_FILE {REAL_GIT} -C {vault} add staged.md"
    git_after(tmp_path, "*update-index*/staged", add, 1)
    vault.joinpath("a.md").write_text("changed")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    repo.commit_paths(("a.md",), "a")
    assert tmp_path.joinpath("count").read_text() == ""
    assert git("status", "--porcelain") == "A  staged.md"


def test_the_first_commit_has_no_parent(git, vault):
    vault.joinpath("a.md").touch()
    made = Repo(vault).commit_paths(("a.md",), "first")
    assert git("rev-list", "HEAD") == made
    assert git("status", "--porcelain") == ""


def test_what_the_last_commit_says_is_not_committed_again(git, vault, repo):
    head = git("rev-parse", "HEAD")
    assert repo.commit_paths(("a.md", "never-was.md"), "again") is None
    assert repo.commit_paths((), "nothing") is None
    assert git("rev-parse", "HEAD") == head


def test_a_detached_head_moves_alone(git, vault, repo):
    git("checkout", "-q", "--detach")
    vault.joinpath("a.md").write_text("changed")
    made = repo.commit_paths(("a.md",), "detached")
    assert (git("rev-parse", "HEAD"), git("rev-parse", "main^{commit}")) == (
        made,
        git("rev-parse", "HEAD^"),
    )


def test_a_vault_inside_a_repository_commits_its_own(git, vault, repo):
    vault.joinpath("team").mkdir()
    vault.joinpath("team/a.md").write_text("team")
    vault.joinpath("a.md").write_text("not ours")
    inner = Repo.find(vault / "team")
    assert inner is not None
    assert inner.commit_paths(("a.md",), "team") is not None
    assert changed(git) == "A\tteam/a.md"
    assert git("status", "--porcelain") == " M a.md"


def test_no_program_and_no_encoding_changes_what_is_committed(git, vault, repo):
    attributes = "* -text working-tree-encoding=UTF-16\n"
    vault.joinpath(".gitattributes").write_text(attributes)
    data = b"one\r\ntwo\nthree\r\n\0"
    vault.joinpath("c.md").write_bytes(data)
    repo.commit_paths(("c.md",), "raw")
    assert git("cat-file", "-s", "HEAD:c.md") == str(len(data))


@pytest.mark.parametrize(
    "name", ["new\nline.md", "-rf.md", "*.md", "bad\udcff.md", 'quo"te.md', "é/ü.md"]
)
def test_any_name_is_committed(name, git, vault, repo):
    vault.joinpath(name).parent.mkdir(exist_ok=True)
    vault.joinpath(name).write_bytes(b"x")
    repo.commit_paths((name,), "odd")
    assert git("ls-tree", "-rz", "--name-only", "HEAD").split("\0")[:-1] == sorted(
        ["a.md", "b.md", name], key=os.fsencode
    )
    assert git("status", "--porcelain") == ""


def test_a_program_keeps_its_mode(git, vault, repo):
    vault.joinpath("run.sh").touch(0o755)
    repo.commit_paths(("run.sh",), "run")
    assert git("ls-tree", "HEAD", "run.sh").startswith("100755")
    assert git("status", "--porcelain") == ""


def test_a_file_becomes_a_folder(git, vault, repo):
    vault.joinpath("a.md").unlink()
    vault.joinpath("a.md").mkdir()
    vault.joinpath("a.md/x").write_text("x")
    repo.commit_paths(("a.md/x",), "folder")
    assert git("ls-tree", "-r", "--name-only", "HEAD") == "a.md/x\nb.md"
    assert git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (
            lambda path: path.symlink_to("/etc/passwd"),
            "is a symbolic link, and links inside a vault are not followed",
        ),
        (os.mkfifo, "is not a regular file"),
        (os.mkdir, "is a folder, not a file"),
    ],
)
def test_what_is_no_regular_file_is_not_committed(make, problem, git, vault, repo):
    make(vault / "x.md")
    head = git("rev-parse", "HEAD")
    with pytest.raises(InvalidFileError) as caught:
        repo.commit_paths(("x.md",), "x")
    assert str(caught.value) == f"x.md: {problem}"
    assert git("rev-parse", "HEAD") == head


def test_without_a_name_nothing_is_committed(git, vault, repo, home):
    home.joinpath(".gitconfig").unlink()
    vault.joinpath("a.md").write_text("changed")
    with pytest.raises(StorageError) as caught:
        repo.commit_paths(("a.md",), "a")
    assert str(caught.value) == (
        "git does not know who you are: run `git config --global user.name NAME` and"
        " `git config --global user.email ADDRESS`"
    )
    assert git("rev-list", "--count", "HEAD") == "1"


def test_while_another_git_writes_nothing_is_committed(git, vault, repo):
    vault.joinpath("a.md").write_text("changed")
    vault.joinpath(".git/index.lock").touch()
    with pytest.raises(LockedError) as caught:
        repo.commit_paths(("a.md",), "a")
    assert str(caught.value) == (
        "another git command is running in this repository: try again"
    )
    assert git("rev-list", "--count", "HEAD") == "1"


def test_a_branch_that_is_locked_is_told(git, vault, repo):
    vault.joinpath("a.md").write_text("changed")
    vault.joinpath(".git/refs/heads/main.lock").touch()
    with pytest.raises(StorageError) as caught:
        repo.commit_paths(("a.md",), "a")
    assert str(caught.value).startswith("git update-ref: ")
    assert git("rev-list", "--count", "HEAD") == "1"


def git_after(folder: Path, words: str, command: str, times: int) -> None:
    """A git that runs another command first, the first few times these words come."""
    count = folder / "count"
    count.write_text("x" * times)
    script = folder / "git"
    script.write_text(
        f'#!/bin/sh\ncase "$* $GIT_INDEX_FILE" in {words}) if [ -s {count} ]; then\n'
        f'n=$(cat {count}); printf %s "${{n#x}}" > {count}\n{command}\n'
        f'fi;; esac\nexec {REAL_GIT} "$@"\n'
    )
    script.chmod(0o755)


def committing(vault: Path) -> str:
    """A command that commits and leaves the index alone."""
    git = f"{REAL_GIT} -C {vault}"
    return f"{git} update-ref HEAD $({git} commit-tree -p HEAD -m other HEAD^{{tree}})"


def test_somebody_elses_commit_in_between_is_built_upon(
    git, vault, repo, tmp_path, monkeypatch
):
    git_after(tmp_path, "*update-ref*", committing(vault), 1)
    vault.joinpath("a.md").write_text("changed")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    repo.commit_paths(("a.md",), "ours")
    assert git("log", "--format=%s").splitlines() == ["ours", "other", "first"]
    assert changed(git) == "M\ta.md"
    assert git("status", "--porcelain") == ""


def test_somebody_who_never_stops_committing_is_told(
    git, vault, repo, tmp_path, monkeypatch
):
    git_after(tmp_path, "*update-ref*", committing(vault), 9)
    vault.joinpath("a.md").write_text("changed")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(LockedError):
        repo.commit_paths(("a.md",), "ours")
