"""A tool's query finds by meaning what a search finds, with figures of its own."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

import pytest

from tests.access.asking import query, request
from tests.extra import INSTALLED
from toolmem.core.access.candidates import Reader, in_library, view_of
from toolmem.core.access.permit import QueryPermission
from toolmem.core.access.rank import Weights
from toolmem.core.access.request import MemoryQuery
from toolmem.core.search.corpus import CandidateDocument, Corpus
from toolmem.core.search.doc import Doc
from toolmem.core.search.meaning.similarity import SimilarWord
from toolmem.core.search.meaning.word_similarity import WordSimilarity
from toolmem.core.search.query import parse_query
from toolmem.core.search.scan import Scan
from toolmem.store.index.word_table import open_table
from toolmem.store.vault import library

NOW = datetime(2026, 4, 20, tzinfo=UTC)
READER = Reader("helper", ("agent:helper", "system"), NOW)
WEIGHTS = Weights.of((60, 15, 15, 10), 30, 30)


class Table:
    """Cosines that are written down."""

    scale = WordSimilarity.scale

    def __init__(self, cosines: Mapping[str, float]) -> None:
        self._of = cosines

    def cosines(self, candidates: Sequence[CandidateDocument]) -> list[float]:
        return [self._of.get(candidate.doc.id, 0.0) for candidate in candidates]

    def similar_words(self) -> tuple[SimilarWord, ...]:
        return ()

    def candidates(
        self, corpus: Corpus, fits: Callable[[Doc], bool]
    ) -> Iterator[CandidateDocument]:
        for name in self._of:
            for candidate in corpus.at_path(f"system/memory/{name}.md"):
                if fits(candidate.doc):
                    yield candidate


def memory(name: str, body: str, kind: str = "fact") -> Doc:
    path = f"system/memory/{name}.md"
    return Doc(name, path, "system", "memory", body=body, mem_kind=kind)


DOCS = (
    memory("car", "The car needs petrol"),
    memory("automobile", "An automobile is washed on Saturdays"),
    memory("event", "The automobile was sold", kind="event"),
)


def found(table: Table | None, text: str = "washing the car") -> dict[str, float]:
    ruling = QueryPermission(MemoryQuery("q", "semantic", text), asked=500)
    corpus = Scan(DOCS, view_of(ruling, READER))
    items = in_library(corpus, ruling, READER, WEIGHTS, table).ranked
    return {match.item.id: match.relevance for match in items}


def test_what_shares_no_word_is_found_by_its_meaning():
    assert list(found(None, "car")) == ["car"]
    near = found(Table({"car": 0.8, "automobile": 0.7}), "car")
    assert list(near) == ["car", "automobile"]


def test_what_the_tool_may_not_read_is_not_found_by_its_meaning():
    assert "event" not in found(Table({"car": 0.8, "event": 0.9}))


def test_the_figures_do_not_follow_from_documents_that_are_not_found():
    table = {"car": 0.8, "automobile": 0.7}
    assert found(Table(table)) == found(Table({**table, "event": 0.99}))


def test_the_table_of_word_vectors_finds_what_shares_no_word():
    ruling = QueryPermission(MemoryQuery("q", "semantic", "undo a commit"), asked=500)
    docs = (*DOCS, memory("revert", "Revert the last change with git reset"))
    corpus = Scan(docs, view_of(ruling, READER))
    by_words = WordSimilarity(open_table(), parse_query("undo a commit"))
    items = in_library(corpus, ruling, READER, WEIGHTS, by_words).ranked
    assert items[0].item.id == "revert"


@pytest.mark.skipif(INSTALLED, reason="the extra is installed")
def test_where_the_model_is_missing_a_remark_says_so(world, monkeypatch):
    monkeypatch.setattr(library, "_said", set())
    world.vault("access")
    text = world.read("toolmem.toml")
    world.write("toolmem.toml", f'{text}\n[search]\nsemantic = "model"\n')
    document = json.dumps(request(query("q", "episodic", "wines")))
    done = world.call("query", "--json", stdin=document)
    (answer,) = json.loads(done.stdout)["memory_context"]
    assert (done.code, answer["status"]) == (0, "ok")
    assert answer["returned_results"] == 3
    assert done.stderr.startswith("toolmem: searched without a model: ")
