"""Search from question to hits."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from toolmem.core import search_limits
from toolmem.core.search.corpus import Corpus
from toolmem.core.search.doc import Doc
from toolmem.core.search.named import EXACT
from toolmem.core.search.rank import (
    ScoredCandidate,
    arrange,
    below_successors,
    distinct,
)
from toolmem.core.search.ranking import (
    FindRequest,
    Ranking,
    WeightedQuery,
    ask,
    rank_hits,
)
from toolmem.core.search.scores import Scorer, Terms
from toolmem.core.text.terms import fold, spaced, words


class HitParts(Mapping[tuple[str, str], float]):
    """Contribution of each (term, field) to a relevance, computed at first use.

    Few readers ask for it.
    """

    def __init__(self, compute: Callable[[], dict[tuple[str, str], float]]) -> None:
        self._compute = compute

    @cached_property
    def _parts(self) -> dict[tuple[str, str], float]:
        return self._compute()

    def __getitem__(self, key: tuple[str, str]) -> float:
        return self._parts[key]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)


class Hit(NamedTuple):
    """One hit; ``relevance`` and ``score`` are in 0..1.

    ``parts`` has the contribution of each (term, field) to the relevance, ``meaning``
    that of the similarity to the question; ``superseded_by`` is the id of a memory that
    supersedes it; ``named`` is as in ``core.search.named``.
    """

    doc: Doc
    relevance: float
    score: float
    snippet: str
    parts: Mapping[tuple[str, str], float]
    meaning: float = 0.0
    superseded_by: str | None = None
    named: int = 0

    @property
    def id(self) -> str:
        """Id of the memory or rule, the key of the fact."""
        return self.doc.id

    @property
    def path(self) -> str:
        """Path of the file in the vault."""
        return self.doc.path

    @property
    def scope(self) -> str:
        """Scope in its text form."""
        return self.doc.scope

    @property
    def title(self) -> str:
        """Title, or the text of a rule."""
        return self.doc.title

    @property
    def topic(self) -> str | None:
        """Topic of a memory."""
        return self.doc.topic or None

    @property
    def kind(self) -> str:
        """Kind of a memory, such as insight; of other things what they are."""
        return self.doc.mem_kind if self.doc.kind == "memory" else self.doc.kind


class SearchResult(NamedTuple):
    """Hits; ``corrections`` maps a word without matches to words of the hits.

    ``terms`` are those of the question, ``feedback`` those of the first hits that were
    added to it, ``similar`` those of similar words.
    """

    hits: tuple[Hit, ...]
    corrections: dict[str, tuple[str, ...]]
    topic_fallback: bool = False
    feedback: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    similar: tuple[str, ...] = ()


def find(corpus: Corpus, request: FindRequest) -> SearchResult:
    """Search; with too few hits on the topic, search all topics and say so."""
    asked = ask(corpus, request.query, request.similarity)
    ranking = rank_hits(corpus, request, asked, request.topic)
    enough = search_limits.TOPIC_FALLBACK
    fallback = (
        request.topic is not None and len(distinct(ranking.hits, enough)) < enough
    )
    if fallback:
        ranking = rank_hits(corpus, request, asked, None)
    ranked, successors = below_successors(ranking.hits, request.limit)
    named = {k: rank for k, rank in ranking.named.items() if k[0] not in successors}
    ranking = ranking._replace(named=named)
    arranged = arrange(ranked, request.limit, named)
    best = max((scored.bm25 for scored in ranking.hits), default=1.0) or 1.0
    hits = [
        _hit(scored, request, asked, ranking, best)._replace(
            superseded_by=successors.get(scored.candidate.key[0])
        )
        for scored in arranged
    ]
    return SearchResult(
        tuple(hits),
        _in_whole_words(asked, hits),
        fallback,
        ranking.feedback,
        tuple(asked.own.weights),
        asked.similar,
    )


def _hit(
    scored: ScoredCandidate,
    request: FindRequest,
    asked: WeightedQuery,
    ranking: Ranking,
    best: float,
) -> Hit:
    candidate, doc = scored.candidate, scored.candidate.doc
    terms, totals, words = ranking.terms_of(scored), asked.totals, ranking.best

    weighted = scored.weighted / best / request.heaviest
    named = ranking.named.get(candidate.key, 0)

    def parts() -> dict[tuple[str, str], float]:
        shares = Scorer(terms, totals).contributions(candidate)
        return {key: value / words / best for key, value in shares.items()}

    return Hit(
        doc,
        relevance=scored.bm25 / best,
        score=1.0 if named >= EXACT else min(1.0, weighted),
        snippet=snippet(doc.body or doc.title, asked.terms),
        parts=HitParts(parts),
        meaning=ranking.shares.get(candidate.key, 0.0) / best,
        named=named,
    )


def _in_whole_words(
    asked: WeightedQuery, hits: Iterable[Hit]
) -> dict[str, tuple[str, ...]]:
    """Return corrections with the words that the hits use for their terms."""
    if not asked.corrections:
        return {}
    used: dict[str, str] = {}
    for doc in (hit.doc for hit in hits):
        texts = (doc.title, doc.body, doc.topic, doc.context, *doc.tags, *doc.headings)
        for word in words(" ".join(texts)):
            used.setdefault(asked.terms.language.stem_of(word), word)
    spelt = {
        word: tuple(used[term] for term in terms if term in used)
        for word, terms in asked.corrections.items()
    }
    return {word: shown for word, shown in spelt.items() if shown}


def count_matching(corpus: Corpus, request: FindRequest, terms: Iterable[str]) -> int:
    """Count the documents that match one of the terms, beyond the request's limit."""
    weights = dict.fromkeys(terms, 1.0)
    every = corpus.matching(weights)
    if not every or (request.where is None and request.topic is None):
        return every
    proposed = corpus.propose(weights, every, topic=request.topic).candidates
    fits = request.where or (lambda _doc: True)
    return sum(fits(candidate.doc) for candidate in proposed)


_SENTENCE_END = re.compile(r"(?<=[.!?।؟。！？])\s+|(?<=[。！？])")
_READ = 64 * 1024
"""Characters of a text that are read: enough for any real memory."""


def snippet(text: str, terms: Terms) -> str:
    """Return one line of at most `SNIPPET_CHARS`: the sentence of greatest term weight.

    Among equals, the first. A long sentence is cut around its first term.
    """
    text = text[:_READ]
    meant = terms.among(spaced(text))
    best, most = "", 0.0
    for line in text.splitlines():
        if best and line.isascii() and not _has_one(line.lower(), meant):
            continue
        for sentence in _SENTENCE_END.split(line):
            gain = _gain(sentence, terms, meant)
            if gain > most or not best:
                best, most = " ".join(sentence.split()), gain
    return _cut(best, terms)


def _gain(sentence: str, terms: Terms, meant: Collection[str]) -> float:
    folded = fold(sentence)
    if not _has_one(folded, meant):
        return 0.0
    present = set(terms.among(spaced(sentence)).values())
    return sum(terms.weights[term] for term in sorted(present))


def _has_one(folded: str, meant: Collection[str]) -> bool:
    return any(word in folded for word in meant)


def _cut(sentence: str, terms: Terms) -> str:
    chars_left = search_limits.SNIPPET_CHARS
    if len(sentence) <= chars_left:
        return sentence
    start = _first_term(sentence, terms)
    if start + chars_left // 2 > len(sentence):
        start = len(sentence) - chars_left // 2
    start = max(0, start - chars_left // 2)
    if start:
        start = sentence.find(" ", start, start + 20) + 1 or start
    piece = sentence[start : start + chars_left - 2]
    if start + len(piece) < len(sentence):
        piece = (
            piece[: piece.rfind(" ", chars_left - 30) + 1 or len(piece)].rstrip() + "…"
        )
    return "…" + piece if start else piece


def _first_term(sentence: str, terms: Terms) -> int:
    at = 0
    for piece in sentence.split(" "):
        if meant := terms.among(spaced(piece)):
            if len(piece) < search_limits.SNIPPET_CHARS // 4:
                return at
            # A long piece is in a script without spaces, or an address.
            return at + max(0, min(map(fold(piece).find, meant)))
        at += len(piece) + 1
    return 0
