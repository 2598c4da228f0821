"""Remarks for the user: on standard error, or in addition to the JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from toolmem.api import (
    facts,
    memories,
    reports,
    transfer,
)
from toolmem.api import review as reviewing
from toolmem.api import sync as sharing
from toolmem.api.operations.table import Operation
from toolmem.core import limits
from toolmem.core.guard.derivation import stated
from toolmem.core.guard.derivation.describe import ADVICE, UNCHECKED
from toolmem.core.model import SYSTEM, Fact, Priority, Rule
from toolmem.core.scope import scope_words
from toolmem.core.search.doc import CONTESTED
from toolmem.core.shown import counted, show
from toolmem.errors import Arg, NextStep, Notice, parts_of
from toolmem.ops.capture import capture
from toolmem.ops.doctor import check
from toolmem.ops.history import review, review_change, uncommitted
from toolmem.ops.judging import past
from toolmem.ops.memories import fact_listing, listing, save
from toolmem.ops.rules import change, put
from toolmem.ops.rules import listing as rules_listing
from toolmem.ops.search import recall, search
from toolmem.ops.session import working
from toolmem.ops.sync import sync
from toolmem.store.index import index

_BY_HOOKS = ("hooks of agents store them (`toolmem agent install AGENT`)",)
_LISTS: Mapping[str, tuple[str, str, tuple[str | NextStep, ...]]] = {
    "rule.list": ("rules", "rules", (NextStep("rule.add"), " adds one")),
    "memory.list": ("memories", "memories", (NextStep("memory.save"), " saves one")),
    "fact.list": ("facts", "facts", (NextStep("fact.set"), " sets one")),
    "tool.list": ("", "tools", (NextStep("tool.add"), " adds one")),
    "scratch.list": ("", "entries", (NextStep("scratch.add"), " adds one")),
    "conversation.list": ("", "messages", _BY_HOOKS),
    "working.show": ("", "values", _BY_HOOKS),
    "turn.list": ("", "turns", _BY_HOOKS),
    "trace": ("", "requests and verdicts", _BY_HOOKS),
    "stats": ("", "calls", _BY_HOOKS),
}
"""Lists: the field of the result that is the list, its noun, and how it is filled."""


def notices_of(operation: Operation, result: Any) -> Iterator[str]:
    """Yield remarks for the user: those of the result, and more for some."""
    remarks: Iterable[str] = getattr(result, "remarks", ())
    if isinstance(result, Mapping):
        remarks = result.get("remarks", ())
    yield from remarks
    yield from getattr(result, "warnings", ())
    if operation.notices and result is not None:
        yield from globals()[f"{operation.notices}_notices"](result)


def nothing(name: str, result: Any, values: Mapping[str, Any]) -> Iterator[Notice]:
    """Say of an empty list what was searched, or how something gets into it."""
    field, noun, source = _LISTS.get(name, ("", "", ()))
    if not noun or (getattr(result, field) if field else result):
        return
    asked = [f"{key} {value!r}" for key, value in values.items() if _narrows(value)]
    if asked:
        yield Notice(f"no {noun} with {', '.join(asked)}")
    else:
        yield Notice(f"no {noun} yet: ", *source)


def _narrows(value: Any) -> bool:
    """Return True for an argument that leaves something out: a limit does not."""
    return value not in ("", None, [], {}, ()) and not isinstance(value, int | float)


def put_notices(result: put.PutResult) -> Iterator[str]:
    """Remark that a rule is lower than requested, or not in the block."""
    rule = result.rule
    if result.clamped:
        yield "an agent's rule is at most high; a person can raise it"
    elif rule.priority is Priority.NORMAL and result.action in ("created", "updated"):
        yield Notice(
            "normal rules are not in the prompt block; use ",
            Arg("priority"),
            " high or ",
            Arg("priority"),
            " critical",
        )
    for text in result.differs:
        yield Notice(
            f"{text}: ",
            NextStep("rule.edit", f"{rule.id[: limits.ID_SHOWN]}"),
            " changes it",
        )
    if result.lowered:
        yield f"the priority of a person's critical rule is now {rule.priority}"
    if result.action == "created":
        place = f"; {scope_words(rule.scope)}"
        wider = (" (", Arg("scope"), " system: everywhere)")
        yield Notice(*_checks(rule), place, *(wider if rule.scope != SYSTEM else ()))
    elif result.action == "updated":
        yield Notice(*_checks(rule))


def _checks(rule: Rule) -> tuple[str | Arg, ...]:
    """Return what a rule checks, or that it is advice only and what adds a check."""
    if (line := stated.guard_line(rule)) == ADVICE:
        return UNCHECKED, "; ", Arg("guard"), " adds a check"
    return (line,)


def check_notices(report: check.Report) -> Iterator[str]:
    """Report the files that were fixed."""
    for path in report.fixed:
        yield f"fixed {path}"


def change_notices(changed: change.ChangeResult) -> Iterator[str]:
    """Describe the guard of a rule that was edited or overridden, and is enabled."""
    rule = changed.rule
    if rule is not None and rule.enabled and changed.action in ("created", "updated"):
        yield Notice(*_checks(rule))


def rules_notices(listed: rules_listing.RuleListing) -> Iterator[str]:
    """Report the rule files that cannot be read."""
    for broken in listed.unreadable:
        yield f"{broken.place}: cannot be read: {broken.reason}"


def fact_notices(answer: fact_listing.FactAnswer) -> Iterator[str]:
    """Report facts with the same or a similar key, and unreadable files."""
    for problem in answer.problems:
        yield f"{problem.place}: {problem.message}"
    if answer.fact is None:
        similar = f"; similar: {', '.join(answer.near)}" if answer.near else ""
        space = f" in namespace {answer.namespace!r}" if answer.namespace else ""
        yield f"no fact {answer.key!r}{space}{similar}"
        for fact in answer.others:
            place = f"{fact.path}:{fact.line}"
            yield Notice(
                f"namespace {fact.namespace} has it ({place}): ask with ",
                Arg("namespace"),
            )
        for fact in answer.elsewhere:
            place = f"{fact.path}:{fact.line}"
            yield Notice(f"{fact.scope} has it ({place}): ask with ", Arg("scope"))
        return
    yield from _also(answer.others)


def fact_change_notices(changed: facts.FactResult) -> Iterator[str]:
    """Report the other facts that have the key, or that there is none to delete."""
    if changed.fact is None:
        space = f", namespace {changed.namespace!r}" if changed.namespace else ""
        yield f"no fact {changed.key!r} in {changed.scope}{space}"
    yield from _also(changed.others)


def _also(others: Iterable[Fact]) -> Iterator[str]:
    for other in others:
        place = f"{other.path}:{other.line}"
        where = f"{other.key} is also in namespace {other.namespace}"
        yield f"{place}: {where}: {other.value}"


def facts_notices(listed: fact_listing.FactListing) -> Iterator[str]:
    """Report problems in the files of facts."""
    for problem in listed.problems:
        yield f"{problem.place}: {problem.message}"


def save_notices(result: save.SaveResult) -> Iterator[str]:
    """Report differences of a saved memory to its most similar one."""
    if result.differing:
        other, words = result.nearest, ", ".join(result.differing)
        yield f"differs from {other} in {words}"
    if result.action == "contested":
        yield _contested(result.id)


def memory_notices(shown: memories.ShownMemory) -> Iterator[str]:
    """Report problems of a memory."""
    memory = shown.memory
    if memory.parsed and memory.parsed.contested_with:
        yield _contested(memory.id)
    for problem in memory.parsed.problems if memory.parsed else ():
        yield f"{memory.path}:{problem.line}: {problem.message}"
    if memory.parsed is None:
        yield f"{memory.path}: cannot be read: {memory.error}"


def memories_notices(listed: listing.MemoryListing) -> Iterator[str]:
    """Report the memories that cannot be read."""
    for broken in listed.unreadable:
        yield f"{broken.path}: cannot be read: {broken.error}"


def _contested(memory: str) -> Notice:
    """Return how a person decides between memories that contradict each other."""
    return Notice(
        "contested: ",
        NextStep("memory.archive", memory),
        " retires it, ",
        NextStep("memory.edit", f"{memory} --uncontested"),
        " keeps both",
    )


def search_notices(answer: search.SearchAnswer) -> Iterator[str]:
    """Report how a search deviated from its request."""
    if answer.found.topic_fallback:
        yield "too few results on the topic: searched all topics"
    for word, meant in answer.found.corrections.items():
        yield f"no match for {word!r}; showing {', '.join(meant)}"
    for hit in answer.found.hits:
        if CONTESTED in hit.doc.tags:
            yield _contested(hit.doc.id)
    if not answer.found.hits:
        yield f"nothing found for {answer.query.text!r}"


def recall_notices(answer: recall.RecallResult) -> Iterator[str]:
    """Report the same for the search of a recall, if any."""
    if answer.found is not None:
        yield from answer.found.remarks
        yield from search_notices(answer.found)


def capture_notices(result: capture.CaptureResult) -> Iterator[str]:
    """Report what capture ignored."""
    if result.failure:
        yield result.failure


def review_notices(
    answer: reviewing.ReviewQueue
    | review.ReviewResult
    | review_change.ReviewedEntry
    | past.PastCandidates,
) -> Iterator[str]:
    """Report unreadable proposals, and backups of reverted files."""
    for problem in getattr(answer, "problems", ()):
        yield f"{problem.path}: cannot be read: {problem.message}"
    for copy in getattr(answer, "kept", ()):
        yield f"the previous version is saved in {copy}"


def commit_notices(done: uncommitted.CommitResult) -> Iterator[str]:
    """Report unreadable files of a commit, and files that git does not have yet."""
    if not done.message:
        yield "nothing to commit"
    if done.left:
        files = ", ".join(done.left)
        yield Notice(
            f"git does not have {files} yet: ",
            NextStep("commit", "--all"),
            " adds them",
        )


def sync_notices(done: sync.SyncResult) -> Iterator[str]:
    """Report the next step, and changes that stay local."""
    if done.action == "conflict":
        yield Notice(
            "nothing was pushed: ",
            NextStep("resolve"),
            ", commit, then ",
            NextStep("sync"),
        )
    if done.action == "stopped":
        yield "nothing was changed: fix the problems above, commit, and sync again"
    if done.outside:
        yield Notice(
            "nothing was pushed: run `git push`, or ", NextStep("sync", "--all")
        )
    if done.rejection:
        yield (
            Notice(
                "nothing was pushed: do what the remote says and sync again, or push "
                "to a branch of your own: `git switch -c NAME`, then ",
                NextStep("sync"),
            )
        )
    if done.uncommitted:
        files, has = counted(done.uncommitted, "file"), "have"
        if done.uncommitted == 1:
            has = "has"
        yield f"{files} {has} uncommitted changes, which were not pushed"


def resolve_notices(done: sharing.ResolveResult) -> Iterator[str]:
    """Report the files that a person has to merge."""
    for problem in done.unmerged:
        place = f"{problem.path}:{problem.line}" if problem.line else problem.path
        yield f"{place}: {problem.message}"


def report_notices(reported: reports.VaultReport) -> Iterator[str]:
    """Report what the figures leave out."""
    yield from reported.figures.remarks


def import_notices(done: transfer.ImportResult) -> Iterator[str]:
    """Say where new rules apply, and report the files that were left out."""
    outcomes = done.imported.outcomes
    if any(
        (outcome.kind, outcome.action) == ("rule", "created") for outcome in outcomes
    ):
        other = (Arg("scope"), " system: everywhere)")
        if done.scope == SYSTEM:
            other = (Arg("project"), " NAME: only there)")
        yield Notice(f"the rules apply {scope_words(done.scope)} (", *other)
    for name, reason in done.left_out:
        yield Notice(f"{name}: left out: ", *parts_of(reason))


def export_notices(done: transfer.ExportResult) -> Iterator[str]:
    """Report what could not be expressed, and files that are not in a copy."""
    for name, reason in done.left_out:
        yield Notice(f"{show(name)}: left out: ", *parts_of(reason))


def working_notices(result: working.WorkingSet) -> Iterator[str]:
    """Report the values that made room."""
    for value in result.dropped:
        yield f"removed the oldest value: {value.name}"


def index_notices(state: index.IndexStatus) -> Iterator[str]:
    """Report the files that are not searched."""
    for path, reason in state.problems:
        yield f"{path}: not searched: {reason}"
