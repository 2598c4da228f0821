"""Corpus of the indexed documents that one reader may see.

All counts are of live, visible documents. tantivy's own statistics, which include
deleted and hidden ones, only affect which documents it proposes, and the bound on the
others.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import tantivy
from tantivy import FieldType, Occur, Query

from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.search.corpus import (
    CandidateDocument,
    CandidateSet,
    Totals,
    View,
    newest_of,
)
from toolmem.core.search.doc import Doc, Lengths
from toolmem.core.search.query import rarity
from toolmem.core.search.rank import BOOSTS
from toolmem.store.index import codec, engine, newest
from toolmem.store.index.engine import (
    LENGTHS,
    TEXTS,
    EngineGuard,
    micros,
    raw,
    unraw,
)
from toolmem.store.index.filters import filter_clauses

_SLACK = 1.0001
"""tantivy adds up in 32 bits."""
_IN_ONE_FILE = 10_000
"""Documents of one file: the facts of a scope are one each."""
_LONG_AGO = -(1 << 62)
_FEW_TERMS = 64
"""For more terms a set of them is faster, which takes a quarter of a ms to prepare."""
_MOST_CANDIDATES = 4_000  # of some 5 kB each

Clause = tuple[Occur, Query]


class IndexSnapshot:
    """An open index at one moment, with tantivy's own counts."""

    def __init__(self, index: tantivy.Index) -> None:
        """Open a searcher; raises ``BrokenIndexError``."""
        with EngineGuard():
            self.engine = index.searcher()
            self.schema = index.schema
            self.parts = self.engine.terms_with_prefix("part", "")
            self._means: dict[str, float] = {}
            self._candidates: dict[tuple[int, int], CandidateDocument] = {}
            self.documents = 0
            if self.parts:
                rarest = min(self.parts, key=lambda part: part[1])[0]
                self.documents = self._statistics("part", [rarest])[0]
            self.pristine = self.documents == self.engine.num_docs
            if not self.pristine:
                live = self.engine.terms_with_prefix("part", "", Query.all_query())
                self.parts = [part for part in live if part[1]]

    def candidate(self, address: tantivy.DocAddress) -> CandidateDocument:
        """Return a document; one that was read before is not read again."""
        place = (address.segment_ord, address.doc)
        found = self._candidates.get(place)
        if found is None:
            stored: Any = self.engine.doc(address).get_first("doc")
            if len(self._candidates) >= _MOST_CANDIDATES:
                self._candidates.clear()
            found = self._candidates[place] = codec.decode(stored)
        return found

    def everything(self) -> Iterator[Doc]:
        """Yield every document, unordered."""
        with EngineGuard():
            many = max(self.engine.num_docs, 1)
            found = self.engine.search(Query.all_query(), limit=many, count=False)
            for _, address in found.hits:
                stored: Any = self.engine.doc(address).get_first("doc")
                yield codec.decode_doc(stored)

    def term(self, field: str, value: str) -> Query:
        """Return a query for documents whose field contains the term."""
        option = "freq" if field in TEXTS else "basic"
        return Query.term_query(self.schema, field, value, option)

    def any_of(self, field: str, values: Iterable[str]) -> Query:
        """Return a query for documents whose field contains one of the terms.

        The scores of such documents are arbitrary.
        """
        terms = list(values)
        if not 0 < len(terms) <= _FEW_TERMS:
            return Query.term_set_query(self.schema, field, terms)
        each = [(Occur.Should, self.term(field, term)) for term in terms]
        return Query.boolean_query(each)

    def holding(self, field: str, term: str) -> int:
        """Return tantivy's count of documents with the term."""
        with EngineGuard():
            return int(self.engine.doc_freq(field, term))

    def mean(self, field: str, terms: Iterable[str]) -> float:
        """Return tantivy's mean length of a field; 0 if no live document has a term."""
        if field not in self._means:
            with EngineGuard():
                self._means[field] = self._statistics(field, terms)[1]
        return self._means[field]

    def _statistics(self, field: str, terms: Iterable[str]) -> tuple[int, float]:
        """Return tantivy's number of documents and mean length, from an explanation.

        They are not available in any other way.
        """
        rarest_first = sorted(terms, key=lambda term: self.engine.doc_freq(field, term))
        for term in rarest_first:
            query = self.term(field, term)
            for _, address in self.engine.search(query, limit=1, count=False).hits:
                explained = json.loads(query.explain(self.engine, address).to_json())
                values = dict(_values(explained))
                return int(values["N"]), values.get("avgdl", 0.0)
        return 0, 0.0


def _values(explained: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield the first word of each line of an explanation, with its value."""
    for detail in explained.get("details", ()):
        yield detail["description"].partition(",")[0], detail["value"]
        yield from _values(detail)


class IndexCorpus:
    """Part of an index that one reader may see; see ``core.search.corpus.Corpus``."""

    def __init__(
        self, searched: IndexSnapshot, view: View, language: Language = ENGLISH
    ) -> None:
        """Determine which documents the view shows."""
        self.language = language
        self._in = searched
        self._view = view
        self._shown: dict[str, list[str]] = {}
        self._sure: set[str] = set()
        self._hidden: Query | None = None
        self.expiring = False
        self._clauses = self._visible()
        self._frequencies: dict[str, int] = {}
        self._totals: Totals | None = None

    def scopes(self) -> Iterable[str]:
        """Return the scopes that have documents."""
        return [
            scope
            for scope, parts in self._shown.items()
            if scope in self._sure
            or self._matches(self._all_of(self._only("part", parts)))
        ]

    def totals(self) -> Totals:
        """Return the totals of the visible documents."""
        if self._totals is None:
            wanted = {name: {"sum": {"field": LENGTHS[name]}} for name in TEXTS}
            wanted["documents"] = {"value_count": {"field": LENGTHS["all"]}}
            if self.expiring:
                wanted["until"] = {"min": {"field": "expires"}}
            with EngineGuard():
                found = self._in.engine.aggregate(self._all_of(), wanted)
                many = int(found["documents"]["value"])
                means = (int(found[name]["value"] or 0) / (many or 1) for name in TEXTS)
                first = found["until"]["value"] if self.expiring else None
                until = None if first is None else engine.moment(first)
                self._totals = Totals(many, Lengths(*means), until)
        return self._totals

    def frequency(self, term: str) -> int:
        """Return the number of documents that contain the term."""
        if term not in self._frequencies:
            self._frequencies[term] = self._count("all", term)
        return self._frequencies[term]

    def beginning(self, prefix: str) -> Iterable[str]:
        """Return the terms with a prefix; possibly also some that no visible document
        has."""
        with EngineGuard():
            return [
                term for term, _ in self._in.engine.terms_with_prefix("all", prefix)
            ]

    def propose(
        self,
        weights: Mapping[str, float],
        count: int,
        *,
        scopes: frozenset[str] | None = None,
        topic: str | None = None,
        means: Lengths | None = None,
    ) -> CandidateSet:
        """Return the best documents by a score that is never below ours."""
        wanted = self._wanted(weights, means or self.totals().means)
        if not wanted:
            return CandidateSet((), 0.0)
        clauses = [(Occur.Must, Query.boolean_query(wanted))]
        if scopes is not None:
            parts = [part for scope in scopes for part in self._shown.get(scope, ())]
            clauses.append(self._only("part", parts))
        if topic is not None:
            clauses.append(self._only("label", map(engine.topic, ("", topic))))
        with EngineGuard():
            hits = self._in.engine.search(
                self._all_of(*clauses), limit=self._at_most(count), count=False
            ).hits
            found = tuple(self._in.candidate(address) for _, address in hits)
        return CandidateSet(found, hits[-1][0] * _SLACK if len(hits) == count else 0.0)

    def matching(self, terms: Iterable[str]) -> int:
        """Return the number of documents with one of the terms in any field."""
        known = list(terms)
        clauses = [(Occur.Should, self._in.any_of(field, known)) for field in TEXTS]
        if not known:
            return 0
        return self._matches(self._all_of((Occur.Must, Query.boolean_query(clauses))))

    def newest(self, count: int) -> tuple[CandidateDocument, ...]:
        """Return the most recently changed documents."""
        searched = self._in.engine, self._in.schema, self._all_of
        with EngineGuard():
            found = newest.last_changed(*searched, max(count, 1))
            return newest_of(map(self._in.candidate, found), count)

    def newest_by_topic(self, count: int, each: int) -> Iterator[Doc]:
        """Return the most recently changed documents of each topic."""
        searched = self._in.engine, self._in.schema, self._all_of
        return newest.newest_by_topic(*searched, count, each)

    def at_path(self, path: str) -> tuple[CandidateDocument, ...]:
        """Return the documents of a file, by id."""
        query = self._all_of((Occur.Must, self._in.term("path", raw(path))))
        with EngineGuard():
            hits = self._in.engine.search(query, limit=_IN_ONE_FILE, count=False).hits
            found = [self._in.candidate(address) for _, address in hits]
        return tuple(sorted(found, key=lambda candidate: candidate.doc.id))

    def _visible(self) -> list[Clause]:
        """Return the clauses that only visible documents match."""
        view, shown, hidden = self._view, 0, 0
        dark = []
        narrowed = (view.tags, view.mem_kinds, view.search_filter) != (None, None, None)
        for part, count in self._in.parts:
            term, kind, flags = part.rsplit("\t", 2)
            scope = unraw(term)
            if scope is not None and view.shows_part(scope, kind, "p" in flags):
                self._shown.setdefault(scope, []).append(part)
                shown += count
                self.expiring = self.expiring or "x" in flags
                if not narrowed and "x" not in flags:
                    self._sure.add(scope)
            else:
                dark.append(part)
                hidden += count
        clauses = []
        if shown <= hidden:
            bright = [part for parts in self._shown.values() for part in parts]
            clauses.append(self._only("part", bright))
        elif dark:
            self._hidden = self._in.any_of("part", dark)
            clauses.append((Occur.MustNot, self._hidden))
        if self.expiring:
            clauses.append((Occur.MustNot, self._expired()))
        if view.tags is not None:
            clauses.append(self._only("label", map(engine.tag, view.tags)))
        if view.mem_kinds is not None:
            clauses.append(self._only("label", map(engine.mem_kind, view.mem_kinds)))
        if view.search_filter is not None:
            clauses += filter_clauses(
                self._in.schema, view.search_filter, self._in.parts
            )
        return clauses

    def _only(self, field: str, values: Iterable[str]) -> Clause:
        query = self._in.any_of(field, values)
        return Occur.Must, Query.const_score_query(query, 0.0)

    def _expired(self) -> Query:
        until = micros(self._view.at)
        return Query.range_query(
            self._in.schema, "expires", FieldType.Integer, _LONG_AGO, until
        )

    def _all_of(self, *clauses: Clause) -> Query:
        every = [*clauses, *self._clauses]
        if len(every) == 1 and every[0][0] == Occur.Must:
            return every[0][1]
        if all(occur != Occur.Must for occur, _ in every):
            every.append((Occur.Must, Query.all_query()))
        return Query.boolean_query(every)

    def _count(self, field: str, term: str) -> int:
        holding = self._in.holding(field, term)
        if not holding or (self._in.pristine and not self._clauses):
            return holding
        must = (Occur.Must, self._in.term(field, term))
        if self._in.pristine and self._hidden and len(self._clauses) == 1:
            dark = Query.boolean_query([must, (Occur.Must, self._hidden)])
            return holding - self._matches(dark)
        return self._matches(self._all_of(must))

    def _matches(self, query: Query) -> int:
        with EngineGuard():
            found: Any = self._in.engine.search(query, limit=1, count=True)
            return int(found.count)

    def _wanted(self, weights: Mapping[str, float], means: Lengths) -> list[Clause]:
        """Return the terms, weighted so that tantivy's score is an upper bound of ours.

        Its idf is divided out. If its mean length is below ours it overestimates the
        length of a document, at most by their ratio.
        """
        clauses = []
        for field, boost, ours in zip(TEXTS, BOOSTS, means, strict=True):
            here = {term: self._in.holding(field, term) for term in weights}
            here = {term: holding for term, holding in here.items() if holding}
            if not here or not (theirs := self._in.mean(field, here)):
                continue
            scale = boost * max(1.0, ours / theirs)
            for term, holding in here.items():
                idf = rarity(self._in.documents, holding)
                query = self._in.term(field, term)
                factor = scale * weights[term] / idf
                clauses.append((Occur.Should, Query.boost_query(query, factor)))
        return clauses

    def _at_most(self, count: int) -> int:
        """Return a limit that tantivy can allocate memory for."""
        return max(min(count, self._in.engine.num_docs), 1)
