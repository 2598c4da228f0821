"""Ask a helper to answer a hook, or run the hook in this process.

A helper is a process that has loaded toolmem already. This program imports only
modules that are built into Python, since it runs before and after every tool call.
Nothing is read from standard input before a helper is connected, and all that was read
is passed on if the hook runs here after all.

A request is ``MAGIC``, its size in four bytes, and its fields (see ``Request`` in
``toolmem.hooks.warm.request``), each with its size in front. The helper answers
``TAKEN``, waits for ``GO``, handles the event and sends what the hook prints: a line
with exit code and sizes, then both outputs. It has no effect before ``GO``. If it dies
after that, the hook runs here, and its lines in a journal take the place of those of
the helper (see ``toolmem.store.journal.journal``).
"""

import _socket
import posix
import select
import sys
import time
from binascii import crc32

MAGIC = b"toolmem1"
TAKEN, GO = b"T", b"G"
FLAG = "--warm"
"""Word for ``toolmem hook`` that makes it start a helper with a session."""
ATTEMPT = b"TOOLMEM_HOOK_ATTEMPT"
"""Variable with an id of the event, and 0 for a helper or 1 for the hook after it."""
TAKE_SECONDS = 0.25
"""Time to find a helper that takes the event."""
ANSWER_SECONDS = 1.0
"""Time of a helper for an event that it took: then it is ended."""
_GRACE_SECONDS = 0.1
MOST_BYTES = 1 << 20
"""Size of the largest event, and of the largest answer."""
_CHUNK = 1 << 16
_MOST_HEAD = 64
_PEER = "SO_PEERCRED"
_RUN = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); import toolmem; "
    "sys.path.append(sys.path.pop(0)); from toolmem.%s import main; main()"
)
_AT_START = (b"PYTHON", b"LC_", b"LANG", b"LD_", b"DYLD_", b"TZ")
"""Beginnings of the variables that a process reads when it starts."""


_Output = tuple[int, bytes, bytes]


def main(argv: list[str]) -> None:
    """Answer the hook ``argv`` and end the process."""
    data = bytearray()
    event = b"%x-%x " % (posix.getpid(), time.time_ns())
    posix.environ[ATTEMPT] = event + b"0"
    try:
        output = _answer(argv, data)
    except (OSError, ValueError):
        output = None
    if output is None:
        posix.environ[ATTEMPT] = event + b"1"
        _run_here(argv, data)
    else:
        _finish(output)


def helper_folder(environment: dict[bytes, bytes]) -> bytes:
    """Return the folder of the helpers' sockets as bytes, from an environment in
    bytes; empty if there is none."""
    base = environment.get(b"XDG_RUNTIME_DIR") or environment.get(b"XDG_STATE_HOME")
    home = environment.get(b"HOME")
    if not base and home:
        base = home + b"/.local/state"
    return base + b"/toolmem/warm" if base and base[:1] == b"/" else b""


def identity(environment: dict[bytes, bytes], package: str) -> bytes:
    """Return what a helper must have in common with its clients.

    This is the folder of the program, its interpreter, and variables that count when
    that starts.
    """
    program = (package, sys.executable, hex(sys.hexversion))
    read = [
        name + b"=" + value
        for name, value in environment.items()
        if name.startswith(_AT_START)
    ]
    return b"\0".join([*map(_encoded, program), *sorted(read)])


def socket_name(identity: bytes) -> str:
    """Return the name of the socket of helpers with an identity."""
    return f"{crc32(identity):08x}"


def open_folder(path: bytes) -> int:
    """Open a folder that only this user can enter; raises ``OSError`` for another."""
    folder = posix.open(path, posix.O_RDONLY | posix.O_DIRECTORY | posix.O_NOFOLLOW)
    found = posix.fstat(folder)
    if found.st_uid != posix.geteuid() or found.st_mode & 0o077:
        posix.close(folder)
        raise PermissionError
    return folder


def connect(folder: int, name: str, seconds: float) -> _socket.socket:
    """Connect to a socket in an open folder. Raises ``OSError``.

    The process enters the folder for that: a path to a socket can have only about a
    hundred bytes.
    """
    found = posix.stat(name, dir_fd=folder, follow_symlinks=False)
    if found.st_mode & 0o170000 != 0o140000 or found.st_uid != posix.geteuid():
        raise PermissionError
    talking = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    talking.settimeout(seconds)
    here = posix.open(".", posix.O_RDONLY | posix.O_DIRECTORY)
    try:
        posix.fchdir(folder)
        talking.connect(name)
    finally:
        posix.fchdir(here)
        posix.close(here)
    if hasattr(_socket, _PEER) and peer_of(talking)[1] != posix.geteuid():
        raise PermissionError
    return talking


def peer_of(talking: _socket.socket) -> list[int]:
    """Return process, user and group of the other end of a socket, on Linux."""
    kind = getattr(_socket, _PEER)
    data = talking.getsockopt(_socket.SOL_SOCKET, kind, 12)
    return [int.from_bytes(data[at : at + 4], sys.byteorder) for at in (0, 4, 8)]


def framed(fields: tuple[bytes, ...]) -> bytes:
    """Return a request of some fields."""
    body = b"".join(len(field).to_bytes(4, "big") + field for field in fields)
    return MAGIC + len(body).to_bytes(4, "big") + body


def program(module: str, package: str) -> list[str]:
    """Return the command line that runs a module of the package in this folder.

    No module comes from the working folder, which may be someone else's.
    """
    root = package.rpartition("/")[0]
    return [sys.executable, "-P", "-c", _RUN % module, root]


def _answer(argv: list[str], data: bytearray) -> _Output | None:
    """Return exit code and outputs of a helper, or None; ``data`` gets the input."""
    until = time.monotonic() + TAKE_SECONDS
    place = helper_folder(posix.environ)
    if not place:
        return None
    own = identity(posix.environ, __file__.rsplit("/", 3)[0])
    talking = connect(open_folder(place), socket_name(own), TAKE_SECONDS)
    try:
        if not _read_input(data, until):
            return None
        _wait_until(talking, until)
        talking.sendall(_request(own, argv, data))
        _wait_until(talking, until)
        if talking.recv(1) != TAKEN:
            return None
        talking.sendall(GO)
        return _output(talking)
    finally:
        talking.close()


def _request(own: bytes, argv: list[str], data: bytearray) -> bytes:
    mask = posix.umask(0o077)
    posix.umask(mask)
    variables = b"\0".join(k + b"=" + v for k, v in posix.environ.items())
    words = b"\0".join(map(_encoded, argv))
    return framed((own, posix.getcwdb(), b"%o" % mask, variables, words, bytes(data)))


def _read_input(data: bytearray, until: float) -> bool:
    """Read standard input to its end; False if it is late or long."""
    while len(data) <= MOST_BYTES:
        if not select.select([0], [], [], max(0.0, until - time.monotonic()))[0]:
            return False
        chunk = posix.read(0, _CHUNK)
        if not chunk:
            return True
        data += chunk
    return False


def _output(talking: _socket.socket) -> _Output | None:
    """Receive an answer, which ends with the connection; None if it is not whole."""
    until = time.monotonic() + ANSWER_SECONDS + _GRACE_SECONDS
    data = bytearray()
    while len(data) <= MOST_BYTES:
        _wait_until(talking, until)
        chunk = talking.recv(_CHUNK)
        if not chunk:
            break
        data += chunk
    head, _, rest = bytes(data).partition(b"\n")
    if len(head) > _MOST_HEAD or len(data) > MOST_BYTES:
        return None
    code, out, err = map(int, head.split())
    if out < 0 or err < 0 or not 0 <= code <= 255 or len(rest) != out + err:
        return None
    return code, rest[:out], rest[out:]


def _wait_until(talking: _socket.socket, until: float) -> None:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    talking.settimeout(left)


def _run_here(argv: list[str], data: bytearray) -> None:
    """Replace this program by ``toolmem hook``, which finds its whole input."""
    if data:
        reading, writing = posix.pipe()
        if posix.fork() == 0:
            _pass_on(bytes(data), reading, writing)
        posix.dup2(reading, 0)
    words = program("__main__", __file__.rsplit("/", 3)[0])
    posix.execve(sys.executable, [*words, "hook", *argv, FLAG], posix.environ)


def _pass_on(data: bytes, reading: int, writing: int) -> None:
    """Write what was read to a pipe, then the rest of the input; end the process."""
    try:
        for stream in (reading, 1, 2):
            posix.close(stream)
        while data:
            _write(writing, data)
            data = posix.read(0, _CHUNK)
    finally:
        posix._exit(0)


def _finish(output: _Output) -> None:
    """Print an answer and end the process."""
    code, out, err = output
    try:
        _write(1, out)
        _write(2, err)
    finally:  # also if the agent is gone
        posix._exit(code)


def _write(stream: int, data: bytes) -> None:
    while data:
        data = data[posix.write(stream, data) :]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
