"""Sources of the answers to queries, which run at the same time.

The library is opened once a request and its queries run in parallel. What was
answered is kept for a while, until anything changes that it follows from.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from datetime import datetime
from threading import Lock, Thread
from time import monotonic, perf_counter
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.access.answer import QueryAnswer, failed
from toolmem.core.access.candidates import (
    MatchingItems,
    Reader,
    documents_of,
    everything_of,
    in_library,
    in_state,
    view_of,
)
from toolmem.core.access.kinds import CONVERSATION, SCRATCH_PAGE, WORKING
from toolmem.core.access.permit import QueryPermission
from toolmem.core.access.rank import Weights
from toolmem.core.search.corpus import CandidateDocument as Held
from toolmem.core.search.doc import words_of
from toolmem.core.search.query import parse_query
from toolmem.core.search.scan import Scan
from toolmem.errors import ToolmemError
from toolmem.ops.access.kept_items import kept_items
from toolmem.ops.search.semantic import source_of
from toolmem.store.vault.library import Opening, open_library
from toolmem.store.vault.vault import Vault

Prepared = Callable[[QueryPermission], MatchingItems]
Answer = Callable[[Prepared, QueryPermission], QueryAnswer]
_IN_STATE = (SCRATCH_PAGE, CONVERSATION, WORKING)


class QueryContext(NamedTuple):
    """Context shared by the queries of a request.

    ``asker`` is all but the query itself and what is known that an answer follows
    from; ``weights`` are those of the ranking, ``answer`` makes an answer of what is
    found.
    """

    vault: Vault
    reader: Reader
    project: str
    asker: Hashable
    weights: Weights
    answer: Answer

    @property
    def most_ms(self) -> float:
        """Time limit of a query."""
        return float(self.vault.settings["access.query_ms"].value)


class AnswerSet(NamedTuple):
    """Return answers in the order of the queries, and remarks for the caller."""

    answers: tuple[QueryAnswer, ...]
    remarks: tuple[str, ...] = ()


class QuerySources:
    """The library and the local state, with what is remembered of them."""

    def __init__(self) -> None:
        self._cache = AnswerCache()

    def answer_each(
        self, asking: QueryContext, rulings: Sequence[QueryPermission]
    ) -> AnswerSet:
        """Answer every query, as many at a time as there are."""
        started: dict[int, _Run] = {}
        library = []
        for number, ruling in enumerate(rulings):
            if ruling.query.memory_type in _IN_STATE:
                started[number] = _Run(ruling, self._of_state(asking))
            else:
                library.append(number)
        by_number: dict[int, QueryAnswer] = {}
        remarks: tuple[str, ...] = ()
        if library:
            wanted = [rulings[number] for number in library]
            answers, remarks = self._of_library(asking, wanted)
            by_number.update(zip(library, answers, strict=True))
        for number, run in started.items():
            by_number[number] = run.result(asking.most_ms)
        return AnswerSet(tuple(by_number[at] for at in sorted(by_number)), remarks)

    def _of_library(
        self, asking: QueryContext, wanted: Sequence[QueryPermission]
    ) -> AnswerSet:
        def ask(library: Opening) -> AnswerSet:
            everything = everything_of(asking.reader)
            source, notices = source_of(asking.vault, library, everything, None)

            def prepared(asked: QueryPermission) -> MatchingItems:
                view = view_of(asked, asking.reader)
                corpus = library.corpus_of(view)
                similarity = None
                if asked.query.text.strip():
                    language = asking.vault.language
                    question = parse_query(asked.query.text, language)
                    similarity = source.similarity_to(question, view)
                return in_library(
                    corpus, asked, asking.reader, asking.weights, similarity
                )

            def answer_one(ruling: QueryPermission) -> QueryAnswer:
                return self._remembered(asking, ruling, library.content, prepared)

            runs = [_Run(ruling, answer_one) for ruling in wanted]
            answers = tuple(run.result(asking.most_ms) for run in runs)
            return AnswerSet(answers, (*library.remarks, *notices))

        try:
            return open_library(asking.vault, ask)
        except ToolmemError as error:
            return AnswerSet(tuple(failed(ruling, str(error)) for ruling in wanted))

    def _of_state(
        self, asking: QueryContext
    ) -> Callable[[QueryPermission], QueryAnswer]:
        def answer_one(ruling: QueryPermission) -> QueryAnswer:
            try:
                items = kept_items(
                    asking.vault._replace(now=asking.reader.at),
                    ruling.query.memory_type,
                    agent=asking.reader.agent,
                    project=asking.project,
                    status=ruling.query.filters.status or "",
                )
            except ToolmemError as error:
                return failed(ruling, str(error))

            def prepared(asked: QueryPermission) -> MatchingItems:
                documents = [Held(doc, words_of(doc)) for doc in documents_of(items)]
                library = Scan.of(documents, asking.vault.language)
                now = asking.reader.at
                return in_state(library, items, asked, asking.weights, now)

            return self._remembered(asking, ruling, hash(repr(items)), prepared)

        return answer_one

    def _remembered(
        self,
        asking: QueryContext,
        ruling: QueryPermission,
        generation: Hashable,
        prepared: Prepared,
    ) -> QueryAnswer:
        """The answer that is known already, or a new one, which then is known."""
        started = perf_counter()
        key = (asking.asker, ruling, generation)
        known = self._cache.get(key, asking.reader.at) if generation else None
        if known is not None:
            return known._replace(took_ms=(perf_counter() - started) * 1000)
        answer = asking.answer(prepared, ruling)
        if generation and answer.status != "error":
            self._cache.put(key, answer)
        return answer


class _Run:
    """A query on a separate thread, which does not keep the process alive."""

    def __init__(
        self, ruling: QueryPermission, answer: Callable[[QueryPermission], QueryAnswer]
    ) -> None:
        self._ruling = ruling
        self._answer = answer
        self._started = perf_counter()
        self._found: QueryAnswer | None = None
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        started = perf_counter()
        try:
            answer = self._answer(self._ruling)
            self._found = answer._replace(took_ms=(perf_counter() - started) * 1000)
        except BaseException as error:  # noqa: BLE001 (raised again by `result`)
            self._error = error

    def result(self, most_ms: float) -> QueryAnswer:
        """Return the answer, or a timeout; raises the exceptions of the query."""
        passed = (perf_counter() - self._started) * 1000
        self._thread.join(max(0.0, most_ms - passed) / 1000)
        if self._error is not None:
            raise self._error
        if self._found is None or self._found.took_ms > most_ms:
            took = (perf_counter() - self._started) * 1000
            reason = f"it took longer than {most_ms:g} ms"
            return failed(self._ruling, reason, took)
        return self._found


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
