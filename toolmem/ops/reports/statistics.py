"""Statistics: what happened to each tool, and which of its rules were met."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.names import fold
from toolmem.core.tools.manifest import ToolNames
from toolmem.core.turns.statistics import ToolStatistics
from toolmem.errors import StorageError, UsageError
from toolmem.ops.capture.process_journal import unsettled
from toolmem.ops.rules.listing import list_rules
from toolmem.store.state.counters import rule_events, tool_statistics
from toolmem.store.state.database import has_state, open_state
from toolmem.store.vault.rule_files import load_tool_names
from toolmem.store.vault.vault import Vault


class RuleHits(NamedTuple):
    """Counts of rule events by kind: ``said`` (again), ``failed`` …"""

    id: str
    rule: str
    events: Mapping[str, int]


class ToolRecord(NamedTuple):
    """The calls of a tool, and those of its rules that were met."""

    statistics: ToolStatistics
    rules: tuple[RuleHits, ...]


def tool_records(vault: Vault, tool: str | None = None) -> tuple[ToolRecord, ...]:
    """The records of all tools, or of one (by any of its names), by name.

    Turns that have not ended count, too. Raises ``StorageError`` when local state
    cannot be read.
    """
    names = load_tool_names(vault)
    waiting = unsettled(vault)
    found, met = _kept(vault)
    for (rule, kind), times in waiting.rules.items():
        met[rule][kind] += times
    hits: dict[str, list[RuleHits]] = {}
    called = {fold(one.tool): one for one in found}
    for one in waiting.calls:
        called[fold(one.tool)] = _sum(called.get(fold(one.tool)), one)
    for held in list_rules(vault).rules:
        if held.id in met:
            known = hits.setdefault(_key(names, held.tool), [])
            known.append(
                RuleHits(held.id, held.rule, dict(sorted(met[held.id].items())))
            )
    tools = {_key(names, one.tool) for one in called.values()}
    for key in hits.keys() - tools:  # its rules were met, and it was not called
        called[key] = ToolStatistics(names.spelling(key) or key, 0, 0, 0, 0, 0)
    wanted = _key(names, tool) if tool else None
    return tuple(
        ToolRecord(one, tuple(hits.get(_key(names, one.tool), ())))
        for _, one in sorted(called.items())
        if wanted is None or _key(names, one.tool) == wanted
    )


def rule_record(vault: Vault, rule_id: str) -> Mapping[str, int]:
    """Return how often a rule was shown, matched, denied and so on."""
    found = Counter(dict.fromkeys(("shown", "matched", "denied"), 0))
    for (rule, kind), times in unsettled(vault).rules.items():
        if rule == rule_id:
            found[kind] += times
    if has_state(vault.root):
        # What cannot be read of it is no reason to say nothing of the rule.
        with suppress(StorageError), open_state(vault.root) as state:
            for event in rule_events(state, rule_id):
                found[event.kind] += event.times
    return dict(found)


def _kept(
    vault: Vault,
) -> tuple[tuple[ToolStatistics, ...], defaultdict[str, Counter[str]]]:
    met: defaultdict[str, Counter[str]] = defaultdict(Counter)
    if not has_state(vault.root):
        return (), met
    with open_state(vault.root) as state:
        for event in rule_events(state):
            met[event.rule][event.kind] += event.times
        return tool_statistics(state), met


def _sum(first: ToolStatistics | None, last: ToolStatistics) -> ToolStatistics:
    """The calls of a tool in both, the newest errors first."""
    if first is None:
        return last
    errors = dict((*last.errors[::-1], *first.errors))
    return ToolStatistics(
        first.tool,
        first.calls + last.calls,
        first.successes + last.successes,
        first.failures + last.failures,
        first.timed + last.timed,
        first.total_ms + last.total_ms,
        tuple(errors.items())[: limits.ERRORS_KEPT],
    )


def _key(names: ToolNames, tool: str) -> str:
    """The key of a tool; a transcript may call one what no rule could be for."""
    try:
        return names.key(tool)
    except UsageError:
        return fold(tool)
