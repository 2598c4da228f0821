"""Explain the score of a hit, and why an expected one is missing."""

from toolmem.core.search.corpus import CandidateDocument, text_of
from toolmem.core.search.find import Hit, SearchResult
from toolmem.core.search.scores import Terms
from toolmem.core.shown import counted
from toolmem.ops.rules.listing import every_file
from toolmem.ops.search.search import SearchAnswer, SearchRequest, search_all, view_of
from toolmem.store.vault.library import Library, ask_library
from toolmem.store.vault.memory_files import every_memory
from toolmem.store.vault.vault import Vault

_DEEP = 200
"""Ranks in which a missing document is searched, besides those that share words."""
_FEEDBACK = " (feedback)"
_SMALL = 0.01
"""Feedback terms that add less to the relevance are shown as one sum."""


def explain_hit(hit: Hit, result: SearchResult) -> list[str]:
    """Return the lines about one hit: its score, and what each word added to it.

    Terms that are not in the question are marked, and small ones summed up.
    """
    marks = dict.fromkeys(result.feedback, _FEEDBACK)
    marks |= dict.fromkeys(result.similar, " (similar)")
    lines = [f"{hit.doc.id}: score {hit.score:.3f}, relevance {hit.relevance:.3f}"]
    parts = sorted(hit.parts.items(), key=lambda part: (-part[1], part[0]))
    small = []
    for (term, field), value in parts:
        mark = marks.get(term, "")
        if mark == _FEEDBACK and value < _SMALL:
            small.append(value)
        else:
            lines.append(f"  {value:.3f}  {term} in {field}{mark}")
    if small:
        sizes = counted(len(small), "smaller part")
        lines.append(f"  {sum(small):.3f}  {sizes}{_FEEDBACK}")
    if hit.named:
        lines.append("  named by the question: first in any scope")
    if hit.meaning:
        lines.append(f"  {hit.meaning:.3f}  meaning")
    return lines


def explain_miss(
    vault: Vault, request: SearchRequest, answer: SearchAnswer, expected: str
) -> str:
    """Return the rank of the expected document, or why it is missing.

    A memory may be named by the beginning of its id.
    """
    expected = _whole(vault, expected)
    for place, hit in enumerate(answer.found.hits, 1):
        if expected in (hit.doc.id, hit.doc.path):
            return f"{expected} is number {place}"
    most = answer.total + _DEEP
    (deeper,) = search_all(vault, [request._replace(limit=most)])
    for place, hit in enumerate(deeper.found.hits, 1):
        if expected in (hit.doc.id, hit.doc.path):
            added = {*deeper.found.feedback, *deeper.found.similar}
            words = sorted({term for term, _ in hit.parts} - added)
            has = f"has {', '.join(words)}" if words else "has none of the words"
            return (
                f"{expected} is number {place} (score {hit.score:.3f}), "
                f"below the limit of {request.limit}; it {has}"
            )
    return f"{expected}: {_reason(vault, request, deeper, expected)}"


def _reason(
    vault: Vault, request: SearchRequest, deeper: SearchAnswer, expected: str
) -> str:
    candidate = _visible(vault, request, expected)
    if candidate is not None:
        words = [word for word, _ in deeper.query.words]
        if not _shares(candidate, deeper):
            return f"contains none of the words searched for ({', '.join(words)})"
        text = candidate.text
        for hit in deeper.found.hits:
            if text_of(hit.doc) == text:
                return f"has the same text as {hit.doc.id}, which is shown in its place"
        return "contains words searched for, but a filter keeps it out"
    wide = request._replace(
        scope=None, tag=None, mem_kind=None, since=None, until=None, importance_min=None
    )
    if _visible(vault.with_chain(vault.chain[-1:]), wide, expected):
        return "is in a scope that was not searched, or a filter keeps it out"
    return "no such memory, rule or fact is visible here"


def _shares(candidate: CandidateDocument, deeper: SearchAnswer) -> bool:
    """Return whether a document has a word of the question, or a correction of one."""
    language = deeper.query.language
    stems = [stem for _, stem in deeper.query.words]
    for words in deeper.found.corrections.values():
        stems += language.stems(words)
    terms = Terms(dict.fromkeys(stems, 1.0), language)
    return terms.are_in(candidate)


def _visible(
    vault: Vault, request: SearchRequest, expected: str
) -> CandidateDocument | None:
    """Return the document among those that a request is asked of."""
    paths = _paths_of(vault, expected)

    def ask(library: Library) -> CandidateDocument | None:
        hits = (hit for path in paths for hit in library.corpus.at_path(path))
        named = (hit for hit in hits if expected in (hit.doc.id, hit.doc.path))
        return next(named, None)

    return ask_library(vault, view_of(vault, request), ask) if paths else None


def _whole(vault: Vault, expected: str) -> str:
    """The id of the only memory whose id begins so, else what was expected."""
    known = {memory.id for memory in every_memory(vault)}
    begin = {memory for memory in known if memory.startswith(expected)}
    return begin.pop() if expected not in known and len(begin) == 1 else expected


def _paths_of(vault: Vault, expected: str) -> list[str]:
    """The paths of a memory or rule by its id; a path is its own."""
    if "/" in expected:
        return [expected]
    memories = [m.path for m in every_memory(vault) if m.id == expected]
    return memories or [f.path for f in every_file(vault).files if f.id == expected]
