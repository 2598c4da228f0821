"""The helper: a process that has loaded what hooks need, and forks children for them.

Only modules are loaded here: vaults, settings and trust are read by the
children, at each event. One of them, the worker, answers calls of tools; while it is
busy, each connection has a child to itself. A child reports what it had to load, and
the helper loads it for those that follow. It ends with the last session, when it was
not asked for a while, and when a file of the program is no longer what was loaded.
"""

import gc
import os
import select
import signal
import socket
import sys
from binascii import crc32
from contextlib import suppress
from pathlib import Path
from pkgutil import resolve_name
from typing import NoReturn

from toolmem.core.agents.event import (
    AFTER_TOOL,
    BEFORE_TOOL,
    SESSION_END,
    TOOL_FAILED,
    Event,
)
from toolmem.core.agents.registry import dialect_of
from toolmem.hooks import unjudged
from toolmem.hooks.payload import arguments
from toolmem.hooks.warm import request as requests
from toolmem.hooks.warm.worker import Worker
from toolmem.lazy_import import UnloadedModule
from toolmem.store.files.file_lock import try_lock
from toolmem.store.warm import client

_IDLE_SECONDS = 600
_MOST_SESSIONS = 256
_QUEUE = 64
_CALLS = (BEFORE_TOOL, AFTER_TOOL, TOOL_FAILED)
"""Events whose answers leave nothing in the process but caches: of pure functions, and
of files that are compared with the vault at every call."""
_Stamps = dict[str, tuple[int, int, int]]


def main() -> None:
    """Serve until there is nothing left to serve, unless another helper does."""
    gc.disable()
    os.umask(0o177)
    environment = dict(os.environb)
    package = Path(client.__file__).resolve().parents[2]
    identity = client.identity(environment, str(package))
    name = client.socket_name(identity)
    folder = client.open_folder(client.helper_folder(environment))
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
    lock = os.open(f"{name}.lock", flags, 0o600, dir_fd=folder)
    if not try_lock(lock):
        return
    os.ftruncate(lock, 0)
    os.write(lock, b"%d\n" % os.getpid())
    stamps = _stamps()
    listening = _listen(folder, name)
    try:
        _Helper(listening, identity, stamps).serve()
    finally:
        os.unlink(name, dir_fd=folder)


def _listen(folder: int, name: str) -> socket.socket:
    """Listen at a name in an open folder; what an ended helper left there goes."""
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)
    os.fchdir(folder)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(name)
    listening.listen(_QUEUE)
    os.chdir("/")
    return listening


class _Helper:
    """The loop of a helper."""

    def __init__(
        self, listening: socket.socket, identity: bytes, stamps: _Stamps
    ) -> None:
        self._listening = listening
        self._identity = identity
        self._stamps = stamps
        self._sessions: set[str] = set()
        self._worker: Worker | None = None
        self._reading, self._writing = os.pipe()
        os.set_blocking(self._writing, False)

    def serve(self) -> None:
        """Answer clients."""
        signal.signal(signal.SIGCHLD, _reap)
        gc.freeze()
        while ready := select.select(self._waited_for(), (), (), _IDLE_SECONDS)[0]:
            if self._reading in ready and not self._take_notes():
                return
            if self._worker and self._worker.channel in ready:
                if not self._worker.take_note():
                    self._drop_worker()
            elif self._listening in ready:
                self._accept()

    def _waited_for(self) -> list[int | socket.socket]:
        channel = [self._worker.channel] if self._worker else []
        return [self._reading, self._listening, *channel]

    def _accept(self) -> None:
        talking = self._listening.accept()[0]
        with talking, suppress(OSError):
            if self._worker is None:
                self._worker = Worker(self._answer)
            if not self._worker.give(talking) and os.fork() == 0:
                self._child(talking)

    def _drop_worker(self) -> None:
        if self._worker:
            self._worker.channel.close()
        self._worker = None

    def _take_notes(self) -> bool:
        """Read notes of children; False if the helper has to end."""
        notes = [
            line.partition(" ")[::2]
            for line in os.read(self._reading, 1 << 16).decode().splitlines()
        ]
        for kind, text in notes:
            if kind == "session" and len(self._sessions) < _MOST_SESSIONS:
                self._sessions.add(text)
            elif kind == "ended":
                self._sessions.discard(text)
            elif kind == "module":
                _load(text)
        kinds = {kind for kind, _ in notes}
        if "module" in kinds:
            self._stamps = _stamps() | self._stamps
            gc.freeze()
        return "stale" not in kinds and ("ended" not in kinds or bool(self._sessions))

    def _child(self, talking: socket.socket) -> NoReturn:
        try:
            self._answer(talking)
        except (OSError, ValueError):
            pass  # the client goes on without this helper
        finally:
            os._exit(0)

    def _answer(self, talking: socket.socket) -> bool:
        """Answer a connection in a child; return whether it may answer another one."""
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._listening.close()
        loaded = _loaded()
        done = requests.handle(talking, self._identity, self._is_stale)
        if done is None:
            return False
        event = _event_of(done)
        kind = "ended" if event.kind == SESSION_END else "session"
        self._send(f"{kind} {crc32(event.session.encode('utf-8', 'replace')):08x}")
        new = [f"module {name}" for name in _loaded() - loaded]
        for note in new:
            self._send(note)
        return event.kind in _CALLS and not new

    def _is_stale(self) -> bool:
        if all(_stamp(path) == stamp for path, stamp in self._stamps.items()):
            return False
        self._send("stale")
        return True

    def _send(self, note: str) -> None:
        line = f"{note}\n".encode()
        if len(line) <= select.PIPE_BUF:  # others write to the pipe, too
            with suppress(BlockingIOError):
                os.write(self._writing, line)


def _reap(*_: object) -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _event_of(request: requests.Request) -> Event:
    agent, name, _ = arguments(request.argv)
    return unjudged.raw_event(dialect_of(agent), request.data, name)


def _load(name: str) -> None:
    with suppress(ImportError, AttributeError):
        dir(resolve_name(name))


def _loaded() -> set[str]:
    """Return the names of the package's modules whose code has run."""
    return {
        name
        for name, module in sys.modules.items()
        if name.startswith("toolmem.") and not isinstance(module, UnloadedModule)
    }


def _stamps() -> _Stamps:
    """Return the stamps of the interpreter and of the loaded modules not its own."""
    python = f"{Path(os.__file__).parent}{os.sep}"
    files = [
        getattr(module, "__file__", None)
        for module in list(sys.modules.values())
        if not isinstance(module, UnloadedModule)
    ]
    found = {
        path: _stamp(path)
        for path in files
        if path and (not path.startswith(python) or "site-packages" in path)
    }
    return found | {sys.executable: _stamp(sys.executable)}


def _stamp(path: str) -> tuple[int, int, int]:
    """Return what changes when a file is replaced or edited; zeros if it is gone."""
    try:
        found = os.stat(path)  # noqa: PTH116 -- hundreds for each request
    except OSError:
        return (0, 0, 0)
    return (found.st_mtime_ns, found.st_size, found.st_ino)
