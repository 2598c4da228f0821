"""Handle one request of ``toolmem.store.warm.client`` in a child of the helper."""

import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from toolmem.core.agents.event import Reply
from toolmem.hooks import rendering, work
from toolmem.hooks.supervise import HookInput
from toolmem.store.warm import client

_FIELDS = 6
_MOST_BYTES = 4 << 20
"""Size of the largest request: an event and an environment."""
_READ_SECONDS = 1.0


class Request(NamedTuple):
    """An event with the surroundings of its client, in the order of the fields."""

    identity: bytes
    cwd: bytes
    umask: int
    environment: dict[bytes, bytes]
    argv: list[str]
    data: bytes


def read_request(talking: socket.socket) -> Request:
    """Receive a request; raise ``ValueError`` or ``OSError`` for anything else."""
    head = _received(talking, len(client.MAGIC) + 4)
    size = int.from_bytes(head[-4:], "big")
    if not head.startswith(client.MAGIC) or size > _MOST_BYTES:
        raise ValueError("no request")
    body, fields = _received(talking, size), []
    at = 0
    while at < size:
        begin = at + 4
        at = begin + int.from_bytes(body[at:begin], "big")
        fields.append(body[begin:at])
    if at != size or len(fields) != _FIELDS:
        raise ValueError("no request")
    identity, cwd, umask, variables, words, data = fields
    environment = dict(one.split(b"=", 1) for one in variables.split(b"\0") if one)
    argv = [os.fsdecode(word) for word in words.split(b"\0")]
    return Request(identity, cwd, int(umask, 8), environment, argv, data)


def handle(
    talking: socket.socket, identity: bytes, is_stale: Callable[[], bool]
) -> Request | None:
    """Handle the event of a connection; None if the client has to do it.

    Nothing is done before the client has left the event to this process. From then on
    the system ends the process when its time is over, even if it was stopped until
    then: the client handles the event again.
    """
    talking.settimeout(_READ_SECONDS)
    if not _is_ours(talking):
        return None
    request = read_request(talking)
    if request.identity != identity or is_stale():
        return None
    _become(request)
    talking.sendall(client.TAKEN)
    if talking.recv(1) != client.GO:
        return None
    signal.setitimer(signal.ITIMER_REAL, client.ANSWER_SECONDS)
    replies: list[Reply] = []
    work.work(HookInput(request.argv, request.data, True, True), replies.append)
    if replies:
        talking.sendall(rendering.output_of(replies[-1]).framed())
    talking.shutdown(socket.SHUT_RDWR)
    signal.setitimer(signal.ITIMER_REAL, 0)
    return request


def _received(talking: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        chunk = talking.recv(size - len(data))
        if not chunk:
            raise ValueError("no request")
        data += chunk
    return bytes(data)


def _is_ours(talking: socket.socket) -> bool:
    """Return whether the client is a process of this user that sees the same files.

    One in a sandbox may reach the socket and have other files.
    """
    if sys.platform != "linux":
        return True  # only this user can enter the folder of the socket
    process, user, _ = client.peer_of(talking)
    if user != os.geteuid():
        return False
    with suppress(FileNotFoundError):
        return _namespace(process) == _namespace(os.getpid())
    return False


def _namespace(process: int) -> str:
    return os.readlink(f"/proc/{process}/ns/mnt")  # noqa: PTH115 -- pathlib is slow


def _become(request: Request) -> None:
    """Take over the surroundings of a client."""
    os.chdir(request.cwd)
    os.umask(request.umask)
    for name in os.environb.keys() - request.environment.keys():
        del os.environb[name]
    for name, value in request.environment.items():
        if os.environb.get(name) != value:
            os.environb[name] = value
    time.tzset()
