"""Suggested cleanups of a vault, as a plan with reasons.

Nothing is changed here. What is compared is read from the files as they are; the
plan keeps their blob ids, so that it can be carried out later and touch nothing
that has changed since.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from toolmem.core.model import Scope
from toolmem.core.reflect import plan
from toolmem.core.reflect.failing import (
    CommandFailures,
    RefusedRequest,
    ToolFailure,
    failed_in,
    failure_steps,
    refusal_steps,
    tool_steps,
)
from toolmem.core.reflect.plan import Plan, ProposedSteps, Step, Version
from toolmem.core.reflect.rules import StoredRule, rule_steps
from toolmem.core.rules.effective import rule_from
from toolmem.core.rules.lint import lint_all
from toolmem.core.turns.document import turn_from
from toolmem.errors import Arg, StorageError, UsageError
from toolmem.ops.memories.memory_scan import (
    Usage,
)
from toolmem.ops.reflect.memory_steps import memory_steps
from toolmem.ops.rules.listing import files_seen
from toolmem.ops.session.repair_state import repair_state
from toolmem.store.files import layout
from toolmem.store.state import trace
from toolmem.store.state.counters import failed_calls, rule_events
from toolmem.store.state.database import has_state, open_state
from toolmem.store.state.retrieval_counts import counting_since, retrievals
from toolmem.store.state.turn_log import every_turn
from toolmem.store.vault import model_command as model
from toolmem.store.vault.rule_files import load_rule_files, load_tool_names
from toolmem.store.vault.rule_writer import read_rule_text
from toolmem.store.vault.vault import Vault, blob_id

_ORDER = {
    plan.FACT: 0,
    plan.RETIRE: 1,
    plan.MERGE: 2,
    plan.PROMOTE: 3,
    plan.CONTEST: 4,
    plan.RULE: 5,
    plan.LOOK: 6,
    plan.COMPARE: 7,
}


class ReflectRequest(NamedTuple):
    """Scope of a cleanup: a project alone, or all; with the files of a project's
    ``folder``; with the user's ``model`` for merged texts."""

    project: str = ""
    folder: Path | None = None
    model: bool = False


class Reflection(NamedTuple):
    """The plan, how much was looked at, and what a user should know."""

    plan: Plan
    memories: int
    rules: int
    remarks: tuple[str, ...] = ()


class _Local(NamedTuple):
    """Read local state: use of memories, events of rules, failures."""

    usage: Usage
    met: Mapping[str, Mapping[str, int]]
    failed: Sequence[CommandFailures]
    tools: Sequence[ToolFailure] = ()
    refused: Sequence[RefusedRequest] = ()
    remarks: tuple[str, ...] = ()


def reflect(vault: Vault, request: ReflectRequest) -> Reflection:
    """Look at everything and propose what could be better.

    Raises ``UsageError`` where a model is wanted and none is set, ``NotFoundError``
    for a folder without history.
    """
    helper = _helper(vault, request.model)
    local = _local(vault, request.project)
    scopes = _scopes(vault, request.project)
    folder = ""
    if request.project:
        folder = layout.scope_folder(Scope("project", request.project))
    looked = memory_steps(vault, scopes, local.usage, request.folder, helper, folder)
    rules = _rules(vault, local, scopes if request.project else None)
    steps = [*looked.steps, *rules.steps]
    if folder:
        steps = list(plan.touching(steps, folder))
    steps.sort(key=_order)
    remarks = (*local.remarks, *looked.remarks)
    made = Plan(vault.now, tuple(steps))
    return Reflection(made, looked.looked_at, rules.looked_at, remarks)


def _order(step: Step) -> tuple[int, str, str]:
    if step.action == plan.COMPARE:
        return _ORDER[step.action], "", ""  # the most likely first, as they are
    return _ORDER[step.action], step.files[0].path if step.files else "", step.reason


def _helper(vault: Vault, wanted: bool) -> model.ModelCommand | None:
    helper = model.model_of(vault.settings) if wanted else None
    if wanted and helper is None:
        raise UsageError(Arg("model"), " needs model.command in your own configuration")
    return helper


def _scopes(vault: Vault, project: str) -> tuple[Scope, ...]:
    """Every scope, or those that a project's agents read besides their own.

    An agent sees no other agent's own.
    """
    agent = vault.setting("agent")
    every = (
        scope
        for scope in layout.all_scopes(vault.tree)
        if not agent or scope.kind != "agent" or scope.name == agent
    )
    if not project:
        return tuple(every)
    shared = ("system", "agent-type")
    own = ("project", "override")
    return tuple(
        scope
        for scope in every
        if scope.kind in shared or (scope.kind in own and scope.name == project)
    )


def _rules(
    vault: Vault, local: _Local, scopes: Sequence[Scope] | None
) -> ProposedSteps:
    """Return steps for the rules of some scopes, or of all."""
    listed = files_seen(vault) if scopes is None else load_rule_files(vault, scopes)
    files = listed.files
    names = load_tool_names(vault)
    same = Counter(file.id for file in files)
    stored = []
    for file in files:
        if "rule" in file.stated and same[file.id] == 1:
            rule = rule_from(file.stated, file)
            blob = blob_id(read_rule_text(vault, file.path)[0])
            version = Version(file.path, blob)
            stored.append(StoredRule(rule, names.key(rule.tool), version))
    shares = [p.message for p in lint_all(files, vault.now) if p.code == _SHARE]
    steps = list(rule_steps(stored, local.met, vault.now, next(iter(shares), "")))
    texts = [rule_file.rule.rule for rule_file in stored]
    steps += failure_steps(local.failed, texts)
    steps += tool_steps(local.tools, texts)
    steps += refusal_steps(local.refused)
    return ProposedSteps(tuple(steps), len(stored))


_SHARE = "critical-share"


def _local(vault: Vault, project: str) -> _Local:
    """Local state, as far as it can be read: without it, less is found.

    Failures are those of a project, if one is named.
    """
    met: dict[str, dict[str, int]] = {}
    failed: list[CommandFailures] = []
    tools: list[ToolFailure] = []
    remarks: list[str] = []
    try:
        remarks += repair_state(vault.root)
        usage = Usage(retrievals(vault.root), counting_since(vault.root))
        if has_state(vault.root):
            with open_state(vault.root) as state:
                for event in rule_events(state):
                    met.setdefault(event.rule, {})[event.kind] = event.times
                rows = map(ToolFailure._make, failed_calls(state))
                tools = [row for row in rows if project in ("", row.project)]
                for session, where, stored in every_turn(state):
                    if project in ("", where):
                        failed += failed_in(session, turn_from(stored), where)
        refused = [
            RefusedRequest(line.tool, line.memory_type, line.reason, line.request_id)
            for _, line in trace.read(vault)
            if line.event in ("denied", "error")
        ]
    except StorageError as error:
        message = f"local state cannot be read ({error}): usage is unknown"
        return _Local(Usage({}, ""), {}, (), remarks=(message,))
    return _Local(usage, met, failed, tools, refused, tuple(remarks))
