"""Documents of memories, searches, blocks and tools; keys are only ever added."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolmem.api import memories
from toolmem.api.forms.form import form, given
from toolmem.api.forms.rules import fact
from toolmem.core.access.permit import ACCESS
from toolmem.core.memories import memory_text
from toolmem.core.prompt import parts
from toolmem.core.search import find
from toolmem.core.text.tokens import estimate_tokens
from toolmem.ops.access import manifests
from toolmem.ops.memories import restore as restoring
from toolmem.ops.prompt import build
from toolmem.ops.reports import statistics
from toolmem.ops.search import recall as recalling
from toolmem.ops.search import search as searching
from toolmem.store.files import setting_table
from toolmem.store.files import settings as files_settings
from toolmem.store.index import index
from toolmem.store.vault import memory_files

Document = dict[str, Any]


@form
def memory(memory: memory_files.Memory) -> Document:
    """Return a memory with its fields; one that cannot be read is hidden."""
    document = {"id": memory.id, "path": memory.path, "scope": memory.scope}
    if memory.parsed is None:
        return {**document, "error": memory.error, "private": True}
    return {**document, **_parsed(memory.parsed)}


def _parsed(parsed: memory_text.ParsedMemory) -> Document:
    """Return the fields of a memory; optional ones only if they are set."""
    always = ("title", "topic", "kind", "tags", "importance", "private")
    optional = ("summary", "source", "source_task", "source_tasks_additional", "agent")
    links = ("confidence", "supersedes", "contested_with", "related_to")
    return {
        **{key: getattr(parsed, key) for key in (*always, "created", "updated")},
        **given(expires_at=parsed.expires_at),
        **given(**{key: getattr(parsed, key) for key in (*optional, *links)}),
        **given(original=parsed.original_path, extra=dict(parsed.extra)),
    }


@form
def shown_memory(shown: memories.ShownMemory) -> Document:
    """Return a memory with its text."""
    return {**memory(shown.memory), "text": shown.text, "found": True}


@form
def search(answer: searching.SearchAnswer) -> Document:
    """Return the results of a search."""
    return {
        "query": answer.query.text,
        "results": answer.found.hits,
        "total": answer.total,
        "topic_fallback": answer.found.topic_fallback,
        "took_ms": answer.took_ms,
    }


@form
def hit(hit: find.Hit) -> Document:
    """Return one result of a search."""
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
        "tags": doc.tags,
        "importance": doc.importance,
        "created": doc.created,
        "updated": doc.updated,
        "superseded_by": hit.superseded_by,
    }


@form
def recall(answer: recalling.RecallResult) -> Document:
    """Return a recalled fact, those of a namespace, or the results of a search."""
    if answer.found is not None:
        return {**search(answer.found), "source": "search"}
    if answer.fact is not None:
        found = answer.fact
        head = {"query": found.key, "source": "fact", "value": found.value}
        return {**head, **fact(found)._asdict()}
    listed = answer.facts
    head = {"query": "*", "source": "namespace"}
    return {**head, "results": listed, "total": len(listed)}


@form
def block(block: build.Block) -> Document:
    """Return a block with its parts, and the files and versions it was made of."""
    files = [{"path": path, "version": version} for path, version in block.files]
    return {
        "text": block.text,
        "parts": block.parts,
        "tokens": block.tokens,
        "chars": len(block.text),
        "receipt": {
            "hash": block.digest,
            "revision": block.vault.revision,
            "files": files,
        },
    }


@form
def part(part: parts.PromptPart) -> Document:
    """Return a part of a block."""
    return {
        "kind": part.kind,
        "tier": part.tier,
        "tokens": sum(estimate_tokens(item.text) for item in part.items),
        "items": part.items,
        "omitted": [{**item(o.item), "reason": o.reason} for o in part.omitted],
    }


@form
def item(item: parts.PromptItem) -> Document:
    """Return the data of an item; a key alone is its text."""
    data = item.data
    shown = {key: data[key] for key in data if key != "key" or "value" in data}
    return {**shown, "tokens": estimate_tokens(item.text)}


@form
def record(record: statistics.ToolRecord) -> Document:
    """Return the statistics of a tool."""
    figures = record.statistics
    return {
        "tool": figures.tool,
        "calls": figures.calls,
        "successes": figures.successes,
        "failures": figures.failures,
        "mean_ms": figures.mean_ms,
        "errors": [{"class": name, "line": line} for name, line in figures.errors],
        "rules": record.rules,
    }


@form
def rule_hits(hits: statistics.RuleHits) -> Document:
    """Return the events of a rule."""
    counts = {"id": hits.id, "rule": hits.rule, **hits.events}
    return {**counts, "last": hits.last or None}


@form
def index_status(state: index.IndexStatus) -> Document:
    """Return the state of the search index."""
    document = state._asdict()
    del document["problems"]
    empty = {"reason": state.reason or None, "folder": state.folder or None}
    return {**document, **empty}


@form
def restored(restored: restoring.RestoreResult) -> Document:
    """Return a restored item."""
    return {**restored._asdict(), "action": "restored"}


@form
def setting(setting: files_settings.SettingValue) -> Document:
    """Return a setting with its origin."""
    about = setting_table.ABOUT[setting.name]
    return {"value": setting.value, "origin": setting.origin, "about": about}


@form
def tool(row: manifests.ToolRow) -> Document:
    """Return a tool: the content of its manifest, and the number of its rules."""
    manifest = row.manifest
    access = manifest.stated.get(ACCESS) if manifest else None
    return {
        "name": row.name,
        "key": row.key,
        "aliases": manifest.aliases if manifest else (),
        "verbs": manifest.verbs if manifest else (),
        "arguments": manifest.arguments if manifest else (),
        "description": manifest.description if manifest else "",
        "version": manifest.version if manifest else "",
        "memory_access": access if isinstance(access, Mapping) else {},
        "path": manifest.path if manifest else None,
        "rules": row.rules,
    }
