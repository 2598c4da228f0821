"""Statistics: what happened to each tool, and which of its rules were met."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.model import Rule
from toolmem.core.names import fold
from toolmem.core.tools.manifest import ToolNames
from toolmem.core.turns.statistics import ToolStatistics
from toolmem.errors import StorageError, UsageError
from toolmem.ops.capture.process_journal import PendingCounts, pending_counts
from toolmem.ops.rules.listing import list_rules
from toolmem.store.state.counters import (
    DailyEvents,
    daily_events,
    rule_events,
    tool_statistics,
)
from toolmem.store.state.database import has_state, open_state
from toolmem.store.vault.rule_files import load_tool_names
from toolmem.store.vault.vault import Vault


class RuleHits(NamedTuple):
    """Events of a rule by kind: ``denied``, ``said`` (again) …

    ``last`` is the time of the last event that is not just ``shown`` (RFC 3339).
    """

    id: str
    rule: str
    events: Mapping[str, int]
    last: str = ""

    @property
    def stopped(self) -> int:
        """Number of calls that it denied or asked about."""
        return self.events.get("denied", 0) + self.events.get("asked", 0)


class ToolRecord(NamedTuple):
    """The calls of a tool, and those of its rules that were met."""

    statistics: ToolStatistics
    rules: tuple[RuleHits, ...]


def tool_records(
    vault: Vault, tool: str | None = None, rules: Sequence[Rule] | None = None
) -> tuple[ToolRecord, ...]:
    """The records of all tools, or of one (by any of its names), by name.

    Turns that have not ended count, too. ``rules`` are all of the vault, where they
    were listed already. Raises ``StorageError`` when local state
    cannot be read.
    """
    names = load_tool_names(vault)
    waiting = pending_counts(vault)
    statistics = _stored_statistics(vault)
    met = rule_hits(vault, waiting)
    hits: dict[str, list[RuleHits]] = {}
    called = {fold(statistic.tool): statistic for statistic in statistics}
    for call in waiting.calls:
        called[fold(call.tool)] = _sum(called.get(fold(call.tool)), call)
    for stored in list_rules(vault).rules if rules is None else rules:
        if stored.id in met:
            known = hits.setdefault(_key(names, stored.tool), [])
            known.append(met[stored.id]._replace(rule=stored.rule))
    tools = {_key(names, call.tool) for call in called.values()}
    for key in hits.keys() - tools:  # its rules were met, and it was not called
        called[key] = ToolStatistics(names.spelling(key) or key, 0, 0, 0, 0, 0)
    wanted = _key(names, tool) if tool else None
    return tuple(
        ToolRecord(call, tuple(hits.get(_key(names, call.tool), ())))
        for _, call in sorted(called.items())
        if wanted is None or _key(names, call.tool) == wanted
    )


def rule_hits(
    vault: Vault, waiting: PendingCounts | None = None
) -> dict[str, RuleHits]:
    """Return what happened to each rule so far, by its id; texts are left empty.

    ``waiting`` are the counts of turns that have not ended, where they were read
    already. Raises ``StorageError`` when local state cannot be read.
    """
    events: list[tuple[str, str, int, str]] = [
        (hit.rule, hit.kind, hit.times, hit.at)
        for hit in (waiting or pending_counts(vault)).rules
    ]
    if has_state(vault.root):
        with open_state(vault.root) as state:
            events += rule_events(state)
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    last: dict[str, str] = {}
    for rule, kind, times, at in events:
        counts[rule][kind] += times
        if kind != "shown":
            last[rule] = max(at, last.get(rule, ""))
    return {
        rule: RuleHits(rule, "", dict(sorted(kinds.items())), last.get(rule, ""))
        for rule, kinds in counts.items()
    }


def rule_hits_of(vault: Vault, rule_id: str) -> RuleHits:
    """Return how often a rule was shown, matched, denied and more.

    Zeros where local state cannot be read.
    """
    counts = Counter(dict.fromkeys(("shown", "matched", "denied"), 0))
    hits = None
    # What cannot be read of it is no reason to say nothing of the rule.
    with suppress(StorageError):
        hits = rule_hits(vault).get(rule_id)
    counts.update(hits.events if hits else {})
    return RuleHits(rule_id, "", dict(counts), hits.last if hits else "")


def daily_record(vault: Vault) -> tuple[DailyEvents, ...]:
    """Return what happened to rules, day by day.

    Raises ``StorageError`` when local state cannot be read.
    """
    events = [
        DailyEvents(hit.rule, hit.kind, hit.at[:10], fold(hit.tool), hit.times)
        for hit in pending_counts(vault).rules
    ]
    if has_state(vault.root):
        with open_state(vault.root) as state:
            events += daily_events(state)
    return tuple(sorted(events, key=lambda event: (event.day, event.rule, event.kind)))


def _stored_statistics(vault: Vault) -> tuple[ToolStatistics, ...]:
    if not has_state(vault.root):
        return ()
    with open_state(vault.root) as state:
        return tool_statistics(state)


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
        tuple(errors.items())[: limits.ERROR_CLASSES],
    )


def _key(names: ToolNames, tool: str) -> str:
    """The key of a tool; a transcript may call one what no rule could be for."""
    try:
        return names.key(tool)
    except UsageError:
        return fold(tool)
