"""Queries and searches, their requests and documents."""

from typing import Any

from toolmem.api.access import Operations, bounded
from toolmem.api.documents import plain
from toolmem.core.model import Rule
from toolmem.core.search.find import Hit
from toolmem.ops.rules.guard import GuardAnswer
from toolmem.ops.search.recall import RecallResult
from toolmem.ops.search.search import SearchAnswer
from toolmem.store.index.index import IndexStatus
from toolmem.store.vault.library import index_of


def search_document(answer: SearchAnswer) -> dict[str, Any]:
    """``{query, results, total, topic_fallback, took_ms}``."""
    return {
        "query": answer.query.text,
        "results": [_hit_document(hit) for hit in answer.found.hits],
        "total": answer.total,
        "topic_fallback": answer.found.topic_fallback,
        "took_ms": answer.took_ms,
    }


def _hit_document(hit: Hit) -> dict[str, Any]:
    doc = hit.doc
    return {
        "id": doc.id,
        "path": doc.path,
        "scope": doc.scope,
        "title": doc.title,
        "snippet": hit.snippet,
        "score": round(hit.score, 6),
        "relevance": round(hit.relevance, 6),
        "topic": doc.topic or None,
        "kind": doc.mem_kind if doc.kind == "memory" else doc.kind,
        "tags": list(doc.tags),
        "importance": doc.importance,
        "created": doc.created,
        "updated": doc.updated,
        "superseded_by": hit.superseded_by,
    }


def recall_document(answer: RecallResult) -> dict[str, Any]:
    """Return a recalled fact, those of a namespace, or the results of a search."""
    if answer.found is not None:
        return {**search_document(answer.found), "source": "search"}
    fact = answer.fact
    if fact is None:
        facts = plain(answer.facts)
        return {
            "query": "*",
            "source": "namespace",
            "results": facts,
            "total": len(facts),
        }
    return {
        "query": fact.key,
        "source": "fact",
        "value": fact.value,
        **plain(fact),
    }


def guard_document(answer: GuardAnswer) -> dict[str, Any]:
    """Return a verdict, its rule and guard, and the reason."""
    return {
        "verdict": answer.verdict,
        "rule": _rule(answer.rule) if answer.rule else None,
        "guard": dict(answer.guard) if answer.guard is not None else None,
        "reason": answer.reason,
        "near": [_rule(rule) for rule in answer.near],
        "conservative": answer.conservative,
    }


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "rule": rule.rule,
        "priority": rule.priority.value,
        "scope": str(rule.scope),
    }


@bounded("index")
class SearchIndex(Operations):
    """Operations on the index of a vault."""

    def status(self) -> IndexStatus:
        """Return whether the index exists and is up to date."""
        return index_of(self._access.read()).status()

    def rebuild(self) -> IndexStatus:
        """Rebuild the index from every file.

        Raises ``LockedError`` and ``StorageError``.
        """
        self._access.require_writable()
        return index_of(self._access.read()).rebuild()
