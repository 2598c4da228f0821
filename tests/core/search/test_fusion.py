"""A search by words and meaning together has the result of an exhaustive one."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core import limits
from toolmem.core.search.corpus import CandidateSet, View
from toolmem.core.search.doc import Doc
from toolmem.core.search.find import FindRequest, SearchResult, ask, find
from toolmem.core.search.fusion import Key
from toolmem.core.search.query import parse_query
from toolmem.core.search.rank import ScoredCandidate, arrange, bm25
from toolmem.core.search.scan import Scan

NOW = datetime(2026, 1, 1, tzinfo=UTC)
WEIGHTS = {"system": 0.4, "project:p": 1.0}


class Table:
    """Predefined cosines."""

    def __init__(self, cosines: Mapping[Key, tuple[str, float]]) -> None:
        self._of = cosines
        values = [cosine for _, cosine in cosines.values()]
        self.low, self.high = min(values, default=0.0), max(values, default=0.0)

    def cosine(self, key: Key) -> float:
        return self._of[key][1]

    def most_similar(self, scopes: frozenset[str]) -> Iterator[tuple[Key, float]]:
        found = [(k, c) for k, (scope, c) in self._of.items() if scope in scopes]
        yield from sorted(found, key=lambda item: -item[1])


class Stingy(Scan):
    """A scan that proposes, as an index does, no more than it is asked for."""

    query = parse_query("")

    def propose(self, weights, count, *, scopes=None, topic=None, means=None):
        asked = ask(self, self.query)
        found = super().propose(weights, count, scopes=scopes, topic=topic).candidates
        scored = sorted(
            ((bm25(one, asked.terms, asked.totals), one) for one in found),
            key=lambda pair: (-pair[0], pair[1].key),
        )
        first = tuple(one for _, one in scored[:count])
        return CandidateSet(
            first, scored[count - 1][0] if len(scored) >= count else 0.0
        )


def memory(number: int, body: str, scope: str = "system", topic: str = "") -> Doc:
    path = f"{scope}/memory/{number:03}.md"
    return Doc(f"{number:03}", path, scope, "memory", body=body, topic=topic)


def search(docs, cosines, question, limit=10, topic=None) -> SearchResult:
    corpus = Stingy(docs, View(NOW))
    corpus.query = parse_query(question)
    table = Table(
        {(d.id, d.path): (d.scope, c) for d, c in zip(docs, cosines, strict=True)}
    )
    request = FindRequest(corpus.query, limit=limit, topic=topic, similarity=table)
    return find(corpus, request)


def counted(docs, cosines, question, limit) -> list[str]:
    """The ids that hits have by the definition, every document being looked at."""
    corpus = Scan(docs, View(NOW))
    asked = ask(corpus, parse_query(question))
    found = {c.key: c for doc in docs for c in corpus.at_path(doc.path)}
    words = {k: bm25(c, asked.terms, asked.totals) for k, c in found.items()}
    best = max(words.values(), default=0.0) or 1.0
    low = min([*cosines, 0.0])
    span = max([*cosines, limits.MEANING_SPAN]) - low
    hits = []
    for doc, cosine in zip(docs, cosines, strict=True):
        score = words[doc.id, doc.path]
        if score or cosine >= limits.MEANING_FLOOR:
            total = score / best + limits.MEANING_WEIGHT * (cosine - low) / span
            candidate = found[doc.id, doc.path]
            hits.append(ScoredCandidate(candidate, total, total * WEIGHTS[doc.scope]))
    return [hit.candidate.doc.id for hit in arrange(hits, limit)]


def test_the_nearest_is_found_without_a_word_in_common():
    docs = [memory(1, "the canteen closes"), memory(2, "run the migrations")]
    found = search(docs, [0.6, 0.1], "where to eat")
    assert [(h.doc.id, h.score, h.relevance, h.meaning) for h in found.hits] == [
        ("001", 0.4, 1.0, 1.0)
    ]


def test_words_and_meaning_are_added():
    docs = [memory(1, "alpha beta"), memory(2, "alpha gamma"), memory(3, "delta")]
    found = search(docs, [0.0, 0.5, -0.5], "alpha")
    assert [(hit.doc.id, hit.relevance, hit.meaning) for hit in found.hits] == [
        ("002", 1.0, 0.5),
        ("001", 0.75, 0.25),
    ]
    assert sum(found.hits[1].parts.values()) == pytest.approx(0.5)


def test_nothing_is_found_where_nothing_is_near():
    docs = [memory(n, f"word{n}") for n in range(5)]
    assert search(docs, [0.19, 0.1, 0.0, -0.1, -0.2], "zebra").hits == ()
    assert search([], [], "zebra").hits == ()


def test_little_differences_among_few_documents_do_not_outweigh_words():
    docs = [memory(1, "alpha beta beta"), memory(2, "gamma alpha delta epsilon zeta")]
    found = search(docs, [0.01, 0.03], "beta")
    assert [hit.doc.id for hit in found.hits] == ["001"]


def test_a_topic_keeps_its_own_and_those_without_one():
    docs = [memory(n, f"w{n}", topic=t) for n, t in enumerate(["a", "b", "", "a"])]
    found = search(docs, [0.5, 0.6, 0.4, 0.3], "zebra", topic="a")
    assert [hit.doc.id for hit in found.hits] == ["000", "002", "003"]
    assert not found.topic_fallback


_BODIES = st.lists(st.sampled_from("alpha beta gamma delta".split()), max_size=4)


@examples(200)
@given(
    st.lists(
        st.tuples(_BODIES, st.booleans(), st.integers(-30, 90)), min_size=1, max_size=40
    ),
    st.sampled_from(["alpha", "alpha beta", "delta gamma zebra", "zebra"]),
    st.sampled_from([1, 2, 3, 6]),
    st.sampled_from([0.19, 0.9]),
)
def test_hits_are_those_of_a_full_count(rows, question, limit, nearest):
    docs = [
        # Each reads otherwise: of documents that read the same one is shown.
        memory(n, " ".join([f"n{n}", *words]), "project:p" if narrow else "system")
        for n, (words, narrow, _) in enumerate(rows)
    ]
    cosines = [min(hundredths / 100, nearest) for _, _, hundredths in rows]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            limits, "MEANING_CANDIDATES", 1
        )  # so that there is more than one round
        found = search(docs, cosines, question, limit)
    expected = counted(docs, cosines, question, limit)
    assert [hit.doc.id for hit in found.hits] == expected
    assert all(0 <= hit.score <= 1 and 0 <= hit.relevance <= 1 for hit in found.hits)


def test_the_most_relevant_is_found_though_first_in_neither_list(monkeypatch):
    monkeypatch.setattr(limits, "MEANING_CANDIDATES", 1)
    pad = " ".join(f"w{n}" for n in range(12))
    rows = [
        *((f"n{n} alpha alpha {pad}", "system", -0.3) for n in range(5)),
        *((f"n{n} {pad}", "system", 0.9) for n in range(5, 10)),
        (f"n10 alpha {pad} {pad}", "system", 0.85),
        *((f"n{n} {pad}", "project:p", 0.84) for n in range(11, 17)),
    ]
    docs = [memory(n, body, scope) for n, (body, scope, _) in enumerate(rows)]
    found = search(docs, [cosine for *_, cosine in rows], "alpha", limit=5)
    assert [hit.doc.id for hit in found.hits][3:] == ["010", "000"]


def test_meaning_lifts_a_weak_match_that_it_would_not_find_alone(monkeypatch):
    monkeypatch.setattr(limits, "MEANING_CANDIDATES", 1)
    rows = [
        # Each longer than the one before, so that its one word counts for less.
        *(
            (f"n{n} alpha " + " ".join(f"w{m}" for m in range(9 * n)), -0.3)
            for n in range(12)
        ),
        *((f"n{n} beta", -0.25) for n in range(12, 24)),
    ]
    cosines = [0.19 if n == 11 else cosine for n, (_, cosine) in enumerate(rows)]
    docs = [memory(n, body) for n, (body, _) in enumerate(rows)]
    found = search(docs, cosines, "alpha", limit=2)
    assert [hit.doc.id for hit in found.hits] == counted(docs, cosines, "alpha", 2)
    assert "011" in {hit.doc.id for hit in found.hits}


def test_only_as_many_documents_are_looked_at_as_are_needed(monkeypatch):
    docs = [memory(n, f"n{n} alpha") for n in range(400)]
    cosines = [n / 500 for n in range(400)]
    looked: list[str] = []
    at_path = Scan.at_path

    def counting(self, path):
        looked.append(path)
        return at_path(self, path)

    monkeypatch.setattr(Scan, "at_path", counting)
    found = search(docs, cosines, "zebra", limit=3)
    assert [hit.doc.id for hit in found.hits] == ["399", "398", "397"]
    assert len(looked) == limits.MEANING_CANDIDATES
