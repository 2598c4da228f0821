"""Hooks in processes of their own, forked from one that has loaded toolmem.

A new interpreter takes a tenth of a second of processor time before it reads an
event, and the tests of hooks send hundreds. ``Forked`` starts one process, which
forks a child for each event: the child has its own streams, folder and environment.
"""

import atexit
import gc
import json
import os
import shutil
import signal
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
from toolmem.core.agents.registry import HOOKED, dialect_of
from toolmem.hooks import main, respond
from toolmem.lazy_import import UnloadedModule

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
    _load()
    with tempfile.TemporaryDirectory() as folder:
        _play(Path(folder))
    gc.freeze()  # a child that looked for garbage would copy every page
    for line in requests:
        argv, cwd, places, patient, environment = json.loads(line)
        begun = time.monotonic()
        child = os.fork()
        if child == 0:
            _child(argv, cwd, places, patient, environment)
        code = _wait(child)
        answers.write(json.dumps([code, time.monotonic() - begun]) + "\n")
        answers.flush()


def _load() -> None:
    """Run the code of every module that a hook may come to."""
    for agent in HOOKED:
        import_module(f"toolmem.core.agents.{agent}")
    while modules := [m for m in sys.modules.values() if isinstance(m, UnloadedModule)]:
        for module in modules:
            dir(module)


def _play(home: Path) -> None:
    """Answer the events of a session, so that all that is made once is made."""
    vault = home / "vault"
    shutil.copytree(ROOT / "vault-template", vault)
    os.environ.update(HOME=str(home))
    call = {"tool_name": "Bash", "tool_input": {"command": "git push -f"}}
    dialect = dialect_of("claude")
    for name, given in (
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": "Never use sudo. Which port is it?"}),
        ("PreToolUse", call),
        ("PostToolUse", {**call, "tool_response": {"stdout": "done"}}),
        ("Stop", {}),
    ):
        about = {"session_id": "s", "cwd": str(vault), "hook_event_name": name}
        event = dialect.read({**about, **given}, name)
        dialect.write(event, respond.respond(event, ""))


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
        code = main.main(argv)
    finally:
        sys.stdout.flush()
        os._exit(code)


def be_patient() -> None:
    """Give a hook time for its answer."""
    hook_limits.SECONDS = hook_limits.CALL_SECONDS = 25.0
    hook_limits.LATE_SECONDS = hook_limits.SLOW_SECONDS = 25.0


def _wait(child: int) -> int:
    """The exit code of a child, which is ended when it hangs."""
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.alarm(_HANGS)
    status = os.waitpid(child, 0)[1]
    signal.alarm(0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    serve(sys.stdin, sys.stdout)
