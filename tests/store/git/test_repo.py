"""Revisions, history and dates, as git has them."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.errors import NotFoundError, StorageError
from toolmem.store.git import repo as gitrepo
from toolmem.store.git import run as gitrun
from toolmem.store.git.diff import maybe_changed
from toolmem.store.git.repo import Commit, Repo


@pytest.fixture
def history(git, vault):
    """Three commits of a.md on three days; the ids, oldest first."""
    ids = []
    for day in (1, 5, 9):
        vault.joinpath("a.md").write_text(f"day {day}")
        git("add", "--all")
        git("commit", "-qm", f"day {day}", at=f"2026-04-0{day}T10:00:00Z")
        ids.append(git("rev-parse", "HEAD"))
    return ids


def test_much_output_needs_no_temporary_file(git, vault, monkeypatch):
    put = "".join(f"{number}\n" for number in range(10_000))
    vault.joinpath("many").write_text(put)
    git("add", "many")
    id_ = git("rev-parse", ":many")
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/nowhere")
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    asked = f"{id_}\n".encode() * 1000
    found = b"".join(gitrun.stream(vault, "cat-file", "--batch", stdin=asked))
    assert found.count(put.encode()) == 1000


def test_output_that_is_not_read_to_its_end_ends_git(git, vault):
    asked = b"HEAD\n" * 100_000
    pieces = gitrun.stream(vault, "cat-file", "--batch-check", stdin=asked)
    assert next(pieces).startswith(b"HEAD missing\n")
    del pieces  # which waits for git


def test_a_git_that_fails_is_no_output(git, vault, home, monkeypatch):
    with pytest.raises(StorageError, match="git no-such"):
        list(gitrun.stream(vault, "no-such"))
    git("commit", "--allow-empty", "-qm", "x")
    program = home / "git"
    program.write_text('#!/bin/sh\ncase "$*" in *diff-files*) kill -9 $$;; esac\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{home}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(StorageError, match="git diff-files"):
        maybe_changed(Repo(vault), "")


def test_a_folder_without_git_has_no_repository(tmp_path):
    assert Repo.find(tmp_path) is None


def test_the_repository_is_found_from_below_and_through_a_link(git, vault, tmp_path):
    vault.joinpath("team/memory").mkdir(parents=True)
    tmp_path.joinpath("link").symlink_to(vault / "team")
    assert Repo.find(vault) == Repo(vault)
    assert Repo.find(vault / "team" / "memory") == Repo(vault, "team/memory")
    assert Repo.find(tmp_path / "link") == Repo(vault, "team")


def test_an_empty_git_folder_is_none_and_does_not_lead_further_up(git, vault):
    inner = vault / "inner"
    inner.joinpath(".git").mkdir(parents=True)
    assert Repo.find(inner) == Repo(vault, "inner")
    with pytest.raises(StorageError):
        Repo(inner).resolve("HEAD")


def test_a_worktree_is_a_repository(git, vault, history, tmp_path):
    git("worktree", "add", "-q", str(tmp_path / "tree"))
    repo = Repo.find(tmp_path / "tree")
    assert repo is not None
    assert repo.resolve("HEAD") == history[-1]


def test_init_makes_a_repository_once(home, vault):
    repo = gitrepo.init(vault)
    assert repo == Repo(vault) == Repo.find(vault)
    assert not vault.joinpath(".git/hooks").exists()
    vault.joinpath(".git/marker").touch()
    assert gitrepo.init(vault) == repo
    assert vault.joinpath(".git/marker").exists()


def test_init_inside_another_repository_makes_one_of_its_own(git, vault):
    vault.joinpath("inner").mkdir()
    assert gitrepo.init(vault / "inner") == Repo(vault / "inner")


def test_a_revision_is_resolved_to_its_commit(git, vault, history):
    git("tag", "-am", "first", "v1", history[0])
    git("branch", "side", history[1])
    repo = Repo(vault)
    for text, number in (
        ("HEAD", 2),
        ("HEAD~2", 0),
        ("main", 2),
        ("side", 1),
        ("v1", 0),
        (history[1][:8], 1),
        (":/day 5", 1),
        ("HEAD^{/day 1}", 0),
    ):
        assert (text, repo.resolve(text)) == (text, history[number])


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2026-04-01", 0),
        ("2026-04-04", 0),
        ("2026-04-05", 1),
        ("2026-04-05T09:59:59Z", 0),
        ("2026-04-05T10:00:00Z", 1),
        ("2026-04-05t10:00:00z", 1),
        ("2026-04-05 10:00", 1),
        ("2026-04-05T12:00:00+02:00", 1),
        ("2026-04-05T11:59:59.9+02:00", 0),
        ("2027-01-01", 2),
        ("9999-12-31", 2),
    ],
)
def test_a_date_is_the_last_commit_not_after_it(text, number, vault, history):
    assert Repo(vault).resolve(text) == history[number]


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Niue"])
def test_a_date_does_not_depend_on_where_one_is(zone, vault, history, monkeypatch):
    monkeypatch.setenv("TZ", zone)
    assert Repo(vault).resolve("2026-04-04") == history[0]


def test_a_date_follows_what_the_branch_said_then(git, vault, history):
    git("checkout", "-qb", "side", history[0])
    git("commit", "-qm", "side", "--allow-empty", at="2026-04-10T10:00:00Z")
    git("checkout", "-q", "main")
    git("merge", "-qm", "merge", "--no-ff", "side", at="2026-04-20T10:00:00Z")
    assert Repo(vault).resolve("2026-04-12") == history[-1]


@pytest.mark.parametrize("text", ["2026-03-31", "1969-12-31", "0001-01-01"])
def test_before_the_first_commit_there_is_nothing(text, vault, history):
    with pytest.raises(NotFoundError) as caught:
        Repo(vault).resolve(text)
    assert str(caught.value) == f"nothing was committed up to {text}"


@pytest.mark.parametrize(
    "text",
    [
        *("none", "", "-h", "--all", "^HEAD", "HEAD..main", "HEAD:a.md", "2026-13-45"),
        *(
            "2026-04-07T25:00",
            "a\0b",
            "a\nb",
            "HEAD^{tree}",
            "no:such",
            "@{9}",
            "x" * 99,
        ),
        "٢٠٢٦-٠٤-٠٧",
    ],
)
def test_what_is_neither_a_commit_nor_a_date_is_told(text, vault, history):
    with pytest.raises(NotFoundError) as caught:
        Repo(vault).resolve(text)
    assert str(caught.value) == f"{text!r} is neither a commit nor a date"


def test_a_repository_without_commits_says_so(git, vault):
    repo = Repo(vault)
    assert repo.log("", 9) == ()
    with pytest.raises(NotFoundError) as caught:
        repo.resolve("2026-04-07")
    assert str(caught.value) == "nothing has been committed yet"


def test_commit_time_is_in_utc(git, vault, history):
    git("commit", "-qm", "x", "--allow-empty", at="2026-04-11T01:30:00+05:00")
    repo = Repo(vault)
    head = repo.resolve("HEAD")
    assert repo.commit_time(head) == datetime(2026, 4, 10, 20, 30, tzinfo=UTC)
    assert repo.log("", 1)[0].when == repo.commit_time(head)


@pytest.mark.parametrize("commit", ["HEAD", "--all", "", "0" * 39])
def test_commit_time_takes_only_ids(commit, vault, history):
    with pytest.raises(NotFoundError):
        Repo(vault).commit_time(commit)


def test_a_commit_that_is_not_there_is_an_error(vault, history):
    with pytest.raises(StorageError) as caught:
        Repo(vault).commit_time("1" * 40)
    assert str(caught.value) == f"git rev-list: bad object {'1' * 40}"


def test_the_log_is_of_the_path_newest_first(git, vault, history):
    vault.joinpath("b.md").touch()
    git("add", "--all")
    git("commit", "-qm", "another file")
    repo = Repo(vault)

    def entry(number: int, day: int) -> Commit:
        when = datetime(2026, 4, day, 10, tzinfo=UTC)
        return Commit(history[number], "Ada", "ada@example.org", when, f"day {day}")

    assert repo.log("a.md", 9) == (entry(2, 9), entry(1, 5), entry(0, 1))
    assert repo.log("a.md", 2) == (entry(2, 9), entry(1, 5))
    assert repo.log("a.md", 0) == ()
    assert [commit.subject for commit in repo.log("", 1)] == ["another file"]
    assert repo.log("none.md", 9) == ()


def test_the_log_of_a_vault_inside_a_repository_is_its_own(git, vault):
    for name in ("team/a.md", "a.md", "team2/a.md"):
        vault.joinpath(name).parent.mkdir(exist_ok=True)
        vault.joinpath(name).touch()
        git("add", name)
        git("commit", "-qm", name)
    repo = Repo(vault, "team")
    assert [commit.subject for commit in repo.log("a.md", 9)] == ["team/a.md"]
    assert [commit.subject for commit in repo.log("", 9)] == ["team/a.md"]


@pytest.mark.parametrize(
    "name", ["*.md", ":(top)a.md", ":!a.md", "-x.md", "new\nline.md", "bad\udcff.md"]
)
def test_the_log_takes_any_name_as_it_is(name, git, vault, history):
    vault.joinpath(name).touch()
    git("--literal-pathspecs", "add", "--", name)
    git("commit", "-qm", "odd")
    assert [commit.subject for commit in Repo(vault).log(name, 9)] == ["odd"]


def test_odd_authors_and_subjects_stay_in_their_fields(git, vault):
    subject = "a\tb\x0bc\x1cd\u2028e commit 12345 ٣"
    author = "--author=Ägir \x1f Ö <x y@z>"
    git("commit", "-q", "--allow-empty", "-F", "-", author, stdin=subject)
    git("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", "")
    empty, odd = Repo(vault).log("", 9)
    assert (empty.author, empty.subject) == ("Ada", "")
    assert (odd.author, odd.email) == ("Ägir \x1f Ö", "x y@z")
    assert odd.subject == subject


def test_a_commit_with_a_broken_date_is_listed(git, vault):
    who = "author A <a> 99999999999999999999 +0000\ncommitter A <a> x"
    text = f"tree {git('mktree')}\n{who}\n\nm"
    how = ("-t", "commit", "-w", "--literally", "--stdin")
    made = git("hash-object", *how, stdin=text)
    git("update-ref", "HEAD", made)
    [found] = Repo(vault).log("", 9)
    assert found.when == datetime(1970, 1, 1, tzinfo=UTC)
    assert Repo(vault).commit_time(made) == found.when


def test_variables_of_another_repository_do_not_lead_astray(
    vault, history, tmp_path, monkeypatch
):
    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(name, str(other / ".git"))
    assert Repo(vault).resolve("HEAD") == history[-1]


def test_without_git_the_repository_is_found_and_its_use_is_told(
    vault, history, tmp_path, monkeypatch
):
    monkeypatch.setenv("PATH", str(tmp_path))
    repo = Repo.find(vault)
    assert repo == Repo(vault)
    with pytest.raises(StorageError) as caught:
        repo.resolve("HEAD")
    assert str(caught.value) == (
        "git is not installed: install it to use a vault's history"
    )


def test_a_git_in_the_working_folder_is_not_run(vault, history, monkeypatch, tmp_path):
    trap = tmp_path / "git"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/canary\n")
    trap.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", ".:" + str(Path("/usr/bin")))
    assert Repo(vault).resolve("HEAD") == history[-1]
    assert not tmp_path.joinpath("canary").exists()


def test_a_repository_that_git_distrusts_is_told(git, vault, history, monkeypatch):
    vault.joinpath(".git/config").write_text("[core]\n\trepositoryFormatVersion = 99\n")
    with pytest.raises(StorageError) as caught:
        Repo(vault).resolve("HEAD")
    assert str(caught.value).startswith("git rev-parse: ")


DATES = r"[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ][0-9]{2}:[0-9]{2}.{0,9})?"


@examples(200)
@given(text=st.one_of(st.from_regex(DATES, fullmatch=True), st.text(max_size=30)))
def test_any_text_is_a_date_or_is_not(text):
    seconds = gitrepo._seconds(text)
    assert seconds is None or 0 <= seconds < 253402387200  # the year 10000, a day on
