"""Start, list and end the helpers of this user."""

import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from toolmem.core.agents.event import SESSION_END, Event
from toolmem.core.agents.hook_command import ASK
from toolmem.store.files import private
from toolmem.store.files.file_lock import lock_within
from toolmem.store.files.settings import home_folder
from toolmem.store.warm import client, peer

PING, END = b":ping", b":end"
"""Requests in place of the name of an event, from any process of the user."""
DONE = b"done\n"
_MODULE = "toolmem.hooks.helper"
_START_SECONDS = 5
_DEFAULTS = signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}


class RunningHelper(NamedTuple):
    """A helper: its socket, and its process if it answered in time."""

    name: str
    process: int | None


def is_available() -> bool:
    """Return whether hooks of this installation can find a helper."""
    link = Path(home_folder()) / ASK
    return sys.platform == "linux" and link.resolve() == Path(client.__file__).resolve()


def folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return the folder of the helpers' sockets."""
    path = client.helper_folder(environment)
    return Path(path) if path else None


def is_private() -> bool:
    """Return whether only the user can enter the folder, or it is not made yet."""
    place = folder()
    if place is None or not place.exists():
        return True
    with suppress(OSError), _opened(place):
        return True
    return False


def follow(event: Event, argv: Sequence[str]) -> None:
    """Start the helper of an event's session if there is none, or end it with it."""
    place = folder()
    if place is None or not event.session or not is_available():
        return
    fixed = client.fixed_words(argv)[0]
    name = client.socket_name(fixed, event.session)
    if event.kind == SESSION_END:
        _end(place, name)
    elif not _listens(place, name):
        _start(place, (event.session, *fixed))


def running(place: Path | None = None) -> Iterator[RunningHelper]:
    """Ask each helper whether it answers."""
    place = place or folder()
    for name in _names(place):
        yield RunningHelper(name, _ask(place, name, PING) if place else None)


def end_all(place: Path | None = None) -> None:
    """End the helpers of this user, or those with sockets in another folder."""
    place = place or folder()
    if place:
        with suppress(OSError), _opened(place) as opened:
            lock_within(opened, _START_SECONDS)  # one that still starts has the lock
        for name in _names(place):
            _end(place, name)


def remove(opened: int, name: str) -> None:
    """Remove a socket, and the count of its late answers, from an open folder."""
    for file in (name, name + client.LATE):
        with suppress(FileNotFoundError):
            os.unlink(file, dir_fd=opened)


def _names(place: Path | None) -> list[str]:
    if place is None or sys.platform != "linux":
        return []
    return sorted(path.name for path in place.glob("*") if path.is_socket())


def _start(place: Path, words: Sequence[str]) -> None:
    """Start a helper that has nothing of this process but the variables it reads."""
    with suppress(OSError):
        private.make_folder(place)
        null = os.devnull
        streams = [
            (os.POSIX_SPAWN_OPEN, stream, null, os.O_RDWR, 0) for stream in range(3)
        ]
        os.posix_spawn(
            sys.executable,
            [sys.executable, "-P", "-m", _MODULE, *words],
            peer.read_variables(os.environ),
            file_actions=streams,
            setsid=True,
            setsigmask=(),
            setsigdef=_DEFAULTS,
        )


def _listens(place: Path, name: str) -> bool:
    """Return whether a process accepts connections, or a late one may."""
    with suppress(OSError), _opened(place) as opened:
        with suppress(TimeoutError):
            client.connected(opened, name).close()
        return True
    return False


def _end(place: Path, name: str) -> None:
    """End a helper; its socket goes even if it does not answer."""
    _ask(place, name, END)
    with suppress(OSError), _opened(place) as opened:
        remove(opened, name)


def _ask(place: Path, name: str, request: bytes) -> int | None:
    """Return the process of a helper that did what was asked."""
    with suppress(OSError, ValueError), _opened(place) as opened:
        process, answer = client.exchanged(opened, name, request + b"\n")
        return process if answer == DONE else None
    return None


@contextmanager
def _opened(place: Path) -> Iterator[int]:
    opened = client.open_folder(str(place))
    try:
        yield opened
    finally:
        os.close(opened)
