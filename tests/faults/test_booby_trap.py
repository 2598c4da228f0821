"""P20: a repository in which everything that can name a program names ours."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults import kill
from tests.world import START, World
from toolmem.errors import ToolmemError
from toolmem.store.git import repo as gitrepo
from toolmem.store.git import run as gitrun
from toolmem.store.git.diff import History
from toolmem.store.git.repo import Repo
from toolmem.store.git.tree import GitTree
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault
from toolmem.store.vault.worktree import differing

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
    """Make a vault with a commit, changed files and traps; return the canary, too."""
    monkeypatch.setenv("HOME", str(tmp_path))
    tmp_path.joinpath(".gitconfig").write_text("[user]\n\tname = A\n\temail = a@b\n")
    vault = tmp_path / "vault"
    run(tmp_path, "init", "-q", str(vault))
    vault.joinpath(".gitattributes").write_text(
        "*.md diff=trap merge=trap\n*.toml diff=trap\n"
        "b.md filter=trap\nREADME.md filter=trap\n"
        "c.toml filter=process\ntoolmem.toml filter=process\n"
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


def differences(root: Path) -> list[tuple[str, bytes | str | None]]:
    """What differs from the last commit, after README.md was changed."""
    root.joinpath("README.md").write_text("changed")
    root.joinpath("toolmem.toml").write_text("schema = 1\n")
    vault = Vault.open(find_vault({"vault": str(root)}, root), START)
    repo = Repo.find(root)
    assert repo is not None
    with History(repo) as history:
        tree = history.snapshot("HEAD").tree
        return [
            (one.path, one.content(vault.tree))
            for one in differing(vault, history, tree)
        ]


CHANGED = [("README.md", b"changed"), ("toolmem.toml", b"schema = 1\n")]


def test_comparing_files_with_the_last_commit_springs_no_trap(trapped):
    vault, canary = trapped
    assert differences(vault) == CHANGED
    assert not canary.exists()


@pytest.mark.parametrize(
    "setting",
    [
        "worktree = {elsewhere}",
        "bare = true",
        "checkStat = minimal",
        "untrackedCache = true",
    ],
)
def test_no_setting_of_a_vault_hides_a_change(setting, trapped, tmp_path):
    vault, canary = trapped
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(vault, elsewhere, ignore=shutil.ignore_patterns(".git"))
    with vault.joinpath(".git/config").open("a") as config:
        config.write(f"[core]\n\t{setting.format(elsewhere=elsewhere)}\n")
    assert differences(vault) == CHANGED
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


@pytest.mark.parametrize("name", ["b.md", "c.toml"])
def test_a_file_with_a_filter_is_refused_by_name(name, trapped):
    vault, canary = trapped
    vault.joinpath(name).write_text("changed")
    with pytest.raises(ToolmemError, match=f"^{name}: it has the attribute filter="):
        Repo(vault).commit_paths((name,), "ours")
    vault.joinpath(name).unlink()
    assert Repo(vault).commit_paths((name,), "deleted") is not None
    assert not canary.exists()


SIGNER = """#!/bin/sh
cat > /dev/null
echo "[GNUPG:] SIG_CREATED " >&2
echo "a signature"
"""


@pytest.mark.parametrize("form", ["openpgp", "x509"])
def test_a_commit_is_signed_by_a_program_of_the_user_alone(form, trapped, tmp_path):
    vault, canary = trapped
    signer = tmp_path / "signer"
    signer.write_text(SIGNER)
    signer.chmod(0o755)
    included = tmp_path / "included"
    included.write_text(f"[gpg]\n\tprogram = {signer}\n")
    with tmp_path.joinpath(".gitconfig").open("a") as config:
        config.write(f"[include]\n\tpath = {included}\n")
        config.write(f'[gpg "x509"]\n\tprogram = {signer}\n')
    with vault.joinpath(".git/config").open("a") as config:
        config.write(f"[commit]\n\tgpgSign = true\n[gpg]\n\tformat = {form}\n")
        config.write(f'[gpg "x509"]\n\tprogram = {tmp_path}/trap\n')
    commit_and_read(vault)
    assert not canary.exists()
    made = run(vault, *UNHOOKED, "cat-file", "commit", "HEAD").stdout
    assert b"\ngpgsig a signature\n" in made


def test_what_cannot_be_signed_is_not_committed(trapped, tmp_path):
    vault, _ = trapped
    with tmp_path.joinpath(".gitconfig").open("a") as config:
        config.write("[gpg]\n\tprogram = false\n[commit]\n\tgpgSign = true\n")
    vault.joinpath("a.md").write_text("changed")
    before = run(vault, *UNHOOKED, "rev-parse", "HEAD").stdout
    with pytest.raises(ToolmemError, match="git commit-tree: gpg failed to sign"):
        Repo(vault).commit_paths(("a.md",), "ours")
    assert run(vault, *UNHOOKED, "rev-parse", "HEAD").stdout == before
    staged = run(vault, *UNHOOKED, "diff-index", "--cached", "--name-only", "HEAD")
    assert staged.stdout == b""


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
        assert str(caught.value) == "a.md: is not in this clone: run `git fetch`"


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


def shared(trapped, tmp_path):
    """The trapped vault with a remote that is ahead of it."""
    vault, canary = trapped
    remote = tmp_path / "remote.git"
    plain = tmp_path / "plain"
    run(tmp_path, "clone", "-q", "--no-local", str(vault), str(plain))
    for name in ("toolmem.toml", "system/facts.md"):
        plain.joinpath(name).parent.mkdir(exist_ok=True)
        plain.joinpath(name).write_text("")
    unsprung = (*UNHOOKED, "-c", "commit.gpgSign=false")
    run(plain, *unsprung, "add", "-A")
    run(plain, *unsprung, "commit", "-qm", "a vault")
    run(tmp_path, "clone", "-q", "--bare", "--no-local", str(plain), str(remote))
    first = run(plain, "rev-parse", "HEAD").stdout.decode().strip()
    canary.unlink(missing_ok=True)
    branch = run(plain, "branch", "--show-current").stdout.decode().strip()
    # Both sides come from this commit: put it into the vault without any program.
    subprocess.run(
        ["git", "-C", str(vault), "unpack-objects", "-q"],
        input=subprocess.run(
            ["git", "-C", str(plain), "pack-objects", "--stdout", "--revs", "-q"],
            input=f"{first}\n".encode(),
            capture_output=True,
            check=True,
        ).stdout,
        check=True,
    )
    vault.joinpath(f".git/refs/heads/{branch}").write_text(f"{first}\n")
    vault.joinpath(".git/HEAD").write_text(f"ref: refs/heads/{branch}\n")
    for name in ("toolmem.toml", "system/facts.md"):
        vault.joinpath(name).parent.mkdir(exist_ok=True)
        vault.joinpath(name).write_text("")
    # The other side goes on.
    plain.joinpath("system/facts.md").write_text("## project\ntheirs: 1\n")
    run(plain, *unsprung, "commit", "-qam", "theirs")
    run(plain, *unsprung, "push", "-q", str(remote), "HEAD")
    return vault, remote, canary, branch


def move_into(vault, remote):
    """Make the remote one that came with the vault, and a trap itself."""
    trap, hooks = vault.parent / "trap", vault.parent / "hooks"
    remote = remote.rename(vault / remote.name)
    with remote.joinpath("config").open("a") as config:
        config.write(CONFIG.format(trap=trap, hooks=hooks))
        config.write(
            f"[uploadpack]\n\tpackObjectsHook = {trap}\n"
            "[receive]\n\tdenyCurrentBranch = updateInstead\n"
        )
    for name in (*HOOKS, "proc-receive", "push-to-checkout", "post-receive"):
        hook = remote / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.unlink(missing_ok=True)
        hook.symlink_to(trap)
    return remote


def set_remote(vault: Path, url: str) -> None:
    config = vault / ".git/config"
    text = re.sub(r"\turl = .*\n", f"\turl = {url}\n", config.read_text())
    config.write_text(text)


def test_syncing_springs_no_trap(trapped, tmp_path):
    vault, remote, canary, branch = shared(trapped, tmp_path)
    set_remote(vault, "../remote.git")
    repo = Repo(vault)
    vault.joinpath("system/facts.md").write_text("## project\nours: 1\n")
    assert repo.commit_paths(("system/facts.md",), "ours") is not None
    done = World(vault).call("sync", "--json")
    assert (done.code, done.stderr) == (0, "")
    assert not canary.exists()
    head = repo.resolve("HEAD")
    assert remote.joinpath(f"refs/heads/{branch}").read_text().strip() == head
    assert vault.joinpath("system/facts.md").read_text() == (
        "## project\nours: 1\ntheirs: 1\n"
    )


def test_a_remote_that_came_with_the_vault_is_not_asked(trapped, tmp_path):
    vault, remote, canary, _ = shared(trapped, tmp_path)
    move_into(vault, remote)
    for url in ("remote.git", f"file://{vault}/remote.git", f"{vault}/remote.git"):
        set_remote(vault, url)
        done = World(vault).call("sync")
        assert (done.code, "lies inside the repository" in done.stderr) == (15, True)
    assert not canary.exists()


def test_the_traps_of_a_remote_are_live(trapped, tmp_path):
    vault, remote, canary, _ = shared(trapped, tmp_path)
    remote = move_into(vault, remote)
    plain = tmp_path / "plain"
    run(plain, *UNHOOKED, "commit", "-q", "--allow-empty", "-m", "x")
    run(plain, "push", str(remote), "HEAD")
    assert canary.exists()


@pytest.mark.one_of(2)
@pytest.mark.parametrize(
    "url", ["ext::{trap} %S", "fd::7", "--upload-pack={trap}", "trap::x"]
)
def test_an_address_that_names_a_program_is_refused(url, trapped, tmp_path):
    vault, _, canary, _ = shared(trapped, tmp_path)
    set_remote(vault, url.format(trap=tmp_path / "trap"))
    done = World(vault).call("sync")
    assert (done.code, done.stdout) == (15, "")
    assert "is not an address that toolmem can fetch from" in done.stderr
    assert not canary.exists()


def test_reading_changes_and_settings_springs_no_trap(trapped, tmp_path):
    vault, _, canary, _ = shared(trapped, tmp_path)
    world = World(vault)
    for words in (
        ("diff",),
        ("diff", "HEAD~1", "HEAD", "--format", "markdown", "--project", "x"),
        ("log",),
        ("log", "theirs"),
        ("resolve",),
        ("git", "install"),
        ("git", "status"),
        ("git", "uninstall"),
    ):
        done = world.call(*words)
        assert done.code in (0, 1, 12), done.stderr
        assert not canary.exists(), words


@pytest.mark.skipif(not kill.has_strace(), reason=kill.MISSING)
def test_syncing_starts_no_program_but_git_and_its_shell(trapped, tmp_path):
    vault, _, _, _ = shared(trapped, tmp_path)
    set_remote(vault, "../remote.git")
    vault.joinpath("system/facts.md").write_text("## project\nours: 1\n")
    assert Repo(vault).commit_paths(("system/facts.md",), "ours") is not None
    log = tmp_path / "log"
    words = [sys.executable, "-m", "toolmem", "--vault", str(vault), "sync"]
    done = subprocess.run(
        [*kill.strace(log, ["execve"]), *words],
        env={**os.environ, "PYTHONPATH": str(kill.ROOT)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    started = re.findall(r'execve\("([^"]+)".* = 0$', log.read_text(), re.MULTILINE)
    names = {Path(program).name for program in started[1:]}
    sides = {"git-upload-pack", "git-receive-pack"}
    assert names - {"sh", "bash", "dash"} - sides == {"git"}


def test_stepping_back_and_committing_spring_no_trap(trapped, tmp_path):
    vault, _, canary, _ = shared(trapped, tmp_path)
    world = World(vault)
    world.write("system/memory/door-a00001.md", "# The door opens at nine sharp\n")
    for words in (
        ("doctor", "--deep", "--fix"),
        ("review", "--json"),
        ("reflect", "--folder", str(vault)),
        ("report", "-o", "../report.html"),
        ("commit",),
        ("review", "--json"),
    ):
        done = world.call(*words)
        assert done.code in (0, 1), (words, done.stderr)
        assert not canary.exists(), words
    assert json.loads(world.call("review", "--json").stdout) == []
