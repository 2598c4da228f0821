"""A copy of a vault has what git has or would take, and nothing that is private."""

import json

import pytest

VAULTS = ["", "kept/"]
"""The vault is the repository, or a folder of it."""


def fill(world, at):
    world.write(f"{at}toolmem.toml", "schema = 1\n")
    world.write(f"{at}system/facts.md", "## project\na: b\n")
    world.write(f"{at}system/memory/open.md", "# Open\n\nThe build is slow.\n")
    private = "---\nprivate: true\n---\n# Mine\n\nThe salary is 5.\n"
    world.write(f"{at}system/memory/mine.md", private)
    world.write(f"{at}system/memory/mine.txt", "The salary is 5, I said.\n")
    world.write(f"{at}archive/system/memory/old.md", private)
    world.write(f"{at}.env", "A=1\n")
    world.write(f"{at}earlier.json", "{}")
    world.write(f"{at}draft.txt", "not ours")
    world.write(f"{at}system/rules/x/.tmp-0123456789abcdef", "half a rule")
    for inner in (f"{at}inner/", f"{at}projects/lib/"):
        world.write(f"{inner}toolmem.toml", "schema = 1\n")
        world.write(f"{inner}system/facts.md", "## project\nc: d\n")
        world.write(f"{inner}.toolmem/state.db", "rows")


def exported(world, at, *options):
    vault = ["--vault", str(world.root / at)] if at else []
    done = world.call("export", "json", *options, *vault)
    assert done.code == 0, done.stderr
    return [one["path"] for one in json.loads(done.stdout)["files"]], done.stderr


OURS = ["system/facts.md", "system/memory/open.md", "toolmem.toml"]
PRIVATE = ["archive/system/memory/old.md", "system/memory/mine.md"]
PRIVATE += ["system/memory/mine.txt"]
LEFT_OUT = """\
toolmem: archive/system/memory/old.md: left out: is private: --private exports it
toolmem: draft.txt: left out: is not in git, and is no part of a vault
toolmem: earlier.json: left out: is not in git, and is no part of a vault
toolmem: system/memory/mine.md: left out: is private: --private exports it
toolmem: system/memory/mine.txt: left out: is private: --private exports it
toolmem: inner: left out: is another vault
toolmem: projects/lib: left out: is another vault
"""


@pytest.mark.parametrize("at", VAULTS)
def test_a_copy_has_what_git_has_or_would_take(world, at):
    fill(world, at)
    world.git("init", "--quiet")
    world.write(".git/info/exclude", ".env\n")
    assert exported(world, at) == (OURS, LEFT_OUT)
    world.git("add", "--force", f"{at}draft.txt", f"{at}inner", f"{at}.env")
    assert exported(world, at)[0] == [".env", "draft.txt", *OURS]


@pytest.mark.parametrize("at", VAULTS)
def test_without_git_a_copy_has_the_files_of_a_vault(world, at):
    fill(world, at)
    assert exported(world, at)[0] == OURS


def test_a_vault_that_git_ignores_is_exported_as_without_git(world):
    fill(world, "kept/")
    world.write(".gitignore", "kept/\n")
    world.git("init", "--quiet")
    assert exported(world, "kept/")[0] == OURS


@pytest.mark.parametrize("git", [True, False])
def test_a_person_may_ask_for_private_memories(world, git):
    fill(world, "")
    if git:
        world.git("init", "--quiet")
    assert exported(world, "", "--private")[0] == sorted([*OURS, *PRIVATE])


@pytest.mark.parametrize("git", [True, False])
def test_an_agent_gets_no_private_memory_and_no_word_of_it(world, git, monkeypatch):
    monkeypatch.setenv("TOOLMEM_AGENT", "helper")
    fill(world, "")
    if git:
        world.git("init", "--quiet")
    files, remarks = exported(world, "")
    assert (files, "mine" in remarks, "old.md" in remarks) == (OURS, False, False)
    world.run("export", "json", "--private").exits(2).stderr(
        "toolmem: private memories are for people, not for an agent\n"
    )
