"""The prompt block and its document."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from toolmem.api.documents import plain
from toolmem.core.prompt.build import TopicMemory
from toolmem.core.prompt.since import BlockChange, since_text
from toolmem.core.shown import counted
from toolmem.core.text.tokens import estimate_tokens
from toolmem.errors import Arg, StorageError, UsageError, exclusive
from toolmem.ops.history import at_revision as history
from toolmem.ops.hooks import vaults_line
from toolmem.ops.prompt import memories_by_topic as topic_memories
from toolmem.ops.prompt import snapshot as freezing
from toolmem.ops.prompt.build import Block, PromptRequest, build_prompt
from toolmem.store.vault.vault import Vault


class Prompt(NamedTuple):
    """A block as it is printed: ``text``, or ``document`` with its parts.

    ``fits`` is False if the critical rules alone exceed the requested limit. ``block``
    is the current one; a session may have an older one.
    """

    text: str
    block: Block
    remarks: tuple[str, ...]
    fits: bool
    session_document: Mapping[str, Any] | None = None

    @property
    def document(self) -> Mapping[str, Any]:
        """``{text, parts, tokens, chars, receipt}`` and, in a session, ``since``."""
        return self.session_document or plain(self.block)


def make_prompt(
    vault: Vault,
    request: PromptRequest,
    *,
    session: str = "",
    refresh: bool = False,
    at: str = "",
) -> Prompt:
    """Return the block for the vault's project, agent type and agent.

    Raises ``UsageError``, and ``NotFoundError`` for an unknown revision.
    """
    if session and at:
        raise exclusive("session", "at")
    if refresh and not session:
        raise UsageError(Arg("refresh"), " needs ", Arg("session"))
    remarks = (*_newer(vault), *_misspelt(vault))
    vault = history.vault_at(vault, at) if at else vault
    memories, more = _memories(vault, request)
    block = build_prompt(vault, request, memories)
    block = block._replace(remarks=(*remarks, *block.remarks, *more))
    answer = Prompt(block.text, block, block.remarks, block.fits)
    if session:
        return _of_session(vault, session, request, answer, refresh)
    return answer


def _newer(vault: Vault) -> tuple[str, ...]:
    if not vault.is_newer:
        return ()
    return (f"the vault has a newer schema than this toolmem knows: {vault.root}",)


def _misspelt(vault: Vault) -> Iterator[str]:
    """Yield settings that are ignored, and vaults that are not in force."""
    for problem in vault.problems:
        yield f"{problem.place}: {problem.message}"
    yield from map(vaults_line.fault_text, vault.faults)


def _memories(
    vault: Vault, request: PromptRequest
) -> tuple[Sequence[TopicMemory], Sequence[str]]:
    """Return the memories on the topic; the search is loaded only if there is one."""
    if not request.topic and not request.task:
        return (), ()
    return topic_memories.topic_memories(vault, request.topic, request.task)


def _of_session(
    vault: Vault, session: str, request: PromptRequest, answer: Prompt, refresh: bool
) -> Prompt:
    """Return the block at the session's start, and the changes since."""
    document = answer.document
    try:
        frozen = freezing.freeze(
            vault, session, request, answer.block, document, refresh=refresh
        )
    except StorageError as error:
        remark = f"the block could not be stored for the session: {error}"
        return answer._replace(
            remarks=(*answer.remarks, remark), session_document=document
        )
    text = str(frozen.document["text"])
    since = since_text(frozen.changes, lambda more: _is_within(text + more, request))
    remarks = answer.remarks
    if frozen.changes and not since:
        count = counted(len(frozen.changes), "change")
        hint = "render the block again with --refresh"
        remarks = (*remarks, f"{count} since the session began did not fit: {hint}")
    fits = _is_within(text + since, request)
    text += since
    stored = {
        **frozen.document,
        "text": text,
        "tokens": estimate_tokens(text),
        "chars": len(text),
        "since": [_change_document(change) for change in frozen.changes],
    }
    return answer._replace(
        text=text, remarks=remarks, fits=fits, session_document=stored
    )


def _change_document(change: BlockChange) -> dict[str, str]:
    """``{action, kind, id, path}`` with the tool and text of a rule, or the text."""
    row = change.row
    document = {
        "action": change.action,
        "kind": row.kind,
        "id": row.id,
        "path": row.path,
    }
    if row.kind == "rules":
        rule = {"tool": row.tool, "priority": row.priority, "rule": row.text}
        return document | rule
    return document if change.action == "retired" else document | {"text": row.text}


def _is_within(text: str, request: PromptRequest) -> bool:
    """Return True if a block is within the requested limits."""
    if request.max_chars is not None and len(text) > request.max_chars:
        return False
    return request.budget is None or estimate_tokens(text) <= request.budget
