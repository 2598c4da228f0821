"""Hooks in processes of their own, forked from one that has loaded toolmem.

A new interpreter takes a tenth of a second of processor time before it reads an
event, and the tests of hooks send hundreds. ``Forked`` starts one process, which
forks a child for each event: the child has its own streams, folder and environment.
"""

import atexit
import json
import os
import subprocess
import sys
import tempfile
import time
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NamedTuple

from tests.program import ROOT
from toolmem.core import hook_limits
from toolmem.core.agents.registry import HOOKED

_LOADED = (
    *("toolmem.hooks.main", "toolmem.hooks.work"),
    *("toolmem.hooks.rendering", "toolmem.hooks.respond"),
    *("toolmem.ops.hooks.session_start", "toolmem.ops.hooks.prompt_submitted"),
    *("toolmem.ops.hooks.before_tool", "toolmem.ops.hooks.after_tool"),
    *("toolmem.ops.hooks.turn_end", "toolmem.ops.capture.live"),
    *("toolmem.ops.capture.process_journal", "toolmem.core.guard.commands"),
    *("toolmem.core.guard.derive", "toolmem.ops.prompt.memories_by_topic"),
    "toolmem.ops.search.topic_gate",
    *(f"toolmem.core.agents.{agent}" for agent in HOOKED),
)
_HANGS = 30
"""Seconds after which a child is ended."""


class Answer(NamedTuple):
    """How a hook ended, what it wrote, and how long it took."""

    code: int
    stdout: bytes
    stderr: str
    seconds: float


class Forked:
    """The process that forks; ended when its standard input is closed."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.forked"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        atexit.register(self.end)

    def hook(
        self, argv: list[str], cwd: Path, data: bytes, *, patient: bool = False
    ) -> Answer:
        """Send one event; a ``patient`` hook has time, however busy the machine is."""
        with tempfile.TemporaryDirectory() as folder:
            places = [Path(folder, name) for name in ("in", "out", "err")]
            places[0].write_bytes(data)
            asked = [argv, str(cwd), [str(place) for place in places], patient]
            code, seconds = self._ask([*asked, dict(os.environ)])
            out, err = (p.read_bytes() if p.exists() else b"" for p in places[1:])
            return Answer(code, out, err.decode(errors="replace"), seconds)

    def _ask(self, asked: list[Any]) -> tuple[int, float]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"the process that forks ended: {self.process.wait()}"
        code, seconds = json.loads(line)
        return int(code), float(seconds)

    def end(self) -> None:
        """Let the process end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


@cache
def forked() -> Forked:
    """The one process of a test run."""
    return Forked()


def serve(requests: IO[str], answers: IO[str]) -> None:
    """Fork a child for each request."""
    for name in _LOADED:
        import_module(name)
    for name in [*sys.modules]:
        if name.startswith("toolmem."):
            dir(sys.modules[name])  # this runs its code
    for line in requests:
        argv, cwd, places, patient, environment = json.loads(line)
        begun = time.monotonic()
        child = os.fork()
        if child == 0:
            _child(argv, cwd, places, patient, environment)
        code = _waited(child, begun + _HANGS)
        answers.write(json.dumps([code, time.monotonic() - begun]) + "\n")
        answers.flush()


def _child(
    argv: list[str],
    cwd: str,
    places: list[str],
    patient: bool,
    environment: dict[str, str],
) -> None:
    code = 99
    try:
        flags = (os.O_RDONLY, *[os.O_WRONLY | os.O_CREAT] * 2)
        for target, (place, flag) in enumerate(zip(places, flags, strict=True)):
            os.dup2(os.open(place, flag, 0o600), target)
        sys.stdin = os.fdopen(0, "r")
        sys.stdout = os.fdopen(1, "w")
        sys.stderr = os.fdopen(2, "w")
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(cwd)
        if patient:
            be_patient()
        code = import_module("toolmem.hooks.main").main(argv)
    finally:
        sys.stdout.flush()
        os._exit(code)


def be_patient() -> None:
    """Give a hook time for its answer."""
    hook_limits.SECONDS = hook_limits.CALL_SECONDS = 25.0
    hook_limits.LATE_SECONDS = hook_limits.SLOW_SECONDS = 25.0


def _waited(child: int, deadline: float) -> int:
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return -9


if __name__ == "__main__":
    serve(sys.stdin, sys.stdout)
