"""Growth of work with the size of a text, told apart from a quadratic one.

The sizes are far enough apart that load of the machine cannot decide: sixteen times the
text takes a linear reader about 16 times the CPU time, a quadratic one 256 times.
"""

import time
from collections.abc import Callable
from typing import Any

SMALL, LARGE = 2_500, 40_000
MOST = 64
"""Times the work that ``LARGE`` may take, as a multiple of that of ``SMALL``."""
_TRIES = 4
_NOTHING = 0.01
"""CPU seconds below which a clock says nothing about growth."""


def is_linear(
    work: Callable[[Any], object], make: Callable[[int], Any], *, times: int = 1
) -> bool:
    """Return True if any of a few measurements shows it: other load only adds time.

    ``times`` multiplies both sizes.
    """
    small, large = make(SMALL * times), make(LARGE * times)
    quick = slow = float("inf")
    for _ in range(_TRIES):
        slow = min(slow, _cpu(work, large))
        if slow <= _NOTHING:
            return True
        quick = min(quick, _cpu(work, small))
        if slow <= MOST * quick:
            return True
    return False


def _cpu(work: Callable[[Any], object], text: Any) -> float:
    begun = time.thread_time()
    work(text)
    return time.thread_time() - begun
