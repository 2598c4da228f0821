"""What capture makes of the decrees in a message: applied, proposed or passed over."""

from collections.abc import Sequence

from toolmem.core import limits
from toolmem.core.capture.decree import BACK
from toolmem.core.capture.find import Context, find_decrees
from toolmem.core.capture.relate.rules import RuleRelation, relate_new
from toolmem.core.model import Priority, Scope
from toolmem.core.rules.captured import (
    REFUSED,
    CapturedDecree,
    DecreeDraft,
    draft_of,
    refusal,
    with_exception,
)
from toolmem.ops.capture.bookmarks import Bookmarks
from toolmem.ops.capture.context import CaptureContext
from toolmem.ops.capture.writer import RAISED, Writer
from toolmem.ops.session.messages import UserMessage
from toolmem.store.vault.pending import is_rejected, load_pending
from toolmem.store.vault.vault import Vault

_PROPOSE = "capture.mode is propose"


class Listener:
    """Reads one message after the other; rules it applied apply to the next ones.

    With ``live`` an agent is there to judge candidates: they are not proposed.
    ``unmet`` counts permissions for which there is no rule to take back.
    """

    def __init__(
        self, vault: Vault, known: CaptureContext, writer: Writer, *, live: bool
    ) -> None:
        self._live = live
        self._known = known
        self._writer = writer
        self._mode = vault.setting("capture.mode")
        self._by_agent = bool(vault.setting("agent"))
        self.unmet = 0

    def hear(self, heard: UserMessage) -> tuple[CapturedDecree, ...]:
        """Find the decrees of a message, and apply or propose them.

        Raises ``LockedError``, ``ExistsError`` or ``StorageError`` when one could
        not be written; what was written until then is found again.
        """
        done: list[CapturedDecree] = []
        for decree in find_decrees(heard.text, self._context(heard)):
            key = heard.key if heard.session else ""
            tools = self._known.spelt(decree.tools)
            draft = draft_of(decree, heard.turn, key, heard.place, tools)
            if decree.kind != BACK:
                applied = sum(one.action == "created" for one in done)
                done.append(self._added(draft, applied))
            elif taken := self._taken_back(draft, heard.place):
                done.extend(taken)
            else:
                self.unmet += 1
                reason = "no rule that it could concern"
                done.append(draft.ended("skipped", None, reason=reason))
        return tuple(done)

    def _context(self, heard: UserMessage) -> Context:
        return Context(
            heard.session,
            self._known.tool_words(heard.declared, heard.used, heard.agent),
            heard.called,
            (*self._known.every(), *self._writer.waiting()),
        )

    def _added(self, draft: DecreeDraft, applied: int) -> CapturedDecree:
        refused = refusal(draft.decree.text, draft.decree.sentence)
        if refused:
            return draft.ended("skipped", None, reason=refused, change=REFUSED)
        text = draft.decree.text
        related = [
            (tool, relate_new(text, self._known.of_tool(tool))) for tool in draft.tools
        ]
        same = _ids(related, "same")
        missing = tuple(tool for tool, one in related if one.kind != "same")
        if not missing:
            return self._seen(draft, same)
        if before := self._writer.made_before(draft, missing):
            return before
        if left := self._left_to_judge(draft):
            return left
        draft = draft._replace(tools=missing)
        if amended := _ids(related, "amends"):
            about = self._alike(amended)
            return self._writer.propose(draft, "amend", text, about)
        if against := _ids(related, "contradicts"):
            return self._writer.propose(draft, "contest", text, against)
        reason = self._hesitation(draft, applied)
        if reason:
            return self._writer.propose(draft, "add", text, (), reason)
        return self._writer.create(draft, missing, same)

    def _left_to_judge(self, draft: DecreeDraft) -> CapturedDecree | None:
        """A candidate that the agent judges, or that the mode passes over."""
        if draft.decree.sure:
            return None
        if self._mode == "sure":
            return draft.ended("skipped", None, reason="capture.mode is sure")
        if self._mode == "judged" and self._live:
            return draft.ended("candidate", draft.decree.id)
        return None

    def _hesitation(self, draft: DecreeDraft, applied: int) -> str:
        """Why a decree is proposed and not applied; empty when it is applied."""
        if self._mode == "propose":
            return _PROPOSE
        if len(draft.decree.text) > limits.RULE_CHARS:
            return f"longer than {limits.RULE_CHARS} characters: to be shortened"
        if not draft.decree.sure:
            return "may be a standing rule"
        if applied >= limits.CAPTURED_A_TURN:
            return f"more than {limits.CAPTURED_A_TURN} in one message"
        pinned = draft.priority is Priority.CRITICAL
        if pinned and self._known.criticals() >= limits.CRITICAL_RULES:
            return f"{limits.CRITICAL_RULES} critical rules hold already"
        return ""

    def _seen(self, draft: DecreeDraft, ids: tuple[str, ...]) -> CapturedDecree:
        """It is there already; a person who says it again may raise it."""
        sure = draft.decree.sure
        held = [self._known.rule(rule_id) for rule_id in ids]
        lower = [rule for rule in held if rule.priority.rank > draft.priority.rank]
        if lower and sure and not self._by_agent:
            about = self._alike([rule.id for rule in lower])
            return self._writer.propose(draft, "amend", lower[0].rule, about, RAISED)
        priority = held[0].priority
        return draft.ended("seen", ids[0], about=ids[1:], priority=priority)

    def _taken_back(self, draft: DecreeDraft, place: str) -> list[CapturedDecree]:
        """Retire the rule that is taken back, or propose it; nothing without one."""
        decree = draft.decree
        if left := self._left_to_judge(draft):
            return [left]
        if decree.exception and decree.rules:
            text = with_exception(self._writer.text_of(decree.rules[0]), draft.text)
            about = self._alike(decree.rules)
            return [self._writer.propose(draft, "amend", text, about)]
        if decree.sure and self._mode != "propose":
            return [self._writer.retire(draft, rule_id) for rule_id in decree.rules]
        reason = _PROPOSE if decree.sure else "may take a rule back"
        # "scratch that" names nothing: it is about what was said before it
        ids = decree.rules or self._known.said_at(place)
        return [self._writer.propose(draft, "retire", "", ids, reason)] if ids else []

    def _alike(self, ids: Sequence[str]) -> tuple[str, ...]:
        """The first rule, and those that read as it does: one decree made them."""
        text = self._writer.text_of(ids[0])
        return tuple(one for one in ids if self._writer.text_of(one) == text)


def listener_for(
    vault: Vault, scope: Scope, notebook: Bookmarks, *, dry_run: bool, live: bool
) -> Listener:
    """Return the reader of messages whose rules go to a scope."""
    known = CaptureContext(vault, scope)

    def turned_down(proposal_id: str) -> bool:
        return bool(notebook.read(lambda state: is_rejected(state, proposal_id)))

    waiting = load_pending(vault).proposals
    writer = Writer(vault, known, waiting, turned_down, dry_run=dry_run)
    return Listener(vault, known, writer, live=live)


def _ids(related: Sequence[tuple[str, RuleRelation]], kind: str) -> tuple[str, ...]:
    found = (rule_id for _, r in related if r.kind == kind for rule_id in r.ids)
    return tuple(dict.fromkeys(found))
