"""Files of any size and mode are shared, and a sync that cannot end changes nothing."""

import os
import stat
import subprocess

import pytest

from tests.world import World

BIG = "system/memory/plan-a00001.txt"
PICTURE = "system/guidance/plan.png"
RULE = ("rule", "add", "shell", "never use telnet", "-p", "critical")
_SIZE = 1024 * 1024 + 1


def share(world):
    done = world.call("sync")
    assert done.code == 0, done.stderr


@pytest.mark.parametrize("size", [_SIZE, 5 * _SIZE])
@pytest.mark.parametrize("path", [BIG, PICTURE, "README.md"])
@pytest.mark.one_of(6)
def test_a_large_file_and_the_rule_next_to_it_arrive(path, size, clone):
    ada, bob = clone("ada"), clone("bob")
    ada.call(*RULE)
    for data in (os.urandom(size), b"line\r\n" * (size // 6), b"", b"x" * size):
        ada.write(path, data)
        ada.commit("a large file")
        share(ada)
        share(bob)
        assert bob.files() == ada.files()
        assert bob.git("status", "--porcelain") == ""
        for world in (ada, bob):
            assert world.call("commit").stderr == "toolmem: nothing to commit\n"
    ada.root.joinpath(path).unlink()
    ada.commit("deleted")
    share(ada)
    share(bob)
    assert bob.files() == ada.files()


def test_a_large_text_that_was_committed_is_not_changed(clone):
    ada = clone("ada")
    text = "plan\n" * (_SIZE // 5 + 1)
    ada.write(BIG.replace(".txt", ".md"), "# A plan\n").write(BIG, text)
    assert ada.call("commit").code == 0
    assert BIG in ada.git("ls-files").split("\n")
    assert ada.git("status", "--porcelain") == ""
    assert ada.call("diff").stdout == ""
    assert ada.call("commit").stderr == "toolmem: nothing to commit\n"


def test_a_large_text_is_searched_for_credentials_and_a_picture_is_not(clone):
    ada = clone("ada")
    token = b" ghp_" + b"a1B2c3D4e5F6" * 3
    ada.write(PICTURE, b"old").commit("a picture")
    ada.write(PICTURE, b"\x89PNG\0" + token + b"x" * _SIZE)
    assert ada.call("commit").code == 0
    ada.write(PICTURE, b"text" + token + b"\nx" * (_SIZE // 2))
    done = ada.call("commit")
    assert (done.code, "looks like a credential" in done.stderr) == (2, True)


def test_a_large_file_with_changes_is_not_overwritten(clone):
    ada, bob = clone("ada"), clone("bob")
    for world in (ada, bob):
        world.write(PICTURE, os.urandom(_SIZE))
    ada.commit("a picture")
    share(ada)
    before = bob.files()
    done = bob.call("sync")
    assert (done.code, PICTURE in done.stderr) == (13, True)
    assert bob.files() == before


def test_nothing_is_written_before_everything_is_read(clone):
    ada, bob = clone("ada"), clone("bob")
    ada.call(*RULE)
    ada.write(PICTURE, os.urandom(_SIZE)).commit("a picture and a rule")
    share(ada)
    bob.git("fetch", "--quiet")
    before = bob.files()
    blob = bob.git("rev-parse", f"origin/main:{PICTURE}").strip()
    _remove_object(bob, blob)
    done = bob.call("sync", "--offline")
    assert (done.code, PICTURE in done.stderr) == (15, True)
    assert bob.files() == before
    assert bob.git("status", "--porcelain") == ""
    assert bob.call("commit").stderr == "toolmem: nothing to commit\n"


def _remove_object(world, name):
    """Make every object a file of its own, and delete one."""
    packs = world.root / ".git/objects/pack"
    for pack in list(packs.glob("*.pack")):
        outside = pack.rename(world.root / ".git" / pack.name)
        pack.with_suffix(".idx").unlink()
        with outside.open("rb") as data:
            command = ["git", "unpack-objects", "-q"]
            subprocess.run(command, cwd=world.root, stdin=data, check=True)
    place = world.root / ".git/objects" / name[:2] / name[2:]
    place.chmod(0o644)
    place.unlink()


@pytest.mark.one_of(2)
@pytest.mark.parametrize("counts", ["true", "false"])
def test_a_mode_is_shared_where_modes_count(counts, clone):
    ada, bob = clone("ada"), clone("bob")
    bob.git("config", "core.fileMode", counts)
    ada.write("system/guidance/run.md", "Run.\n").commit("a file")
    share(ada)
    share(bob)
    place = bob.root / "system/guidance/run.md"
    for mode in (0o755, 0o644):
        ada.root.joinpath("system/guidance/run.md").chmod(mode)
        ada.commit(f"mode {mode:o}")
        share(ada)
        share(bob)
        wanted = mode if counts == "true" else 0o644
        assert stat.S_IMODE(place.stat().st_mode) == wanted
        assert bob.git("status", "--porcelain") == ""


def test_a_new_file_has_no_mode_where_modes_do_not_count(clone):
    ada = clone("ada")
    ada.write("system/guidance/old.md", "Old.\n")
    ada.root.joinpath("system/guidance/old.md").chmod(0o755)
    ada.commit("an executable file")
    ada.git("config", "core.fileMode", "false")
    ada.root.joinpath("system/guidance/old.md").chmod(0o644)
    ada.write("system/guidance/old.md", "Older.\n")
    ada.write("system/guidance/new.md", "New.\n")
    ada.root.joinpath("system/guidance/new.md").chmod(0o755)
    assert ada.call("commit").code == 0
    listed = ada.git("ls-tree", "-r", "HEAD", "system/guidance")
    modes = {row.split("\t")[1]: row[:6] for row in listed.splitlines()}
    assert modes["system/guidance/old.md"] == "100755"
    assert modes["system/guidance/new.md"] == "100644"
    assert ada.git("status", "--porcelain") == ""


@pytest.fixture
def worktree(clone, tmp_path):
    """A clone, and a second worktree of it with a branch of its own."""
    ada = clone("ada")
    ada.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    return ada, World(tmp_path / "side")


class CutShortError(BaseException):
    """As if the process had died here."""


def cut_short(world, monkeypatch):
    """Let a sync die when its files are written, and its index is not."""

    def stop(*_):
        raise CutShortError

    with monkeypatch.context() as patch:
        patch.setattr("toolmem.store.git.merge.stage", stop)
        with pytest.raises(CutShortError):
            world.call("sync")


def learned_by_another(clone, text="never use telnet"):
    bob = clone("bob")
    bob.call("rule", "add", "shell", text)
    bob.commit("a rule")
    share(bob)


def test_a_sync_cut_short_in_one_worktree_moves_no_branch_of_another(
    worktree, clone, remote, monkeypatch
):
    ada, side = worktree
    learned_by_another(clone)
    cut_short(ada, monkeypatch)
    before = side.git("rev-parse", "HEAD"), side.files()
    assert side.call("sync").code == 0
    assert (side.git("rev-parse", "HEAD"), side.files()) == before
    share(ada)
    assert ada.git("rev-parse", "HEAD") == ada.git("rev-parse", "origin/main")
    assert ada.git("status", "--porcelain") == ""
    assert "never use telnet" in ada.call("rule", "list").stdout


def test_a_sync_cut_short_moves_no_branch_that_was_checked_out_since(
    clone, monkeypatch
):
    ada = clone("ada")
    learned_by_another(clone)
    cut_short(ada, monkeypatch)
    ada.git("switch", "--quiet", "--create", "mine")
    before = ada.git("rev-parse", "HEAD")
    assert ada.call("sync").code == 0
    assert ada.git("rev-parse", "HEAD") == before
    assert ada.git("status", "--porcelain") == ""
    assert "never use telnet" not in ada.call("rule", "list").stdout
    assert ada.git("for-each-ref", "refs/worktree") == ""


def test_what_a_sync_cut_short_wrote_is_not_committed_as_our_own(clone, monkeypatch):
    ada = clone("ada")
    learned_by_another(clone)
    cut_short(ada, monkeypatch)
    done = ada.call("commit")
    assert (done.code, done.stderr) == (
        13,
        "toolmem: a sync was cut short: finish it with `toolmem sync`\n",
    )
    share(ada)
    assert ada.call("commit").stderr == "toolmem: nothing to commit\n"
    assert ada.git("log", "-1", "--format=%s") == "a rule\n"


def test_a_sync_cut_short_is_taken_back_where_a_file_was_edited_since(
    clone, monkeypatch
):
    ada, bob = clone("ada"), clone("bob")
    asking = "system/guidance/asking.md"
    bob.write(asking, "Theirs\n").write("system/guidance/new.md", "Theirs\n")
    bob.commit("theirs")
    share(bob)
    cut_short(ada, monkeypatch)
    ada.write(asking, "Theirs\nand ours\n")
    done = ada.call("sync")
    assert (done.code, f"{asking}: changed here" in done.stderr) == (13, True)
    assert ada.git("status", "--porcelain") == f" M {asking}\n"
    assert ada.call("commit").code == 0
    assert ada.call("sync").code == 1
    assert ada.read("system/guidance/new.md") == "Theirs\n"
