"""Answers that are kept for a while: by all that they follow from."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from datetime import datetime
from threading import Lock
from time import monotonic

from toolmem.core import limits
from toolmem.core.access.answer import QueryAnswer


class AnswerCache:
    """The last answers, none of them older than five minutes; for several threads.

    ``clock`` counts seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._answers: OrderedDict[Hashable, tuple[float, QueryAnswer]] = OrderedDict()

    def get(self, key: Hashable, now: datetime) -> QueryAnswer | None:
        """The answer kept under a key, if it is young enough and still is one."""
        with self._lock:
            stored = self._answers.get(key)
            if stored is None:
                return None
            at, answer = stored
            is_true = answer.until is None or now < answer.until
            if is_true and self._clock() - at < limits.CACHE_SECONDS:
                return answer
            del self._answers[key]
            return None

    def put(self, key: Hashable, answer: QueryAnswer) -> None:
        """Keep an answer; of too many the oldest go."""
        with self._lock:
            self._answers[key] = (self._clock(), answer)
            self._answers.move_to_end(key)
            while len(self._answers) > limits.CACHE_ANSWERS:
                self._answers.popitem(last=False)
