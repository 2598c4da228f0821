"""Call functions in threads, for systems that cannot fork."""

from collections.abc import Callable, Iterable
from threading import Thread


def call(
    calls: Iterable[tuple[Callable[[], None], float]], is_answered: Callable[[], bool]
) -> None:
    """Call one function after the other, each for its seconds at most.

    The next one is not called if one has ended in time and there is an answer.
    """
    for function, seconds in calls:
        thread = Thread(target=function, daemon=True)
        thread.start()
        thread.join(max(0.0, seconds))
        if is_answered() and not thread.is_alive():
            return
