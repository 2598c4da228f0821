"""Review: proposals of capture become rules, or are turned down, by a person.

Accepting writes the rule first and drops the proposal last: a process that stops
in between finds the proposal again, and accepting it a second time changes nothing
but to drop it.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from toolmem.core.candidates.captured import CAPTURED, REPEATED
from toolmem.core.comparison.same import same_text
from toolmem.core.guard.derivation.stated import derived_guards
from toolmem.core.model import Priority, Problem, Rule, Scope, Source
from toolmem.core.rules.derived_id import derived_id
from toolmem.core.rules.effective import find_by_prefix
from toolmem.core.rules.proposal import Proposal
from toolmem.errors import Arg, NextStep, NotFoundError, UsageError
from toolmem.ops.capture.failures import expiry
from toolmem.ops.rules.change import Edits, archive_rule, edit_rule
from toolmem.ops.rules.listing import show_rule
from toolmem.ops.rules.put import NewRule, put_rule
from toolmem.store.state.candidates import DROPPED, KEPT, note_outcome
from toolmem.store.state.database import open_state
from toolmem.store.vault.pending import drop_proposal, load_pending, note_rejected
from toolmem.store.vault.vault import Vault


class BlockLine(NamedTuple):
    """A rule that the block would show (``+``) or show no longer (``-``)."""

    change: str
    tool: str
    priority: Priority
    rule: str


class ProposalPreview(NamedTuple):
    """Guards that would be derived, and what in the prompt block would change.

    ``in_chain`` is False where the chain of this place has none of it.
    """

    guards: tuple[Mapping[str, Any], ...]
    block: tuple[BlockLine, ...]
    in_chain: bool = True


class PendingProposal(NamedTuple):
    """A proposal, the rules that it is about as they are now, and what it changes."""

    proposal: Proposal
    rules: tuple[Rule, ...]
    preview: ProposalPreview


class ReviewResult(NamedTuple):
    """A proposal that is ``accepted`` or ``rejected``, and the rules it changed."""

    id: str
    action: str
    rules: tuple[str, ...]
    paths: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class PendingProposals(NamedTuple):
    """The proposals that wait, by session, oldest first, and files that are none."""

    waiting: tuple[PendingProposal, ...]
    problems: tuple[Problem, ...]


def list_proposals(vault: Vault) -> PendingProposals:
    """Return what there is to review; sessions in the order of their first one."""
    pending = load_pending(vault)
    sessions = list(dict.fromkeys(one.session for one in pending.proposals))
    ordered = sorted(pending.proposals, key=lambda one: sessions.index(one.session))
    waiting = (_pending(vault, proposal) for proposal in ordered)
    return PendingProposals(tuple(waiting), pending.problems)


def _pending(vault: Vault, proposal: Proposal) -> PendingProposal:
    rules = tuple(_rules_of(vault, proposal))
    return PendingProposal(proposal, rules, _preview(vault, proposal, rules))


def _preview(
    vault: Vault, proposal: Proposal, rules: Iterable[Rule]
) -> ProposalPreview:
    """Return the changes of a proposal; ``rules`` are those that it is about."""
    lines: list[BlockLine] = []
    guards: list[Mapping[str, Any]] = []
    scopes: set[Scope] = set()
    if proposal.kind != "add":
        about = tuple(rules)
        lines += (BlockLine("-", rule.tool, rule.priority, rule.rule) for rule in about)
        scopes |= {rule.scope for rule in about}
    if proposal.rule:
        amended = proposal.kind == "amend"
        scopes |= set() if amended else {proposal.scope}
        for tool in proposal.tools:
            guards += derived_guards(proposal.rule, tool)
            lines.append(BlockLine("+", tool, proposal.priority, proposal.rule))
    shown = tuple(line for line in lines if line.priority is not Priority.NORMAL)
    return ProposalPreview(tuple(guards), shown, bool(scopes & set(vault.chain)))


def accept_proposal(
    vault: Vault,
    prefix: str,
    *,
    text: str | None = None,
    rule: str | None = None,
    priority: Priority | None = None,
    scope: Scope | None = None,
) -> ReviewResult:
    """Make the change that is proposed, with another text, priority or scope if given.

    ``rule`` says which one is meant where a proposal is about several.

    Raises ``NotFoundError``, and ``UsageError`` where the change cannot be made as
    it is; the proposal then goes on waiting.
    """
    vault.require_writable()
    proposal = _find(vault, prefix)
    if text is not None and proposal.kind == "retire":
        raise UsageError("this proposal retires a rule, which has no other text")
    wanted = proposal
    if text is not None:  # in these words, whatever the rule was
        wanted = wanted._replace(rule=text, was="")
    if rule is not None:
        wanted = wanted._replace(rules=(_one_of(proposal, rule),))
    if priority is not None:
        wanted = wanted._replace(priority=priority)
    if scope is not None:
        if proposal.kind in ("amend", "retire"):
            raise UsageError(
                Arg("scope"), " cannot change the scope of an existing rule"
            )
        wanted = wanted._replace(scope=scope)
    changed = _ACCEPT[proposal.kind](vault, wanted)
    drop_proposal(vault.fresh(), proposal)
    rules, paths = zip(*changed, strict=True) if changed else ((), ())
    _note(vault, proposal, KEPT, tuple(rules))
    return ReviewResult(proposal.id, "accepted", tuple(rules), tuple(paths))


def is_one_decree(rules: Sequence[Rule]) -> bool:
    """Return whether a decree about several tools becomes a rule for each."""
    return all(same_text(rules[0].rule, rule.rule) for rule in rules)


def is_proposed(vault: Vault, prefix: str) -> bool:
    """Return whether exactly one proposal has this id or prefix."""
    ids = (proposal.id for proposal in load_pending(vault).proposals)
    return find_by_prefix(ids, prefix) is not None


def reject_proposal(vault: Vault, prefix: str) -> ReviewResult:
    """Turn a proposal down; it is not made again.

    Raises ``NotFoundError`` and ``StorageError``.
    """
    vault.require_writable()
    proposal = _find(vault, prefix)
    with open_state(vault.root) as state:
        note_rejected(state, proposal.id, vault.now)
    drop_proposal(vault, proposal)
    _note(vault, proposal, DROPPED)
    return ReviewResult(proposal.id, "rejected", ())


def _note(
    vault: Vault, proposal: Proposal, outcome: str, rules: tuple[str, ...] = ()
) -> None:
    """Note the decision for the figures; a proposal of no decree has none."""
    if proposal.candidate and proposal.tier:
        decree, tier = proposal.candidate, proposal.tier
        with open_state(vault.root) as state:
            note_outcome(state, decree, tier, outcome, rules, vault.now)


def _find(vault: Vault, prefix: str) -> Proposal:
    proposals = {proposal.id: proposal for proposal in load_pending(vault).proposals}
    proposal_id = find_by_prefix(proposals, prefix)
    if proposal_id is None:
        raise NotFoundError(
            f"no proposal {prefix!r}: ", NextStep("review"), " shows the ids"
        )
    return proposals[proposal_id]


def _one_of(proposal: Proposal, prefix: str) -> str:
    rule_id = find_by_prefix(proposal.rules, prefix)
    if rule_id is None:
        raise UsageError(f"the proposal is not about a rule {prefix!r}")
    return rule_id


def _rules_of(vault: Vault, proposal: Proposal) -> list[Rule]:
    rules = (show_rule(vault, rule_id) for rule_id in proposal.rules)
    return [rule for rule in rules if rule is not None]


_Changed = list[tuple[str, str]]
"""Ids of rules that were changed, each with the path of its file."""


def _add(vault: Vault, proposal: Proposal) -> _Changed:
    failure = proposal.source is Source.POST_TURN
    tags = (REPEATED,) if failure else (CAPTURED,)
    changed = []
    for tool in proposal.tools:
        several = len(proposal.tools) > 1
        made = derived_id(proposal.id, tool) if several else proposal.id
        wanted = NewRule(
            tool,
            proposal.rule,
            proposal.priority,
            proposal.source,
            tags,
            expiry(vault.now) if failure else None,
            proposal.evidence,
        )
        new_id = partial(_free_id, vault, made)
        rule = put_rule(vault.fresh(), wanted, proposal.scope, new_id).rule
        changed.append((rule.id, rule.path))
    return changed


def _free_id(vault: Vault, wanted: str) -> str:
    """Return the id that a proposal wants, or the next that no rule has."""
    free, number = wanted, 0
    while show_rule(vault.fresh(), free) is not None:
        number += 1
        free = derived_id(wanted, str(number))
    return free


def _amend(vault: Vault, proposal: Proposal) -> _Changed:
    rules = _rules_of(vault, proposal)
    if not rules:
        raise UsageError(
            f"the rule {proposal.rules[0]} that this proposal changes does not "
            "exist: accept the proposal that creates it, or reject this one"
        )
    for rule in rules:
        if proposal.was and rule.rule not in (proposal.was, proposal.rule):
            raise UsageError(
                f"the rule {rule.id} was changed meanwhile: give the new ", Arg("text")
            )
    return [_amended(vault, rule, proposal) for rule in rules]


def _amended(vault: Vault, rule: Rule, proposal: Proposal) -> tuple[str, str]:
    raised = proposal.priority if proposal.priority is not rule.priority else None
    edits = Edits(proposal.rule, raised, evidence=proposal.evidence)
    changed = edit_rule(vault.fresh(), rule.id, edits, rule.scope)
    return rule.id, changed.path


def _retire(vault: Vault, proposal: Proposal) -> _Changed:
    rules = _rules_of(vault, proposal)
    if not is_one_decree(rules):
        ids = ", ".join(rule.id for rule in rules)
        raise UsageError(
            "the proposal fits several rules: name one with ", Arg("rule"), f": {ids}"
        )
    return [_archived(vault, rule, proposal) for rule in rules]


def _contest(vault: Vault, proposal: Proposal) -> _Changed:
    """Keep the new rule and retire those that contradict it."""
    changed = _add(vault, proposal)
    return changed + [
        _archived(vault, rule, proposal) for rule in _rules_of(vault.fresh(), proposal)
    ]


def _archived(vault: Vault, rule: Rule, proposal: Proposal) -> tuple[str, str]:
    archived = archive_rule(vault.fresh(), rule.id, proposal.sentence, rule.scope)
    return rule.id, archived.path


_ACCEPT = {"add": _add, "amend": _amend, "retire": _retire, "contest": _contest}
