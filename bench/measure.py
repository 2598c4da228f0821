"""Measure a command: whole-process CPU relative to an empty interpreter.

Every run of the command is paired with a run of ``python -c pass``, so that a busy
machine slows both; the result is the median ratio of the pairs.
"""

import compileall
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

Command = Sequence[str]

NOTHING: Command = (sys.executable, "-c", "pass")
_ROOT = Path(__file__).resolve().parent.parent
_STARTER = "import sys\nfrom toolmem.__main__ import main\nsys.exit(main())\n"


class Cost(NamedTuple):
    """Cost of one process: CPU in seconds (user + system), peak in MB."""

    cpu: float
    peak: float


class Line(NamedTuple):
    """One row of the report; ``measured`` and ``target`` are as printed."""

    name: str
    measured: str
    target: str
    ok: bool


class Program:
    """An installed toolmem, byte-compiled, as a user runs it."""

    def __init__(self, folder: Path) -> None:
        package = folder / "toolmem"
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(_ROOT / "toolmem", package, ignore=skipped)
        shutil.copytree(_ROOT / "vault-template", package / "vault-template")
        compileall.compile_dir(package, quiet=1)
        self._starter = folder / "start.py"
        self._starter.write_text(_STARTER, encoding="utf-8")
        home = folder / "home"
        home.mkdir()
        self.environment = _environment(home)

    def command(self, *arguments: str) -> tuple[str, ...]:
        """The command line of the program with these arguments."""
        return (sys.executable, str(self._starter), *arguments)

    @property
    def folder(self) -> Path:
        """The folder that has the package."""
        return self._starter.parent

    def output(self, command: Command) -> str:
        """Return the output of the program; raise if it fails."""
        done = subprocess.run(
            command,
            env=self.environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout

    def cost(self, command: Command, given: bytes = b"") -> Cost:
        """Run a command to its end on some input, its output thrown away."""
        child = subprocess.Popen(
            command,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if child.stdin is not None:
            # One that reads nothing may be gone before it is written to.
            with suppress(BrokenPipeError), child.stdin:
                child.stdin.write(given)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise RuntimeError(f"{' '.join(command)}: exit {child.returncode}")
        unit = 1 if sys.platform == "darwin" else 1024
        return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e6)

    def ratio(
        self,
        commands: Iterable[Command],
        beside: Command = NOTHING,
        *,
        pairs: int,
        given: bytes = b"",
        given_beside: bytes = b"",
    ) -> tuple[float, float]:
        """Return CPU of the commands as a multiple of the reference, and peak in MB.

        ``given`` is their standard input, ``given_beside`` that of the reference.
        """
        found = []
        for number, command in zip(range(-1, pairs), commands, strict=False):
            if number % 2:
                other = self.cost(beside, given_beside)
                own = self.cost(command, given)
            else:
                own = self.cost(command, given)
                other = self.cost(beside, given_beside)
            if number >= 0:  # the first pair warms the caches up
                found.append((own.cpu / other.cpu, own.peak))
        ratios, peaks = zip(*found, strict=True)
        return statistics.median(ratios), statistics.median(peaks)


def times(name: str, measured: float, target: float | None = None) -> Line:
    """A row about a multiple; without a target it only informs."""
    if target is None:
        return Line(name, f"{measured:.1f} x", "-", ok=True)
    return Line(name, f"{measured:.2f} x", f"<= {target:g} x", measured <= target)


def report(lines: Sequence[Line]) -> int:
    """Print the rows as a table; 1 where a target was missed, else 0."""
    rows = [("name", "measured", "target", "ok")]
    rows += [(*line[:3], "yes" if line.ok else "NO") for line in lines]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())
    return 0 if all(line.ok for line in lines) else 1


def _environment(home: Path) -> dict[str, str]:
    """The environment without what would change what is measured."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("TOOLMEM_", "PYTHON", "XDG_", "GIT_"))
    }
    return kept | {"HOME": str(home), "LC_ALL": "C.UTF-8"}
