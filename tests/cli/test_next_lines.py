"""The commands that ``next:`` lists can be typed as they are printed."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.client import client
from tests.hooks.players import Claude
from tests.program import ROOT
from tests.world import World

CASES = {
    "a new vault": ("", ("team",), "team"),
    "the working folder": ("", (".",), ""),
    "a folder with a blank": ("", ("our vault",), "our vault"),
    "a sample": ("", ("--sample", "sample"), "sample"),
    "a folder of a repository": ("repository", ("team-vault",), "src"),
    "a folder of a repository, from elsewhere": ("repository", ("src/v",), "src"),
    "the top of a repository": ("repository", (".",), "src"),
    "the user's own": ("", ("--user",), "src"),
    "the user's own in a folder": ("", ("--user", "own"), "src"),
    "a team's next to the user's own": ("default", ("team-vault",), "src"),
}


def type_as_printed(world: World, folder: Path, printed: str) -> str:
    """Run the lines in one shell; return the folder where it ends."""
    program = world.root.parent / "bin" / "toolmem"
    program.parent.mkdir()
    program.write_text(client("plain"))
    program.chmod(0o755)
    lines = [line for line in printed.splitlines() if line.startswith("  ")]
    assert len(lines) >= 3
    script = "\n".join(("set -e", *lines, "pwd"))
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "no vault is found" not in done.stderr
    assert "git does not have" not in done.stderr
    return done.stdout.splitlines()[-1]


QUICK = ("a new vault", "a folder of a repository", "the user's own")


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=[] if case in QUICK else [pytest.mark.soak])
        for case in CASES
    ],
)
def test_after_the_printed_commands_a_banned_call_is_denied(case, tmp_path: Path):
    kind, words, where = CASES[case]
    world = World(tmp_path / "work")
    (world.root / "src").mkdir(parents=True)
    if kind:
        world.write("src/a.py", "")
    if kind == "default":
        world.call("init", "--user")
    if kind:
        world.commit()
    printed = world.call("init", *words).stderr
    printed = printed.replace("/world", str(world.root))
    end = Path(type_as_printed(world, world.root, printed))
    place = world.root / where
    for folder in (end, place):
        call = Claude(folder).before("Bash", command="git push --force")
        assert call.verdict == "deny"
    if (place / ".git").exists() or kind == "repository":
        command = ["git", "status", "--porcelain"]
        done = subprocess.run(command, cwd=end, capture_output=True, check=True)
        assert done.stdout == b""


def test_no_other_command_lists_next_lines():
    heading = re.compile(r"""["'\\n]next(?: steps?)?:""", re.IGNORECASE)
    every = (ROOT / "toolmem").rglob("*.py")
    listing = [path.name for path in every if heading.search(path.read_text())]
    assert listing == ["vault.py"]


def test_the_pointer_of_a_vault_in_a_repository_names_vault_and_project(
    tmp_path: Path,
):
    world = World(tmp_path / "work").write("lib/a.py", "")
    world.commit()
    world.git("remote", "add", "origin", "git@example.org:team/web-shop.git")
    done = world.call("init", "our rules", cwd="lib")
    assert "toolmem: wrote /world/.toolmem.toml, by which the vault is found\n" in (
        done.stderr
    )
    pointer = 'vault = "lib/our rules"\nproject = "web-shop"\n'
    assert world.read(".toolmem.toml") == pointer
    done = world.call("commit", cwd="lib")
    left = ".github/workflows/toolmem.yml, .toolmem.toml"
    notice = f"git does not have {left} yet: `toolmem commit --all` adds them"
    assert done.stderr == f"toolmem: {notice}\n"
    world.call("agent", "install", "claude")
    done = world.call("commit", "--all")
    assert done.stderr == ""
    assert "Files outside the vault:\n  .claude/settings.json\n" in done.stdout
    assert world.git("status", "--porcelain") == ""


def test_a_pointer_that_is_there_stays(tmp_path: Path):
    world = World(tmp_path / "work").write(".toolmem.toml", 'project = "mine"\n')
    world.commit()
    assert (
        "toolmem: /world/.toolmem.toml exists and was not changed: "
        'vault = "team" in it names this vault\n'
    ) in world.call("init", "team").stderr
    assert world.read(".toolmem.toml") == 'project = "mine"\n'
