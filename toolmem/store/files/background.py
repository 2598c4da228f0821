"""Run work in a process of its own that nothing waits for."""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

_DESCRIPTORS = 256
_NICE = 10


def run_detached(work: Callable[[], object], seconds: int) -> None:
    """Start ``work`` in a child of a child, for at most some seconds.

    It has none of this process's files or pipes: whoever reads them sees their end.
    Nothing runs where processes cannot be forked.
    """
    if sys.platform == "win32":
        return
    with suppress(OSError):
        process = os.fork()
        if process:
            os.waitpid(process, 0)
            return
        _detach(work, seconds)


def _detach(work: Callable[[], object], seconds: int) -> None:
    try:
        if os.fork() == 0:
            os.setpgrp()
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in range(3):
                os.dup2(nothing, stream)
            os.closerange(3, _DESCRIPTORS)
            os.nice(_NICE)
            signal.alarm(seconds)
            work()
    finally:
        os._exit(0)
