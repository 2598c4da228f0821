"""Run a server's loop: patient with other writers, and quick to end."""

import gc
import signal
from collections.abc import Callable
from types import FrameType

from toolmem.servers.lines import Lines
from toolmem.store.files.timeouts import use_server_timeouts

_CODES = {signal.SIGTERM: 0, signal.SIGINT: 130}
_THRESHOLDS = 20_000, 20, 20
"""A request makes thousands of objects that live until its end: by default Python would
look for garbage among them several times."""


def patiently(serve: Callable[[], None], lines: Lines) -> int:
    """Serve until the input ends, the reader is gone or a signal comes.

    Returns the exit code: 0, or 130 for an interrupt. A request in progress is
    executed; who sent it need not read its answer.
    """
    use_server_timeouts()
    gc.set_threshold(*_THRESHOLDS)
    code = 0

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal code
        del frame
        code = _CODES[signal.Signals(number)]
        lines.end()  # raising would not do: Python drops it while finalizing an object

    heeded = (n for n in _CODES if signal.getsignal(n) != signal.SIG_IGN)
    before = {number: signal.signal(number, end) for number in heeded}
    try:
        serve()
    except BrokenPipeError:
        pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return code


def set_apart(answered: int) -> None:
    """Exclude the objects loaded so far from garbage collection.

    Done after the first, second, fourth … answer: otherwise one answer in a hundred
    would wait for a collection of all of them.
    """
    if answered and answered & (answered - 1) == 0:
        gc.collect()
        gc.freeze()
