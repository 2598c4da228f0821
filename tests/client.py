"""A ``toolmem`` for scripts and shells, answered by a process that has loaded it.

The program hands its streams, folder, environment and words to that process, which
forks a child for it: an interpreter that loads toolmem takes ten times as long, a
server that loads the SDK a hundred times. Signals reach the program alone.
"""

import atexit
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from tests import forked
from tests.program import BODY, ROOT

_CLIENT = """#!{python} -IS
import _socket, os, sys
server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
server.connect({place!r})
told = [os.getcwd(), str(len(sys.argv) - 1), *sys.argv[1:]]
told += [f"{{name}}={{value}}" for name, value in os.environ.items()]
data = os.fsencode("\\0".join(told))
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
server.sendmsg(
    [len(data).to_bytes(4, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)]
)
server.sendall(data)
code = server.recv(1)
sys.exit(code[0] if code else 1)
"""


@cache
def client(kind: str = "fixed") -> str:
    """The text of the program; its process is that of the test run.

    One that is ``fixed`` has a clock and ids of its own, a ``plain`` one has loaded the
    SDK of servers. Hooks have time in a ``fixed`` and in a ``patient`` one.
    """
    place = str(Path(tempfile.mkdtemp(prefix="toolmem-")) / "socket")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.client", kind, place],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    atexit.register(process.communicate)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return _CLIENT.format(python=sys.executable, place=place)


def toolmem() -> tuple[str, ...]:
    """Words that begin a command line, as ``python -m toolmem`` does."""
    return sys.executable, "-IS", "-c", client("plain")


def serve(kind: str, place: Path) -> None:
    """Fork a child for each program that connects, until standard input ends."""
    with tempfile.TemporaryDirectory() as folder:
        forked.load_commands(Path(folder))
    if kind == "plain":
        dir(import_module("toolmem.servers.mcp"))  # a module is loaded when it is used
    forked.freeze()
    if kind != "plain":
        forked.be_patient()
    body = BODY if kind == "fixed" else "from toolmem.__main__ import main; main()"
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(place))
        listening.listen(64)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            ready = select.select([0, listening.fileno()], [], [])[0]
            if 0 in ready:
                break
            talking = listening.accept()[0]
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                listening.close()
                _child(talking, body)
            talking.close()
    place.unlink()
    place.parent.rmdir()


def _child(talking: socket.socket, body: str) -> NoReturn:
    head, streams, _, _ = socket.recv_fds(talking, 4, 3)
    left = int.from_bytes(head, "big")
    data = b""
    while len(data) < left:
        data += talking.recv(left - len(data))
    cwd, count, *told = os.fsdecode(data).split("\0")
    words, settings = told[: int(count)], told[int(count) :]
    environment = dict(one.split("=", 1) for one in settings)

    def run() -> int:
        sys.argv = ["toolmem", *words]
        exec(body, {"__name__": "__main__"})
        return 0

    code = forked.become(run, streams, cwd, environment)
    talking.sendall(bytes([code & 0xFF]))
    os._exit(0)


if __name__ == "__main__":
    serve(sys.argv[1], Path(sys.argv[2]))
