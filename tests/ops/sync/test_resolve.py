"""Merges of git's own, with the driver and without, and what is made of them."""

import os
import pty
import subprocess
import sys

import pytest

from tests.client import toolmem

FACTS = "projects/mech-fighters/facts.md"
RULE = "system/rules/send_email/send-a-draft-first-when-more-than-five-d23f0824.toml"
MEMORY = (
    "projects/mech-fighters/memory/insights/heat-is-clamped-after-the-shot-41c7d2.md"
)
PROJECT = ("--project", "mech-fighters")


@pytest.fixture
def sides(world):
    """Two branches of one vault; gives a merge of one into the other."""

    def merge(ours, theirs, *, driver):
        world.vault("template")
        if driver:
            assert world.git("init", "--quiet") == ""
            assert world.call("git", "install").stdout == "installed\n"
        world.commit("base")
        branch = world.git("branch", "--show-current").strip()
        world.git("switch", "--quiet", "--create", "side")
        edit(world, theirs, 1)
        world.git("switch", "--quiet", branch)
        edit(world, ours, 0)
        try:
            world.git("merge", "--quiet", "side")
        except subprocess.CalledProcessError as error:
            return error.returncode
        return 0

    return merge


def edit(world, commands, days):
    world.clock(days=days)
    for words in commands:
        done = world.call(*words)
        assert done.code == 0, done.stderr
    world.commit("edit")
    world.clock(days=-days)


def fact(key, value):
    return ("fact", "set", key, value, *PROJECT)


AGREED = (
    [fact("ours", "1"), ("rule", "edit", "d23f0824", "--tag", "x")],
    [fact("theirs", "2"), ("rule", "edit", "d23f0824", "-p", "critical")],
)
OPPOSED = (
    [fact("test_command", "a"), ("rule", "edit", "d23f0824", "-p", "critical")],
    [fact("test_command", "b"), ("rule", "edit", "d23f0824", "-p", "normal")],
)


def test_the_driver_merges_what_git_alone_cannot(sides, world):
    assert sides(*AGREED, driver=True) == 0
    assert "ours: 1\ntheirs: 2\n" in world.read(FACTS)
    rule = world.read(RULE)
    assert 'priority = "critical"' in rule
    assert 'tags = ["x"]' in rule
    assert "updated_at = 2026-04-21T12:00:00Z" in rule
    assert "error" not in world.call("check").stdout


def test_a_merge_without_the_driver_is_made_good_afterwards(sides, world):
    assert sides(*AGREED, driver=False) == 1
    assert "<<<<<<<" in world.read(FACTS)
    done = world.call("resolve")
    assert (done.code, done.stdout) == (0, f"merged  {FACTS}\nmerged  {RULE}\n")
    assert "ours: 1\ntheirs: 2\n" in world.read(FACTS)
    assert world.git("diff", "--name-only", "--diff-filter=U") == ""
    world.git("commit", "--quiet", "--no-edit")
    assert world.git("status", "--porcelain") == ""
    assert world.call("check").code == 0


def test_marks_that_were_committed_are_made_good_too(sides, world):
    assert sides(*AGREED, driver=False) == 1
    world.commit("oops")
    assert world.call("resolve").code == 0
    assert "ours: 1\ntheirs: 2\n" in world.read(FACTS)
    assert world.call("check").code == 0


@pytest.mark.parametrize("driver", [True, False])
def test_what_is_opposed_stays_valid_until_it_is_settled(driver, sides, world):
    assert sides(*OPPOSED, driver=driver) == 1
    if not driver:
        assert world.call("resolve").code == 1
    assert world.call("check").stdout.count("merge-conflict") == 2
    done = world.call("resolve", "--json")
    assert done.code == 1
    assert '"key": "priority"' in done.stdout
    assert world.call("resolve", RULE, "--take", "stricter").code == 0
    assert world.call("resolve", "--take", "theirs").code == 0
    assert "test_command: b\n" in world.read(FACTS)
    assert 'priority = "critical"' in world.read(RULE)
    assert world.git("diff", "--name-only", "--diff-filter=U") == ""
    world.git("commit", "--quiet", "--no-edit")
    assert len(world.git("log", "-1", "--format=%p").split()) == 2


def test_a_text_changed_on_both_sides_keeps_both(sides, world):
    assert sides([fact("a", "1")], [fact("b", "1")], driver=True) == 0
    old = world.read(MEMORY)
    world.git("switch", "--quiet", "--create", "other")
    world.write(MEMORY, old.replace("shot", "bolt")).commit("bolt")
    world.git("switch", "--quiet", "-")
    world.write(MEMORY, old.replace("shot", "arrow")).commit("arrow")
    with pytest.raises(subprocess.CalledProcessError):
        world.git("merge", "other")
    merged = world.read(MEMORY)
    assert "bolt" in merged
    assert "arrow" in merged
    assert "<<<<<<<" not in merged
    assert world.call("resolve", MEMORY, "--take", "ours").code == 0
    world.file(MEMORY, old.replace("shot", "arrow"))


@pytest.mark.one_of(3)
@pytest.mark.parametrize("path", [RULE, MEMORY, FACTS])
@pytest.mark.parametrize("gone", ["ours", "theirs"])
def test_a_file_that_one_side_deleted_is_in_conflict_too(world, path, gone):
    world.vault("template").git("init", "--quiet")
    world.call("git", "install")  # git calls no driver where a side has no file
    world.commit("base")
    branch = world.git("branch", "--show-current").strip()
    old = world.read(path)
    changed = old.replace("more than five", "many").replace("shot", "bolt")
    changed = changed.replace("trunk", "main")
    for name, here in (("side", gone == "ours"), (branch, gone == "theirs")):
        if name == "side":
            world.git("switch", "--quiet", "--create", "side")
        else:
            world.git("switch", "--quiet", branch)
        if here:
            world.write(path, changed).commit("changed")
        else:
            world.git("rm", "--quiet", path)
            world.git("commit", "--quiet", "--message", "gone")
    with pytest.raises(subprocess.CalledProcessError):
        world.git("merge", "side")
    done = world.call("resolve")
    assert (done.code, f"merged  {path}\n" in done.stdout) == (1, True)
    told = world.read(path)
    assert world.call("resolve").code == 1
    assert world.read(path) == told
    assert "merge-conflict" in world.call("check").stdout
    kept = "theirs" if gone == "ours" else "ours"
    assert world.call("resolve", path, "--take", kept).code == 0
    if path != FACTS:
        world.file(path, changed)
    assert world.git("diff", "--name-only", "--diff-filter=U") == ""
    assert "error" not in world.call("check").stdout
    world.git("commit", "--quiet", "--no-edit")


def test_a_deletion_is_taken_where_that_is_chosen(world):
    world.vault("template").commit("base")
    branch = world.git("branch", "--show-current").strip()
    world.git("switch", "--quiet", "--create", "side")
    world.write(RULE, world.read(RULE).replace("five", "nine")).commit("changed")
    world.git("switch", "--quiet", branch)
    world.git("rm", "--quiet", RULE)
    world.git("commit", "--quiet", "--message", "gone")
    with pytest.raises(subprocess.CalledProcessError):
        world.git("merge", "side")
    world.call("resolve")
    done = world.call("resolve", "d23f0824", "--take", "ours")
    assert (done.code, done.stdout) == (0, f"deleted  {RULE}\n")
    assert world.git("status", "--porcelain") == ""


def test_only_what_is_named_is_merged_and_told_of(sides, world):
    assert sides(*AGREED, driver=False) == 1
    done = world.call("resolve", FACTS)
    assert (done.code, done.stdout, done.stderr) == (0, f"merged  {FACTS}\n", "")
    assert "<<<<<<<" in world.read(RULE)
    world.run("resolve", "nope").exits(12).stderr(
        "toolmem: no such conflict: `toolmem resolve` lists them\n"
    )
    world.run("resolve", "d23f0824").stdout(f"merged  {RULE}\n")


def test_the_short_name_of_one_file_is_no_beginning_of_anothers(world):
    rule = 'id = "s"\ntool = "shell"\nrule = "r"\n\n[conflict]\nrule = "q"\n'
    world.vault("empty").write("system/rules/shell/s.toml", rule)
    world.run("resolve", "system/facts.md", "--take", "theirs").exits(12).stderr(
        "toolmem: no such conflict: `toolmem resolve` lists them\n"
    )
    world.file("system/rules/shell/s.toml", rule)
    world.run("resolve", "s", "--take", "theirs")
    world.stdout("settled  system/rules/shell/s.toml\n")


def test_what_only_a_person_can_merge_is_told_until_it_is_added(world):
    tool = "tools/shell.toml"
    world.vault("template").git("init", "--quiet")
    world.call("git", "install")
    world.commit("base")
    branch = world.git("branch", "--show-current").strip()
    world.git("switch", "--quiet", "--create", "side")
    world.write(tool, "broken = [\n").write("README.md", "Theirs.\n").commit("side")
    world.git("switch", "--quiet", branch)
    world.write(tool, 'aliases = ["sh"]\n').write("README.md", "Ours.\n").commit("ours")
    with pytest.raises(subprocess.CalledProcessError):
        world.git("merge", "side")
    two = "git has two versions of it: edit it, then run `git add`\n"
    why = f"toolmem: {tool}:2: Invalid value (at end of document)\n"
    world.run("resolve").exits(1).stderr(f"{why}toolmem: README.md: {two}")
    world.run("resolve", tool).exits(1).stderr(why)
    world.git("add", "README.md", tool)
    world.run("resolve").stderr("toolmem: no conflicts\n")


def test_an_agent_settles_nothing(sides, world, monkeypatch):
    assert sides(*OPPOSED, driver=True) == 1
    monkeypatch.setenv("TOOLMEM_AGENT", "helper-1")
    done = world.call("resolve", "--take", "ours")
    assert (done.code, done.stderr) == (
        2,
        "toolmem: resolve is for people, not for an agent\n",
    )


def test_where_nothing_is_in_conflict(world):
    world.vault("template").commit()
    world.run("resolve").stderr("toolmem: no conflicts\n")
    world.run("resolve", "--take", "ours").exits(12).stderr(
        "toolmem: no such conflict: `toolmem resolve` lists them\n"
    )
    world.run("resolve", "nope", "--take", "ours").exits(12).stderr(
        "toolmem: no such conflict: `toolmem resolve` lists them\n"
    )


def test_the_drivers_go_as_they_came(world):
    world.vault("template").write(".gitattributes", "*.png binary\n").commit()
    config = world.root / ".git/config"
    before = config.read_text()
    world.run("git", "status").stdout("not installed\n").exits(1).stderr(
        "toolmem: `toolmem git install` sets the drivers up\n"
    )
    world.run("git", "install").stdout("installed\n")
    world.run("git", "install").stdout("installed\n")
    world.run("git", "status").stdout("installed\n")
    assert world.read(".gitattributes").count("merge=toolmem") == 2
    attributes = world.git("check-attr", "merge", "diff", "--", FACTS)
    assert attributes == f"{FACTS}: merge: toolmem\n{FACTS}: diff: toolmem\n"
    world.git("config", "--unset", "diff.toolmem.command")
    world.run("git", "status").stdout("partly installed\n").exits(1).stderr(
        "toolmem: missing: the diff driver: `toolmem git install`\n"
    )
    world.run("git", "uninstall").stdout("not installed\n")
    world.file(".gitattributes", "*.png binary\n")
    assert config.read_text() == before


def test_gits_diff_tells_the_meaning(world):
    world.vault("template").commit()
    world.call("git", "install")
    world.call("rule", "edit", "d23f0824", "-p", "critical")
    world.write("README.md", "Read me.\n")
    told = world.git("diff")
    assert "^  raised   d23f0824  send_email  system" in told
    assert "+Read me." in told
    # A patch is made and applied as ever.
    patch = world.git("diff", "--no-ext-diff")
    world.git("checkout", "--quiet", ".")
    world.write("patch", patch)
    world.git("apply", "patch")
    assert 'priority = "critical"' in world.read(RULE)


def asked(world, typed):
    """Run ``resolve`` at a real terminal, where this is typed; what it showed."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*toolmem(), "resolve"],
        cwd=world.root,
        stdin=slave,
        stdout=subprocess.PIPE,
        stderr=slave,
    )
    os.close(slave)
    os.write(master, typed.encode())
    out, _ = process.communicate(timeout=60)
    os.close(master)
    return process.returncode, out.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no terminal to open")
def test_at_a_terminal_one_is_asked_about_each(sides, world):
    assert sides(*OPPOSED, driver=True) == 1
    code, out = asked(world, "what?\nb\nt\ns\n")
    assert (code, out.splitlines()[0]) == (1, f"settled  {FACTS}")
    assert "test_command: b\n" in world.read(FACTS)
    assert "[conflict]" in world.read(RULE)
    code, out = asked(world, "o\n")
    assert (code, out) == (0, f"settled  {RULE}\n")
    assert "[conflict]" not in world.read(RULE)


@pytest.mark.parametrize("cwd", ["v", "v/system"])
@pytest.mark.parametrize("name", ["system/facts.md", "v/system/facts.md"])
def test_a_file_is_named_by_its_path_in_the_vault_or_as_git_prints_it(world, name, cwd):
    note = '{"namespace": "project", "key": "port", "ours": "1", "theirs": "2"}'
    facts = f"port: 1\n<!-- conflict: {note} -->\n"
    world.write("v/toolmem.toml", "schema = 1\n").write("v/system/facts.md", facts)
    world.commit()
    world.run("resolve", name, "--take", "theirs", cwd=cwd).stdout(
        "settled  system/facts.md\n"
    )
    world.file("v/system/facts.md", "port: 2\n")
