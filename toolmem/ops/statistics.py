"""Statistics: what happened to each tool, and which of its rules were met."""

from collections.abc import Mapping
from typing import NamedTuple

from toolmem.core.manifest import ToolNames
from toolmem.core.names import fold
from toolmem.core.turns.statistics import ToolStatistics
from toolmem.errors import UsageError
from toolmem.ops.rules import list_rules
from toolmem.store.rule_files import load_tool_names
from toolmem.store.state import has_state, open_state
from toolmem.store.tally import rule_events, tool_statistics
from toolmem.store.vault import Vault


class RuleHits(NamedTuple):
    """How often a rule was met, by kind: ``said`` (again), ``failed`` …"""

    id: str
    rule: str
    events: Mapping[str, int]


class ToolRecord(NamedTuple):
    """The calls of a tool, and those of its rules that were met."""

    statistics: ToolStatistics
    rules: tuple[RuleHits, ...]


def tool_records(vault: Vault, tool: str | None = None) -> tuple[ToolRecord, ...]:
    """The records of all tools, or of one (by any of its names), by name.

    Raises ``StorageError`` when local state cannot be read.
    """
    if not has_state(vault.root):
        return ()
    names = load_tool_names(vault)
    with open_state(vault.root) as state:
        found = tool_statistics(state)
        events = rule_events(state)
    met: dict[str, dict[str, int]] = {}
    for event in events:
        met.setdefault(event.rule, {})[event.kind] = event.times
    hits: dict[str, list[RuleHits]] = {}
    for rule in list_rules(vault).rules:
        if rule.id in met:
            known = hits.setdefault(_key(names, rule.tool), [])
            known.append(RuleHits(rule.id, rule.rule, met[rule.id]))
    wanted = _key(names, tool) if tool else None
    return tuple(
        ToolRecord(one, tuple(hits.get(_key(names, one.tool), ())))
        for one in found
        if wanted is None or _key(names, one.tool) == wanted
    )


def _key(names: ToolNames, tool: str) -> str:
    """The key of a tool; a transcript may call one what no rule could be for."""
    try:
        return names.key(tool)
    except UsageError:
        return fold(tool)
