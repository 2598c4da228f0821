"""Documents that a question names: by their id, path or title."""

import re
from collections.abc import Iterable, Sequence
from itertools import chain

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
_AROUND = "()[]{}<>#,.:;!?\"'`"
_DIGIT = re.compile(r"\d")
_LINE = re.compile(r":\d{1,9}\Z")
_MOST_NAMES = 16


def find_named(
    corpus: Corpus, query: ParsedQuery, weights: PlaceWeights
) -> dict[tuple[str, str], tuple[CandidateDocument, int]]:
    """Return the documents that a question names: ``VERBATIM``, ``EXACT`` …"""
    text = query.text.strip()
    asked = name_key(text)
    names = _names_in(text)
    candidates: list[CandidateDocument] = []
    for name in names:
        parts = name.split("/")
        for at in range(len(parts) if len(parts) > 1 else 0):
            candidates += corpus.at_path("/".join(parts[at:]))
        stem = parts[-1].removesuffix(".md").removesuffix(".toml")
        for id_ in {name, stem, stem[-limits.ID_SHOWN :]}:
            candidates += corpus.with_id(id_)
    if asked:
        candidates += corpus.with_name(asked)
    terms = [term for _, term in query.words]
    if terms and len(terms) <= search_limits.NAME_WORDS:
        # As many of each weight: those of a narrower scope come first.
        for places in by_weight(corpus.places(), weights).values():
            candidates += corpus.with_all(terms, search_limits.NAMED, places)
    ranked = (
        (candidate, _rank(text, names, asked, candidate.doc))
        for candidate in candidates
    )
    return {candidate.key: (candidate, rank) for candidate, rank in ranked if rank}


def _names_in(text: str) -> list[str]:
    """Return the words of a question that may be an id or a path, as denials and other
    commands print them; of several words, only those that have a digit or a slash."""
    words = [word.strip(_AROUND) for word in text.split()]
    if len(words) > 1:
        words = [word for word in words if "/" in word or _DIGIT.search(word)]
    words = [_LINE.sub("", word.removeprefix("./")) for word in words]
    return [*dict.fromkeys(chain(words, map(str.lower, words)))][:_MOST_NAMES]


def _rank(text: str, names: Sequence[str], asked: str, doc: Doc) -> int:
    path = f"/{doc.path}"
    if any(name and path.endswith(f"/{name}") for name in names):
        return VERBATIM
    if any(f"/{name}".endswith(path) for name in names):
        return VERBATIM
    if doc.has_id and not {doc.id, doc.id_shown}.isdisjoint(names):
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
