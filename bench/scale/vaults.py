"""Make vaults of any size: memories, rules and projects, committed to git."""

import subprocess
from pathlib import Path

from bench.hooks import write_guarded
from bench.index import make_vault

GIT = (
    "git",
    "-c",
    "user.name=bench",
    "-c",
    "user.email=bench@localhost",
    "-c",
    "gc.auto=0",  # git cleans up in the background, in a folder that is about to go
    "-c",
    "maintenance.auto=false",
)
RULES = 5
SEVERAL = 100


def memories(root: Path, count: int) -> None:
    """Write a vault of so many memories in 20 projects, and a few rules."""
    make_vault(root, count)
    write_guarded(root, RULES)
    _commit(root)


def rules(root: Path, count: int) -> None:
    """Write a vault of so many rules, each with a guard."""
    root.mkdir()
    (root / "toolmem.toml").write_text("schema = 1\n")
    write_guarded(root, count)
    _commit(root)


def projects(root: Path, count: int) -> None:
    """Write a vault of so many projects, each with a rule and a memory."""
    root.mkdir()
    (root / "toolmem.toml").write_text("schema = 1\n")
    for number in range(count):
        folder = root / f"projects/p{number:05}"
        (folder / "rules/git").mkdir(parents=True)
        (folder / "memory").mkdir()
        (folder / f"rules/git/rule-{number:08x}.toml").write_text(
            f'id = "{number:08x}-0000-4000-8000-000000000000"\ntool = "git"\n'
            f'rule = "sign every commit of project {number}"\npriority = "high"\n'
        )
        (folder / f"memory/note-{number:06x}.md").write_text(
            f"# Release of project {number}\n\nThe release needs two reviews.\n"
        )
    _commit(root)


def change_some(root: Path) -> None:
    """Append a line to each of a hundred memories."""
    for path in _some(root):
        with path.open("a") as file:
            file.write("\nOne more line.\n")


def undo(root: Path) -> None:
    """Restore the committed files and remove all others but local state."""
    git(root, "checkout", "-q", ".")
    git(root, "clean", "-fdq", "projects", "system")


def git(root: Path, *arguments: str) -> None:
    """Run git in a vault."""
    subprocess.run((*GIT, "-C", str(root), *arguments), check=True)


def _some(root: Path) -> list[Path]:
    folder = root / "projects/p01/memory/t00"
    return sorted(folder.iterdir())[:SEVERAL]


def _commit(root: Path) -> None:
    (root / ".gitignore").write_text(".toolmem/\n")
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "all")):
        git(root, *arguments)
