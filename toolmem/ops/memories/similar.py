"""Find similar memories of a scope and decide how to save a new text."""

from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.comparison.verdict import SaveAction, SaveVerdict, compare
from toolmem.core.comparison.verdict import TermStatistics as VaultWords
from toolmem.core.memories.memory_text import (
    ParsedMemory,
    compared_text,
    parse_memory,
)
from toolmem.core.memories.topic_finder import find_topic, topic_of_saved
from toolmem.core.model import Scope
from toolmem.core.search.corpus import View, equal_weight
from toolmem.core.search.find import Hit, find
from toolmem.core.search.query import parse_query
from toolmem.core.search.ranking import FindRequest
from toolmem.core.visibility import may_see
from toolmem.errors import InvalidFileError
from toolmem.ops.memories.listing import original_text
from toolmem.store.index.dictionary import dictionary
from toolmem.store.vault.library import Library, ask_library
from toolmem.store.vault.memory_files import NamedPaths
from toolmem.store.vault.vault import Vault, decode


class SimilarMemory(NamedTuple):
    """Verdict on the most similar memory, that memory, and the suggested topic.

    ``data`` are its bytes, for a write that must not undo another one. ``named`` are
    the paths that the index knows, by name.
    """

    verdict: SaveVerdict
    parsed: ParsedMemory | None
    data: bytes | None
    topic: str | None
    remarks: tuple[str, ...] = ()
    named: NamedPaths | None = None


def most_similar_memory(
    vault: Vault, scope: Scope, text: str, private: bool, task: str = ""
) -> SimilarMemory:
    """Compare a text with the most similar memories of a scope and privacy.

    Where the text says nothing of its topic, the ``task`` that it comes from may.
    What an agent saves as private is compared with nothing.
    """
    if not may_see(vault.audience, private=private):
        return SimilarMemory(SaveVerdict(SaveAction.CREATED, 0.0), None, None, None)
    view = View(
        at=vault.now,
        scopes=frozenset({str(scope)}),
        kinds=frozenset({"memory"}),
        audience=vault.audience,
    )
    return look_at(vault, view, text, private, task)


def look_at(
    vault: Vault, view: View, text: str, private: bool, task: str = ""
) -> SimilarMemory:
    """Compare a text with the most similar memories that a view shows."""

    def ask(library: Library) -> SimilarMemory:
        return _compare_all(vault, library, text, private, task)

    return ask_library(vault, view, ask)


def _compare_all(
    vault: Vault, library: Library, text: str, private: bool, task: str
) -> SimilarMemory:
    hits = _candidates(library, text, private)
    words = VaultWords(
        library.corpus.totals().documents,
        library.corpus.frequency,
        dictionary(vault.language.code),
        vault.language,
    )
    best = SimilarMemory(SaveVerdict(SaveAction.CREATED, 0.0), None, None, None)
    for hit in hits:
        known = _read(vault, hit.doc.path)
        if known is None:
            continue
        parsed, data = known
        verdict = compare(text, compared_text(_whole(vault, parsed)), words)
        if verdict.action is SaveAction.MERGED and not _fits(parsed, data, text):
            verdict = verdict._replace(action=SaveAction.CREATED)
        if best.parsed is None or _rank(verdict) < _rank(best.verdict):
            best = SimilarMemory(verdict, parsed, data, None)
    corpus = library.corpus
    topic = topic_of_saved(corpus, text, hits) or find_topic(corpus, task) or None
    named = library.opened.paths_named if library.opened else None
    return best._replace(topic=topic, remarks=library.remarks, named=named)


def _candidates(library: Library, text: str, private: bool) -> tuple[Hit, ...]:
    query = parse_query(text, library.corpus.language)
    request = FindRequest(
        query,
        weights=equal_weight,
        limit=limits.SIMILAR_COMPARED,
        where=lambda doc: doc.private == private,
        similarity=library.similarity_to(query),
    )
    return find(library.corpus, request).hits


_ORDER = (
    SaveAction.DEDUPLICATED,
    SaveAction.CONTESTED,
    SaveAction.MERGED,
    SaveAction.CREATED,
)


def _rank(verdict: SaveVerdict) -> tuple[int, float]:
    """Prefer the same text, then one that it contradicts, then the most similar one."""
    return _ORDER.index(verdict.action), -verdict.similarity


def _read(vault: Vault, path: str) -> tuple[ParsedMemory, bytes] | None:
    try:
        data = vault.tree.read(path, limits.TEXT_FILE_BYTES)
        return parse_memory(decode(data, path), path=path), data
    except (FileNotFoundError, InvalidFileError):
        return None


def _whole(vault: Vault, parsed: ParsedMemory) -> ParsedMemory:
    """Return the memory with its original from a separate file."""
    if not parsed.original_path:
        return parsed
    try:
        return parsed._replace(original=original_text(vault, parsed))
    except InvalidFileError:
        return parsed


def _fits(parsed: ParsedMemory, data: bytes, text: str) -> bool:
    """Return whether both texts fit into one file, without a separate original."""
    together = len(data) + len(text.encode())
    return not parsed.original_path and together <= limits.MEMORY_INLINE_BYTES
