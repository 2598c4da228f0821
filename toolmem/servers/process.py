"""Run a server's loop: patient with other writers, and quick to end."""

import gc
import signal
from collections.abc import Callable
from types import FrameType

from toolmem.store.files.timeouts import use_server_timeouts

_INTERRUPTED = 130
_THRESHOLDS = 20_000, 20, 20
"""A request makes thousands of objects that live until its end: by default Python would
look for garbage among them several times."""


def patiently(serve: Callable[[], None]) -> int:
    """Serve until the input ends, the reader is gone or a signal comes.

    Returns the exit code: 0, or 130 for an interrupt. A write in progress is finished
    or left as it was.
    """
    use_server_timeouts()
    gc.set_threshold(*_THRESHOLDS)
    before = signal.signal(signal.SIGTERM, _end)
    try:
        serve()
    except (BrokenPipeError, _EndError):
        return 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    finally:
        signal.signal(signal.SIGTERM, before)
    return 0


def set_apart(answered: int) -> None:
    """Exclude the objects loaded so far from garbage collection.

    Done after the first, second, fourth … answer: otherwise one answer in a hundred
    would wait for a collection of all of them.
    """
    if answered and answered & (answered - 1) == 0:
        gc.collect()
        gc.freeze()


class _EndError(BaseException):
    """A signal asked the server to end."""


def _end(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise _EndError
