"""Measure capture: one turn as a ratio in one run, and a transcript of 10 MB.

Transcripts in the shape of Claude Code's are generated in a temporary folder that is
deleted at the end.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.measure import Command, Line, Program, report, times

PAIRS = 21
TURN_TIMES = 14
BYTES = 10_000_000
SECONDS = 3
PEAK_MB = 200
TRIES = 3
_PROSE = (
    "The function parses the header and returns a tuple of fields, and the caller "
    "checks each of them before it goes on. "
)


def main() -> int:
    """Measure and print the table; 1 where a target was missed."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        program = Program(root / "installed")
        vault = root / "vault"
        program.output(program.command("init", "--sample", str(vault)))
        return report([*_turns(program, vault, root), *_whole(program, vault, root)])


def _turns(program: Program, vault: Path, root: Path) -> Iterator[Line]:
    """One turn of a new session: as most are, with a decree, and added to a file."""
    kinds = {
        "capture of a turn, nothing in it": lambda n: turn(n, 0, ""),
        "capture of a turn with a new decree": lambda n: turn(
            n, 0, f"Never touch file_{n}.py, it is generated."
        ),
    }
    for name, make in kinds.items():
        commands = (
            program.command("--vault", str(vault), "capture", str(path))
            for path in _files(root, make)
        )
        yield times(name, program.ratio(commands, pairs=PAIRS)[0], TURN_TIMES)
    yield times(
        "capture --since-last of a file that grew",
        program.ratio(_growing(program, vault, root), pairs=PAIRS)[0],
        TURN_TIMES,
    )


def _files(root: Path, make: Any) -> Iterator[Path]:
    for number in count():
        path = root / f"turn-{number}.jsonl"
        path.write_text(make(number), encoding="utf-8")
        yield path


def _growing(program: Program, vault: Path, root: Path) -> Iterator[Command]:
    path = root / "grows.jsonl"
    path.write_text("".join(turn(0, n, "") for n in range(50)), encoding="utf-8")
    command = program.command("--vault", str(vault), "capture", str(path))
    for number in count(50):
        yield (*command, "--since-last")
        with path.open("a", encoding="utf-8") as file:
            file.write(turn(0, number, ""))


def _whole(program: Program, vault: Path, root: Path) -> Iterator[Line]:
    """A long session: a decree in every tenth message, several calls in each turn."""
    path = root / "long.jsonl"
    size = 0
    with path.open("w", encoding="utf-8") as file:
        for number in count():
            rule = f"Never touch file_{number}.py again." if number % 10 == 0 else ""
            text = turn(0, number, rule, calls=10)
            size += file.write(text)
            if size >= BYTES:
                break
    elapsed, peak = [], []
    for attempt in range(TRIES):
        command = program.command(
            "--vault", str(vault), "capture", str(path), "--session", f"long-{attempt}"
        )
        began = perf_counter()
        peak.append(program.cost(command).peak)
        elapsed.append(perf_counter() - began)
    seconds, megabytes = min(elapsed), max(peak)
    yield Line(
        f"capture of {size / 1e6:.0f} MB",
        f"{seconds:.2f} s",
        f"< {SECONDS} s",
        seconds < SECONDS,
    )
    yield Line(
        "  its peak memory",
        f"{megabytes:.0f} MB",
        f"< {PEAK_MB} MB",
        megabytes < PEAK_MB,
    )


def turn(session: int, number: int, decree: str, calls: int = 4) -> str:
    """The lines of one turn: a message, then calls with their results."""
    shared = {"sessionId": f"s-{session}", "cwd": "/w/app", "isSidechain": False}
    key = f"{session}-{number}"
    text = f"Please look at module {number} and fix the test there. {_PROSE}{decree}"
    lines: list[dict[str, Any]] = [
        {"type": "user", "message": {"role": "user", "content": text}}
    ]
    for call in range(calls):
        path = f"/w/app/src/m{number}.py"
        edits: dict[str, Any] = {"file_path": path, "old_string": _PROSE}
        runs = {"command": f"pytest tests/test_{number}.py -q -k case_{call}"}
        use = {
            "type": "tool_use",
            "id": f"t-{key}-{call}",
            "name": "Bash" if call % 2 else "Edit",
            "input": runs if call % 2 else edits,
        }
        output: dict[str, Any] = {
            "type": "tool_result",
            "tool_use_id": f"t-{key}-{call}",
            "content": _PROSE * 12,
        }
        if call == 1:
            output |= {"is_error": True, "content": f"Exit code 1\n{_PROSE}"}
        said = {"id": f"m-{key}-{call}", "role": "assistant", "content": [use]}
        lines.append({"type": "assistant", "message": said})
        lines.append({"type": "user", "message": {"role": "user", "content": [output]}})
    return "".join(
        json.dumps({**line, **shared, "uuid": f"u-{key}-{place}"}) + "\n"
        for place, line in enumerate(lines)
    )


if __name__ == "__main__":
    sys.exit(main())
