"""The helper of a session: a process that judges its tool calls, and records them.

``python -m toolmem.hooks.helper SESSION AGENT [OPTION]...`` is started by the cold
hooks of the session (``toolmem.store.warm.helpers``) and asked by their client. It
loads what it needs, and from then on it may only read files and append to journals:
whatever would do more is left to the cold hook, by closing the connection.
"""

import fcntl
import gc
import os
import select
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from toolmem.core.agents.event import Event, Reply
from toolmem.core.agents.registry import dialect_of
from toolmem.hooks import calls, output
from toolmem.hooks.payload import arguments, payload_of
from toolmem.ops.hooks.before_tool import names_toolmem
from toolmem.store.files.timeouts import use_hook_timeouts
from toolmem.store.journal import attempt
from toolmem.store.journal.journal import SUFFIX
from toolmem.store.warm import client, helpers, peer

_IDLE_SECONDS = 600.0
_ANSWER_SECONDS = 1.0
"""Time after which the system ends a helper that does not finish an answer."""
_QUEUE = 64
_HARMLESS = frozenset(
    "os.listdir os.scandir os.walk fcntl.flock mmap.__new__"
    " sqlite3.connect sqlite3.connect/handle time.sleep"
    " builtins.id sys._getframe object.__getattr__".split()
)
"""What Python reports of reading files and local state."""
_COMPILING = (
    "toolmem.core.guard.derive",
    "toolmem.core.guard.derivation.",
    "toolmem.core.guard.contents.bans",
)
"""Modules that derive guards: an answer that needs them is left to the cold hook."""
_Stamp = tuple[int, int, int]


class RefusedError(BaseException):
    """An answer would take more than a helper may do."""


class Watch:
    """Refuses, during an answer, all that Python reports but reading and journals."""

    def __init__(self) -> None:
        self.is_on = False
        self.refused = ""
        sys.addaudithook(self._check)

    def _check(self, action: str, arguments: tuple[Any, ...]) -> None:
        if not self.is_on or action in _HARMLESS:
            return
        if action == "open" and _may_open(arguments[0], arguments[2]):
            return
        self.refused = action
        raise RefusedError(action)


class Helper:
    """The helper of one session, for hooks with the same options."""

    def __init__(self, session: str, words: Sequence[str]) -> None:
        self._session = session
        agent, _, self._vault = arguments(words)
        self._dialect = dialect_of(agent)
        self._confinement = peer.confinement_of(os.getpid())
        self._watch = Watch()
        use_hook_timeouts()
        _load_all()
        self._stamps = _stamps()
        gc.collect()
        gc.freeze()

    def serve(self, listening: socket.socket, idle: float = _IDLE_SECONDS) -> None:
        """Answer clients, one after the other, until there is no more to do."""
        while select.select([listening], [], [], idle)[0]:
            talking = listening.accept()[0]
            signal.setitimer(signal.ITIMER_REAL, _ANSWER_SECONDS)
            with talking, suppress(OSError, ValueError):
                if not self._serve(talking):
                    return
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _serve(self, talking: socket.socket) -> bool:
        """Answer a client; False if that was the last one."""
        process, user = client.peer_of(talking)
        if user != os.geteuid():
            return True
        name, _, data = client.received(talking).partition(b"\n")
        if name in (helpers.PING, helpers.END):
            talking.sendall(helpers.DONE)
            return name == helpers.PING
        if any(_stamp(path) != stamp for path, stamp in self._stamps.items()):
            return False
        if peer.confinement_of(process) == self._confinement:
            reply = self._reply(process, name.decode(), data)
            if reply is not None:
                talking.sendall(output.output_of(reply).framed())
        return True

    def _reply(self, process: int, name: str, data: bytes) -> Reply | None:
        """Return the reply to an event; None if the cold hook has to answer."""
        event = self._dialect.read(payload_of(data), name)
        if not self._is_mine(event):
            return None
        attempt.begin(client.attempt_of(process, data), 0)
        self._watch.refused = ""
        self._watch.is_on = True
        try:
            answer = calls.answer_call(event, self._vault)
            reply = self._dialect.write(event, answer)
        except (Exception, RefusedError):
            return None
        finally:
            self._watch.is_on = False
        return None if self._watch.refused else reply

    def _is_mine(self, event: Event) -> bool:
        is_call = event.kind in calls.OPS and not event.delivers
        is_call = is_call and not names_toolmem(event)
        is_here = event.session == self._session and event.cwd.startswith("/")
        return is_call and is_here


def main() -> None:
    """Serve a session, unless another helper does or begins to."""
    session, *words = sys.argv[1:]
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.chdir("/")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    folder = client.open_folder(client.helper_folder(os.environ))
    name = client.socket_name(words, session)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    _remove_dead(folder)
    if os.access(name, os.F_OK, dir_fd=folder):
        return
    helper = Helper(session, words)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"/proc/self/fd/{folder}/{name}")
        own = os.stat(name, dir_fd=folder)
        listening.listen(_QUEUE)
        fcntl.flock(folder, fcntl.LOCK_UN)
        try:
            helper.serve(listening)
        finally:
            with suppress(FileNotFoundError):
                if os.path.samestat(os.stat(name, dir_fd=folder), own):
                    helpers.remove(folder, name)


def _remove_dead(folder: int) -> None:
    """Remove the sockets of helpers that were killed."""
    for name in os.listdir(folder):
        with suppress(OSError, TimeoutError):
            if name.endswith(client.LATE):
                continue
            try:
                client.connected(folder, name).close()
            except ConnectionRefusedError:
                helpers.remove(folder, name)


def _may_open(path: object, flags: int) -> bool:
    """Return whether a file is opened to be read, or is a journal that grows."""
    writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    return not writes or (bool(flags & os.O_APPEND) and str(path).endswith(SUFFIX))


def _load_all() -> None:
    """Run every module that can be reached, but those that only compiling guards needs.

    A lazy module runs when it is looked into.
    """
    count = 0
    while count != len(sys.modules):
        count = len(sys.modules)
        for name in [name for name in sys.modules if name.startswith("toolmem.")]:
            if not name.startswith(_COMPILING):
                dir(sys.modules[name])


def _stamps() -> dict[str, _Stamp]:
    """Return the stamps of the interpreter and of every file that was loaded."""
    files = {getattr(module, "__file__", None) for module in sys.modules.values()}
    return {path: _stamp(path) for path in (*files, sys.executable) if path}


def _stamp(path: str) -> _Stamp:
    """Return what changes when a file is replaced or edited; zeros if it is gone."""
    try:
        status = os.stat(path)  # noqa: PTH116 -- hundreds for each request
    except OSError:
        return (0, 0, 0)
    return status.st_mtime_ns, status.st_size, status.st_ino


if __name__ == "__main__":
    main()
