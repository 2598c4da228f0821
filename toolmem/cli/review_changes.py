"""Review of what is not committed: kept, taken back, or changed before it is kept."""

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from toolmem.cli import change_documents, changes
from toolmem.cli.commit import message_of
from toolmem.cli.editor import edited
from toolmem.cli.output import aside, emit, emit_json, remark, show
from toolmem.core.model import Priority, Scope
from toolmem.core.scope import parse_scope
from toolmem.errors import NotFoundError, ToolmemError, UsageError
from toolmem.ops import memory_change, review, rule_change, uncommitted
from toolmem.ops.rule_change import Edits, edit_rule
from toolmem.ops.rule_move import move_rule
from toolmem.ops.uncommitted import Entry
from toolmem.store.vault import Vault

_QUESTION = (
    "accept (commit), reject (take back), edit, up (raise), down (lower), move, skip "
    "or quit? [a/r/e/u/d/m/s/q] "
)


class Wish(NamedTuple):
    """What is to be different about something that is accepted."""

    text: str = ""
    rule: str = ""
    priority: Priority | None = None
    scope: Scope | None = None

    def given(self) -> dict[str, Any]:
        """What was said, by name; what was not is None."""
        return {name: value or None for name, value in self._asdict().items()}


def priority_of(text: str) -> Priority | None:
    """The priority of a flag; none without one. Raises ``UsageError``."""
    if not text:
        return None
    try:
        return Priority(text)
    except ValueError:
        names = ", ".join(Priority)
        raise UsageError(f"no priority {text!r} ({names})") from None


def beside(priority: Priority, step: int) -> Priority:
    """The next priority up (-1) or down (1). Raises ``UsageError`` at the ends."""
    order = list(Priority)
    place = order.index(priority) + step
    if not 0 <= place < len(order):
        raise UsageError(f"it is {priority} already")
    return order[place]


def answer(question: str) -> str:
    """What is typed; the end of the input quits."""
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    return line.strip() if line else "q"


def entries_of(vault: Vault) -> tuple[Entry, ...]:
    """What is not committed; nothing where there is no history."""
    return uncommitted.uncommitted(vault) if uncommitted.has_history(vault) else ()


def is_changed(vault: Vault, name: str) -> bool:
    """Whether an id or path means something uncommitted, and no proposal."""
    if review.is_proposed(vault, name):
        return False
    return uncommitted.find_entry(entries_of(vault), name) is not None


def lines(entry: Entry) -> Iterator[str]:
    """An entry as listings show it, a line for each change."""
    return map(changes.told, entry.changes)


def document(entry: Entry) -> dict[str, Any]:
    """An entry as JSON."""
    return {
        "id": entry.id,
        "state": "uncommitted",
        "kind": entry.kind,
        "paths": list(entry.paths),
        "changes": [change_documents.change_document(one) for one in entry.changes],
    }


def accept(vault: Vault, name: str, wanted: Wish, as_json: bool) -> None:
    """Commit an entry, changed first where that is wished."""
    entry = _changed(vault, _found(vault, name), wanted)
    done = uncommitted.commit_entries(vault.fresh(), [entry], message_of([entry]))
    _show(entry, "accepted", done.id, as_json)


def reject(vault: Vault, name: str, as_json: bool) -> None:
    """Take an entry back to what the last commit says."""
    entry = _found(vault, name)
    for kept in uncommitted.undo_entry(vault, entry):
        remark(f"what it was is kept in {kept}")
    _show(entry, "rejected", None, as_json)


def ask(vault: Vault) -> None:
    """Go through what is not committed; what is kept becomes one commit."""
    kept: list[str] = []
    entries = entries_of(vault)
    for number, entry in enumerate(entries, 1):
        aside(f"\n{number} of {len(entries)}  {_details(entry)}")
        if not _asked(vault, entry, kept):
            break
    _commit(vault.fresh(), kept)


def _asked(vault: Vault, entry: Entry, kept: list[str]) -> bool:
    """Ask until there is an answer that can be followed; False to quit."""
    while True:
        word = answer(_QUESTION)[:1].lower()
        if word in ("q", "s"):
            return word == "s"
        try:
            if word == "a":
                kept.append(entry.paths[-1])
                return True
            if word == "r":
                reject(vault.fresh(), entry.paths[-1], False)
                return True
            if word and word in "eudm":
                entry = _edited(vault.fresh(), entry, word)
                aside(_details(entry))
        except ToolmemError as error:
            remark(str(error))


def _edited(vault: Vault, entry: Entry, word: str) -> Entry:
    """The entry after it was changed as the answer says."""
    if word == "e":
        return _in_editor(vault, entry)
    if word == "m":
        return _changed(vault, entry, Wish(scope=parse_scope(answer("scope: "))))
    priority = Priority(entry.changes[0].item.values.get("priority", Priority.NORMAL))
    return _changed(vault, entry, Wish(priority=beside(priority, _STEPS[word])))


_STEPS = {"u": -1, "d": 1}


def _in_editor(vault: Vault, entry: Entry) -> Entry:
    item = entry.changes[0].item
    if entry.kind == "rule":
        path, data = rule_change.rule_source(vault, item.id, item.scope)
        edited(vault, path, data, rule_change.replace_source)
    elif entry.kind == "memory":
        path, data = memory_change.memory_source(vault, item.id)
        edited(vault, path, data, memory_change.replace_memory)
    else:
        raise UsageError(f"edit {item.path} itself, then look again")
    return _found(vault.fresh(), path)


def _changed(vault: Vault, entry: Entry, wanted: Wish) -> Entry:
    """The entry with another text, priority or scope; rules have all, memories a
    scope."""
    if wanted == Wish():
        return entry
    item = entry.changes[0].item
    if item.archived or entry.kind not in ("rule", "memory") or wanted.rule:
        raise UsageError(f"{item.path} can be kept or taken back as it is")
    path = item.path
    if entry.kind == "rule" and (wanted.text or wanted.priority):
        edits = Edits(wanted.text or None, wanted.priority)
        path = edit_rule(vault, item.id, edits, item.scope).path
    elif wanted.text or wanted.priority:
        raise UsageError("a memory has no priority; its text is changed in an editor")
    if wanted.scope is not None:
        path = _moved(vault.fresh(), entry, wanted.scope)
    return _found(vault.fresh(), path)


def _moved(vault: Vault, entry: Entry, scope: Scope) -> str:
    item = entry.changes[0].item
    if entry.kind == "rule":
        return move_rule(vault, item.id, scope, item.scope).path
    return memory_change.promote_memory(vault, item.id, scope).path


def _commit(vault: Vault, paths: list[str]) -> None:
    entries = [
        entry for entry in entries_of(vault) if any(p in entry.paths for p in paths)
    ]
    if entries:
        done = uncommitted.commit_entries(vault, entries, message_of(entries))
        emit(f"{(done.id or '')[:10]} {done.message}".strip())


def _found(vault: Vault, name: str) -> Entry:
    entry = uncommitted.find_entry(entries_of(vault), name)
    if entry is None:
        raise NotFoundError(f"nothing that changed is called {name!r}")
    return entry


def _details(entry: Entry) -> str:
    told = [show(entry.paths[-1]), *lines(entry)]
    item = entry.changes[0].item
    if entry.kind == "memory" and "added" in entry.changes[0].actions:
        told.append(show(item.text[:500]))
    return "\n  ".join(told)


def _show(entry: Entry, action: str, commit: str | None, as_json: bool) -> None:
    if as_json:
        emit_json(
            {
                "id": entry.id,
                "action": action,
                "paths": list(entry.paths),
                "commit": commit,
            }
        )
    else:
        emit(show(f"{action} {entry.paths[-1]}"))
