"""Rules that changed while a command brought other files: the next message lists them.

Such commands pass, for git brings what someone committed, or ask; a rule may be gone
after them.
"""

import re
from collections.abc import Iterator, Mapping

from toolmem.core import limits
from toolmem.core.agents.event import Event
from toolmem.core.guard import calls
from toolmem.core.prompt import safe
from toolmem.core.rules import effective
from toolmem.errors import StorageError
from toolmem.ops.rules import compiled
from toolmem.store.journal import hook_log, journal
from toolmem.store.vault.vault import Vault

_SUFFIX = ".rules"
"""After a session's name: the journal of the rules before such a command."""
_BRINGS = (
    r"(?s)\bgit\b.*\b(?:pull|checkout|switch|stash|merge|rebase|reset|restore|revert"
    r"|cherry-pick|am|apply)\b|\b(?:patch|tar|unzip)\b|\btoolmem\b.*\bsync\b"
)
_TEXT_CHARS = 160


def note_rules(vault: Vault, event: Event) -> None:
    """Store the rules in force before a command that may bring other versions."""
    sources = calls.shell_sources(calls.ToolCall(event.tool, event.input))
    if not event.session or not any(
        re.search(_BRINGS, str(source)) for source in sources
    ):
        return
    root, name = vault.session_vault.root, _name(event)
    if journal.is_there(root, name):
        return  # of an earlier command since the last message
    try:
        journal.append(root, name, {"rules": dict(_rules(vault))})
    except StorageError as error:
        hook_log.note(event.agent, event.name, error)


def changed_lines(vault: Vault, event: Event) -> list[str]:
    """Return a line for each rule that changed since, after a heading."""
    root, name = vault.session_vault.root, _name(event)
    if not event.session or not journal.is_there(root, name):
        return []
    taken = journal.take(root, name)
    journal.forget(taken)
    known: Mapping[str, str] = next(
        (line["rules"] for line in taken.lines if "rules" in line), {}
    )
    lines = list(_differences(known, dict(_rules(vault))))
    if not lines:
        return []
    shown = lines[: limits.HOOK_RULES_SHOWN]
    if len(lines) > len(shown):
        shown.append(f"- {len(lines) - len(shown)} more: `toolmem log`")
    return ["Rules changed since your last message:", *shown]


def _name(event: Event) -> str:
    return journal.name_of(event.session) + _SUFFIX


def _rules(vault: Vault) -> Iterator[tuple[str, str]]:
    for place in vault.in_force:
        for entry in effective.combine(
            rule.file for rule in compiled.every_rule(place)
        ):
            rule = entry.rule
            if rule is not None and entry.is_in_effect(place.now):
                tool, text = safe.safe_name(rule.tool), safe.safe_line(rule.rule)
                shown = f"[{rule.priority.value}] {tool}: {text}"
                yield rule.id, shown[:_TEXT_CHARS]


def _differences(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for rule_id in sorted(before.keys() | after.keys()):
        old, new = before.get(rule_id), after.get(rule_id)
        name = f"(toolmem rule {safe.safe_name(rule_id[: limits.ID_SHOWN])})"
        if new is None:
            yield f"- no longer in force: {old} {name}"
        elif old is None:
            yield f"- now in force: {new} {name}"
        elif old != new:
            yield f"- was {old}, is now {new} {name}"
