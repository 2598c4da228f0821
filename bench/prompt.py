"""Measure the prompt block and a new rule, as ratios in one run: ``make bench``.

A vault of 1,000 rules in 50 tools is generated, without and with 10,000 memories, in a
temporary folder that is deleted at the end.
"""

import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count, repeat
from pathlib import Path

from bench.measure import Command, Line, Program, report, times

PAIRS = 21
TOOLS = 50
RULES = 1_000
MEMORIES = 10_000
PEAK_MB = 60
NOISE = 1.1
WRITERS = 8
ADDS = 50


def main() -> int:
    """Measure and print the table; 1 where a target was missed."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        program = Program(root / "installed")
        vaults = {name: root / name for name in ("template", "few", "many", "shared")}
        for vault in vaults.values():
            program.output(program.command("init", "--sample", str(vault)))
        for name in ("few", "many"):
            write_rules(vaults[name])
        write_memories(vaults["many"])
        return report(
            [
                *_starts(program, vaults["template"]),
                *_large(program, vaults["few"], vaults["many"]),
                *_adds(program, vaults["template"], vaults["few"]),
                _together(program, vaults["shared"]),
            ]
        )


def write_rules(vault: Path) -> None:
    """A thousand rules, half of every agent and half of the project."""
    for number in range(RULES):
        scope = "projects/mech-fighters" if number % 2 else "system"
        tool = f"tool_{number % TOOLS:02}"
        folder = vault / scope / "rules" / tool
        folder.mkdir(parents=True, exist_ok=True)
        priority = _priority(number)
        (folder / f"rule-{number:08x}.toml").write_text(
            f'id = "{number:08x}-0000-4000-8000-000000000000"\n'
            f'tool = "{tool}"\n'
            f'rule = "never do number {number} without asking first"\n'
            f'priority = "{priority}"\n'
            'source = "user_explicit"\n'
            'tags = ["bench"]\n'
            "created_at = 2026-04-07T10:00:00Z\n"
            "updated_at = 2026-04-07T10:00:00Z\n",
            encoding="utf-8",
        )


def _priority(number: int) -> str:
    """One rule in fifty is critical, one in five high."""
    if number % 49 == 0:
        return "critical"
    return "high" if number % 5 == 0 else "normal"


def write_memories(vault: Path) -> None:
    """Ten thousand memories of the project, in a hundred folders."""
    for number in range(MEMORIES):
        folder = vault / "projects/mech-fighters/memory" / f"part-{number % 100:02}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"lesson-{number:06x}.md").write_text(
            f"---\ntags: [insight]\ntopic: topic-{number % 40}\n---\n"
            f"# Lesson {number}\n\nWhat was learned the {number}th time.\n",
            encoding="utf-8",
        )


def _prompt(program: Program, vault: Path) -> Command:
    chain = ("--project", "mech-fighters", "--agent-type", "coding")
    return program.command("--vault", str(vault), "prompt", *chain)


def _starts(program: Program, vault: Path) -> Iterator[Line]:
    version, _ = program.ratio(repeat(program.command("--version")), pairs=PAIRS)
    yield times("toolmem --version", version)
    cost, _ = program.ratio(repeat(_prompt(program, vault)), pairs=PAIRS)
    yield times("prompt, template vault", cost, 10)


def _large(program: Program, few: Path, many: Path) -> Iterator[Line]:
    command, beside = _prompt(program, many), _prompt(program, few)
    cost, peak = program.ratio(repeat(command), pairs=PAIRS)
    yield times(f"prompt, {RULES:,} rules and {MEMORIES:,} memories", cost, 16)
    yield Line("  peak memory", f"{peak:.0f} MB", f"< {PEAK_MB} MB", peak < PEAK_MB)
    change, _ = program.ratio(repeat(command), beside, pairs=PAIRS)
    yield times("  beside the same rules without memories", change, NOISE)
    same = program.output(command) == program.output(beside)
    yield Line("  text, with and without memories", "same" * same, "same", same)


def _adds(program: Program, small: Path, large: Path) -> Iterator[Line]:
    for name, vault in ("template vault", small), (f"{RULES:,} rules", large):
        cost, _ = program.ratio(_new_rules(program, vault), pairs=PAIRS)
        yield times(f"rule add, {name}", cost)


def _new_rules(program: Program, vault: Path, writer: int = 0) -> Iterator[Command]:
    for number in count():
        text = f"writer {writer} says never {number}"
        yield program.command("--vault", str(vault), "rule", "add", "shell", text)


def _together(program: Program, vault: Path) -> Line:
    """Writers at once, each a process a rule: no rule may be lost."""

    def write(writer: int) -> None:
        for _, command in zip(
            range(ADDS), _new_rules(program, vault, writer), strict=False
        ):
            program.cost(command)

    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(write, range(WRITERS)))
    kept = len(list((vault / "system/rules/shell").glob("*.toml")))
    wanted = WRITERS * ADDS
    name = f"{WRITERS} processes adding {ADDS} rules each"
    return Line(name, f"{kept} kept", f"{wanted} kept", kept == wanted)


if __name__ == "__main__":
    sys.exit(main())
