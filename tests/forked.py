"""Programs in processes of their own, forked from one that has loaded toolmem.

A new interpreter takes a tenth of a second of processor time before it reads an
event or a command line, and the tests send hundreds. ``Forked`` starts one process,
which forks a child for each: the child has its own streams, folder and environment.
"""

import atexit
import ctypes
import gc
import json
import os
import runpy
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NamedTuple, NoReturn

from tests.program import ROOT
from toolmem.core import hook_limits, limits
from toolmem.core.agents.registry import dialect_of, hooked
from toolmem.hooks import main, work
from toolmem.lazy_import import UnloadedModule

_HANGS = 120
"""Seconds after which a child is ended."""
_SET_PTRACER, _ANY = 0x59616D61, ctypes.c_ulong(-1)
"""Arguments of ``prctl``: let any process of the user trace this one."""


class Answer(NamedTuple):
    """Outcome of a child, and its output."""

    code: int
    stdout: bytes
    stderr: str


class Forked:
    """The process that forks; ended when its standard input is closed."""

    def __init__(self, kind: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.forked", kind],
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
        return self._run(["hook", "patient" if patient else "", *argv], cwd, data)

    def python(
        self,
        words: Sequence[str],
        cwd: Path,
        data: bytes = b"",
        *,
        tracer: Sequence[str] = (),
    ) -> Answer:
        """Run what a command line of Python names: a script, or ``-m toolmem``.

        The child is traced from its first step by the words ``tracer``, strace's.
        """
        return self._run(words, cwd, data, tracer)

    def _run(
        self, words: Sequence[str], cwd: Path, data: bytes, tracer: Sequence[str] = ()
    ) -> Answer:
        with tempfile.TemporaryDirectory() as folder:
            places = [Path(folder, name) for name in ("in", "out", "err")]
            places[0].write_bytes(data)
            names = [str(place) for place in places]
            self._send([[*words], str(cwd), names, dict(os.environ), bool(tracer)])
            tracing = _attach(tracer, self._receive()) if tracer else None
            code = self._receive()
            if tracing is not None:
                tracing.wait()
            out, err = (p.read_bytes() if p.exists() else b"" for p in places[1:])
            return Answer(code, out, err.decode(errors="replace"))

    def _send(self, asked: list[Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()

    def _receive(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"the process that forks ended: {self.process.wait()}"
        return json.loads(line)

    def end(self) -> None:
        """Let the process end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def _attach(tracer: Sequence[str], child: int) -> "subprocess.Popen[bytes]":
    """Start a tracer on a child that has stopped, and let the child go on."""
    tracing = subprocess.Popen([*tracer, "-p", str(child)])
    status = Path(f"/proc/{child}/status")
    while "\nTracerPid:\t0\n" in status.read_text():
        assert tracing.poll() is None, "the tracer ended"
        time.sleep(0.001)
    os.kill(child, signal.SIGCONT)
    return tracing


@cache
def forked(kind: str = "hooks") -> Forked:
    """The one process of a test run: it has loaded ``hooks``, or ``commands``."""
    return Forked(kind)


def serve(kind: str, requests: IO[str], answers: IO[str]) -> None:
    """Fork a child for each request."""
    with tempfile.TemporaryDirectory() as folder:
        _load_hooks(Path(folder)) if kind == "hooks" else load_commands(Path(folder))
    freeze()
    for line in requests:
        words, cwd, places, environment, is_traced = json.loads(line)
        child = os.fork()
        if child == 0:
            _child(words, cwd, places, environment, is_traced)
        if is_traced:
            os.waitpid(child, os.WUNTRACED)
            _answer(answers, child)
        _answer(answers, _wait(child))


def freeze() -> None:
    """Spare children a look at what is there: it would copy every page."""
    gc.freeze()


def _answer(answers: IO[str], value: Any) -> None:
    answers.write(json.dumps(value) + "\n")
    answers.flush()


def _load_hooks(home: Path) -> None:
    """Run the code of every module that a hook may come to, and one session."""
    for agent in hooked():
        import_module(f"toolmem.core.agents.{agent}")
    while modules := [m for m in sys.modules.values() if isinstance(m, UnloadedModule)]:
        for module in modules:
            dir(module)
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
        dialect.write(event, work.respond(event, ""))


def load_commands(home: Path) -> None:
    """Run some commands, so that all that is made once is made."""
    world_of = import_module("tests.world").World
    os.environ.update(HOME=str(home))
    world = world_of(home / "vault").vault("template")
    for words in (
        ("rule", "add", "shell", "never use sudo"),
        ("rule", "list"),
        ("rule", "edit", "9531985d", "--tag", "git"),
        ("fact", "set", "key", "value"),
        ("memory", "save", "Shots are fired before the heat is counted, not after it"),
        ("scratch", "add", "look"),
        ("prompt", "--session", "s"),
        ("search", "heat"),
        ("check",),
    ):
        world.call(*words)


def _child(
    words: list[str],
    cwd: str,
    places: list[str],
    environment: dict[str, str],
    is_traced: bool,
) -> NoReturn:
    flags = (os.O_RDONLY, *[os.O_WRONLY | os.O_CREAT] * 2)
    streams = [
        os.open(place, flag, 0o600) for place, flag in zip(places, flags, strict=True)
    ]

    def run() -> int:
        if is_traced:
            ctypes.CDLL(None).prctl(_SET_PTRACER, _ANY)
            os.kill(os.getpid(), signal.SIGSTOP)
        return _run(words)

    os._exit(become(run, streams, cwd, environment))


def become(
    run: Callable[[], int],
    streams: Sequence[int],
    cwd: str,
    environment: dict[str, str],
) -> int:
    """Run a program in this process with other streams; its exit code."""
    for target, stream in enumerate(streams):
        os.dup2(stream, target)
    sys.stdin = os.fdopen(0, "r")
    sys.stdout = os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w")
    os.environ.clear()
    os.environ.update(environment)
    try:
        os.chdir(cwd)
        code: Any = run()
    except SystemExit as error:
        code = error.code or 0
    except BaseException:  # noqa: BLE001 -- as the interpreter does
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return int(code)


def _run(words: list[str]) -> int:
    """Answer a hook, or do what the words after ``python`` ask for."""
    match words:
        case ["hook", manner, *argv]:
            if manner == "patient":
                be_patient()
            return main.main(argv)
        case ["-m", "toolmem", *argv]:
            sys.argv = ["toolmem", *argv]
            import_module("toolmem.__main__").main()
        case [script, *argv]:
            sys.argv = [script, *argv]
            runpy.run_path(script, run_name="__main__")
    return 0


def be_patient() -> None:
    """Give a hook time for its answer."""
    hook_limits.SECONDS = hook_limits.CALL_SECONDS = 25.0
    hook_limits.LATE_SECONDS = hook_limits.SLOW_SECONDS = 25.0
    limits.HOOK_LOCK_SECONDS = limits.HOOK_STATE_SECONDS = 25.0
    limits.HOOK_WAITING_SECONDS = 25.0


def _wait(child: int) -> int:
    """The exit code of a child, which is ended when it hangs."""
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.alarm(_HANGS)
    status = os.waitpid(child, 0)[1]
    signal.alarm(0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    serve(sys.argv[1], sys.stdin, sys.stdout)
