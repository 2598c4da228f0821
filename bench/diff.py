"""Compare ``toolmem diff`` with git's own list of names: ``python -m bench.diff``.

A vault of 10,000 files (memories, rules and facts) gets a second commit in which 100 of
them changed. The target is three times the whole process of ``git diff --name-only``
and ten times an empty interpreter.
"""

import os
import subprocess
import sys
import tempfile
from itertools import repeat
from pathlib import Path

from bench.measure import NOTHING, Command, Line, Program, report

PAIRS = 21
FILES = 10_000
CHANGED = 100
RULES_IN = 5
"""One file in so many is a rule, the others are memories."""
GIT_TIMES, PYTHON_TIMES = 3, 10


def main() -> int:
    """Measure and print the table; 1 where the target was missed."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        program = Program(root / "installed")
        vault = root / "vault"
        program.output(program.command("init", str(vault)))
        write_files(vault, "")
        _git(vault, "first")
        write_files(vault, " in the end", FILES // CHANGED)
        _git(vault, "second")
        return report([*_cost(program, vault)])


def write_files(vault: Path, more: str, step: int = 1) -> None:
    """Write every ``step``-th file, its text with ``more`` at its end."""
    for number in range(0, FILES, step):
        is_rule = (number + number // CHANGED) % RULES_IN == 0
        path = vault / (_rule_path(number) if is_rule else _memory_path(number))
        path.parent.mkdir(parents=True, exist_ok=True)
        write = _rule if is_rule else _memory
        path.write_text(write(number, more), encoding="utf-8")


def _rule_path(number: int) -> str:
    return f"system/rules/tool_{number % 50:02}/never-do-{number:08x}.toml"


def _memory_path(number: int) -> str:
    return f"projects/p/memory/part-{number % 97:02}/lesson-{number:06x}.md"


def _rule(number: int, more: str) -> str:
    return (
        f'id = "{number:08x}-0000-4000-8000-000000000000"\n'
        f'tool = "tool_{number % 50:02}"\n'
        f'rule = "never do number {number} without asking first{more}"\n'
        'priority = "high"\n'
        'source = "user_explicit"\n'
        'tags = ["bench"]\n'
        "created_at = 2026-04-07T10:00:00Z\n"
        "updated_at = 2026-04-07T10:00:00Z\n"
    )


def _memory(number: int, more: str) -> str:
    return (
        f"---\ntags: [insight]\ntopic: topic-{number % 40}\ncreated: 2026-04-07\n---\n"
        f"# Lesson {number}\n\nWhat was learned the {number}th time{more}.\n"
    )


def _git(vault: Path, subject: str) -> None:
    who = {f"GIT_{w}_{k}": "bench" for w in ("AUTHOR", "COMMITTER") for k in ("NAME",)}
    who |= {f"GIT_{w}_EMAIL": "bench@example.com" for w in ("AUTHOR", "COMMITTER")}
    for words in (("add", "--all"), ("commit", "--quiet", "-m", subject)):
        subprocess.run(["git", *words], cwd=vault, env=os.environ | who, check=True)


def _cost(program: Program, vault: Path) -> list[Line]:
    command = program.command("--vault", str(vault), "diff", "HEAD~1", "HEAD")
    told = program.output(command).count("\n  ~  ")
    names: Command = ("git", "-C", str(vault), "diff", "--name-only", "HEAD~1", "HEAD")
    own, peak = program.ratio(repeat(command), pairs=PAIRS)
    git, _ = program.ratio(repeat(names), pairs=PAIRS)
    empty, _ = program.ratio(repeat(NOTHING), pairs=PAIRS)
    most = GIT_TIMES * git + PYTHON_TIMES
    return [
        Line("changes told", f"{told}", f"{CHANGED}", told == CHANGED),
        Line("git diff --name-only, in empty interpreters", f"{git:.2f} x", "-", True),
        Line("an empty interpreter beside another", f"{empty:.2f} x", "-", True),
        Line(
            f"toolmem diff, {CHANGED} of {FILES:,} files changed",
            f"{own:.2f} x",
            f"<= {most:.2f} x",
            own <= most,
        ),
        Line("  peak memory", f"{peak:.0f} MB", "-", True),
    ]


if __name__ == "__main__":
    sys.exit(main())
