"""Conflicts end: in each state all commands say the same, and each way out leads out.

Kind of file x git operation x side that is taken, with real git and its drivers.
"""

import subprocess

import pytest

RULE = "system/rules/send_email/send-a-draft-first-when-more-than-five-d23f0824.toml"
FACTS = "projects/mech-fighters/facts.md"
MEMORY = "projects/mech-fighters/memory/door-a00001.md"
GUIDANCE = "system/guidance/asking.md"
MANIFEST = "tools/shell.toml"
SETTINGS = "toolmem.toml"
DOOR = "---\ntags: [door]\ntopic: doors\n---\n# The door\n\nOpens at nine.\n"


def _set(path, was, now):
    def change(world):
        text = world.read(path)
        assert was in text, (path, text)
        world.write(path, text.replace(was, now))

    return change


def _delete(path):
    return lambda world: (world.root / path).unlink()


def _written(path, text):
    return lambda world: world.write(path, text)


KINDS = {
    "rule": (
        _set(RULE, "send a draft first", "send two drafts first"),
        _set(RULE, "send a draft first", "send no draft"),
    ),
    "fact": (
        _set(FACTS, "pytest tests/ -v", "pytest -q"),
        _set(FACTS, "pytest tests/ -v", "pytest -x"),
    ),
    "memory": (
        _set(MEMORY, "Opens at nine.", "Opens at eight."),
        _set(MEMORY, "Opens at nine.", "Opens at ten."),
    ),
    "header": (
        _set(MEMORY, "topic: doors", "topic: gates"),
        _set(MEMORY, "topic: doors", "topic: walls"),
    ),
    "guidance": (_written(GUIDANCE, "Ask us.\n"), _written(GUIDANCE, "Ask them.\n")),
    "manifest": (
        _written(MANIFEST, 'name = "shell"\ndescription = "ours"\n'),
        _written(MANIFEST, 'name = "shell"\ndescription = "theirs"\n'),
    ),
    "settings": (
        _written(SETTINGS, "schema = 1\n\n[access]\nrelevance = 6\n"),
        _written(SETTINGS, "schema = 1\n\n[access]\nrelevance = 7\n"),
    ),
    "deleted fact file": (_set(FACTS, "pytest tests/ -v", "pytest -q"), _delete(FACTS)),
    "deleted memory": (_set(MEMORY, "nine", "eight"), _delete(MEMORY)),
    "deleted rule": (_delete(RULE), _set(RULE, "send a draft", "send two drafts")),
    "deleted guidance": (_written(GUIDANCE, "Ask us.\n"), _delete(GUIDANCE)),
}
OPERATIONS = {
    "merge": (["merge", "side"], ["commit", "--no-edit"]),
    "cherry-pick": (["cherry-pick", "side"], ["cherry-pick", "--continue"]),
    "rebase": (["rebase", "side"], ["rebase", "--continue"]),
    "stash": (["stash", "pop"], ["stash", "drop"]),
}
BUSY = {
    "merge": "git is in the middle of a merge: finish it with `git commit`",
    "cherry-pick": "git is in the middle of a cherry-pick: finish it with "
    "`git cherry-pick --continue`",
    "rebase": "git is in the middle of a rebase: finish it with "
    "`git rebase --continue`",
}


def called(world, *words):
    done = world.call(*words)
    assert "bug in toolmem" not in done.stderr, done
    return done


def begin(clone, kind, operation):
    """A clone in the middle of an operation that met a conflict of a kind."""
    world = clone("ada")
    world.write(MEMORY, DOOR).write(SETTINGS, "schema = 1\n\n[access]\nrelevance = 5\n")
    called(world, "git", "install")
    world.commit("all of it")
    world.git("config", "core.editor", "true")
    ours, theirs = KINDS[kind]
    if operation == "stash":
        theirs(world)
        world.git("stash", "--quiet")
        ours(world)
        world.commit("ours")
    else:
        world.git("switch", "--quiet", "--create", "side")
        theirs(world)
        world.commit("theirs")
        world.git("switch", "--quiet", "main")
        ours(world)
        world.commit("ours")
    with pytest.raises(subprocess.CalledProcessError):
        world.git(*OPERATIONS[operation][0])
    return world


def unmerged(world):
    return world.git("ls-files", "--unmerged")


def settle(world, side):
    """Leave the state by one side: a command, or by hand."""
    if side == "by hand":
        called(world, "resolve")
        called(world, "resolve", "--take", "ours")
        return
    called(world, "resolve")
    for take in (side, "ours"):  # of values only one can be taken
        if called(world, "resolve", "--take", take).code == 0:
            break


@pytest.mark.soak
@pytest.mark.parametrize("side", ["ours", "theirs", "both"])
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_conflict_ends(clone, kind, operation, side):
    check_that_it_ends(clone, kind, operation, side)


@pytest.mark.one_of(2)
@pytest.mark.parametrize(
    ("kind", "operation", "side"),
    [
        ("fact", "merge", "ours"),
        ("rule", "rebase", "theirs"),
        ("memory", "cherry-pick", "both"),
        ("deleted memory", "stash", "ours"),
        ("deleted rule", "merge", "theirs"),
    ],
)
def test_some_conflicts_end(clone, kind, operation, side):
    check_that_it_ends(clone, kind, operation, side)


def check_that_it_ends(clone, kind, operation, side):
    world = begin(clone, kind, operation)
    # While it is open every command says so.
    assert unmerged(world)
    assert called(world, "resolve").code == 1
    assert called(world, "check").code == 1
    assert called(world, "commit").code not in (0, 1)
    assert called(world, "sync").code not in (0, 1)
    settle(world, side)
    # Settled: nothing is open for anyone, and git ends the operation.
    assert unmerged(world) == "", called(world, "resolve").stdout
    opened = called(world, "resolve")
    assert (opened.code, opened.stdout) == (0, ""), opened
    assert "conflict" not in called(world, "check").stdout
    if operation in BUSY:
        assert BUSY[operation] in called(world, "commit").stderr
        assert BUSY[operation] in called(world, "sync").stderr
        if world.git("diff", "--cached", "--name-only"):
            world.git(*OPERATIONS[operation][1])
        else:
            world.git(*skipped(operation))
    else:
        world.git("stash", "drop")
        called(world, "commit")
    done = called(world, "commit")
    assert (done.code, done.stderr) == (1, "toolmem: nothing to commit\n")
    assert world.git("status", "--porcelain") == ""
    assert called(world, "sync").code == 0


def skipped(operation):
    """The command that ends an operation that comes to nothing."""
    if operation == "merge":
        return ["commit", "--no-edit"]
    return [operation, "--skip"]
