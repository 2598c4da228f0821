"""Review uncommitted changes: keep, revert, or edit them."""

from collections.abc import Iterator, Mapping
from typing import Any

from toolmem.api import notices
from toolmem.cli.editor import edited
from toolmem.cli.output import (
    answer_to,
    aside,
    emit,
    emit_lines,
    print_notice,
    print_notices,
    show,
)
from toolmem.core.changes import render
from toolmem.core.changes.message import message
from toolmem.core.model import Priority
from toolmem.core.scope import parse_scope
from toolmem.errors import ToolmemError, UsageError
from toolmem.ops.history import uncommitted
from toolmem.ops.history.review_change import (
    RequestedEdits,
    ReviewedEntry,
    change_entry,
    entries_of,
    reject_entry,
)
from toolmem.ops.history.uncommitted import UncommittedEntry
from toolmem.ops.memories import change as memory_change
from toolmem.ops.rules import change as rule_change
from toolmem.store.vault.vault import Vault

_QUESTION = (
    "keep it (commit)? yes, no (take it back), edit, skip, up (raise), down (lower), "
    "move or quit [y/n/e/s/u/d/m/q] "
)


def shifted_priority(priority: Priority, step: int) -> Priority:
    """The next priority up (-1) or down (1). Raises ``UsageError`` at the ends."""
    order = list(Priority)
    place = order.index(priority) + step
    if not 0 <= place < len(order):
        raise UsageError(f"its priority already is {priority}")
    return order[place]


def lines(entry: UncommittedEntry) -> Iterator[str]:
    """Yield a line for each change of an entry, and where a new rule is from."""
    for change in entry.changes:
        yield render.line(change)
        if change.before is None and change.item.values.get("evidence"):
            yield f"     {_origin(change.item.values)}"


def _origin(values: Mapping[str, Any]) -> str:
    kept_by = values.get("kept_by")
    by = f", kept by {kept_by}" if kept_by else ""
    return f"from {values['evidence']}{by}"


def ask(vault: Vault) -> None:
    """Go through uncommitted changes; those kept become one commit."""
    accepted: list[str] = []
    entries = entries_of(vault)
    for number, entry in enumerate(entries, 1):
        aside(f"\n{number} of {len(entries)}  {_details(entry)}")
        if not _asked(vault, entry, accepted):
            break
    _commit(vault.fresh(), accepted)


def _asked(vault: Vault, entry: UncommittedEntry, accepted: list[str]) -> bool:
    """Ask until there is an answer that can be followed; False to quit."""
    while True:
        word = answer_to(_QUESTION)[:1].lower()
        if word in ("q", "s"):
            return word == "s"
        try:
            if word == "y":
                accepted.append(entry.paths[-1])
                return True
            if word == "n":
                done = reject_entry(vault.fresh(), entry)
                print_notices(notices.review_notices(done))
                show_judged(done)
                return True
            if word and word in "eudm":
                entry = _edited(vault.fresh(), entry, word)
                aside(_details(entry))
        except ToolmemError as error:
            print_notice(error.message)


def _edited(vault: Vault, entry: UncommittedEntry, word: str) -> UncommittedEntry:
    """The entry after it was changed as the answer says."""
    if word == "e":
        return _in_editor(vault, entry)
    if word == "m":
        return change_entry(
            vault, entry, RequestedEdits(scope=parse_scope(answer_to("scope: ")))
        )
    priority = Priority(entry.changes[0].item.values.get("priority", Priority.NORMAL))
    return change_entry(
        vault, entry, RequestedEdits(priority=shifted_priority(priority, _STEPS[word]))
    )


_STEPS = {"u": -1, "d": 1}


def _in_editor(vault: Vault, entry: UncommittedEntry) -> UncommittedEntry:
    item = entry.changes[0].item
    if entry.kind == "rule":
        path, data = rule_change.rule_source(vault, item.id, item.scope)
        edited(vault, path, data, rule_change.replace_source)
    elif entry.kind == "memory":
        path, data = memory_change.memory_source(vault, item.id)
        edited(vault, path, data, memory_change.replace_memory)
    else:
        raise UsageError(f"edit the file {item.path}, then review again")
    return uncommitted.required_entry(entries_of(vault.fresh()), path)


def _commit(vault: Vault, paths: list[str]) -> None:
    entries = [
        entry for entry in entries_of(vault) if any(p in entry.paths for p in paths)
    ]
    if entries:
        text = message([change for entry in entries for change in entry.changes])
        done = uncommitted.commit_entries(vault, entries, text)
        emit_lines([f"{(done.id or '')[:10]} {done.message}".strip()])


def _details(entry: UncommittedEntry) -> str:
    details = [show(entry.paths[-1]), *lines(entry)]
    item = entry.changes[0].item
    if entry.kind == "memory" and "added" in entry.changes[0].actions:
        details.append(show(item.text[:500]))
    return "\n  ".join(details)


def show_judged(done: ReviewedEntry) -> None:
    """Print the outcome of an entry."""
    emit(show(f"{done.action} {done.entry.paths[-1]}"))
