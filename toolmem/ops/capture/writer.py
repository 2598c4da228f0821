"""Write captured decrees: create and retire rules, propose changes.

Ids follow from what was said and where, so that a transcript that is read again,
here or elsewhere, makes no second rule and brings back none that was retired.
"""

from collections.abc import Callable

from toolmem.core.candidates.captured import CAPTURED, CapturedDecree, DecreeDraft
from toolmem.core.capture.relate.rules import KnownRule
from toolmem.core.comparison.same import exact_key
from toolmem.core.model import ANY_TOOL, Priority, Rule, Scope, Source
from toolmem.core.rules.derived_id import derived_id
from toolmem.core.rules.proposal import Proposal
from toolmem.core.scope import breadth
from toolmem.core.secrets.detect import redact
from toolmem.core.text.safetext import visible
from toolmem.errors import UsageError
from toolmem.ops.capture.context import CaptureContext
from toolmem.ops.rules import take_back
from toolmem.ops.rules.put import NewRule, put_rule
from toolmem.store.files import layout
from toolmem.store.state import undo_steps
from toolmem.store.vault.pending import drop_proposal, save_proposal
from toolmem.store.vault.vault import Vault

_ACTIONS = {
    "add": "proposed",
    "retire": "proposed",
    "amend": "amended",
    "contest": "contested",
}
_REASONS = {
    "amend": "an exception to a rule in effect",
    "contest": "contradicts a rule in effect",
}


class Writer:
    """Writes what becomes of decrees into the scope of ``known``; a dry run says it.

    ``waiting`` are the open proposals, and ``is_rejected`` recognises
    those that a person has rejected.
    """

    def __init__(
        self,
        vault: Vault,
        known: CaptureContext,
        waiting: tuple[Proposal, ...] = (),
        is_rejected: Callable[[str], bool] = lambda _: False,
        *,
        dry_run: bool = False,
    ) -> None:
        self._vault = vault
        self._known = known
        self._scope = known.scope
        self._waiting = {proposal.id: proposal for proposal in waiting}
        self._is_rejected = is_rejected
        self._dry_run = dry_run

    def create(
        self, draft: DecreeDraft, tools: tuple[str, ...], same: tuple[str, ...]
    ) -> CapturedDecree:
        """Make a rule for each of the tools; ``same`` are those that are there."""
        made = [self._put(draft, tool, self._new_id(draft, tool)) for tool in tools]
        action = "created" if any(new for _, new in made) else "seen"
        return self._ended(draft, action, [rule for rule, _ in made], same)

    def created_before(
        self, draft: DecreeDraft, same: tuple[str, ...]
    ) -> CapturedDecree | None:
        """Return the same if an attempt that ended made the rules of this message."""
        keys = map(self._known.names.key, draft.tools)
        own = [self._made_id(draft, key, draft.key) for key in keys]
        if not draft.key or not set(own) <= set(same):
            return None
        rest = tuple(rule_id for rule_id in same if rule_id not in own)
        return self._ended(draft, "created", list(map(self._known.rule, own)), rest)

    def _ended(
        self, draft: DecreeDraft, action: str, rules: list[Rule], same: tuple[str, ...]
    ) -> CapturedDecree:
        return draft.ended(
            action,
            rules[0].id,
            about=(*(rule.id for rule in rules[1:]), *same),
            priority=rules[0].priority,
            path=rules[0].path,
            scope=rules[0].scope,
            here=self._scope,
            text=rules[0].rule,
            reason=_unknown(draft.unknown),
            clamped=rules[0].priority is not draft.priority,
        )

    def made_before(
        self, draft: DecreeDraft, tools: tuple[str, ...]
    ) -> CapturedDecree | None:
        """Return the outcome for rules that this message created in an earlier run.

        A person may have changed them, or retired them: they are not made again.
        """
        for tool in tools:
            key, scope = self._known.names.key(tool), self._target(draft)
            for made in (self._made_id(draft, key, text) for text in draft.keys):
                if made in self._known.ids:
                    return draft.ended("seen", made, reason="it was changed since")
                if made in self._known.archived(scope, key):
                    return draft.ended("skipped", None, reason=CHANGED)
        return None

    def propose(
        self,
        draft: DecreeDraft,
        kind: str,
        text: str = "",
        about: tuple[str, ...] = (),
        reason: str | None = None,
    ) -> CapturedDecree:
        """Propose a change for review, unless the proposal exists.

        ``about`` are the rules that would be changed; without any, a rule would be
        added to the tools of the draft.
        """
        reason = _REASONS[kind] if reason is None else reason
        changes = kind in ("amend", "retire")
        tools, priority = draft.tools, draft.priority
        if changes:
            changed = [self._tools_and_priority(rule_id) for rule_id in about]
            tools = tuple(dict.fromkeys(tool for named, _ in changed for tool in named))
            priority = draft.priority if reason == RAISED else changed[0][1]
        proposal = self._proposal(draft, kind, text, about)
        proposal = proposal._replace(tools=tools, priority=priority, why=reason)
        made = self._proposal_id(proposal, text or draft.sentence)
        proposal = proposal._replace(id=made)
        shown = draft._replace(tools=tools, priority=priority)
        if self._is_rejected(proposal.id):
            return shown.ended("skipped", None, reason="rejected before")
        self._let_wait(proposal)
        return shown.ended(
            _ACTIONS[kind], proposal.id, about=about, reason=reason, change=kind
        )

    def _proposal(
        self, draft: DecreeDraft, kind: str, text: str, about: tuple[str, ...]
    ) -> Proposal:
        return Proposal(
            "",
            kind,
            draft.tools,
            text,
            draft.priority,
            self._target(draft),
            "",
            draft.sentence,
            draft.evidence,
            self._vault.now,
            draft.decree.score,
            about,
            self.text_of(about[0]) if kind == "amend" else "",
            self._vault.setting("agent") or "",
            session=draft.session,
            candidate=draft.decree.id,
            tier=draft.decree.tier,
            before=visible(redact(draft.decree.before)),
            after=visible(redact(draft.decree.after)),
        )

    def _proposal_id(self, proposal: Proposal, text: str) -> str:
        scope, tools = str(proposal.scope), sorted(proposal.tools)
        return derived_id(
            "proposal", proposal.kind, scope, *tools, exact_key(text), *proposal.rules
        )

    def _let_wait(self, proposal: Proposal) -> None:
        """Keep a proposal for review, unless it waits already."""
        if proposal.id in self._waiting:
            return
        if not self._dry_run:
            path = save_proposal(self._vault.fresh(), proposal)
            proposal = proposal._replace(path=path)
        self._waiting[proposal.id] = proposal

    def withdraw(self, candidate: str) -> None:
        """Drop the proposals that a candidate made: it was judged."""
        made = [rule for rule in self._waiting.values() if rule.candidate == candidate]
        for proposal in made:
            if not self._dry_run:
                drop_proposal(self._vault.fresh(), proposal)
            del self._waiting[proposal.id]

    def retire(self, draft: DecreeDraft, rule_id: str) -> CapturedDecree:
        """Take back a rule, or a proposal to make one."""
        waiting = self._waiting.get(rule_id)
        tools, priority = self._tools_and_priority(rule_id)
        shown = draft._replace(tools=tools, priority=priority)
        if waiting is not None:
            if not self._dry_run:
                drop_proposal(self._vault.fresh(), waiting)
            del self._waiting[rule_id]
            return shown.ended("retired", rule_id)
        rule = self._known.rule(rule_id)
        here = self._target(draft)
        broader = breadth(rule.scope) < breadth(here)
        if CAPTURED not in rule.tags and broader:
            reason = f"the rule is one of {rule.scope}, and was not captured"
            return self.propose(draft, "retire", "", (rule_id,), reason)
        try:
            path = self._end(rule, draft.sentence, only_here=broader)
        except UsageError as error:
            return self.propose(draft, "retire", "", (rule_id,), str(error))
        self._known.drop(rule_id)
        reason = f"only in {self._scope}" if broader else ""
        return shown.ended("retired", rule_id, path=path, reason=reason)

    def _end(self, rule: Rule, reason: str, *, only_here: bool) -> str:
        """Archive a rule, or disable it in the scope alone; the path that is written.

        Raises ``UsageError`` where the change is not allowed.
        """
        vault = self._vault.fresh()
        if self._dry_run:
            path = layout.archived(rule.path)
            if only_here:
                key = self._known.names.key(rule.tool)
                path = layout.rule_path(self._scope, key, rule.rule, rule.id)
            return layout.free_path(vault.tree, path)
        if only_here:
            return take_back.switch_off(vault, rule, self._scope, reason)
        return take_back.retire(vault, rule, reason)

    def waiting(self) -> tuple[KnownRule, ...]:
        """The rules that are proposed."""
        return tuple(
            KnownRule(proposal.id, tool, proposal.rule)
            for proposal in self._waiting.values()
            if proposal.kind == "add"
            for tool in proposal.tools[:1]
        )

    def text_of(self, rule_id: str) -> str:
        """The text of a rule, or of a proposed one."""
        waiting = self._waiting.get(rule_id)
        return waiting.rule if waiting else self._known.rule(rule_id).rule

    def _tools_and_priority(self, rule_id: str) -> tuple[tuple[str, ...], Priority]:
        """Tools and priority of a rule, or of a proposed one."""
        waiting = self._waiting.get(rule_id)
        if waiting is not None:
            return waiting.tools, waiting.priority
        rule = self._known.rule(rule_id)
        return (rule.tool,), rule.priority

    def _target(self, draft: DecreeDraft) -> Scope:
        ban = draft.decree.kind == "ban"
        return self._known.target(draft.decree.sentence, ban=ban)

    def _made_id(
        self, draft: DecreeDraft, key: str, message: str, number: str = ""
    ) -> str:
        identity = (key, exact_key(draft.text), message, number)
        return derived_id("rule", str(self._target(draft)), *identity)

    def _new_id(self, draft: DecreeDraft, tool: str) -> str:
        """The id of a new rule: made from the message, or the next that is free.

        A message of no known session may be a new one that says the same.
        """
        key = self._known.names.key(tool)
        archived = self._known.archived(self._target(draft), key)
        taken = self._known.ids | archived
        rule_id, number = self._made_id(draft, key, draft.key), 0
        while rule_id in taken:
            number += 1
            rule_id = self._made_id(draft, key, draft.key, str(number))
        return rule_id

    def _put(self, draft: DecreeDraft, tool: str, rule_id: str) -> tuple[Rule, bool]:
        """The rule, and whether it is new."""
        wanted = NewRule(
            tool,
            draft.wording.text,
            draft.priority,
            Source.USER_EXPLICIT,
            (CAPTURED,),
            evidence=draft.evidence,
            kept_by="" if self._vault.setting("agent") else draft.kept_by,
            why=draft.wording.why,
        )
        scope = self._target(draft)
        if self._dry_run:
            rule = would_be(self._vault, self._known, wanted, rule_id, scope)
            new = True
        else:
            vault = self._vault.fresh()
            result = put_rule(vault, wanted, scope, lambda: rule_id)
            rule, new = result.rule, result.action in ("created", "updated")
            if result.action == "created":
                undo_steps.note_step(self._vault, "captured", rule.rule, rule.path)
        self._known.add(rule)
        return rule, new


def would_be(
    vault: Vault, known: CaptureContext, wanted: NewRule, rule_id: str, scope: Scope
) -> Rule:
    """The rule that ``put_rule`` would make, where nothing is to be written."""
    key = known.names.key(wanted.tool)
    path = layout.rule_path(scope, key, wanted.text, rule_id)
    clamped = vault.setting("agent") and wanted.priority is Priority.CRITICAL
    return Rule(
        rule_id,
        ANY_TOOL if wanted.tool == "*" else wanted.tool,
        wanted.text,
        Priority.HIGH if clamped else wanted.priority or Priority.NORMAL,
        wanted.source or Source.USER_EXPLICIT,
        wanted.tags or (),
        vault.now,
        vault.now,
        scope,
        layout.free_path(vault.fresh().tree, path),
        wanted.expires_at,
        wanted.evidence,
    )


def _unknown(names: tuple[str, ...]) -> str:
    return f"no tool {', '.join(names)} is known here" if names else ""


CHANGED = "its rule was changed or retired meanwhile"
"""Reason to leave alone what was captured before."""
RAISED = "the rule exists with a lower priority"
"""Reason to change an existing rule."""
