"""Header changes of a memory when its text is saved again."""

from typing import Any, NamedTuple

from toolmem.core.memories.memory_text import ParsedMemory
from toolmem.core.memories.merge import united
from toolmem.core.text.terms import normal_topic
from toolmem.core.times import as_moment, last_day
from toolmem.store.vault.vault import Vault


class Draft(NamedTuple):
    """A memory that is to be written: ``fields`` are its header."""

    title: str
    body: str
    fields: dict[str, Any]
    topic: str | None = None


def saved_again(
    vault: Vault, known: ParsedMemory, draft: Draft, topic: str | None
) -> dict[str, Any]:
    """Header changes of a memory that is saved again.

    It lives as long as the longer-lived of the two, and has the tags of both.
    """
    changes = {"updated": vault.now.replace(microsecond=0), **_tasks(known, draft)}
    ends, again = as_moment(known.expires_at), as_moment(draft.fields["expires_at"])
    if again is None or (ends is not None and ends < again):
        changes["expires_at"] = draft.fields["expires_at"]
    tags = list(united(known.tags, draft.fields["tags"]))
    if tags != list(known.tags):
        changes["tags"] = tags
    if topic and not known.topic:
        changes["topic"] = topic
    importance = draft.fields["importance"]
    if importance is not None and importance > known.importance:
        changes["importance"] = importance
    return changes


def not_taken_over(known: ParsedMemory, draft: Draft) -> tuple[str, ...]:
    """Remarks on what was stated and does not change the memory that is there."""
    remarks = []
    topic = draft.topic
    if topic and known.topic and normal_topic(topic) != normal_topic(known.topic):
        remarks.append(f"{known.id} keeps its topic {known.topic}")
    ends, again = as_moment(known.expires_at), as_moment(draft.fields["expires_at"])
    if again is not None and (ends is None or ends > again):
        until = last_day(known.expires_at) if known.expires_at else "without end"
        remarks.append(f"{known.id} keeps its longer life ({until})")
    return tuple(remarks)


def _tasks(known: ParsedMemory, draft: Draft) -> dict[str, Any]:
    """Note the task that said it, too; the first one is never repeated."""
    task = draft.fields["source_task"]
    if not task or task == known.source_task:
        return {}
    if known.source_task is None:
        return {"source_task": task}
    more = united(known.source_tasks_additional, (task,))
    return {"source_tasks_additional": list(more)}
