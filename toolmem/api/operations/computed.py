"""Parts of answers that are not fields of their results; see ``shapes``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from toolmem.api import facts, review, transfer
from toolmem.core.access.permit import ACCESS
from toolmem.core.candidates import captured
from toolmem.core.changes import model as changes
from toolmem.core.guard.derivation.stated import guard_line
from toolmem.core.merge import result
from toolmem.core.model import Fact, Problem, Rule, Scope
from toolmem.core.prompt import parts
from toolmem.core.search import find
from toolmem.core.text.tokens import estimate_tokens
from toolmem.core.tools import manifest
from toolmem.ops.access import manifests
from toolmem.ops.capture import summary_lines
from toolmem.ops.history import diff, uncommitted, undo
from toolmem.ops.history import review as proposals
from toolmem.ops.memories import fact_listing
from toolmem.ops.prompt import build, impact
from toolmem.ops.reports import figures, report, statistics
from toolmem.ops.rules import change, examples, listing
from toolmem.ops.search import recall, search
from toolmem.ops.sync import sync
from toolmem.ops.transfer import import_texts
from toolmem.store.files import setting_table, settings
from toolmem.store.vault import memory_files


class BeforeAfter(NamedTuple):
    """Two numbers of tokens."""

    before: int
    after: int


class ChangeGroups(NamedTuple):
    """Changes by the kind of their items."""

    rules: list[changes.Change]
    facts: list[changes.Change]
    memories: list[changes.Change]
    texts: list[changes.Change]
    tools: list[changes.Change]
    settings: list[changes.Change]
    other: list[changes.Change]


_KINDS = ("rule", "fact", "memory", "text", "tool", "settings", "other")


class ErrorLine(NamedTuple):
    """The class of an error, and its line."""

    error: str
    line: str


class FactState(NamedTuple):
    """A fact, or the same keys without it."""

    key: str
    value: str | None
    namespace: str | None
    scope: Scope | None
    path: str | None
    line: int | None
    found: bool


class FileConflict(NamedTuple):
    """A conflict in a file."""

    path: str
    conflict: result.Conflict


class ListedRule(NamedTuple):
    """A rule of a listing, and what it does."""

    rule: Rule
    effect: str


class RecalledFact(NamedTuple):
    """A fact that was recalled by its key."""

    fact: Fact


class RecalledNamespace(NamedTuple):
    """Every fact of a namespace."""

    query: str
    source: str
    results: tuple[Fact, ...]
    total: int


class RecalledSearch(NamedTuple):
    """Results of a search in place of a fact."""

    found: search.SearchAnswer


class RuleTestReport(NamedTuple):
    """Results of the examples of rules."""

    rules: int
    examples: int
    problems: list[Problem]
    ok: bool


class Receipt(NamedTuple):
    """Hash of a block's text, and the files that it was made of, with git's ids."""

    hash: str
    revision: str | None
    files: list[dict[str, str]]


def changed_checks(changed: change.ChangeResult) -> str | None:
    """Return a line on the effect of a rule that is in force after its change."""
    in_force = changed.action in ("created", "updated", "unchanged")
    return guard_line(changed.rule) if changed.rule and in_force else None


def disabled(rule: Rule) -> bool | None:
    """Return False for a rule that is not enabled."""
    return None if rule.enabled else False


def unguarded(rule: Rule) -> bool | None:
    """Return False for a rule without derived guards."""
    return False if rule.stated.get("guard") == [] else None


def listed_rules(listed: listing.RuleListing) -> list[ListedRule]:
    """Return the rules of a listing, each with what it does."""
    return list(map(ListedRule, listed.rules, listed.effects))


def tested(tests: Sequence[examples.RuleTest]) -> RuleTestReport:
    """Return the results of the examples of rules."""
    problems = [problem for test in tests for problem in test.problems]
    count = sum(test.examples for test in tests)
    return RuleTestReport(len(tests), count, problems, not problems)


def fact_state(answer: fact_listing.FactAnswer | facts.FactResult) -> FactState:
    """Return the requested fact, or the same keys without it."""
    if answer.fact is not None:
        return FactState(*answer.fact, found=True)
    namespace = answer.namespace or None
    return FactState(answer.key, None, namespace, None, None, None, found=False)


def unreadable(memory: memory_files.Memory) -> dict[str, Any]:
    """Return why a memory cannot be read, and hide it."""
    return {} if memory.parsed else {"error": memory.error, "private": True}


def hit_kind(hit: find.Hit) -> str:
    """Return the kind of a memory, or that of another document."""
    return hit.doc.mem_kind if hit.doc.kind == "memory" else hit.doc.kind


def recalled(
    answer: recall.RecallResult,
) -> RecalledFact | RecalledNamespace | RecalledSearch:
    """Return a recalled fact, those of a namespace, or the results of a search."""
    if answer.found is not None:
        return RecalledSearch(answer.found)
    if answer.fact is not None:
        return RecalledFact(answer.fact)
    return RecalledNamespace("*", "namespace", answer.facts, len(answer.facts))


def chars(text: str) -> int:
    """Return the length of a text."""
    return len(text)


def part_tokens(part: parts.PromptPart) -> int:
    """Return the number of tokens of a part of a block."""
    return sum(estimate_tokens(item.text) for item in part.items)


def item_data(item: parts.PromptItem) -> dict[str, Any]:
    """Return the data of an item; a key alone is its text."""
    data = item.data
    return {key: data[key] for key in data if key != "key" or "value" in data}


def receipt(block: build.Block) -> Receipt:
    """Return what a block was made of."""
    files = [{"path": path, "version": version} for path, version in block.files]
    return Receipt(block.digest, block.vault.revision, files)


def queued(
    queue: review.ReviewQueue,
) -> tuple[proposals.PendingProposal | uncommitted.UncommittedEntry, ...]:
    """Return the waiting proposals, then uncommitted changes."""
    return (*queue.waiting, *queue.entries)


def origin(entry: uncommitted.UncommittedEntry) -> dict[str, Any]:
    """Return where a captured rule is from."""
    values = entry.changes[0].item.values
    return {key: values[key] for key in ("evidence", "kept_by") if values.get(key)}


def groups(shown: diff.Diff) -> ChangeGroups:
    """Return the changes by the kind of their items."""
    listed = shown.changes
    by_kind = ([c for c in listed if c.item.kind == kind] for kind in _KINDS)
    return ChangeGroups(*by_kind)


def shown_fields(shown: changes.Change) -> list[changes.Field]:
    """Return the changed fields, without the bytes of files."""
    return [field for field in shown.fields if field.key != "bytes"]


def shown_values(item: changes.ChangedItem) -> dict[str, Any]:
    """Return the values of an item, without the bytes of files."""
    return {key: value for key, value in item.values.items() if key != "bytes"}


def tokens(effect: impact.PromptImpact) -> BeforeAfter:
    """Return the tokens of the block."""
    return BeforeAfter(effect.tokens_before, effect.tokens_after)


def impact_parts(effect: impact.PromptImpact) -> dict[str, BeforeAfter]:
    """Return the tokens of each part of the block."""
    return {kind: BeforeAfter(*sizes) for kind, sizes in effect.parts.items()}


def sync_conflicts(done: sync.SyncResult) -> list[FileConflict]:
    """Return the conflicts of a sync, with their files."""
    return [FileConflict(path, conflict) for path, conflict in done.conflicts]


def relation(decree: captured.CapturedDecree) -> dict[str, Any]:
    """Return the rules that a decree is about, under a key that says how."""
    if decree.change == "amend":
        return {"amends": decree.about[0]}
    if decree.change in summary_lines.ABOUT:
        return {summary_lines.ABOUT[decree.change]: list(decree.about)}
    return {"ids": [decree.id, *decree.about]} if decree.about and decree.id else {}


def import_counts(done: transfer.ImportResult) -> dict[str, int]:
    """Return the number of items by what was done."""
    counts = Counter(outcome.action for outcome in done.imported.outcomes)
    return {action: counts[action] for action in transfer.ACTIONS if counts[action]}


def about_item(outcome: import_texts.ImportOutcome) -> dict[str, str | None]:
    """Return the tool of a rule, or the topic of a memory."""
    if outcome.kind == "rule":
        return {"tool": outcome.about}
    return {"topic": outcome.about or None} if outcome.kind == "memory" else {}


def exported(done: transfer.ExportResult) -> Any:
    """Return a copy of the vault, the text for a program, or the outcome per file."""
    if done.document is not None:
        return done.document
    if not done.changes:
        return {"text": done.text}
    if done.files < 0:
        guards = done.unsupported
        return {"files": done.changes, "check": done.check, "unsaid": guards}
    left_out = [{"path": path, "reason": why} for path, why in done.left_out]
    return {**done.changes[0]._asdict(), "files": done.files, "left_out": left_out}


def error_lines(record: statistics.ToolRecord) -> list[ErrorLine]:
    """Return the errors of a tool."""
    return [ErrorLine(name, line) for name, line in record.statistics.errors]


def stated_manifest(row: manifests.ToolRow) -> manifest.Manifest:
    """Return the manifest of a tool, an empty one if it has none."""
    return row.manifest or manifest.Manifest(row.name, (), "", {})


def memory_access(tool: manifest.Manifest) -> Mapping[str, Any]:
    """Return the memory access in a manifest, as written."""
    access = tool.stated.get(ACCESS)
    return access if isinstance(access, Mapping) else {}


def setting_about(setting: settings.SettingValue) -> str:
    """Return what a setting is for."""
    return setting_table.ABOUT[setting.name]


def figures_document(figures: figures.Figures) -> Mapping[str, Any]:
    """Return the figures of a report."""
    return report.document(figures)


def step_paths(step: undo.UndoStep) -> list[str]:
    """Return the files of a step."""
    return [file.path for file in step.files]
