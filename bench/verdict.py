"""Measure one verdict in a hook, by the number of rules, against ``python -c pass``.

The rules are those of ``bench.hooks``, made older than the compiled guards. ``evicted``
is wall time, not CPU: before each call the kernel is asked to drop the content of every
file of the vault from its cache (``posix_fadvise`` with ``POSIX_FADV_DONTNEED``; names
and inodes stay cached), and the result is compared with the same without that.
"""

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench import hooks
from bench.measure import Command, Line, Program, report, times

PAIRS = 15
TARGETS = {5: 6, 500: 8, 5000: 12, 10_000: 8}
SLOWER = 3
OTHER = {"tool_name": "Bash", "tool_input": {"command": "ls -la src"}}


def main() -> int:
    """Measure and print the table; 1 where a target was missed."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        program = Program(root / "installed")
        program.environment["TOOLMEM_PROJECT"] = "apollo"
        return report(
            [line for rules in TARGETS for line in _lines(program, root, rules)]
        )


def _lines(program: Program, root: Path, rules: int) -> Iterator[Line]:
    vault = root / str(rules)
    program.output(program.command("init", str(vault)))
    hooks.write_guarded(vault, rules)
    hooks.settle(program, vault)
    home = Path(program.environment["HOME"])
    state = home / ".local/state/toolmem/guards"
    command = program.command("hook", "claude")
    for title, call in (("names git", hooks.CALL), ("names nothing", OTHER)):
        base = {"session_id": "s", "cwd": str(vault), "hook_event_name": "PreToolUse"}
        given = json.dumps({**base, **call}).encode()
        found = program.ratio([command] * (PAIRS + 1), pairs=PAIRS, given=given)[0]
        yield times(f"{rules} rules, a command that {title}", found, TARGETS[rules])
    if rules == max(TARGETS):
        each = _each_after_a_minute(state, command)
        found = program.ratio(each, pairs=PAIRS, given=given)[0]
        yield times(f"{rules} rules, the first call in a minute", found)
    if rules == max(TARGETS) and sys.platform == "linux":
        warm = statistics.median(_waited(program, command, given) for _ in range(5))
        cold = []
        for _ in range(5):
            _evict([*vault.rglob("*"), *state.rglob("*")])
            cold.append(_waited(program, command, given))
        slower = statistics.median(cold) / warm
        yield times(f"{rules} rules, evicted beside warm", slower, SLOWER)


def _each_after_a_minute(state: Path, command: Command) -> Iterator[Command]:
    """Let the last check of all rule files seem to be old."""
    while True:
        for path in state.iterdir():
            os.utime(path, (path.stat().st_mtime - 61,) * 2)
        yield command


def _waited(program: Program, command: tuple[str, ...], given: bytes) -> float:
    begun = time.perf_counter()
    program.cost(command, given)
    return time.perf_counter() - begun


def _evict(paths: Iterable[Path]) -> None:
    os.sync()
    for path in paths:
        if path.is_file():
            fd = os.open(path, os.O_RDONLY)
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(fd)


if __name__ == "__main__":
    sys.exit(main())
