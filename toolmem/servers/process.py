"""How a server lives and ends: patient with others, steady, and quick to go."""

import gc
import signal
from collections.abc import Callable
from types import FrameType

from toolmem.store.files.timeouts import use_server_timeouts

_INTERRUPTED = 130


def patiently(serve: Callable[[], None]) -> int:
    """Serve until the input ends, the reader is gone or a signal comes.

    Returns the exit code: 0, or 130 for an interrupt. What is being written when a
    signal comes is finished or left as it was.
    """
    use_server_timeouts()
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
    """Put what is loaded by now out of the way of the collector of garbage.

    Done after the first, second, fourth … answer: it would be looked through again
    and again, and one answer in a hundred would wait for that.
    """
    if answered and answered & (answered - 1) == 0:
        gc.collect()
        gc.freeze()


class _EndError(BaseException):
    """Somebody asked the server to end."""


def _end(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise _EndError
