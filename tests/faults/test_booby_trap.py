"""P20: a repository in which everything that can name a program names ours."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.faults import kill
from toolmem.errors import ToolmemError
from toolmem.store import gitrepo, gitrun
from toolmem.store.gitrepo import Repo
from toolmem.store.gittree import GitTree

HOOKS = (
    *("applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit"),
    *("pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-commit"),
    *("pre-rebase", "post-checkout", "post-merge", "pre-push", "post-rewrite"),
    *("reference-transaction", "post-index-change", "fsmonitor-watchman"),
    *("sendemail-validate", "pre-auto-gc", "update", "pre-receive", "post-update"),
)
UNHOOKED = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false")
CONFIG = """
[core]
	fsmonitor = {trap}
	hooksPath = {hooks}
	pager = {trap}
	editor = {trap}
	sshCommand = {trap}
	gitProxy = {trap}
	askPass = {trap}
	alternateRefsCommand = {trap}
[filter "trap"]
	clean = {trap}
	smudge = {trap}
	required = true
[filter "process"]
	process = {trap}
	required = true
[diff]
	external = {trap}
[diff "trap"]
	textconv = {trap}
	command = {trap}
[merge "trap"]
	driver = {trap}
[alias]
	cat-file = "!{trap}"
	ls-tree = "!{trap}"
	rev-list = "!{trap}"
	rev-parse = "!{trap}"
	st = "!{trap}"
[gpg]
	program = {trap}
[gpg "ssh"]
	program = {trap}
	defaultKeyCommand = {trap}
[commit]
	gpgSign = true
[tag]
	gpgSign = true
[log]
	showSignature = true
[sequence]
	editor = {trap}
[credential]
	helper = {trap}
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[extensions]
	partialClone = origin
[remote "origin"]
	url = ext::{trap}
	promisor = true
	partialCloneFilter = blob:none
	uploadpack = {trap}
[pager]
	rev-list = {trap}
	log = {trap}
[hook "by name"]
	event = reference-transaction
	event = post-index-change
	command = {trap}
[gc]
	auto = 1
[maintenance]
	auto = true
"""


@pytest.fixture
def trapped(tmp_path, monkeypatch):
    """A vault with a commit, changed files, and a trap at every door; the canary."""
    monkeypatch.setenv("HOME", str(tmp_path))
    tmp_path.joinpath(".gitconfig").write_text("[user]\n\tname = A\n\temail = a@b\n")
    vault = tmp_path / "vault"
    run(tmp_path, "init", "-q", str(vault))
    vault.joinpath(".gitattributes").write_text(
        "*.md filter=trap diff=trap merge=trap\n*.toml filter=process diff=trap\n"
    )
    for name in ("a.md", "b.md", "c.toml"):
        vault.joinpath(name).write_text(name)
    run(vault, "add", "-A")
    run(vault, "commit", "-qm", "first")
    # So old that git, to write it, compares every file with its entry.
    os.utime(vault / ".git/index", (1_000_000_000, 1_000_000_000))
    return vault, set_traps(vault, tmp_path)


def set_traps(vault: Path, folder: Path) -> Path:
    """Name a program everywhere; it writes the canary."""
    canary = folder / "canary"
    trap = folder / "trap"
    trap.write_text(f'#!/bin/sh\necho "$0 $*" >> {canary}\n')
    trap.chmod(0o755)
    hooks = folder / "hooks"
    hooks.mkdir()
    for where in (hooks, vault / ".git/hooks"):
        where.mkdir(exist_ok=True)
        for name in HOOKS:
            where.joinpath(name).symlink_to(trap)
    with vault.joinpath(".git/config").open("a") as config:
        config.write(CONFIG.format(trap=trap, hooks=hooks))
    return canary


def run(folder: Path, *args: str) -> subprocess.CompletedProcess[bytes]:
    """Git as a person runs it."""
    command = ["git", "-C", str(folder), *args]
    return subprocess.run(
        command, check=False, capture_output=True, stdin=subprocess.DEVNULL
    )


@pytest.mark.parametrize(
    "command",
    [
        ("status",),
        ("add", "b.md"),
        ("diff",),
        ("commit", "-m", "x", "--allow-empty"),
        ("update-ref", "refs/heads/other", "HEAD"),
        ("hash-object", "b.md"),
        ("log", "-p"),
        ("update-index", "--refresh"),
        ("cat-file", "-p", "1" * 40),
        (*UNHOOKED, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},x"),
    ],
)
def test_the_trap_is_live(command, trapped):
    vault, canary = trapped
    vault.joinpath("b.md").write_text("changed")
    run(vault, *command)
    assert canary.exists()


def test_reading_springs_no_trap(trapped):
    vault, canary = trapped
    repo = Repo.find(vault)
    assert repo is not None
    head = repo.resolve("HEAD")
    assert repo.resolve("2999-01-01") == head
    assert [commit.subject for commit in repo.log("a.md", 9)] == ["first"]
    assert repo.commit_time(head) == repo.log("", 1)[0].when
    with GitTree(repo, head) as tree:
        names = [entry.name for entry in tree.entries("")]
        assert names == [".gitattributes", "a.md", "b.md", "c.toml"]
        assert tree.read("a.md", 99) == b"a.md"
        assert tree.read_all("", ".toml", 99) == [("c.toml", b"c.toml")]
    assert not canary.exists()


def commit_and_read(vault: Path) -> None:
    """Change, delete and add a file, commit them, and read them back."""
    repo = gitrepo.init(vault)
    vault.joinpath("a.md").write_text("changed")
    vault.joinpath("b.md").unlink()
    vault.joinpath("new.toml").write_text("new")
    made = repo.commit_paths(("a.md", "b.md", "new.toml"), "ours")
    assert made is not None
    assert repo.log("", 1)[0].id == made
    with GitTree(repo, made) as tree:
        assert tree.read("a.md", 99) == b"changed"
        assert tree.read("new.toml", 99) == b"new"


def test_committing_springs_no_trap(trapped):
    vault, canary = trapped
    commit_and_read(vault)
    assert not canary.exists()


@pytest.mark.skipif(not kill.has_strace(), reason=kill.MISSING)
def test_no_program_but_git_is_started(trapped, tmp_path):
    vault, _ = trapped
    vault.joinpath("a.md").write_text("changed")
    log = tmp_path / "log"
    words = kill.python("committer.py", str(vault), "a.md")
    done = subprocess.run(
        [*kill.strace(log, ["execve"]), *words],
        env={**os.environ, "PYTHONPATH": str(kill.ROOT)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"changed\n", b"")
    started = re.findall(r'execve\("([^"]+)".* = 0$', log.read_text(), re.MULTILINE)
    assert {Path(program).name for program in started[1:]} == {"git"}


@pytest.mark.parametrize("unknown", ["", "GIT_NO_LAZY_FETCH"])
def test_what_a_partial_clone_lacks_is_not_fetched(unknown, trapped, monkeypatch):
    """Not by a git either that is too old to know the switch made for it."""
    vault, canary = trapped
    monkeypatch.delitem(gitrun._ENVIRONMENT, unknown, raising=False)
    repo = Repo(vault)
    head = repo.resolve("HEAD")
    for blob in vault.glob(".git/objects/??/*"):
        kind = run(vault, "cat-file", "-t", blob.parent.name + blob.name).stdout
        if kind == b"blob\n":
            blob.unlink()
    canary.unlink(missing_ok=True)
    with GitTree(repo, head) as tree, pytest.raises(ToolmemError) as caught:
        tree.read("a.md", 99)
    assert not canary.exists()
    if not unknown:  # an older git may give up altogether
        assert str(caught.value) == "a.md: is not in this clone of the repository"


def test_nothing_is_inherited_that_names_a_program(trapped, monkeypatch):
    vault, canary = trapped
    trap = str(vault.parent / "trap")
    for name in ("SSH", "SSH_COMMAND", "PAGER", "EDITOR", "EXTERNAL_DIFF", "ASKPASS"):
        monkeypatch.setenv(f"GIT_{name}", trap)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", trap)
    monkeypatch.setenv("GIT_INDEX_FILE", f"{vault}/.git/other-index")
    monkeypatch.setenv("GIT_EXEC_PATH", str(vault.parent))
    commit_and_read(vault)
    assert not canary.exists()
    assert not vault.joinpath(".git/other-index").exists()


def test_hooks_that_the_configuration_names_are_switched_off_by_name(trapped):
    vault, _ = trapped
    with vault.joinpath(".git/config").open("a") as config:
        config.write('[hook "a=b.c"]\n\tcommand = x\n[hook]\n\tjobs = 2\n')
    off = gitrun.hooks_off(vault)
    assert off == {
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": "hook.a=b.c.enabled",
        "GIT_CONFIG_KEY_1": "hook.by name.enabled",
        "GIT_CONFIG_VALUE_0": "false",
        "GIT_CONFIG_VALUE_1": "false",
    }
    assert os.environ.get("GIT_CONFIG_COUNT") is None
