"""Saving a memory: what is known is not written twice, and nothing is lost."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.comparison.verdict import Action, Verdict
from toolmem.core.memories.memory_edit import (
    edit_header,
    new_memory_text,
    replace_body,
)
from toolmem.core.memories.memory_text import ParsedMemory, parse_memory
from toolmem.core.memories.merge import MERGE_REQUEST, union_of, united
from toolmem.core.memories.naming import new_id, title_of, without_title
from toolmem.core.memories.summary import needs_summary, summary_of, with_summary
from toolmem.core.memories.topics import stated_topic
from toolmem.core.model import Scope
from toolmem.core.names import encode_name
from toolmem.core.rules.compose import clean_line
from toolmem.core.search.doc import CONTESTED
from toolmem.core.secrets.detect import refuse_secrets
from toolmem.errors import ExistsError, SecretError
from toolmem.ops.memories.change import checked_body, checked_importance
from toolmem.ops.memories.contradictions import contested_by
from toolmem.ops.memories.similar import NearestMemory, look_around
from toolmem.store.files import files, layout, lock
from toolmem.store.vault import model_command as model
from toolmem.store.vault.documents import moment
from toolmem.store.vault.memory_files import every_memory
from toolmem.store.vault.vault import Vault, decode

_SUMMARISE = (
    "Summarise this note in two to four sentences, with its own words and nothing "
    "that is not in it. Answer with the summary alone.\n\n{text}\n"
)


class NewMemory(NamedTuple):
    """What somebody wants remembered; a topic of None is inferred.

    ``allow_secret`` says that what looks like a credential is none.
    """

    text: str
    topic: str | None = None
    tags: tuple[str, ...] = ()
    kind: str | None = "insight"
    importance: float | None = None
    source: str | None = None
    source_task: str | None = None
    private: bool = False
    expires_at: date | None = None
    allow_secret: bool = False


class SaveResult(NamedTuple):
    """What was done: ``created``, ``deduplicated``, ``merged`` or ``contested``.

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


class _Draft(NamedTuple):
    title: str
    body: str
    fields: dict[str, Any]


def save_memory(vault: Vault, wanted: NewMemory, scope: Scope) -> SaveResult:
    """Save one memory into a scope; durable when it returns.

    Raises ``UsageError`` for a text or field that cannot be kept and
    ``SecretError`` for a credential in it.
    """
    vault.require_writable()
    draft = _draft(vault, wanted, scope)
    helper = model.model_of(vault.settings)
    summary, remarks = _summary(helper, draft)
    with lock.hold(vault.root):
        near = look_around(vault, scope, wanted.text, wanted.private)
        topic = _topic(wanted, near)
        if near.verdict.action is not Action.MERGED or helper is None:
            result = _write(vault, draft, scope, near, topic, summary, None)
            return result._replace(remarks=(*near.remarks, *remarks))
    # A model may take a minute: nobody waits for the lock that long.
    answer = _merged_by_model(helper, draft, near)
    if answer.failure:
        remarks = (*remarks, f"the model command {answer.failure}: merged without it")
    with lock.hold(vault.root):
        try:
            merged = answer.text or None
            result = _write(vault, draft, scope, near, topic, summary, merged)
        except ExistsError:
            near = look_around(vault, scope, wanted.text, wanted.private)
            result = _write(vault, draft, scope, near, topic, summary, None)
            remarks = (*remarks, "it changed meanwhile: merged without the model")
    return result._replace(remarks=(*near.remarks, *remarks))


def _draft(vault: Vault, wanted: NewMemory, scope: Scope) -> _Draft:
    body = checked_body(wanted.text)
    if not wanted.allow_secret:
        refuse_secrets(wanted.text, "memory")
    title = title_of(body)
    first, _, rest = body.partition("\n")
    if first.startswith("# "):
        body = rest.strip("\n") + "\n"
    agent = vault.setting("agent") or (scope.name if scope.kind == "agent" else None)
    fields = {
        "tags": [clean_line(tag, "tag") for tag in wanted.tags],
        "kind": clean_line(wanted.kind, "kind") if wanted.kind else None,
        "importance": (
            None if wanted.importance is None else checked_importance(wanted.importance)
        ),
        "source": clean_line(wanted.source, "source") if wanted.source else None,
        "source_task": (
            clean_line(wanted.source_task, "source task")
            if wanted.source_task
            else None
        ),
        "agent": agent,
        "created": vault.now.date(),
        "expires_at": wanted.expires_at,
        "private": True if wanted.private else None,
    }
    return _Draft(title, body, fields)


def _topic(wanted: NewMemory, near: NearestMemory) -> str | None:
    if wanted.topic is None:
        return near.topic
    return stated_topic(wanted.topic) or None


def _summary(
    helper: model.Model | None, draft: _Draft
) -> tuple[str | None, tuple[str, ...]]:
    """The summary of a long text, by the user's model or by its own sentences."""
    if not needs_summary(draft.body):
        return None, ()
    if helper is not None:
        answer = _asked(helper, _SUMMARISE.format(text=draft.body))
        if not answer.failure:
            return answer.text, ()
        remark = f"the model command {answer.failure}: summarised without it"
        return summary_of(draft.title, draft.body), (remark,)
    return summary_of(draft.title, draft.body), ()


def _merged_by_model(
    helper: model.Model, draft: _Draft, near: NearestMemory
) -> model.ModelAnswer:
    older = near.parsed.original or near.parsed.body if near.parsed else ""
    newer = f"# {draft.title}\n\n{draft.body}"
    return _asked(helper, MERGE_REQUEST.format(newer=newer, older=older))


def _asked(helper: model.Model, request: str) -> model.ModelAnswer:
    """The answer of the user's model, if a memory can hold it."""
    answer = model.ask(helper, request)
    if answer.failure:
        return answer
    text = answer.text.replace("\r\n", "\n")
    for problem in parse_memory(f"# A title\n\n{text}", path="").problems:
        return model.ModelAnswer(failure=f"wrote no memory ({problem.message})")
    try:
        refuse_secrets(text, "answer", known=request)
    except SecretError:
        return model.ModelAnswer(failure="wrote a secret")
    return model.ModelAnswer(text)


def _write(
    vault: Vault,
    draft: _Draft,
    scope: Scope,
    near: NearestMemory,
    topic: str | None,
    summary: str | None,
    merged: str | None,
) -> SaveResult:
    """Carry out the verdict; the lock is held."""
    verdict = near.verdict
    if verdict.action is Action.DEDUPLICATED:
        return _touch(vault, draft, scope, near)
    if verdict.action is Action.MERGED:
        return _merge(vault, draft, scope, near, topic, merged)
    memory_id, path = _create(vault, draft, scope, near, topic, summary)
    if verdict.action is Action.CONTESTED:
        _contest(vault, near, memory_id)
    return _result(verdict, memory_id, path, near, topic, scope)


def _result(
    verdict: Verdict,
    memory_id: str,
    path: str,
    near: NearestMemory,
    topic: str | None,
    scope: Scope,
) -> SaveResult:
    nearest = near.parsed.id if near.parsed else None
    return SaveResult(
        verdict.action.value,
        memory_id,
        path,
        round(verdict.similarity, 4),
        nearest,
        topic,
        scope,
        tuple(verdict.differing),
    )


def _create(
    vault: Vault,
    draft: _Draft,
    scope: Scope,
    near: NearestMemory,
    topic: str | None,
    summary: str | None,
) -> tuple[str, str]:
    taken = {memory.id for memory in every_memory(vault)}
    memory_id = new_id(draft.title, draft.title + draft.body, taken)
    sub = f"{encode_name(topic)}/" if topic else ""
    folder = f"{layout.scope_folder(scope)}/{layout.MEMORY}/{sub}".rstrip("/")
    fields = _ordered(draft.fields, topic)
    body = draft.body
    if len(body.encode()) > limits.MEMORY_INLINE_BYTES:
        original = memory_id + layout.ORIGINAL
        files.create(vault.root, f"{folder}/{original}", body.encode())
        fields["original"] = original
        body = f"{summary}\n"
    elif summary is not None:
        body = with_summary(summary, body)
    if near.verdict.action is Action.CONTESTED and near.parsed:
        fields["contested_with"] = [near.parsed.id]
        fields["tags"] = list(united(fields.get("tags") or (), (CONTESTED,)))
    path = f"{folder}/{memory_id}.md"
    text = new_memory_text(fields, draft.title, body)
    files.create(vault.root, path, text.encode())
    return memory_id, path


def _ordered(fields: Mapping[str, Any], topic: str | None) -> dict[str, Any]:
    """The header in the order of the format: tags, topic, then the rest."""
    rest = {key: value for key, value in fields.items() if key != "tags"}
    return {"tags": fields["tags"], "topic": topic, **rest}


def _touch(
    vault: Vault, draft: _Draft, scope: Scope, near: NearestMemory
) -> SaveResult:
    """The same thing again: the date and the task are noted, the text stays."""
    known, text, data = _held(near)
    changes = _said_again(vault, known, draft)
    _replace(vault, known, data, edit_header(text, changes, path=known.path))
    return _result(near.verdict, known.id, known.path, near, known.topic, scope)


def _merge(
    vault: Vault,
    draft: _Draft,
    scope: Scope,
    near: NearestMemory,
    topic: str | None,
    merged: str | None,
) -> SaveResult:
    known, text, data = _held(near)
    older = without_title(known.original or known.body)
    body = without_title(merged) if merged else union_of(draft.body, older)
    if needs_summary(body):
        body = with_summary(summary_of(known.title, body), body)
    tags = list(united(known.tags, draft.fields["tags"]))
    importance = draft.fields["importance"]
    # A summary in the header would be one of the older text alone.
    changes = {**_said_again(vault, known, draft), "summary": None}
    if tags != list(known.tags):
        changes["tags"] = tags
    if topic and not known.topic:
        changes["topic"] = topic
    if importance is not None and importance > known.importance:
        changes["importance"] = importance
    edited = edit_header(text, changes, path=known.path)
    edited = replace_body(edited, f"# {known.title}\n\n{body}", path=known.path)
    _replace(vault, known, data, edited)
    return _result(
        near.verdict, known.id, known.path, near, known.topic or topic, scope
    )


def _contest(vault: Vault, near: NearestMemory, memory_id: str) -> None:
    """Link the older memory to the one that contradicts it."""
    known, text, data = _held(near)
    changes = contested_by(known, memory_id)
    _replace(vault, known, data, edit_header(text, changes, path=known.path))


def _held(near: NearestMemory) -> tuple[ParsedMemory, str, bytes]:
    if near.parsed is None or near.data is None:
        raise ValueError("a verdict about a memory needs the memory")
    return near.parsed, decode(near.data, near.parsed.path), near.data


def _said_again(vault: Vault, known: ParsedMemory, draft: _Draft) -> dict[str, Any]:
    """What changes in the header of a memory that is saved again.

    It lives as long as the longer-lived of the two: nothing saved vanishes early.
    """
    changes = {"updated": vault.now.date(), **_tasks(known, draft)}
    ends, again = moment(known.expires_at), moment(draft.fields["expires_at"])
    if again is None or (ends is not None and ends < again):
        changes["expires_at"] = draft.fields["expires_at"]
    return changes


def _tasks(known: ParsedMemory, draft: _Draft) -> dict[str, Any]:
    """Note the task that said it, too; the first one is never repeated."""
    task = draft.fields["source_task"]
    if not task or task == known.source_task:
        return {}
    if known.source_task is None:
        return {"source_task": task}
    more = united(known.source_tasks_additional, (task,))
    return {"source_tasks_additional": list(more)}


def _replace(vault: Vault, known: ParsedMemory, data: bytes, text: str) -> None:
    parse_memory(text, path=known.path)
    if text.encode() != data:
        files.replace(vault.root, known.path, text.encode(), expected=data)
