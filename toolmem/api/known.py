"""Names and ids that a vault knows: for completions, and to suggest one for a typo."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from toolmem.api import history
from toolmem.api import review as reviewing
from toolmem.api.operations.arguments import argument
from toolmem.api.vault import Vault
from toolmem.core import limits
from toolmem.core.model import ANY_TOOL, Rule
from toolmem.core.shown import tool_label
from toolmem.core.text.suggest import most_similar
from toolmem.errors import ToolmemError
from toolmem.ops.history import undo
from toolmem.ops.memories import restore
from toolmem.ops.rules import listing
from toolmem.ops.session import turns
from toolmem.ops.sync import resolve
from toolmem.store.files import layout

Offer = tuple[str, str]
"""A value, and a text about it."""


def _scopes(vault: Vault, kind: str = "") -> Iterator[Offer]:
    for scope in layout.all_scopes(vault.access.read().tree):
        if vault.access.bounds.allows(scope) and kind in ("", scope.kind):
            yield (scope.name if kind else str(scope)), ""


def _tools(vault: Vault) -> Iterator[Offer]:
    yield "*", "every tool"
    for row in vault.tool.list():
        if row.name != ANY_TOOL:
            yield row.name, ""


def _every_rule(vault: Vault) -> Iterable[Rule]:
    """Return the rules of all scopes, without what they do, which takes compiling."""
    listed = listing.list_rules(vault.access.read(), own=True)
    return vault.access.seen(listed.rules, lambda rule: rule.scope)


def _rules(vault: Vault) -> Iterator[Offer]:
    for rule in _every_rule(vault):
        yield rule.id[: limits.ID_SHOWN], f"{tool_label(rule.tool)}: {rule.rule}"


def _memories(vault: Vault) -> Iterable[Offer]:
    return ((memory.id, str(memory.scope)) for memory in vault.memory.list().memories)


def _facts(vault: Vault) -> Iterable[Offer]:
    return ((fact.key, fact.value) for fact in vault.fact.list().facts)


def _items(vault: Vault) -> Iterator[Offer]:
    for kind in (_rules, _memories, _facts):
        yield from kind(vault)


def _archived(vault: Vault) -> Iterator[Offer]:
    for file in restore.archived_files(vault.access.whole()):
        yield file.id, file.path


def _pending(vault: Vault) -> Iterator[Offer]:
    queue = vault.review()
    if isinstance(queue, reviewing.ReviewQueue):
        for pending in queue.waiting:
            yield pending.proposal.id[: limits.ID_SHOWN], pending.proposal.rule
        for entry in queue.entries:
            yield entry.paths[-1], entry.kind


def _changes(vault: Vault) -> Iterator[Offer]:
    for entry in history.entries_of(vault.access, vault.access.read()):
        yield entry.paths[-1], entry.kind


def _candidates(vault: Vault) -> Iterator[Offer]:
    queue = vault.review()
    for candidate in (
        queue.undecided if isinstance(queue, reviewing.ReviewQueue) else ()
    ):
        yield candidate.id, candidate.sentence


def _tags(vault: Vault) -> Iterator[Offer]:
    for memory in vault.memory.list().memories:
        for tag in memory.parsed.tags if memory.parsed else ():
            yield tag, ""
    for rule in _every_rule(vault):
        for tag in rule.tags:
            yield tag, ""


def _conflicts(vault: Vault) -> Iterator[Offer]:
    for conflict in resolve.open_conflicts(vault.access.whole()).open:
        yield conflict.path, conflict.conflict.key


def _steps(vault: Vault) -> Iterator[Offer]:
    for step in undo.undo_steps(vault.access.whole()):
        yield step.id, step.line


def _topics(vault: Vault) -> Iterator[Offer]:
    for memory in vault.memory.list().memories:
        if memory.parsed and memory.parsed.topic:
            yield memory.parsed.topic, ""


KNOWN: Mapping[str, Callable[[Vault], Iterable[Offer]]] = {
    "scopes": _scopes,
    "projects": lambda vault: _scopes(vault, "project"),
    "agent_types": lambda vault: _scopes(vault, "agent-type"),
    "agents": lambda vault: _scopes(vault, "agent"),
    "tools": _tools,
    "rule_ids": _rules,
    "memory_ids": _memories,
    "items": _items,
    "archived_ids": _archived,
    "candidates": _candidates,
    "changes": _changes,
    "conflicts": _conflicts,
    "pending": _pending,
    "steps": _steps,
    "tags": _tags,
    "topics": _topics,
    "namespaces": lambda vault: (
        (fact.namespace, "") for fact in vault.fact.list().facts
    ),
    "fact_keys": _facts,
    "sessions": lambda vault: (
        (row.session, "")
        for row in vault.turn.list()
        if isinstance(row, turns.SessionRow)
    ),
    "entries": lambda vault: (
        (entry.id, entry.content) for entry in vault.scratch.list()
    ),
    "messages": lambda vault: (
        (message.id, message.content) for message in vault.conversation.list()
    ),
    "values": lambda vault: (
        (value.name, value.content) for value in vault.working.show()
    ),
}
"""Values by the name of the set, as the table of arguments has it after ``@``."""


def known_values(vault: Vault, kind: str) -> dict[str, str]:
    """Return the values of a set that are visible, each with a text about it."""
    values: dict[str, str] = {}  # a rule and its override are one id
    for value, about in KNOWN[kind](vault):
        values.setdefault(value, about)
    return values


def suggestions(vault: Vault, name: str, key: str, asked: Any) -> tuple[str, ...]:
    """Return known values like those that an operation was asked for and has not."""
    kind = argument(name, key).offers if key else ""
    words = [
        str(value) for value in (asked if isinstance(asked, list | tuple) else [asked])
    ]
    if not kind or not any(words):
        return ()
    try:
        known = known_values(vault, kind)
    except ToolmemError:
        return ()  # the failure to be reported is another one
    unknown = [word for word in words if word not in known]
    return tuple(
        dict.fromkeys(like for word in unknown for like in most_similar(word, known))
    )
