"""What ``sync`` publishes, and what the other side says to it."""

import json
import subprocess

import pytest

RULE = ("rule", "add", "shell", "never use telnet", "--id", "a0000001-id")


@pytest.fixture
def nested(clone):
    """A clone of a code repository that has a vault in a folder."""
    ada = clone("ada")
    inside = ada.root / "vault"
    inside.mkdir()
    for path in sorted(ada.root.iterdir()):
        if path.name not in (".git", ".toolmem", "vault"):
            path.rename(inside / path.name)
    ada.write("code.py", "pass\n").commit("a vault in a folder")
    ada.git("push", "--quiet")
    return ada


def head_of(remote, branch="main"):
    command = ["git", "-C", str(remote), "rev-parse", branch]
    done = subprocess.run(command, check=True, capture_output=True)
    return done.stdout.decode().strip()


def add_rule(world, text="never use telnet"):
    assert world.call("rule", "add", "shell", text, cwd="vault").code == 0
    world.git("add", "vault")
    world.git("commit", "--quiet", "-m", text)


def draft(world):
    """Commit a file next to the vault."""
    world.write("draft.txt", "not for others\n").commit("my draft")


def merge(world):
    """Merge a branch by hand, with a change that neither side has."""
    world.git("switch", "--quiet", "--create", "side")
    add_rule(world, "never use side")
    world.git("switch", "--quiet", "main")
    add_rule(world, "never use main")
    world.git("merge", "--quiet", "--no-commit", "--no-ff", "side")
    world.write("draft.txt", "not for others\n")
    world.commit("my merge")


def deleted(world):
    world.git("rm", "--quiet", "code.py")
    world.git("commit", "--quiet", "-m", "no code")


def submodule(world):
    """Commit a submodule that its settings hide from comparisons."""
    world.write(".gitmodules", '[submodule "x"]\n\tpath = x\n\tignore = all\n')
    world.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},x")
    world.git("add", ".gitmodules")
    world.git("commit", "--quiet", "-m", "submodule")
    world.git("push", "--quiet")
    world.git("update-index", "--cacheinfo", f"160000,{'2' * 40},x")
    world.git("commit", "--quiet", "-m", "newer submodule")


OUTSIDE = {
    draft: ("my draft", ["draft.txt"]),
    merge: ("my merge", ["draft.txt"]),
    deleted: ("no code", ["code.py"]),
    submodule: ("newer submodule", ["x"]),
}


@pytest.mark.parametrize("change", OUTSIDE)
def test_a_commit_of_files_outside_the_vault_keeps_back_every_commit(
    change, nested, remote
):
    add_rule(nested)
    change(nested)
    add_rule(nested, "never use rsh")
    before = head_of(remote)
    done = nested.call("sync", "--json", cwd="vault")
    found = json.loads(done.stdout)
    assert (done.code, found["pushed"], head_of(remote)) == (1, False, before)
    outside = {c["subject"]: c["outside"] for c in found["commits"] if c["outside"]}
    assert outside == dict([OUTSIDE[change]])
    shown = nested.call("sync", cwd="vault")
    subject, files = OUTSIDE[change]
    name = nested.git("log", "-1", "--format=%h", "--abbrev=10", f"--grep={subject}")
    assert shown.stdout == (
        "nothing new in origin/main\n"
        "not pushed: these commits change files outside the vault\n"
        f"  {name.strip()} {subject}: {', '.join(files)}\n"
    )
    assert shown.stderr == (
        "toolmem: nothing was pushed: run `git push`, or `toolmem sync --all`\n"
    )
    done = nested.call("sync", "--all", cwd="vault")
    assert (done.code, done.stderr) == (0, "")
    assert head_of(remote) == nested.git("rev-parse", "HEAD").strip()


def test_what_others_pushed_arrives_though_nothing_is_pushed(nested, clone, remote):
    bob = clone("bob")
    add_rule(nested)
    assert nested.call("sync", cwd="vault").code == 0
    draft(bob)
    before = head_of(remote)
    done = bob.call("sync", cwd="vault")
    assert (done.code, head_of(remote)) == (1, before)
    assert "never use telnet" in bob.call("rule", "list", cwd="vault").stdout
    bob.git("push", "--quiet")
    assert bob.call("sync", cwd="vault").stdout == "nothing new in origin/main\n"


def test_a_new_branch_publishes_only_what_its_remote_does_not_have(nested, remote):
    nested.git("switch", "--quiet", "--create", "mine")
    assert nested.call("sync", cwd="vault").stdout == (
        "pushing a new branch, without new commits\n"
        "nothing new in origin/mine, pushed\n"
    )
    add_rule(nested)
    done = nested.call("sync", cwd="vault")
    assert (done.code, done.stderr) == (0, "")
    assert head_of(remote, "mine") == nested.git("rev-parse", "HEAD").strip()
    nested.git("switch", "--quiet", "--create", "other")
    draft(nested)
    assert nested.call("sync", cwd="vault").code == 1
    assert not remote.joinpath("refs/heads/other").exists()


def test_many_files_and_commits_outside_are_listed_in_part(nested):
    for number in range(7):
        for name in "abcd":
            nested.write(f"{name}{number}", "x")
        nested.commit(f"work {number}")
    lines = nested.call("sync", cwd="vault").stdout.splitlines()[2:]
    assert [line.split(" ", 3)[-1] for line in lines] == [
        *(f"work {n}: a{n}, b{n}, and 2 more" for n in (6, 5, 4, 3)),
        "3 more",
    ]


def test_what_is_pushed_is_printed_before(clone, tmp_path):
    ada = clone("ada")
    subjects = [f"work {number}\x1b[2J" for number in range(6)]
    for subject in subjects[:4]:
        ada.write("system/guidance/new.md", f"1 {subject[5:6]}\n").commit(subject)
    shown = [s.replace("\x1b", "\\u{1b}") for s in subjects]

    def pushed():
        lines = ada.call("sync").stdout.splitlines()
        return lines[0], [line.split(" ", 3)[-1] for line in lines[1:-1]]

    assert pushed() == ("pushing 4 commits to origin/main:", shown[3::-1])
    for subject in subjects:
        ada.write("system/guidance/new.md", f"2 {subject[5:6]}\n").commit(subject)
    assert pushed() == (
        "pushing 6 commits to origin/main:",
        [*shown[:2:-1], "3 more"],
    )
    ada.write("system/guidance/new.md", "last").commit("last")
    ada.git("config", "remote.origin.pushurl", str(tmp_path / "gone"))
    done = ada.call("sync")
    assert done.stdout.startswith("pushing 1 commit to origin/main:\n")
    assert (done.code, done.stderr.startswith("toolmem: git push: ")) == (15, True)


def hook(remote, name, text):
    place = remote / "hooks" / name
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"#!/bin/sh\n{text}\n")
    place.chmod(0o755)


@pytest.mark.parametrize("name", ["update", "pre-receive"])
@pytest.mark.parametrize("scheme", ["", "file://"])
def test_a_hook_of_the_remote_refuses_and_its_lines_are_shown(
    name, scheme, clone, remote
):
    ada = clone("ada")
    ada.git("remote", "set-url", "origin", f"{scheme}{remote}")
    assert ada.call(*RULE).code == 0
    ada.commit("a rule")
    # Also words with which git reports that someone else was first.
    hook(remote, name, "printf 'no rules on Friday\\n\\033[2J fetch first\\n'; exit 1")
    before = head_of(remote)
    done = ada.call("sync")
    reason = "hook declined" if name == "update" else "pre-receive hook declined"
    assert done.stdout.splitlines()[2:] == [
        "nothing new in origin/main",
        f"not pushed: origin/main refused it: {reason}",
        "  no rules on Friday",
        "  \\u{1b}[2J fetch first",
        *["  error: hook declined to update refs/heads/main"] * (name == "update"),
    ]
    assert done.stderr == (
        "toolmem: nothing was pushed: do what the remote says and sync again, or push"
        " to a branch of your own: `git switch -c NAME`, then `toolmem sync`\n"
    )
    assert (done.code, head_of(remote)) == (1, before)
    answer = json.loads(ada.call("sync", "--json").stdout)
    assert answer["rejection"]["reason"] == reason


def test_what_others_pushed_arrives_though_the_remote_refuses(clone, remote):
    ada, bob = clone("ada"), clone("bob")
    ada.call(*RULE)
    ada.commit("a rule")
    assert ada.call("sync").code == 0
    bob.write("system/guidance/new.md", "text\n").commit("guidance")
    hook(remote, "update", "exit 1")
    assert bob.call("sync").code == 1
    assert "never use telnet" in bob.call("rule", "list").stdout
    assert bob.git("status", "--porcelain") == ""


def test_what_runs_after_a_push_runs_and_what_runs_before_it_here_does_not(
    clone, remote
):
    ada = clone("ada")
    hook(remote, "post-receive", "cat > received")
    hook(ada.root / ".git", "pre-push", "exit 1")
    hook(ada.root / ".git", "reference-transaction", "exit 1")
    ada.root.joinpath(".git/hooks/reference-transaction").unlink()
    ada.call(*RULE)
    ada.commit("a rule")
    hook(ada.root / ".git", "reference-transaction", "exit 1")
    assert ada.call("sync").code == 0
    assert remote.joinpath("received").read_text().endswith(" refs/heads/main\n")


def test_a_remote_without_a_bare_repository_decides_itself(clone, remote):
    ada, bob = clone("ada"), clone("bob")
    ada.git("remote", "set-url", "origin", str(bob.root))
    ada.call(*RULE)
    ada.commit("a rule")
    done = ada.call("sync")
    assert (done.code, "branch is currently checked out" in done.stdout) == (1, True)
    bob.git("config", "receive.denyCurrentBranch", "updateInstead")
    assert ada.call("sync").code == 0
    assert bob.files() == ada.files()


def test_a_remote_inside_the_repository_is_refused(clone, remote):
    ada = clone("ada")
    subprocess.run(
        ["git", "clone", "--quiet", "--bare", str(remote), str(ada.root / "inner.git")],
        check=True,
        capture_output=True,
    )
    hook(ada.root / "inner.git", "update", f"touch {ada.root}/canary")
    ada.call(*RULE)
    ada.commit("a rule")
    for address in ("inner.git", f"file://{ada.root}/inner.git"):
        ada.git("remote", "set-url", "origin", address)
        done = ada.call("sync")
        assert done.code == 15
        assert "lies inside the repository that it is a remote of" in done.stderr
    assert not ada.root.joinpath("canary").exists()
