"""Documents that a question names: by their id, path or title."""

from collections.abc import Iterable, Sequence

from toolmem.core import limits, search_limits
from toolmem.core.names import fold
from toolmem.core.search.corpus import (
    CandidateDocument,
    Corpus,
    PlaceWeights,
    by_weight,
)
from toolmem.core.search.doc import Doc, name_key
from toolmem.core.search.query import ParsedQuery

VERBATIM, EXACT, CLOSE, CONTAINED = 4, 3, 2, 1
"""The question is the name of a document, or has its words alone; or the title of the
document has all words of the question in their order, close together or not."""
_CLOSE = 2
"""Length of the stretch of a title from which the words of a question are not close, in
numbers of these words."""


def find_named(
    corpus: Corpus, query: ParsedQuery, weights: PlaceWeights
) -> dict[tuple[str, str], tuple[CandidateDocument, int]]:
    """Return the documents that a question names: ``VERBATIM``, ``EXACT`` …"""
    text = query.text.strip()
    asked = name_key(text)
    candidates: list[CandidateDocument] = []
    if "/" in text:
        candidates += corpus.at_path(text)
    if len(text.split()) == 1:
        stem = text.rpartition("/")[2].removesuffix(".md").removesuffix(".toml")
        for name in {text, stem, stem[-limits.ID_SHOWN :]}:
            candidates += corpus.with_id(name)
    if asked:
        candidates += corpus.with_name(asked)
    terms = [term for _, term in query.words]
    if terms and len(terms) <= search_limits.NAME_WORDS:
        # As many of each weight: those of a narrower scope come first.
        for places in by_weight(corpus.places(), weights).values():
            candidates += corpus.with_all(terms, search_limits.NAMED, places)
    ranked = ((one, _rank(text, asked, one.doc)) for one in candidates)
    return {one.key: (one, rank) for one, rank in ranked if rank}


def _rank(text: str, asked: str, doc: Doc) -> int:
    if f"/{doc.path}".endswith(f"/{text}"):
        return VERBATIM
    if doc.has_id and text in (doc.id, doc.id_shown):
        return VERBATIM
    if _as_typed(text) == _as_typed(doc.name):
        return VERBATIM
    name = name_key(doc.name)
    if not asked or not name:
        return 0
    if asked == name:
        return EXACT
    if doc.kind == "rule":  # it has no title: words of its text are those of any text
        return 0
    parts = asked.split()
    if len(parts) > search_limits.NAME_WORDS:
        return 0
    length = stretch_of(parts, name.split())
    if not length:
        return 0
    return CLOSE if length < _CLOSE * len(parts) else CONTAINED


def _as_typed(text: str) -> str:
    return " ".join(fold(text).split())


def stretch_of(asked: Sequence[str], words: Iterable[str]) -> int:
    """Return the length of the shortest stretch that has words in their order, or 0."""
    places: dict[str, list[int]] = {}
    for at in reversed(range(len(asked))):
        places.setdefault(asked[at], []).append(at)
    shortest = 0
    begun = [0] * len(asked)  # where the latest stretch with the words up to it begins
    for number, word in enumerate(words, 1):
        for at in places.get(word, ()):
            begun[at] = begun[at - 1] if at else number
        if word == asked[-1] and begun[-1]:
            length = number - begun[-1] + 1
            shortest = min(shortest or length, length)
    return shortest
