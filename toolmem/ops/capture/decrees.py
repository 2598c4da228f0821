"""Apply, propose or skip the decrees of a message."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from sqlite3 import Connection

from toolmem.core import limits
from toolmem.core.candidates.captured import (
    REFUSED,
    CapturedDecree,
    DecreeDraft,
    draft_of,
    refusal,
    with_exception,
)
from toolmem.core.candidates.judging import NO_ANSWERS, JudgeAnswer
from toolmem.core.candidates.withdrawn import names_nothing, without_withdrawn
from toolmem.core.capture.decree import BACK, CANDIDATE, Decree
from toolmem.core.capture.find import Context, find_decrees
from toolmem.core.capture.relate.rules import (
    KnownRule,
    RuleRelation,
    relate_back,
    relate_new,
)
from toolmem.core.capture.relate.shared_words import may_relate
from toolmem.core.model import Priority, Scope
from toolmem.ops.capture.context import CaptureContext
from toolmem.ops.capture.session_bans import lift_ban, session_bans
from toolmem.ops.capture.tool_choice import choose_tools
from toolmem.ops.capture.writer import CHANGED, RAISED, Writer
from toolmem.ops.session.messages import UserMessage
from toolmem.store.state.candidates import (
    DROPPED,
    KEPT,
    judge_candidate,
    note_outcome,
    outcome_of,
)
from toolmem.store.state.counters import is_said
from toolmem.store.state.notebook import Notebook
from toolmem.store.vault.pending import is_rejected, load_pending
from toolmem.store.vault.vault import Vault

_PROPOSE = "capture.mode is propose"


class Listener:
    """Reads one message after the other; rules it applied apply to the next ones.

    With ``live`` an agent is there to judge candidates: they are not proposed.
    ``judged`` are answers about candidates. ``unmet`` counts permissions for which
    there is no rule to take back.
    """

    def __init__(
        self,
        vault: Vault,
        known: CaptureContext,
        writer: Writer,
        notebook: Notebook,
        judged: Mapping[str, JudgeAnswer] = NO_ANSWERS,
        *,
        dry_run: bool,
        live: bool,
    ) -> None:
        self._vault = vault
        self._notebook = notebook
        self._dry_run = dry_run
        self._live = live
        self._judged = judged
        self._known = known
        self._writer = writer
        self._mode = vault.setting("capture.mode")
        self._by_agent = bool(vault.setting("agent"))
        self.unmet = 0

    def capture(self, message: UserMessage) -> tuple[CapturedDecree, ...]:
        """Find the decrees of a message, and apply or propose them.

        Raises ``LockedError``, ``ExistsError`` or ``StorageError`` when one could
        not be written; what was written until then is found again.
        """
        done: list[CapturedDecree] = []
        decrees = find_decrees(message.text, self._context(message))
        for decree in without_withdrawn(message.text, decrees):
            draft = self._draft(message, decree)
            if self._mode == "observe":
                done.append(_observed(draft))
            elif decree.kind != BACK:
                applied = sum(captured.action == "created" for captured in done)
                done.append(self._added(draft, message, applied))
            elif taken := self._taken_back(draft, message):
                done.extend(taken)
            else:
                self.unmet += 1
                reason = "no related rule"
                done.append(draft.ended("skipped", None, reason=reason))
        return tuple(done)

    def _is_decided(self, message: UserMessage, decree: Decree) -> bool:
        """Return whether a capture of this message has applied the decree before.

        What a person changed since then stays as it is.
        """
        if not message.is_known:
            return False
        if self._outcome(decree.id) == KEPT:
            return True
        if not decree.sure or decree.kind == BACK:
            return False
        keys = (message.key, message.own)
        return any(self._notebook.read(partial(is_said, key=key)) for key in keys)

    def _draft(self, message: UserMessage, decree: Decree) -> DecreeDraft:
        """A decree with its tools: those of the judge's answer, if it was kept."""
        answer = None if decree.sure else self._judged.get(decree.id)
        accepted = answer is not None and answer.keep
        asked = answer.tools if answer is not None and accepted else ()
        called = frozenset(name.casefold() for name in (*message.used, *message.called))
        choice = choose_tools(self._known, asked, called, decree.tools)
        tools, session = choice.tools, message.session
        keys = tuple(filter(None, (message.own, message.key))) if session else ()
        draft = draft_of(decree, message.turn, keys, message.place, tools, session)
        judge = answer.judge if answer is not None and accepted else ""
        return draft._replace(kept_by=judge, unknown=choice.unknown)

    def _context(self, message: UserMessage) -> Context:
        return Context(
            message.session,
            self._known.tool_words(message.declared, message.used, message.agent),
            message.called,
            (
                *self._known.every(),
                *self._writer.waiting(),
                *self._bans(message.session).values(),
            ),
        )

    def _bans(self, session: str) -> dict[str, KnownRule]:
        """Candidate bans that ask in a session until they are judged, by id."""
        bans = session_bans(self._vault, session)
        return {ban.id: KnownRule(ban.id, ban.tool, ban.rule) for ban in bans}

    def _added(
        self, draft: DecreeDraft, message: UserMessage, applied: int
    ) -> CapturedDecree:
        refused = refusal(draft.decree.text, draft.decree.sentence)
        if refused:
            return draft.ended("skipped", None, reason=refused, change=REFUSED)
        text = draft.wording.text
        related = [
            (tool, relate_new(text, may_relate(text, self._known.of_tool(tool))))
            for tool in draft.tools
        ]
        same = _ids(related, "same")
        missing = tuple(
            tool
            for tool, relation in related
            if relation.kind != "same"
            or (draft.decree.sure and self._lapses(relation.ids))
        )
        if not missing:
            # A typed message is captured again only if nothing was shown of it.
            before = self._writer.created_before(draft, same) if self._live else None
            return before or self._seen(draft, message, same)
        if before := self._writer.made_before(draft, missing):
            return before
        if self._is_decided(message, draft.decree):
            return draft.ended("skipped", None, reason=CHANGED)
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

    def _lifted(
        self, draft: DecreeDraft, session: str, candidate: str
    ) -> CapturedDecree:
        """End a candidate ban: the user takes it back in the session that it is of."""
        if not self._dry_run:
            lift_ban(self._vault, session, candidate)
            self._notebook.write(partial(self._drop, candidate), "a judgement")
        return draft.ended("retired", candidate, reason="only for this session")

    def _drop(self, candidate: str, state: Connection) -> None:
        judge_candidate(state, candidate, DROPPED)
        note_outcome(state, candidate, CANDIDATE, DROPPED, (), self._vault.now)

    def _left_to_judge(self, draft: DecreeDraft) -> CapturedDecree | None:
        """A candidate that is not kept: by a judge, the agent or the mode."""
        if draft.decree.sure:
            return None
        if draft.decree.id in self._judged:
            self._writer.withdraw(draft.decree.id)
            if draft.kept_by:
                return None
            return draft.ended("dropped", None, reason="rejected by the judge")
        if self._mode == "sure":
            return draft.ended("skipped", None, reason="capture.mode is sure")
        if self._mode == "judged" and self._live:
            return draft.ended("candidate", draft.decree.id)
        if self._outcome(draft.decree.id) == DROPPED:
            return draft.ended("skipped", None, reason="rejected before")
        return None

    def _outcome(self, decree: str) -> str:
        return self._notebook.read(partial(outcome_of, decree=decree)) or ""

    def _hesitation(self, draft: DecreeDraft, applied: int) -> str:
        """Return why a decree is only proposed; empty if it is applied."""
        if self._mode == "propose":
            return _PROPOSE
        if len(draft.decree.text) > limits.RULE_CHARS:
            return f"longer than {limits.RULE_CHARS} characters: shorten it"
        if not draft.is_accepted:
            return "may be a rule for later sessions"
        if applied >= limits.CAPTURED_A_TURN:
            return f"more than {limits.CAPTURED_A_TURN} in one message"
        pinned = draft.priority is Priority.CRITICAL
        if pinned and self._known.criticals() >= limits.CRITICAL_RULES:
            return f"{limits.CRITICAL_RULES} critical rules already exist"
        return ""

    def _lapses(self, ids: Sequence[str]) -> bool:
        """True if each of these rules will expire: it is said again without an end."""
        waiting = {rule.id for rule in self._writer.waiting()}
        rules = [self._known.rule(rule_id) for rule_id in ids if rule_id not in waiting]
        return bool(rules) and all(rule.expires_at is not None for rule in rules)

    def _seen(
        self, draft: DecreeDraft, message: UserMessage, ids: tuple[str, ...]
    ) -> CapturedDecree:
        """It is there already; a person who says it again may raise it."""
        sure = draft.is_accepted
        rules = [self._known.rule(rule_id) for rule_id in ids]
        lower = [rule for rule in rules if rule.priority.rank > draft.priority.rank]
        is_said_again = sure and not self._by_agent
        if lower and is_said_again and not self._is_decided(message, draft.decree):
            about = self._alike([rule.id for rule in lower])
            return self._writer.propose(draft, "amend", lower[0].rule, about, RAISED)
        priority = rules[0].priority
        return draft.ended("seen", ids[0], about=ids[1:], priority=priority)

    def _taken_back(
        self, draft: DecreeDraft, message: UserMessage
    ) -> list[CapturedDecree]:
        """End bans of the session and rules that are taken back, if there are any."""
        if self._is_decided(message, draft.decree):
            return [draft.ended("skipped", None, reason=CHANGED)]
        bans = self._bans(message.session)
        about = relate_back(draft.decree.text, tuple(bans.values()))
        # They only ask, and only in this session: no judge is needed.
        is_sure = about.kind == "revokes" and about.sure
        lifted = [
            self._lifted(draft, message.session, ban)
            for ban in (about.ids if is_sure else ())
        ]
        rest = tuple(rule_id for rule_id in draft.decree.rules if rule_id not in bans)
        if not rest and (lifted or draft.decree.rules):
            return lifted
        earlier = bans or rest or self._known.stated_at(message.place)
        if not earlier and names_nothing(draft.text):
            return []
        decree = replace(draft.decree, rules=rest)
        return lifted + self._retired(draft._replace(decree=decree), message.place)

    def _retired(self, draft: DecreeDraft, place: str) -> list[CapturedDecree]:
        """Retire the rules that are taken back, or propose it."""
        decree = draft.decree
        if left := self._left_to_judge(draft):
            return [left]
        if decree.exception and decree.rules:
            text = with_exception(self._writer.text_of(decree.rules[0]), draft.text)
            about = self._alike(decree.rules)
            return [self._writer.propose(draft, "amend", text, about)]
        is_certain = decree.sure or self._is_one(decree.rules)
        if draft.is_accepted and is_certain and self._mode != "propose":
            return [self._writer.retire(draft, rule_id) for rule_id in decree.rules]
        reason = _PROPOSE if draft.is_accepted and is_certain else "may retract a rule"
        # "scratch that" names nothing: it is about what was said before it
        ids = decree.rules or self._known.stated_at(place)
        return [self._writer.propose(draft, "retire", "", ids, reason)] if ids else []

    def _is_one(self, ids: Sequence[str]) -> bool:
        """Return whether rules read alike: one decree made them."""
        return bool(ids) and len(self._alike(ids)) == len(ids)

    def _alike(self, ids: Sequence[str]) -> tuple[str, ...]:
        """The first rule, and those that read as it does: one decree made them."""
        text = self._writer.text_of(ids[0])
        return tuple(
            rule_id for rule_id in ids if self._writer.text_of(rule_id) == text
        )


def listener_for(
    vault: Vault,
    scope: Scope,
    notebook: Notebook,
    judged: Mapping[str, JudgeAnswer] = NO_ANSWERS,
    *,
    asked: bool,
    dry_run: bool,
    live: bool,
) -> Listener:
    """Return the reader of messages whose rules go to a scope."""
    known = CaptureContext(vault, scope, asked=asked)

    def turned_down(proposal_id: str) -> bool:
        return bool(notebook.read(lambda state: is_rejected(state, proposal_id)))

    waiting = load_pending(vault).proposals
    writer = Writer(vault, known, waiting, turned_down, dry_run=dry_run)
    return Listener(vault, known, writer, notebook, judged, dry_run=dry_run, live=live)


def _observed(draft: DecreeDraft) -> CapturedDecree:
    """The outcome of a decree where capture only observes: recorded, not written."""
    reason = refusal(draft.decree.text, draft.decree.sentence)
    if reason:
        return draft.ended("skipped", None, reason=reason, change=REFUSED)
    return draft.ended("candidate", draft.decree.id)


def _ids(related: Sequence[tuple[str, RuleRelation]], kind: str) -> tuple[str, ...]:
    rule_ids = (rule_id for _, r in related if r.kind == kind for rule_id in r.ids)
    return tuple(dict.fromkeys(rule_ids))
