"""Ask the helper of a session about a tool call; without it, become ``toolmem hook``.

``python -IS client.py hook AGENT [OPTION]...`` runs before and after every tool call,
so it imports no module of toolmem. The request is the name of the event, if the agent
gives it as an option, a line end, and the event. The answer is a line with the exit
code and two sizes, and both outputs. A helper that does not answer closes the
connection.
"""

# The public ``socket`` takes as long as the start of Python and this program together.
import _socket
import os
import select
import sys
import time
from binascii import crc32
from collections.abc import Mapping, Sequence

FLAG = "--warm"
"""Word of ``toolmem hook``: helpers are used; with a value, a client ran before it."""
REST = "--rest"
"""Option of ``toolmem hook``: the descriptor with the rest of the standard input."""
_NAME = "--event"
_SESSIONS = {
    "cline": b"rootSessionId",
    "copilot": b"sessionId",
    "cursor": b"conversation_id",
    "opencode": b"session",
}
_SESSION = b"session_id"
LATE = ".late"
"""Ending of a file with one byte for each late answer in turn."""
_MOST_LATE = 2
_PAUSE_SECONDS = 60
SECONDS = 0.5
"""Time for reading the event, and for an answer."""
MOST_BYTES = 1 << 20
"""Size of the largest event, and of the largest answer."""
_CHUNK = 1 << 16


def main(words: list[str]) -> int:
    """Print the answer of the helper, or become the hook; the exit code is its own."""
    data, answer = bytearray(), None
    is_whole = False
    try:
        for stream in (0, 1, 2):  # a closed one would get the number of the socket
            os.fstat(stream)
        is_whole = _read_event(data)
        if is_whole:
            answer = _ask(words, data)
    except (OSError, ValueError):
        pass
    if answer is None:
        return _run_here(words, data, is_whole)
    code, *outputs = answer
    try:
        for stream, output in enumerate(outputs, 1):
            while output:
                output = output[os.write(stream, output) :]
    except OSError:
        pass  # the agent is gone
    return code


def helper_folder(environment: Mapping[str, str]) -> str:
    """Return the folder of the helpers' sockets; empty if there is no place for it."""
    home = environment.get("HOME")
    places = (
        environment.get("XDG_RUNTIME_DIR"),
        environment.get("XDG_STATE_HOME"),
        home and f"{home}/.local/state",
    )
    base = next((place for place in places if place and os.path.isdir(place)), "")  # noqa: PTH112 -- pathlib takes longer to import than all of this runs
    return f"{base}/toolmem/helpers" if base.startswith("/") else ""


def open_folder(path: str) -> int:
    """Open a folder that only this user can enter; raises ``OSError`` for another."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    status = os.fstat(folder)
    if status.st_uid != os.geteuid() or status.st_mode & 0o077:
        os.close(folder)
        raise PermissionError(path)
    return folder


def fixed_words(words: Sequence[str]) -> tuple[list[str], str]:
    """Return the options that all events of a hook have, and the name of the event."""
    fixed = [word for word in words if word.partition("=")[0] not in (FLAG, REST)]
    if _NAME not in fixed[:-1]:
        return fixed, ""
    at = fixed.index(_NAME)
    return fixed[:at] + fixed[at + 2 :], fixed[at + 1]


def socket_name(fixed: Sequence[str], session: str) -> str:
    """Return the name of a session's socket, which differs for each installation."""
    key = "\0".join((os.path.realpath(__file__), *fixed, session))
    return f"{crc32(key.encode('utf-8', 'surrogateescape')):08x}"


def connected(folder: int, name: str) -> _socket.socket:
    """Connect to a helper of this user. Raises ``OSError``."""
    talking = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    talking.settimeout(SECONDS)
    talking.connect(f"/proc/self/fd/{folder}/{name}")  # a path has at most 107 bytes
    if peer_of(talking)[1] != os.geteuid():
        raise PermissionError(name)
    return talking


def exchanged(folder: int, name: str, request: bytes) -> tuple[int, bytes]:
    """Return the process of a helper, and its answer to a request.

    Raises ``OSError`` or ``ValueError``.
    """
    talking = connected(folder, name)
    try:
        talking.sendall(request)
        talking.shutdown(_socket.SHUT_WR)
        return peer_of(talking)[0], received(talking)
    finally:
        talking.close()


def peer_of(talking: _socket.socket) -> tuple[int, int]:
    """Return the process and the user at the other end of a socket."""
    data = talking.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    process, user = (int.from_bytes(data[at : at + 4], sys.byteorder) for at in (0, 4))
    return process, user


def received(talking: _socket.socket) -> bytes:
    """Receive until the other end closes. Raises ``OSError`` or ``ValueError``."""
    until = time.monotonic() + SECONDS
    data = bytearray()
    while len(data) <= MOST_BYTES:
        talking.settimeout(max(0.001, until - time.monotonic()))
        chunk = talking.recv(_CHUNK)
        if not chunk:
            return bytes(data)
        data += chunk
    raise ValueError("too long")


def attempt_of(process: int, event: bytes | bytearray) -> str:
    """Return an id of an event that a process asks a helper about."""
    return f"{process}-{crc32(event):x}"


def _read_event(data: bytearray) -> bool:
    """Read standard input to its end; False if it is late or long."""
    until = time.monotonic() + SECONDS
    while len(data) <= MOST_BYTES:
        if not select.select([0], [], [], max(0.0, until - time.monotonic()))[0]:
            return False
        chunk = os.read(0, _CHUNK)
        if not chunk:
            return True
        data += chunk
    return False


def _ask(words: list[str], data: bytearray) -> tuple[int, bytes, bytes] | None:
    """Return exit code and outputs of the helper, or None."""
    fixed, event_name = fixed_words(words[1:])
    name = socket_name(fixed, _session_in(data, _SESSIONS.get(fixed[0], _SESSION)))
    folder = open_folder(helper_folder(os.environ))
    if _is_paused(folder, name):
        return None
    try:
        _, answer = exchanged(folder, name, event_name.encode() + b"\n" + data)
    except TimeoutError:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW
        os.write(os.open(name + LATE, flags, 0o600, dir_fd=folder), b".")
        return None
    try:  # noqa: SIM105 -- contextlib takes longer to import than all of this runs
        os.unlink(name + LATE, dir_fd=folder)
    except FileNotFoundError:
        pass
    head, _, rest = answer.partition(b"\n")
    code, out, err = map(int, head.split())
    return (code, rest[:out], rest[out:]) if len(rest) == out + err else None


def _session_in(data: bytearray, key: bytes) -> str:
    """Return the first value of a key; the helper looks whether it is the session."""
    rest = data.partition(b'"%b"' % key)[2][:1000].lstrip(b" \t\r\n:")
    value, quote, _ = rest[1:].partition(b'"')
    if rest[:1] != b'"' or not quote or not value:
        raise ValueError("no session")
    return value.decode()


def _is_paused(folder: int, name: str) -> bool:
    """Return whether the last answers were late, and a minute has not passed."""
    try:
        status = os.stat(name + LATE, dir_fd=folder)
    except FileNotFoundError:
        return False
    age = time.time() - status.st_mtime
    return status.st_size >= _MOST_LATE and 0 <= age < _PAUSE_SECONDS


def _run_here(words: list[str], data: bytearray, is_whole: bool) -> int:
    """Become ``toolmem hook``, which finds all of the event."""
    words = [*words, f"{FLAG}={attempt_of(os.getpid(), data)}"]
    if data:
        given = os.memfd_create("event")
        left = bytes(data)
        while left:
            left = left[os.write(given, left) :]
        os.lseek(given, 0, os.SEEK_SET)
        if not is_whole:
            rest = os.dup(0)
            os.set_inheritable(rest, True)
            words.append(f"{REST}={rest}")
        os.dup2(given, 0)
    for program in ("toolmem", os.path.join(os.path.dirname(__file__), "toolmem")):  # noqa: PTH118, PTH120 -- as above
        try:
            os.execvp(program, ["toolmem", *words])
        except OSError:
            continue
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
