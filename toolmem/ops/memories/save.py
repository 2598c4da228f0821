"""Saving a memory: what is known is not written twice, and nothing is lost."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from toolmem.core.comparison.verdict import SaveAction, SaveVerdict
from toolmem.core.language.language import Language
from toolmem.core.memories.front_matter import private_line
from toolmem.core.memories.memory_edit import (
    edit_header,
    new_memory_text,
    replace_body,
)
from toolmem.core.memories.memory_text import ParsedMemory, parse_memory
from toolmem.core.memories.merge import united
from toolmem.core.memories.naming import new_id, title_of
from toolmem.core.memories.original import with_summary
from toolmem.core.memories.summary import needs_summary, summary_of
from toolmem.core.memories.topics import stated_topic
from toolmem.core.model import Scope
from toolmem.core.names import encode_name
from toolmem.core.rules.compose import clean_line, clean_tags
from toolmem.core.search.doc import CONTESTED
from toolmem.core.secrets import detect
from toolmem.errors import Arg, NextStep, Notice, SecretError
from toolmem.ops.memories.change import checked_body, checked_importance
from toolmem.ops.memories.contradictions import contested_by
from toolmem.ops.memories.new_memory import NewMemory, with_header
from toolmem.ops.memories.saved_again import Draft, not_taken_over, saved_again
from toolmem.ops.memories.similar import SimilarMemory, most_similar_memory
from toolmem.store.files import files, layout, lock
from toolmem.store.vault import model_command as model
from toolmem.store.vault.memory_files import (
    MemoryLocations,
    find_memory,
    read_memory,
)
from toolmem.store.vault.memory_writer import set_aside
from toolmem.store.vault.vault import Vault, decode

_SUMMARISE = (
    "Summarise this note in two to four sentences, with its own words and nothing "
    "that is not in it. Answer with the summary alone.\n\n{text}\n"
)


class SaveResult(NamedTuple):
    """Outcome of a save: ``created``, ``deduplicated``, ``merged`` or ``contested``.

    ``similarity`` (0..1) is that to ``nearest``; ``differing`` are the words that
    made it contested; ``remarks`` say what a user should know.
    """

    action: str
    id: str
    path: str
    similarity: float
    nearest: str | None
    topic: str | None
    scope: Scope
    differing: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def save_memory(vault: Vault, wanted: NewMemory, scope: Scope) -> SaveResult:
    """Save one memory into a scope; durable when it returns.

    Raises ``UsageError`` for a text or field that cannot be kept and
    ``SecretError`` for a credential in it.
    """
    vault.require_writable()
    wanted = with_header(wanted)
    draft = _draft(vault, wanted, scope)
    helper = model.model_of(vault.settings)
    summary, remarks = _summary(vault.language, helper, draft)
    with lock.hold(vault.root):
        task = wanted.source_task or ""
        similar = most_similar_memory(vault, scope, wanted.text, wanted.private, task)
        if wanted.replaces:
            draft.fields["supersedes"] = _replaced(vault, wanted)
            similar = similar._replace(verdict=_NEW, parsed=None)
        result = _write(vault, draft, scope, similar, _topic(wanted, similar), summary)
    said = (*similar.remarks, *remarks, *result.remarks, *_not_private(wanted))
    return result._replace(remarks=said)


def _not_private(wanted: NewMemory) -> list[str]:
    """Report a line that would have made a memory private in its header."""
    line = 0 if wanted.private else private_line(wanted.text)
    text = Notice(f"line {line} is text: ", Arg("private"), " keeps a memory private")
    return [text] if line else []


_NEW = SaveVerdict(SaveAction.CREATED, 0.0)


def _replaced(vault: Vault, wanted: NewMemory) -> list[str]:
    """Return the ids of the memories that a new one supersedes, and what they did.

    Raises ``NotFoundError`` and ``UsageError`` for an unknown or ambiguous one.
    """
    replaced = [
        read_memory(vault, find_memory(vault, prefix)) for prefix in wanted.replaces
    ]
    older = (
        memory.parsed.supersedes for memory in replaced if memory.parsed is not None
    )
    return list(united((memory.id for memory in replaced), *older))


def _draft(vault: Vault, wanted: NewMemory, scope: Scope) -> Draft:
    body = checked_body(wanted.text)
    if not wanted.allow_secret:
        detect.refuse_secrets(wanted.text, "memory")
        about = (wanted.topic, wanted.kind, wanted.source, wanted.source_task)
        detect.refuse_secrets("\n".join(filter(None, (*about, *wanted.tags))), "header")
    title = title_of(body)
    first, _, rest = body.partition("\n")
    if first.startswith("# "):
        body = rest.strip("\n") + "\n"
    agent = vault.setting("agent") or (scope.name if scope.kind == "agent" else None)
    fields = {
        "tags": clean_tags(wanted.tags),
        "kind": _line(wanted.kind, "kind"),
        "importance": (
            None if wanted.importance is None else checked_importance(wanted.importance)
        ),
        "source": _line(wanted.source, "source"),
        "source_task": _line(wanted.source_task, "source task"),
        "agent": agent,
        "created": vault.now.replace(microsecond=0),
        "expires_at": wanted.expires_at,
        "private": True if wanted.private else None,
    }
    return Draft(title, body, fields, wanted.topic)


def _line(text: str | None, name: str) -> str | None:
    return clean_line(text, name) if text else None


def _topic(wanted: NewMemory, similar: SimilarMemory) -> str | None:
    if wanted.topic is None:
        return similar.topic
    return stated_topic(wanted.topic) or None


def _summary(
    language: Language, helper: model.ModelCommand | None, draft: Draft
) -> tuple[str | None, tuple[str, ...]]:
    """The summary of a long text, by the user's model or by its own sentences."""
    if not needs_summary(draft.body):
        return None, ()
    remarks: tuple[str, ...] = ()
    if helper is not None:
        answer = _asked(helper, _SUMMARISE.format(text=draft.body))
        if not answer.failure:
            return answer.text, ()
        remarks = (f"the model command {answer.failure}: summarised without it",)
    return summary_of(draft.title, draft.body, language), remarks


def _asked(helper: model.ModelCommand, request: str) -> model.ModelAnswer:
    """The answer of the user's model, if a memory can hold it."""
    answer = model.ask(helper, request)
    if answer.failure:
        return answer
    text = answer.text.replace("\r\n", "\n")
    for problem in parse_memory(f"# A title\n\n{text}", path="").problems:
        return model.ModelAnswer(failure=f"wrote no memory ({problem.message})")
    try:
        detect.refuse_secrets(text, "answer", known=request)
    except SecretError:
        return model.ModelAnswer(failure="wrote a secret")
    return model.ModelAnswer(text)


def _write(
    vault: Vault,
    draft: Draft,
    scope: Scope,
    similar: SimilarMemory,
    topic: str | None,
    summary: str | None,
) -> SaveResult:
    """Carry out the verdict; the lock is held."""
    verdict = similar.verdict
    if verdict.action in (SaveAction.DEDUPLICATED, SaveAction.MERGED):
        return _again(vault, draft, scope, similar, topic)
    memory_id, path = _create(vault, draft, scope, similar, topic, summary)
    if verdict.action is SaveAction.CONTESTED:
        _contest(vault, similar, memory_id)
    return _result(verdict, memory_id, path, similar, topic, scope)


def _result(
    verdict: SaveVerdict,
    memory_id: str,
    path: str,
    similar: SimilarMemory,
    topic: str | None,
    scope: Scope,
) -> SaveResult:
    similar_id = similar.parsed.id if similar.parsed else None
    unite = Notice(
        f"similar to {similar_id}: if both say the same, unite them with ",
        NextStep("memory.save", f"--replaces {similar_id} --replaces {memory_id} TEXT"),
    )
    return SaveResult(
        verdict.action.value,
        memory_id,
        path,
        round(verdict.similarity, 4),
        similar_id,
        topic,
        scope,
        tuple(verdict.differing),
        (unite,) if verdict.is_similar else (),
    )


def _create(
    vault: Vault,
    draft: Draft,
    scope: Scope,
    similar: SimilarMemory,
    topic: str | None,
    summary: str | None,
) -> tuple[str, str]:
    taken = MemoryLocations(vault, similar.named)
    unique = draft.title + draft.body + vault.id_salt
    memory_id = new_id(draft.title, unique, taken)
    sub = f"{encode_name(topic)}/" if topic else ""
    folder = f"{layout.scope_folder(scope)}/{layout.MEMORY}/{sub}".rstrip("/")
    fields = _ordered(draft.fields, topic)
    body = draft.body
    if summary is not None:
        body = with_summary(summary, body)
    if similar.verdict.is_similar and similar.parsed:
        fields["related_to"] = [similar.parsed.id]
    if similar.verdict.action is SaveAction.CONTESTED and similar.parsed:
        fields["contested_with"] = [similar.parsed.id]
        fields["tags"] = list(united(fields.get("tags") or (), (CONTESTED,)))
    path = f"{folder}/{memory_id}.md"
    text = set_aside(vault, path, new_memory_text(fields, draft.title, body))
    files.create(vault.root, path, text.encode())
    return memory_id, path


def _ordered(fields: Mapping[str, Any], topic: str | None) -> dict[str, Any]:
    """The header in the order of the format: tags, topic, then the rest."""
    rest = {key: value for key, value in fields.items() if key != "tags"}
    return {"tags": fields["tags"], "topic": topic, **rest}


def _again(
    vault: Vault, draft: Draft, scope: Scope, similar: SimilarMemory, topic: str | None
) -> SaveResult:
    """Take in what is new of a text that is there, or that contains one that is."""
    known, text, data = _stored(similar)
    changes = saved_again(vault, known, draft, topic)
    body = draft.body
    if similar.verdict.adds:
        if needs_summary(body):
            body = with_summary(summary_of(known.title, body, vault.language), body)
        # A summary in the header would be one of the older text alone.
        text = edit_header(text, {"summary": None}, path=known.path)
        text = replace_body(text, f"# {known.title}\n\n{body}", path=known.path)
    _replace(vault, known, data, edit_header(text, changes, path=known.path))
    topic = known.topic or topic
    result = _result(similar.verdict, known.id, known.path, similar, topic, scope)
    return result._replace(remarks=not_taken_over(known, draft))


def _contest(vault: Vault, similar: SimilarMemory, memory_id: str) -> None:
    """Link the older memory to the one that contradicts it."""
    known, text, data = _stored(similar)
    changes = contested_by(known, memory_id)
    _replace(vault, known, data, edit_header(text, changes, path=known.path))


def _stored(similar: SimilarMemory) -> tuple[ParsedMemory, str, bytes]:
    if similar.parsed is None or similar.data is None:
        raise ValueError("a verdict about a memory needs the memory")
    return similar.parsed, decode(similar.data, similar.parsed.path), similar.data


def _replace(vault: Vault, known: ParsedMemory, data: bytes, text: str) -> None:
    if text.encode() != data:
        files.replace(vault.root, known.path, text.encode(), expected=data)
