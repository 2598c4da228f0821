"""``git diff`` after ``toolmem git install``: every kind of change is a comparison."""

import subprocess

import pytest

FACTS = "system/facts.md"
MEMORY = "projects/p/memory/door-a00001.md"
MOVED = "system/memory/door-a00001.md"


@pytest.fixture
def vault(world):
    world.vault("empty").write(FACTS, "## project\nport: 80\n")
    world.write(MEMORY, "---\ntags: [a]\n---\n# The door\n\nOpens at nine.\n")
    world.commit()
    assert world.call("git", "install").code == 0
    world.commit()
    return world


def test_what_is_staged(vault):
    vault.write(FACTS, "## project\nport: 81\n").git("add", "--all")
    assert vault.git("diff", "--cached") == (
        f"toolmem diff {FACTS}\n  ~  changed   project.port  system  80 → 81\n"
    )


def test_a_memory_that_moved(vault):
    (vault.root / "system/memory").mkdir()
    vault.git("mv", MEMORY, MOVED)
    assert vault.git("diff", "-M", "--cached") == (
        f"toolmem diff {MEMORY} → {MOVED}\n"
        "  >  moved   door-a00001  system  The door  from project:p to system\n"
    )


def test_a_file_that_is_deleted(vault):
    vault.git("rm", "--quiet", FACTS)
    shown = vault.git("diff", "--cached")
    assert "-  deleted   project.port" in shown


@pytest.mark.one_of(2)
@pytest.mark.parametrize("side", ["--base", "--ours", "--theirs", "--cached", ""])
def test_one_side_changed_what_the_other_deleted(vault, side):
    vault.git("switch", "--quiet", "--create", "side")
    vault.write(FACTS, "## project\nport: 82\n").commit("side")
    vault.git("switch", "--quiet", "main")
    vault.git("rm", "--quiet", FACTS)
    vault.git("commit", "--quiet", "--message", "gone")
    with pytest.raises(subprocess.CalledProcessError):
        vault.git("merge", "side")
    unmerged = f"toolmem diff {FACTS}: unmerged (`toolmem resolve`)\n"
    assert vault.git("diff", *filter(None, [side])).startswith(unmerged)


def test_a_file_that_is_too_large(vault):
    vault.write(MEMORY, "x" * (1 << 22)).git("add", "--all")
    shown = vault.git("diff", "--cached")
    assert shown.startswith(f"toolmem diff {MEMORY}\n")
    assert "too large" in shown
