"""P23: readers and writers together, killed at random; then the doctor is asked."""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from signal import SIGKILL

import pytest

from tests.faults import kill

_SECONDS = float(os.environ.get("TOOLMEM_SOAK_SECONDS", "60"))
"""Seconds of the test; half an hour at night: ``TOOLMEM_SOAK_SECONDS=1800``."""
_AT_ONCE = 4
_HARMLESS = {"temporary-file", "index-interrupted", "not-on-path", "other-on-path"}
"""Findings that a killed writer or this machine may cause."""


def _words(rng: random.Random) -> list[str]:
    number = rng.randrange(10_000)
    return rng.choice(
        [
            ["rule", "add", "shell", f"never do thing {number}"],
            ["memory", "save", f"Thing number {number} is kept in drawer {number % 7}"],
            ["fact", "set", f"key_{number % 20}", str(number)],
            ["search", f"thing {number} drawer"],
            ["prompt", "--only", "rules"],
            ["reflect", "--json"],
            ["report", "-o", f"../report-{number % 4}.html"],
            ["check"],
        ]
    )


def _start(vault: Path, words: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "toolmem", "--vault", str(vault), *words],
        cwd=vault,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(kill.ROOT)},
    )


def _doctor(vault: Path, *flags: str) -> dict[str, str]:
    words = ["--vault", str(vault), "doctor", "--deep", "--json", *flags]
    done = subprocess.run(
        [sys.executable, "-m", "toolmem", *words],
        cwd=kill.ROOT,
        capture_output=True,
        check=False,
    )
    findings = json.loads(done.stdout)["findings"]
    return {
        finding["code"]: finding["message"]
        for finding in findings
        if finding["severity"] != "note" and finding["code"] not in _HARMLESS
    }


def _size(folder: Path) -> int:
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())


@pytest.mark.soak
def test_a_mixed_load_that_is_killed_at_random_leaves_a_sound_vault(tmp_path):
    vault = tmp_path / "vault"
    vault.mkdir()
    vault.joinpath("toolmem.toml").write_text("schema = 1\n")
    rng = random.Random(1)
    deadline = time.monotonic() + _SECONDS
    running: list[subprocess.Popen[bytes]] = []
    bugs = []
    last_kill = time.monotonic()
    while time.monotonic() < deadline:
        running += [_start(vault, _words(rng)) for _ in range(_AT_ONCE - len(running))]
        if time.monotonic() - last_kill > 1:
            rng.choice(running).send_signal(SIGKILL)
            last_kill = time.monotonic()
        for worker in list(running):
            try:
                _, said = worker.communicate(timeout=0.05)
            except subprocess.TimeoutExpired:
                continue
            running.remove(worker)
            if worker.returncode not in (0, 1, 13, 14, -SIGKILL):
                bugs.append((worker.args, worker.returncode, said))
    for worker in running:
        worker.communicate()
    assert bugs == []
    assert _doctor(vault) == {}
    grown = _size(vault / ".toolmem/index")
    subprocess.run(
        [sys.executable, "-m", "toolmem", "--vault", str(vault), "index", "rebuild"],
        cwd=kill.ROOT,
        check=True,
        capture_output=True,
    )
    assert grown <= 3 * _size(vault / ".toolmem/index")
