"""Start a helper that outlives the hook."""

import os
import sys
from contextlib import suppress
from pathlib import Path

from toolmem.hints import NoReturn
from toolmem.store.files import private
from toolmem.store.warm import client

_STANDARD = (0, 1, 2)
_MOST_FILES = 4096


def start_helper() -> None:
    """Start a helper for hooks like this one, if none runs."""
    path = client.helper_folder(dict(os.environb))
    if not path:
        return
    with suppress(OSError):
        private.make_folder(Path(os.fsdecode(path)))
        child = os.fork()
        if child == 0:
            _detach()
        os.waitpid(child, 0)


def _detach() -> NoReturn:
    """Run the helper in a session of its own, without a file of the agent's.

    The agent waits until all copies of its pipes are closed.
    """
    try:
        os.setsid()
        if os.fork() == 0:
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in _STANDARD:
                os.dup2(nothing, stream)
            os.closerange(len(_STANDARD), _MOST_FILES)
            package = Path(client.__file__).resolve().parents[2]
            os.execv(sys.executable, client.program("hooks.warm.helper", str(package)))
    finally:
        os._exit(0)
