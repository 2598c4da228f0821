"""Git as its owner set it up: filters, signatures, partial clones, no branch."""

import os
import subprocess

import pytest

from tests.world import World

GUIDANCE = "system/guidance/plan.md"


def share(world):
    done = world.call("sync")
    assert done.code == 0, done.stderr


def rot(world):
    """Configure a filter in the clone, as git-crypt does."""
    world.git("config", "filter.rot.clean", "tr a-z n-za-m")
    world.git("config", "filter.rot.smudge", "tr a-z n-za-m")


def test_what_a_filter_encrypts_is_not_committed_in_plain_text(clone):
    ada = clone("ada")
    rot(ada)
    ada.write(".gitattributes", "plan.md filter=rot\n*.toml -filter\n")
    ada.git("add", ".gitattributes")
    ada.git("commit", "--quiet", "-m", "a filter")
    ada.write(GUIDANCE, "plain\n")
    done = ada.call("commit")
    assert (done.code, done.stdout, done.stderr) == (
        15,
        "",
        f"toolmem: {GUIDANCE}: it has the attribute filter=rot, and toolmem runs no"
        " filter: commit it with `git add` and `git commit`\n",
    )
    assert ada.git("status", "--porcelain") == f"?? {GUIDANCE}\n"
    assert ada.call("rule", "add", "shell", "never use telnet").code == 0
    [rule] = (path for path in ada.files() if "telnet" in path)
    assert ada.call("commit", rule).code == 0
    os.utime(ada.root / GUIDANCE, (1, 1))  # so that git needs not read it again
    ada.git("add", GUIDANCE)  # the command of the message
    ada.git("commit", "--quiet", "-m", "by git")
    assert ada.git("show", f"HEAD:{GUIDANCE}") == "cynva\n"
    assert ada.call("commit").stderr == "toolmem: nothing to commit\n"


def test_a_rule_that_a_filter_encrypted_is_pushed_as_it_is(clone):
    ada = clone("ada")
    rot(ada)
    ada.write(".gitattributes", "*telnet* filter=rot\n")
    assert ada.call("rule", "add", "shell", "never use telnet").code == 0
    ada.commit("by git")
    share(ada)
    assert ada.git("rev-parse", "@{upstream}") == ada.git("rev-parse", "HEAD")


@pytest.mark.parametrize("together", [True, False])
def test_what_a_filter_encrypts_is_not_pulled_as_it_is_stored(together, clone):
    ada, bob = clone("ada"), clone("bob")
    rot(ada)
    ada.write(".gitattributes", "plan.md filter=rot\n")
    if not together:
        ada.git("add", "--all")
        ada.git("commit", "--quiet", "-m", "a filter")
        share(ada)
        share(bob)
    ada.write(GUIDANCE, "plain\n").commit("a plan")
    share(ada)
    bob.write("system/guidance/ours.txt", "ours\n").commit("ours")
    done = bob.call("sync")
    assert (done.code, done.stdout, done.stderr) == (
        15,
        "",
        f"toolmem: {GUIDANCE}: it has the attribute filter=rot, and toolmem runs no"
        " filter: run `git pull --no-rebase`\n",
    )
    assert not bob.root.joinpath(GUIDANCE).exists()
    rot(bob)
    bob.git("pull", "--quiet", "--no-rebase")
    share(bob)
    bob.file(GUIDANCE, "plain\n")


def signed(world):
    return world.git("log", "-1", "--format=%G?").strip()


@pytest.fixture
def signer(tmp_path):
    """A home of a user who signs with a key of ssh."""
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{tmp_path}/key"]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("ssh-keygen is not installed")
    key = (tmp_path / "key.pub").read_text()
    (tmp_path / "allowed").write_text(f"* {key}")
    return {
        "gpg.format": "ssh",
        "user.signingKey": f"{tmp_path}/key.pub",
        "gpg.ssh.allowedSignersFile": f"{tmp_path}/allowed",
    }


def test_a_commit_and_a_merge_are_signed_if_the_owner_says_so(signer, clone):
    ada, bob = clone("ada"), clone("bob")
    for key, value in signer.items():
        ada.git("config", key, value)
    ada.write(GUIDANCE, "ours\n")
    assert ada.call("commit").code == 0
    assert signed(ada) == "N"
    ada.git("config", "commit.gpgSign", "true")
    ada.write(GUIDANCE, "ours, signed\n")
    assert ada.call("commit").code == 0
    assert signed(ada) == "G"
    bob.write("system/guidance/other.md", "theirs\n").commit("theirs")
    share(bob)
    share(ada)
    assert ada.git("log", "-1", "--format=%s").startswith("Merge origin/main")
    assert signed(ada) == "G"


def test_a_commit_on_no_branch_says_so(clone):
    ada = clone("ada")
    ada.git("checkout", "--quiet", "--detach")
    ada.write(GUIDANCE, "text\n")
    done = ada.call("commit")
    assert (done.code, done.stderr) == (
        0,
        "toolmem: HEAD is detached: keep this commit with `git switch -c BRANCH`\n",
    )
    ada.git("switch", "--quiet", "--create", "kept")
    ada.write(GUIDANCE, "more\n")
    assert ada.call("commit").stderr == ""


@pytest.fixture
def partial(clone, remote, tmp_path):
    """Make a clone without the former contents of files, and one that has all."""
    ada = clone("ada")
    for number in range(3):
        done = ada.call("fact", "set", "port", str(number), "--project", "p")
        assert done.code == 0
        ada.commit(f"port {number}")
    share(ada)
    config = ["git", "-C", str(remote), "config", "uploadpack.allowFilter", "true"]
    subprocess.run(config, check=True)
    world = World(tmp_path / "partial")
    words = ["--quiet", "--filter=blob:none", f"file://{remote}", str(world.root)]
    subprocess.run(["git", "clone", *words], check=True, capture_output=True)
    assert missing(world)
    return world, ada


def missing(world):
    words = ("rev-list", "--objects", "--all", "--missing=print")
    return [row for row in world.git(*words).splitlines() if row.startswith("?")]


@pytest.mark.one_of(2)
@pytest.mark.parametrize(
    "words", [("log",), ("log", "port"), ("diff", "HEAD~1", "HEAD"), ("diff", "HEAD~2")]
)
def test_a_partial_clone_shows_what_it_left_out(words, partial):
    world, whole = partial
    done = world.call(*words)
    assert (done.code, done.stderr) == (0, "")
    assert done.stdout == whole.call(*words).stdout
    assert world.git("fsck", "--connectivity-only", "--no-dangling") == ""


def test_a_partial_clone_that_cannot_reach_its_remote_says_so(partial, remote):
    world, _ = partial
    remote.rename(remote.with_name("gone"))
    done = world.call("diff", "HEAD~2", "HEAD")
    assert (done.code, done.stdout) == (15, "")
    assert done.stderr.startswith("toolmem: git fetch: ")
    assert world.call("diff").code == 0


def test_a_partial_clone_merges_what_it_left_out(partial):
    world, ada = partial
    for number in range(3, 6):
        ada.call("fact", "set", "port", str(number), "--project", "p")
        ada.commit(f"port {number}")
    share(ada)
    world.git("fetch", "--quiet")
    world.call("fact", "set", "host", "a", "--project", "p")
    world.commit("host")
    share(world)
    assert missing(world)
    assert world.git("status", "--porcelain") == ""
    share(ada)
    assert ada.files() == world.files()
    assert world.git("fsck", "--connectivity-only", "--no-dangling") == ""
