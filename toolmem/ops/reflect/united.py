"""The memory that stays when several become one."""

from datetime import date, datetime
from typing import Any

from toolmem.core.memories.memory_edit import edit_header, replace_body
from toolmem.core.memories.memory_text import ParsedMemory, parse_memory
from toolmem.core.memories.merge import united
from toolmem.core.secrets.detect import refuse_secrets
from toolmem.core.times import as_moment
from toolmem.ops.memories.change import checked_body, new_body
from toolmem.store.vault.vault import Vault


def united_memory(
    vault: Vault,
    before: str,
    path: str,
    others: list[ParsedMemory],
    ids: list[str],
    text: str,
) -> str:
    """The memory that stays, with the new text and where all of it came from."""
    own = parse_memory(before, path=path)
    tasks = [own.source_task, *own.source_tasks_additional]
    for other in others:
        tasks += [other.source_task, *other.source_tasks_additional]
    tasks_united = list(united(task for task in tasks if task))
    importance = max([own.importance, *(other.importance for other in others)])
    links = [
        *own.contested_with,
        *(i for other in others for i in other.contested_with),
    ]
    changes: dict[str, Any] = {
        "tags": list(united(own.tags, *(other.tags for other in others))) or None,
        "updated": vault.now.replace(microsecond=0),
        "supersedes": list(united(own.supersedes, ids)),
        "settled": _settled([own, *others], ids) or None,
        "topic": own.topic or next((o.topic for o in others if o.topic), None),
        "source_task": tasks_united[0] if tasks_united else None,
        "source_tasks_additional": tasks_united[1:] or None,
        "contested_with": [i for i in united(links) if i not in (*ids, own.id)] or None,
    }
    if importance != own.importance:
        changes["importance"] = importance
    changes["expires_at"] = _longest([own, *others])
    if text:  # a summary in the header would be one of the older text alone
        changes["summary"] = None
    edited = edit_header(before, changes, path=path)
    if not text:
        return edited
    refuse_secrets(text, "memory", known="\n".join([before, *_bodies(others)]))
    body = new_body(vault, before, checked_body(text), path)
    return replace_body(edited, body, path=path)


def _settled(memories: list[ParsedMemory], gone: list[str]) -> list[str]:
    every = united(*(memory.settled for memory in memories))
    return [
        memory_id for memory_id in every if memory_id not in (*gone, memories[0].id)
    ]


def _longest(memories: list[ParsedMemory]) -> date | None:
    """Return when the last of some memories expires; None if one does not."""
    ends = [memory.expires_at for memory in memories]
    known = [end for end in ends if end is not None]
    return max(known, key=_instant) if len(known) == len(ends) else None


def _instant(end: date) -> datetime:
    moment = as_moment(end)
    if moment is None:
        raise TypeError("a date has a moment")
    return moment


def _bodies(others: list[ParsedMemory]) -> list[str]:
    return [other.body for other in others]
