"""Corpus of the indexed documents that one reader may see.

All counts are of live, visible documents. tantivy's own statistics, which include
deleted and hidden ones, only affect which documents it proposes, and the bound on the
others.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import inf
from typing import Any

from tantivy import FieldType, Occur, Query

from toolmem.core import limits
from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.search.corpus import (
    CHANGED,
    CandidateDocument,
    CandidateSet,
    Place,
    Totals,
    View,
    newest_of,
)
from toolmem.core.search.doc import Lengths
from toolmem.core.search.query import rarity
from toolmem.core.search.scores import BOOSTS
from toolmem.store.index import engine, queries
from toolmem.store.index.engine import (
    LENGTHS,
    TEXTS,
    EngineGuard,
    micros,
    raw,
    unraw,
)
from toolmem.store.index.queries import Clause
from toolmem.store.index.snapshot import IndexSnapshot

_SLACK = 1.0001
"""tantivy adds up in 32 bits."""
_WHOLE = "all", "context"
"""Fields that have every word of a document: those of its head are among all."""
_LONG_AGO = -(1 << 62)
_FEW_HIDDEN = 200
"""Hidden documents, at most, that are read to know their terms."""
_MOST_FREQUENCIES = 50_000


class IndexCorpus:
    """Part of an index that one reader may see; see ``core.search.corpus.Corpus``."""

    def __init__(
        self, searched: IndexSnapshot, view: View, language: Language = ENGLISH
    ) -> None:
        """Determine which documents the view shows."""
        self.language = language
        self._in = searched
        self._view = view
        self._shown: dict[Place, list[str]] = {}
        self._sure: set[Place] = set()
        self._hidden: Query | None = None
        self._hidden_terms: Counter[str] | None = None
        self._few_hidden = False
        self._expiring = False
        self._clauses = self._visible()
        self._frequencies: dict[str, int] = {}
        self._totals: Totals | None = None

    def places(self) -> Iterable[Place]:
        """Return the places that have documents."""
        return [
            place
            for place, parts in self._shown.items()
            if place in self._sure
            or self._matches(self._all_of(self._only("part", parts)))
        ]

    def totals(self) -> Totals:
        """Return the totals of the visible documents."""
        if self._totals is None:
            wanted = {name: {"sum": {"field": LENGTHS[name]}} for name in TEXTS}
            wanted["documents"] = {"value_count": {"field": LENGTHS["all"]}}
            if self._expiring:
                wanted["until"] = {"min": {"field": "expires"}}
            with EngineGuard():
                sums = self._in.engine.aggregate(self._all_of(), wanted)
                many = int(sums["documents"]["value"])
                means = (int(sums[name]["value"] or 0) / (many or 1) for name in TEXTS)
                first = sums["until"]["value"] if self._expiring else None
                until = None if first is None else engine.moment(first)
                self._totals = Totals(many, Lengths(*means), until)
        return self._totals

    def frequency(self, term: str) -> int:
        """Return the number of documents that contain the term."""
        count = self._frequencies.get(term)
        if count is None:
            count = self._count(term)
            if len(self._frequencies) >= _MOST_FREQUENCIES:
                self._frequencies.clear()
            self._frequencies[term] = count
        return count

    def frequencies(self, terms: Sequence[str]) -> list[int]:
        """Return the same of several terms, in order."""
        known, frequency = self._frequencies.get, self.frequency
        return [
            cached if (cached := known(term)) is not None else frequency(term)
            for term in terms
        ]

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
        floor: float = 0.0,
        places: frozenset[Place] | None = None,
        topic: str | None = None,
        means: Lengths | None = None,
    ) -> CandidateSet:
        """Return the best documents by a score that is never below ours."""
        wanted = self._wanted(weights, means or self.totals().means)
        if not wanted:
            return CandidateSet((), 0.0)
        clauses = [(Occur.Must, Query.boolean_query(wanted))]
        if places is not None:
            parts = [part for place in places for part in self._shown.get(place, ())]
            clauses.append(self._only("part", parts))
        if topic is not None:
            clauses.append(self._only("label", map(engine.topic, ("", topic))))
        with EngineGuard():
            hits = self._in.engine.search(
                self._all_of(*clauses), limit=self._at_most(count), count=False
            ).hits
            bound = hits[-1][0] * _SLACK if len(hits) == count else 0.0
            low = next(
                (at for at, hit in enumerate(hits) if hit[0] * _SLACK < floor), None
            )
            if low is not None:
                hits, bound = hits[:low], hits[low][0] * _SLACK
            candidates = tuple(self._in.candidates([address for _, address in hits]))
        return CandidateSet(candidates, bound)

    def matching(self, terms: Iterable[str]) -> int:
        """Return the number of documents with one of the terms in any field."""
        known = list(terms)
        if not known:
            return 0
        return self._matches(self._all_of((Occur.Must, self._any(known))))

    def newest(self, count: int) -> tuple[CandidateDocument, ...]:
        """Return the most recently changed documents."""
        searched = self._in.engine, self._in.schema, self._all_of
        with EngineGuard():
            query = queries.last_changed(*searched, max(count, 1))
            return newest_of(self._in.candidates(query), count)

    def greatest(
        self, field: str, count: int, terms: Collection[str] = ()
    ) -> CandidateSet:
        """Return the documents with the greatest values of a field, in any order."""
        matching = [(Occur.Must, self._any(terms))] if terms else []
        with EngineGuard():
            hits = self._in.engine.search(
                self._all_of(*matching),
                limit=self._at_most(count),
                count=False,
                order_by_field=field,
            ).hits
            candidates = tuple(self._in.candidates([address for _, address in hits]))
        if len(candidates) < count:
            return CandidateSet(candidates, -inf)
        last = hits[-1][0] or 0  # None: without a date
        last = engine.moment(last).timestamp() if field == CHANGED else last
        return CandidateSet(candidates, last)

    def topics(self) -> set[str]:
        """Return the topics of the documents."""
        prefix, all_of = engine.topic(""), self._all_of()
        with EngineGuard():
            terms = self._in.engine.terms_with_prefix("label", prefix, all_of)
        return {term.removeprefix(prefix) for term, many in terms if many} - {""}

    def on_topic(self, topic: str) -> tuple[CandidateDocument, ...]:
        """Return every document on a topic, in any order."""
        return self._every(self._only("label", [engine.topic(topic)]))

    def with_id(self, text: str) -> tuple[CandidateDocument, ...]:
        """Return the rules and memories with an id, whole or as it is shown."""
        shown = text[: limits.ID_SHOWN]
        matches = self._every(self._only("label", [engine.shown_id(shown)]))
        return tuple(match for match in matches if text in (shown, match.doc.id))

    def with_name(self, key: str) -> tuple[CandidateDocument, ...]:
        """Return the documents with a name, given as ``name_key``."""
        return self._every(self._only("label", [engine.name(key)]))

    def with_all(
        self, terms: Sequence[str], most: int, places: frozenset[Place]
    ) -> tuple[CandidateDocument, ...]:
        """Return documents of some places with every term in title or opening."""
        wanted = [(Occur.Must, self._in.term("head", term)) for term in terms]
        parts = [part for place in places for part in self._shown.get(place, ())]
        wanted.append(self._only("part", parts))
        with EngineGuard():
            hits = self._in.engine.search(
                self._all_of(*wanted), limit=self._at_most(most), count=False
            ).hits
            return tuple(self._in.candidates([address for _, address in hits]))

    def at_path(self, path: str) -> tuple[CandidateDocument, ...]:
        """Return the documents of a file, by id."""
        matches = self._every((Occur.Must, self._in.term("path", raw(path))))
        return tuple(sorted(matches, key=lambda candidate: candidate.doc.id))

    def _every(self, *clauses: Clause) -> tuple[CandidateDocument, ...]:
        """Return every visible document that meets some clauses."""
        with EngineGuard():
            # Tantivy cannot allocate memory for any limit.
            most = max(self._in.engine.num_docs, 1)
            query = self._all_of(*clauses)
            hits = self._in.engine.search(query, limit=most, count=False).hits
            return tuple(self._in.candidates([address for _, address in hits]))

    def _visible(self) -> list[Clause]:
        """Return the clauses that only visible documents match."""
        view, shown, hidden = self._view, 0, 0
        dark = []
        narrowed = (view.tags, view.mem_kinds, view.search_filter) != (None, None, None)
        for part, count in self._in.parts:
            term, kind, flags = part.rsplit("\t", 2)
            scope = unraw(term)
            if scope is not None and view.shows_part(scope, kind, "p" in flags):
                place = Place(scope, kind)
                self._shown.setdefault(place, []).append(part)
                shown += count
                self._expiring = self._expiring or "x" in flags
                if not narrowed and "x" not in flags:
                    self._sure.add(place)
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
            self._few_hidden = hidden <= _FEW_HIDDEN
        if self._expiring:
            clauses.append((Occur.MustNot, self._expired()))
        if view.tags is not None:
            clauses.append(self._only("label", map(engine.tag, view.tags)))
        if view.mem_kinds is not None:
            clauses.append(self._only("label", map(engine.mem_kind, view.mem_kinds)))
        if view.search_filter is not None:
            clauses += queries.filter_clauses(
                self._in.schema, view.search_filter, self._in.parts
            )
        return clauses

    def _any(self, terms: Collection[str]) -> Query:
        """Return a query for documents with one of the terms in any field."""
        clauses = [(Occur.Should, self._in.any_of(field, terms)) for field in _WHOLE]
        return Query.boolean_query(clauses)

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

    def _count(self, term: str) -> int:
        holding = self._in.holding("all", term)
        if not holding or (self._in.pristine and not self._clauses):
            return holding
        must = (Occur.Must, self._in.term("all", term))
        if self._in.pristine and self._hidden and len(self._clauses) == 1:
            if self._few_hidden:
                return holding - self._terms_of_hidden(self._hidden)[term]
            dark = Query.boolean_query([must, (Occur.Must, self._hidden)])
            return holding - self._matches(dark)
        return self._matches(self._all_of(must))

    def _terms_of_hidden(self, hidden: Query) -> Counter[str]:
        """Return the number of hidden documents by term: a search for each is slow."""
        if self._hidden_terms is None:
            self._hidden_terms = Counter()
            stems = self.language.stems
            with EngineGuard():
                hits = self._in.engine.search(hidden, limit=_FEW_HIDDEN, count=False)
                addresses = [address for _, address in hits.hits]
                for candidate in self._in.candidates(addresses):
                    words = candidate.words
                    text = words.text[: words.body_end]
                    self._hidden_terms.update(set(stems(text.split())))
        return self._hidden_terms

    def _matches(self, query: Query) -> int:
        with EngineGuard():
            result: Any = self._in.engine.search(query, limit=1, count=True)
            return int(result.count)

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
