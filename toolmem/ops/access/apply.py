"""Keeping what a tool writes: new memories and scratch entries, and nothing else.

Each write is stored as a whole or not at all, and has its own status. What a
tool writes is compared only with what it may read, so that the answer says nothing
of the rest; nothing that exists is changed.
"""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.access.candidates import Reader, view_of
from toolmem.core.access.faults import DocumentPart
from toolmem.core.access.kinds import EPISODIC, SCRATCH_PAGE, SEMANTIC
from toolmem.core.access.permit import Access, QueryPermission, unreadable
from toolmem.core.access.request import MemoryQuery
from toolmem.core.access.response import (
    MemoryDraft,
    ToolResponse,
    read_draft,
    read_response,
)
from toolmem.core.access.scratch_page import read_entry
from toolmem.core.comparison.verdict import SaveAction
from toolmem.core.memories.memory_edit import new_memory_text
from toolmem.core.memories.naming import new_id, title_of
from toolmem.core.memories.original import with_summary
from toolmem.core.memories.summary import needs_summary, summary_of
from toolmem.core.model import Scope
from toolmem.core.search.corpus import View
from toolmem.core.text.tokens import estimate_tokens
from toolmem.core.ulid import ulid
from toolmem.errors import StorageError, ToolmemError, UsageError
from toolmem.ops.access.permissions import Principal, access_of, principal_of
from toolmem.ops.memories.similar import look_at
from toolmem.ops.session.repair_state import repair_if_possible
from toolmem.ops.session.scratch import entry_types
from toolmem.store.files import files, layout, lock
from toolmem.store.state import scratch, trace
from toolmem.store.vault.memory_files import taken_ids
from toolmem.store.vault.memory_writer import set_aside
from toolmem.store.vault.vault import Vault

_FOLDER = "episodic"
_COMPARED = (EPISODIC, SEMANTIC)


class WriteOutcome(NamedTuple):
    """Status of one write: ``created``, ``deduplicated``, ``denied`` or ``error``.

    ``related`` are similar memories; ``code`` names the error;
    ``tokens`` are those of the content that was written.
    """

    status: str
    id: str | None = None
    reason: str = ""
    code: str = ""
    related: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    tokens: int = 0

    @property
    def document(self) -> dict[str, Any]:
        """Return the answer for the tool."""
        document = {
            "id": self.id,
            "reason": self.reason,
            "code": self.code,
            "related_to": list(self.related),
            "warnings": list(self.warnings),
        }
        return {"status": self.status, **{k: v for k, v in document.items() if v}}


class ApplyResult(NamedTuple):
    """Status of each write of a response, in order; ``remarks`` are for people."""

    response: ToolResponse
    memories: tuple[WriteOutcome, ...]
    scratch: tuple[WriteOutcome, ...]
    remarks: tuple[str, ...] = ()

    @property
    def document(self) -> dict[str, Any]:
        """The response again, with the results of its writes."""
        return {
            **self.response.document,
            "memory_write_results": [each.document for each in self.memories],
            "scratch_page_write_results": [each.document for each in self.scratch],
        }


class _Writer(NamedTuple):
    vault: Vault
    tool: str
    access: Access
    principal: Principal
    unique_id: Callable[[], str]


def apply_response(
    vault: Vault,
    document: Any,
    *,
    unique_id: Callable[[], str],
    tool: str = "",
) -> ApplyResult:
    """Store the writes of a ToolResponse.

    ``tool`` says which tool answered; else the response does, or the trace of its
    request. Raises ``FaultError`` for a response
    that cannot be read and ``UsageError`` where nothing says which tool it is.
    """
    vault.require_writable()
    repaired = repair_if_possible(vault.root)
    response = _named(vault, read_response(document), tool)
    principal = principal_of(vault, response.caller)
    allowed = access_of(vault, response.tool)
    refusal = principal.refusal or allowed.refusal
    if not refusal and not principal.agent:
        refusal = "no agent is given: name one with --agent or TOOLMEM_AGENT"
    writer = _Writer(vault, allowed.tool, allowed.access, principal, unique_id)
    memories = _each(response.memory_writes, refusal, writer, _remember)
    entries = _each(response.scratch_page_writes, refusal, writer, _note)
    lines = [
        _line(response, writer, name, result)
        for name, results in ((EPISODIC, memories), (SCRATCH_PAGE, entries))
        for result in results
    ]
    try:
        trace.add(vault, *lines)
    except StorageError as error:
        remarks = (*repaired, f"the trace was not written: {error}")
        return ApplyResult(response, memories, entries, remarks)
    return ApplyResult(response, memories, entries, repaired)


def _named(vault: Vault, response: ToolResponse, tool: str) -> ToolResponse:
    """Return the response with its tool and agent, if needed from its request."""
    if tool and response.tool and tool != response.tool:
        raise UsageError(f"$.tool_id: {response.tool!r:.60}, and not {tool!r:.60}")
    response = response._replace(tool=tool or response.tool)
    if response.request_id and not (response.tool and response.caller.agent):
        asked = trace.read(vault, request=response.request_id)
        if asked and asked[-1].line.tool:
            line = asked[-1].line
            response = response._replace(tool=response.tool or line.tool)
            if not response.caller.agent and line.tool == response.tool:
                caller = response.caller._replace(agent=line.agent)
                response = response._replace(caller=caller)
    if not response.tool:
        raise UsageError("$.tool_id: is missing, and no request with this id is known")
    return response


def _each(
    parts: tuple[DocumentPart, ...],
    refusal: str,
    writer: _Writer,
    write: Callable[[_Writer, DocumentPart], WriteOutcome],
) -> tuple[WriteOutcome, ...]:
    results = []
    for number, part in enumerate(parts):
        if refusal:
            results.append(WriteOutcome("denied", reason=refusal))
        elif number >= limits.WRITES:
            most = f"a response has at most {limits.WRITES} writes of one kind"
            results.append(WriteOutcome("error", reason=most, code="usage"))
        else:
            try:
                results.append(write(writer, part))
            except ToolmemError as error:
                results.append(
                    WriteOutcome("error", reason=str(error), code=error.code)
                )
    return tuple(results)


def _remember(writer: _Writer, part: DocumentPart) -> WriteOutcome:
    """Keep a memory, unless the tool can read one that says the same."""
    vault = writer.vault
    draft = read_draft(part, vault.now)
    with lock.hold(vault.root):
        related: list[str] = []
        for view in _views(writer):
            similar = look_at(vault, view, draft.content, private=False)
            if similar.parsed is None:
                continue
            if similar.verdict.action is SaveAction.DEDUPLICATED:
                return WriteOutcome(
                    "deduplicated", similar.parsed.id, warnings=draft.warnings
                )
            if similar.verdict.action is not SaveAction.CREATED:
                related.append(similar.parsed.id)
        memory_id = _create(writer, draft, related)
    warnings = (*draft.warnings, *unreadable(writer.access, draft.type, draft.tags))
    return WriteOutcome(
        "created",
        memory_id,
        related=tuple(related),
        warnings=warnings,
        tokens=estimate_tokens(draft.content),
    )


def _views(writer: _Writer) -> list[View]:
    """Return the memories that the tool may read, by memory type."""
    principal = writer.principal
    reader = Reader(principal.agent, principal.scopes, writer.vault.now)
    views = []
    for name in _COMPARED:
        declared = writer.access.get(name)
        if declared is not None and declared.enabled:
            ruling = QueryPermission(
                MemoryQuery(None, name),
                types=frozenset(declared.types) or None,
                tags=frozenset(declared.tags) or None,
            )
            view = view_of(ruling, reader)
            views.append(view._replace(kinds=frozenset({"memory"})))
    return views


def _create(writer: _Writer, draft: MemoryDraft, related: list[str]) -> str:
    vault, agent = writer.vault, writer.principal.agent
    title = title_of(draft.content)
    first, _, rest = draft.content.partition("\n")
    body = rest if first.startswith("# ") else draft.content
    if needs_summary(body):
        body = with_summary(summary_of(title, body, vault.language), body)
    taken = taken_ids(vault)
    # An id of the text alone would reveal whether a hidden memory has that text.
    memory_id = new_id(title, writer.unique_id(), taken)
    text = new_memory_text(_header(writer, draft, related), title, body)
    folder = f"{layout.scope_folder(Scope('agent', agent))}/{layout.MEMORY}/{_FOLDER}"
    path = f"{folder}/{memory_id}.md"
    files.create(vault.root, path, set_aside(vault, path, text).encode())
    return memory_id


def _header(
    writer: _Writer, draft: MemoryDraft, related: list[str]
) -> Mapping[str, Any]:
    created: date = writer.vault.now
    return {
        "tags": list(draft.tags),
        "kind": draft.type,
        "importance": draft.importance,
        "confidence": draft.confidence,
        "source": writer.tool,
        "agent": writer.principal.agent,
        "created": created,
        "expires_at": draft.expires_at,
        "related_to": related,
    }


def _note(writer: _Writer, part: DocumentPart) -> WriteOutcome:
    """Put an entry on the agent's scratch page, in the tool's own name."""
    if part.value is None:
        raise part.fault("a write is an object")
    table = dict(part.table())
    warnings = []
    if table.pop("source", writer.tool) != writer.tool:
        warnings.append(f"source: {writer.tool} replaces the source of the entry")
    vault, principal = writer.vault, writer.principal
    entry, more = read_entry(
        table, vault.now, source=writer.tool, types=entry_types(vault)
    )
    saved = scratch.add(
        vault,
        entry,
        agent=principal.agent,
        project=principal.project,
        entry_id=ulid(vault.now, writer.unique_id()),
    )
    return WriteOutcome(
        "created",
        saved.id,
        warnings=(*warnings, *more),
        tokens=estimate_tokens(entry.content),
    )


def _line(
    response: ToolResponse, writer: _Writer, memory_type: str, result: WriteOutcome
) -> trace.TraceLine:
    event = {"denied": "denied", "error": "error"}.get(result.status, "write")
    return trace.TraceLine(
        trace.moment(),
        request_id=response.request_id,
        tool=writer.tool,
        agent=writer.principal.agent,
        event=event,
        memory_type=memory_type,
        status=result.status,
        reason=result.reason,
        returned=int(result.status == "created"),
        total=1,
        tokens=result.tokens,
        project=writer.principal.project,
    )
