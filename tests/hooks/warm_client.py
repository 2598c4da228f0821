"""A helper of its own for a test, and clients that ask it."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.forked import Answer
from tests.program import ROOT
from toolmem.store.warm import client

_HELPER = """
import sys
from toolmem.store.warm import client
from toolmem.hooks.warm import helper
client.ANSWER_SECONDS = float(sys.argv[1])
helper._IDLE_SECONDS = float(sys.argv[2])
{more}
helper.main()
"""
_DIES = """
import os
from toolmem.hooks import rendering
rendering.output_of = lambda _: os.kill(os.getpid(), 9)
"""
_ASK = """
import sys
sys.path.append(sys.argv.pop(1))
import client
client.TAKE_SECONDS = client.ANSWER_SECONDS = 30.0
{more}
client.main(sys.argv[1:])
"""
_ONLY_HELPER = "client._run_here = lambda *_: sys.exit(99)"
_WARM = ROOT / "toolmem/store/warm"
ASK = str(_WARM / "ask.py")


class Helper:
    """A helper that runs in this test; it ends with ``end`` at the latest.

    One that ``dies`` handles each event and does not answer.
    """

    def __init__(
        self, *, seconds: float = 30.0, idle: float = 600.0, dies: bool = False
    ) -> None:
        program = _HELPER.format(more=_DIES if dies else "")
        words = [sys.executable, "-c", program, str(seconds), str(idle)]
        self.process = subprocess.Popen(words, env=environment())

    def __enter__(self) -> "Helper":
        until(lambda: _accepts() or self.process.poll() is not None)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a helper and of all its clients."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, **more}


def folder() -> Path:
    """Return the folder of the sockets."""
    return Path(os.fsdecode(client.helper_folder(dict(os.environb))))


def place() -> Path:
    """Return the socket of the helper for clients in ``environment()``."""
    variables = {os.fsencode(k): os.fsencode(v) for k, v in environment().items()}
    identity = client.identity(variables, str(ROOT / "toolmem"))
    return folder() / client.socket_name(identity)


def connected() -> socket.socket:
    """Connect to the helper as a client does."""
    opened = client.open_folder(os.fsencode(folder()))
    try:
        talking = client.connect(opened, place().name, 30)
    finally:
        os.close(opened)
    found = socket.socket(fileno=talking.detach())
    found.settimeout(30)
    return found


def _accepts() -> bool:
    try:
        connected().close()
    except OSError:
        return False
    return True


def ask(argv: list[str], cwd: Path, data: bytes, **more: str) -> Answer:
    """Send an event to the helper, which has time; exit code 99 if it declines."""
    words = ["-c", _ASK.format(more=_ONLY_HELPER), str(_WARM), *argv]
    return run(words, cwd, data, **more)


def ask_or_run(argv: list[str], cwd: Path, data: bytes, **more: str) -> Answer:
    """Send an event as an agent does."""
    return run([ASK, *argv], cwd, data, **more)


def run(words: list[str], cwd: Path, data: bytes, **more: str) -> Answer:
    """Run a client to its end."""
    with tempfile.TemporaryFile() as given:
        given.write(data)
        given.seek(0)
        return run_on(given.fileno(), words, cwd, **more)


def run_on(given: int, words: list[str], cwd: Path, **more: str) -> Answer:
    """Run a client with an open file as its input."""
    done = subprocess.run(
        [sys.executable, "-IS", *words],
        stdin=given,
        capture_output=True,
        cwd=cwd,
        env=environment(**more),
        timeout=60,
        check=False,
    )
    return Answer(done.returncode, done.stdout, done.stderr.decode(), 0.0)


def until(happened: Callable[[], bool]) -> None:
    """Wait for something that another process does."""
    deadline = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.002)
