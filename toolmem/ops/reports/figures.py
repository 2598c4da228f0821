"""Figures of a vault for its report: rules and their record, capture, memories."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.memories.memory_text import parse_memory
from toolmem.core.model import Rule
from toolmem.core.times import last_day, rfc3339
from toolmem.errors import InvalidFileError, StorageError
from toolmem.ops.history.review import list_proposals
from toolmem.ops.judging.past import TierCounts, tier_counts
from toolmem.ops.memories.restore import archived_files
from toolmem.ops.reports.budgets import BlockSize, block_sizes
from toolmem.ops.reports.statistics import (
    RuleHits,
    ToolRecord,
    daily_record,
    rule_hits,
    tool_records,
)
from toolmem.ops.rules.listing import every_file, listed_rules
from toolmem.store.files import layout
from toolmem.store.git.log import Size, growth
from toolmem.store.git.repo import Commit, Repo
from toolmem.store.state.counters import DailyEvents, ErrorCause, error_causes
from toolmem.store.state.database import has_state, open_state
from toolmem.store.state.retrieval_counts import (
    RetrievalCount,
    counting_since,
    retrievals,
)
from toolmem.store.vault.memory_files import MemoryPath, memory_paths
from toolmem.store.vault.vault import Vault, decode

_MEMORIES_READ = 20_000
"""Memories that are read for their dates: half a second of them."""
_POINTS = 40
_COMMITS = 15


class MemoryDates(NamedTuple):
    """A memory with its dates; ``changed`` is when it was created or last updated."""

    memory: MemoryPath
    title: str
    created: datetime | None
    changed: datetime | None
    expires: datetime | None


class LocalFigures(NamedTuple):
    """Figures of the counters on this machine."""

    hits: Mapping[str, RuleHits]
    days: tuple[DailyEvents, ...]
    tiers: Mapping[str, TierCounts]
    tools: tuple[ToolRecord, ...]
    causes: tuple[ErrorCause, ...]
    used: Mapping[str, RetrievalCount]
    counted_since: str


class Figures(NamedTuple):
    """All figures of a report; ``remarks`` say what could not be read.

    ``commits`` are the last ones, newest first, and ``prefix`` leads from the top of
    the repository to the vault.
    """

    rules: tuple[Rule, ...]
    memories: tuple[MemoryPath, ...]
    dates: tuple[MemoryDates, ...]
    prompts: tuple[BlockSize, ...]
    sizes: tuple[Size, ...]
    commits: tuple[Commit, ...]
    prefix: str
    local: LocalFigures
    waiting: int
    remarks: tuple[str, ...] = ()


def figures(vault: Vault) -> Figures:
    """Return the figures of the vault as it is now."""
    remarks: list[str] = []
    files = every_file(vault)
    rules = listed_rules(files)
    memories, dates = _memories(vault)
    if len(memories) > _MEMORIES_READ:
        remarks.append(f"dates are those of the first {_MEMORIES_READ:,} memories")
    local = _local(vault, rules, remarks)
    sizes, commits, prefix = _history(vault, remarks)
    if len({size.when for size in sizes}) < 2:
        sizes = _sizes_by_date(rules, dates)
    archived = sum(1 for _ in archived_files(vault))
    sizes = (*sizes, Size(vault.now, len(rules), len(memories), archived))
    return Figures(
        rules,
        memories,
        dates,
        block_sizes(vault, files),
        sizes,
        commits,
        prefix,
        local,
        len(list_proposals(vault).waiting),
        tuple(remarks),
    )


def _local(vault: Vault, rules: Sequence[Rule], remarks: list[str]) -> LocalFigures:
    try:
        return LocalFigures(
            rule_hits(vault),
            daily_record(vault),
            tier_counts(vault),
            tool_records(vault, rules=rules),
            _causes(vault),
            retrievals(vault.root),
            counting_since(vault.root),
        )
    except StorageError as error:
        remarks.append(f"local state cannot be read: {error}")
        return LocalFigures({}, (), {}, (), (), {}, "")


def _causes(vault: Vault) -> tuple[ErrorCause, ...]:
    if not has_state(vault.root):
        return ()
    with open_state(vault.root) as state:
        return error_causes(state)


def _history(
    vault: Vault, remarks: list[str]
) -> tuple[tuple[Size, ...], tuple[Commit, ...], str]:
    repo = Repo.find(vault.root)
    if repo is None:
        return (), (), ""
    try:
        return growth(repo), repo.log("", _COMMITS), repo.prefix
    except StorageError as error:
        remarks.append(str(error))
        return (), (), repo.prefix


def _memories(
    vault: Vault,
) -> tuple[tuple[MemoryPath, ...], tuple[MemoryDates, ...]]:
    """Return every memory, and the dates of the first ones.

    Each is read when it is found: its folder is still open then.
    """
    paths: list[MemoryPath] = []
    dates: list[MemoryDates] = []
    for memory in memory_paths(vault.tree, layout.all_scopes(vault.tree)):
        dated = _dates(vault, memory) if len(paths) < _MEMORIES_READ else None
        paths.append(memory)
        if dated is not None:
            dates.append(dated)
    return tuple(paths), tuple(dates)


def _dates(vault: Vault, memory: MemoryPath) -> MemoryDates | None:
    try:
        data = vault.tree.unrecorded.read(memory.path, limits.TEXT_FILE_BYTES)
        parsed = parse_memory(decode(data, memory.path), path=memory.path)
    except (FileNotFoundError, InvalidFileError):
        return None  # check reports it
    created, updated = _moment(parsed.created), _moment(parsed.updated)
    changed = max(filter(None, (created, updated)), default=None)
    return MemoryDates(
        memory, parsed.title, created, changed, _moment(parsed.expires_at)
    )


def _moment(value: date | datetime | None) -> datetime | None:
    """A date as its midnight in UTC."""
    if value is None or isinstance(value, datetime):
        return value if value is None or value.tzinfo else value.replace(tzinfo=UTC)
    return datetime.combine(value, time(), UTC)


def _sizes_by_date(
    rules: tuple[Rule, ...], dates: tuple[MemoryDates, ...]
) -> tuple[Size, ...]:
    """The growth by the dates in the files, for a vault with less than two commits."""
    made: Counter[tuple[date, str]] = Counter()
    made.update((r.created_at.date(), "rule") for r in rules if r.created_at)
    made.update((m.created.date(), "memory") for m in dates if m.created)
    sizes: list[Size] = []
    sums: Counter[str] = Counter()
    for day in sorted({day for day, _ in made}):
        for kind in ("rule", "memory"):
            sums[kind] += made[day, kind]
        moment = datetime.combine(day, time(), UTC)
        sizes.append(Size(moment, sums["rule"], sums["memory"], 0))
    last = len(sizes) - 1
    if last < _POINTS:
        return tuple(sizes)
    return tuple(sizes[round(n * last / (_POINTS - 1))] for n in range(_POINTS))


class StaleMemory(NamedTuple):
    """A memory that may be retired, and why; ``path`` is its file."""

    id: str
    path: str
    title: str
    changed: datetime | None
    why: str


def stale_memories(report: Figures, now: datetime) -> tuple[StaleMemory, ...]:
    """Return the memories that expired, or were neither changed nor found for long.

    The oldest come first. Use is known only from when it was counted on this machine.
    """
    oldest = now - timedelta(days=limits.UNUSED_DAYS)
    listed = [
        StaleMemory(dates.memory.id, dates.memory.path, dates.title, dates.changed, why)
        for dates in report.dates
        if (why := _why_stale(dates, report.local, now, oldest))
    ]
    return tuple(
        sorted(listed, key=lambda memory: (_order(memory.changed), memory.path))
    )


def _why_stale(
    dates: MemoryDates, local: LocalFigures, now: datetime, oldest: datetime
) -> str:
    if dates.expires is not None and dates.expires <= now:
        return f"expired on {last_day(dates.expires)}"
    if dates.changed is None or dates.changed > oldest:
        return ""
    if not local.counted_since or local.counted_since > rfc3339(oldest):
        return f"not changed for {(now - dates.changed).days} days"
    used = local.used.get(dates.memory.id)
    if used is None:
        return f"never found, not changed for {(now - dates.changed).days} days"
    if used.last < rfc3339(oldest):
        return f"last found on {used.last[:10]}"
    return ""


def _order(moment: datetime | None) -> float:
    return moment.timestamp() if moment else 0.0


def document(report: Figures) -> dict[str, Any]:
    """The figures as JSON."""
    by_tool: dict[str, Counter[str]] = {}
    for rule in report.rules:
        by_tool.setdefault(rule.tool, Counter())[str(rule.priority)] += 1
    ids = {memory.id for memory in report.memories}
    local = report.local
    return {
        "rules": {tool: dict(counts) for tool, counts in by_tool.items()},
        "record": [
            {"id": rule.id, "tool": rule.tool, "rule": rule.rule}
            | {"scope": str(rule.scope), "priority": str(rule.priority)}
            | _record(local.hits.get(rule.id))
            for rule in report.rules
        ],
        "events": [day._asdict() for day in local.days if day.kind != "shown"],
        "capture": {tier: outcomes._asdict() for tier, outcomes in local.tiers.items()},
        "failures": [cause._asdict() for cause in local.causes],
        "memories": len(report.memories),
        "prompts": {prompt.scope: prompt.parts for prompt in report.prompts},
        "growth": [
            size._asdict() | {"when": rfc3339(size.when)} for size in report.sizes
        ],
        "tools": {
            record.statistics.tool: {
                "calls": record.statistics.calls,
                "failures": record.statistics.failures,
            }
            for record in local.tools
        },
        "used": {
            doc_id: n.times for doc_id, n in sorted(local.used.items()) if doc_id in ids
        },
        "never_used": sorted(ids - local.used.keys()) if local.counted_since else None,
        "counted_since": local.counted_since or None,
        "waiting": report.waiting,
    }


def _record(hits: RuleHits | None) -> dict[str, Any]:
    counts = dict(hits.events) if hits else {}
    return counts | {"last": hits.last or None if hits else None}
