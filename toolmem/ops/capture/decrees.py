"""What capture makes of the decrees in a message: applied, proposed or passed over."""

from collections.abc import Sequence

from toolmem.core import limits
from toolmem.core.capture.decree import Find
from toolmem.core.capture.relate import Relation, relate
from toolmem.core.capture.tools import choose_tools
from toolmem.core.model import Priority, Scope
from toolmem.core.rules.captured import (
    REFUSED,
    Decree,
    Draft,
    draft_of,
    refusal,
    with_exception,
)
from toolmem.ops.capture.bookmarks import Notebook
from toolmem.ops.capture.context import Known
from toolmem.ops.capture.writer import RAISED, Writer
from toolmem.ops.session.messages import Heard
from toolmem.store.vault.pending import is_rejected, load_pending
from toolmem.store.vault.vault import Vault

_PROPOSE = "capture.mode is propose"


class Listener:
    """Hears one message after the other; what it applied, the next ones meet.

    ``session_rules`` are the decrees that hold for their session only, and
    ``unmet`` counts permissions that no rule stood against.
    """

    def __init__(self, vault: Vault, known: Known, writer: Writer) -> None:
        self._known = known
        self._writer = writer
        self._mode = vault.setting("capture.mode")
        self._one_off = vault.setting("capture.one_off")
        self._by_agent = bool(vault.setting("agent"))
        self.session_rules: list[tuple[str, Decree]] = []
        self.unmet = 0

    def hear(self, heard: Heard, finds: Sequence[Find]) -> tuple[Decree, ...]:
        """Everything that was found in a message, done.

        Raises ``LockedError``, ``ExistsError`` or ``StorageError`` when it could
        not be written; what was written until then, a second hearing finds.
        """
        done: list[Decree] = []
        available = self._known.tool_words(heard.declared, heard.used, heard.agent)
        for find in finds:
            tools = self._known.spelt(choose_tools(find.text, available, heard.called))
            key = heard.key if heard.session else ""
            draft = draft_of(find, heard.turn, key, heard.place, tools)
            if find.effect == "add":
                applied = sum(one.action == "created" for one in done)
                done.append(self._added(draft, heard.session, applied))
            elif taken := self._taken_back(draft, heard.place):
                done.extend(taken)
            else:
                self.unmet += 1
        return tuple(done)

    def _added(self, draft: Draft, session: str, applied: int) -> Decree:
        refused = refusal(draft.find)
        if refused:
            return draft.ended("skipped", None, reason=refused, kind=REFUSED)
        related = [
            (tool, relate(draft.find, self._known.of_tool(tool)))
            for tool in draft.tools
        ]
        same = _ids(related, "same")
        missing = tuple(tool for tool, one in related if one.kind != "same")
        if not missing:
            return self._seen(draft, same)
        if before := self._writer.made_before(draft, missing):
            return before
        if not draft.find.lasting and self._one_off != "store":
            return self._about_now(draft, session)
        draft = draft._replace(tools=missing)
        if amended := _ids(related, "amends"):
            about = self._alike(amended)
            return self._writer.propose(draft, "amend", draft.find.text, about)
        if against := _ids(related, "contradicts"):
            return self._writer.propose(draft, "contest", draft.find.text, against)
        reason = self._hesitation(draft, applied)
        if reason:
            return self._writer.propose(draft, "add", draft.find.text, (), reason)
        return self._writer.create(draft, missing, same)

    def _hesitation(self, draft: Draft, applied: int) -> str:
        """Why a decree is proposed and not applied; empty when it is applied."""
        if self._mode == "propose":
            return _PROPOSE
        if draft.find.confidence < limits.CAPTURE_APPLY:
            return "plausible, not sure"
        if len(draft.find.text) > limits.RULE_CHARS:
            return f"longer than {limits.RULE_CHARS} characters: to be shortened"
        if applied >= limits.CAPTURED_A_TURN:
            return f"more than {limits.CAPTURED_A_TURN} in one message"
        pinned = draft.priority is Priority.CRITICAL
        if pinned and self._known.criticals() >= limits.RULES_IN_PROMPT:
            return f"{limits.RULES_IN_PROMPT} critical rules hold already"
        return ""

    def _seen(self, draft: Draft, ids: tuple[str, ...]) -> Decree:
        """It is there already; a person who says it again may raise it."""
        sure = draft.find.confidence >= limits.CAPTURE_APPLY and draft.find.lasting
        held = [self._known.rule(rule_id) for rule_id in ids]
        lower = [rule for rule in held if rule.priority.rank > draft.priority.rank]
        if lower and sure and not self._by_agent:
            about = self._alike([rule.id for rule in lower])
            return self._writer.propose(draft, "amend", lower[0].rule, about, RAISED)
        priority = held[0].priority
        return draft.ended("seen", ids[0], about=ids[1:], priority=priority)

    def _about_now(self, draft: Draft, session: str) -> Decree:
        """A decree about the task at hand alone."""
        if self._one_off != "session":
            return draft.ended("skipped", None, reason="about this task alone")
        if not session:
            reason = "about this task alone, and of no known session"
            return draft.ended("skipped", None, reason=reason)
        decree = self._writer.hold(draft, session)
        self.session_rules.append((session, decree))
        return decree

    def _taken_back(self, draft: Draft, place: str) -> list[Decree]:
        """A permission: what it takes back, rule by rule; nothing where none stands."""
        relation = self._relation(draft)
        if relation.kind == "amends":
            text = with_exception(self._writer.text_of(relation.ids[0]), draft.text)
            about = self._alike(relation.ids)
            return [self._writer.propose(draft, "amend", text, about)]
        if relation.kind != "revokes":
            return []
        sure = relation.sure and draft.find.confidence >= limits.CAPTURE_APPLY
        if sure and relation.ids and self._mode != "propose":
            return [self._writer.retire(draft, rule_id) for rule_id in relation.ids]
        reason = _PROPOSE if sure else "not sure that this is meant"
        # "scratch that" names nothing: it is about what was said before it
        ids = relation.ids or self._known.said_at(place)
        return [self._writer.propose(draft, "retire", "", ids, reason)] if ids else []

    def _alike(self, ids: Sequence[str]) -> tuple[str, ...]:
        """The first rule, and those that read as it does: one decree made them."""
        text = self._writer.text_of(ids[0])
        return tuple(one for one in ids if self._writer.text_of(one) == text)

    def _relation(self, draft: Draft) -> Relation:
        """To the rules of the tools that are meant, else to any rule."""
        waiting = self._writer.waiting()
        narrow = dict.fromkeys(
            rule for tool in draft.tools for rule in self._known.of_tool(tool)
        )
        found = relate(draft.find, (*narrow, *waiting))
        if found.kind == "none":
            found = relate(draft.find, (*self._known.every(), *waiting))
        return found


def listener_for(
    vault: Vault, scope: Scope, notebook: Notebook, *, dry_run: bool
) -> Listener:
    """Whoever hears messages whose rules go to a scope."""
    known = Known(vault, scope)

    def turned_down(proposal_id: str) -> bool:
        return bool(notebook.read(lambda state: is_rejected(state, proposal_id)))

    waiting = load_pending(vault).proposals
    writer = Writer(vault, known, waiting, turned_down, dry_run=dry_run)
    return Listener(vault, known, writer)


def _ids(related: Sequence[tuple[str, Relation]], kind: str) -> tuple[str, ...]:
    found = (rule_id for _, r in related if r.kind == kind for rule_id in r.ids)
    return tuple(dict.fromkeys(found))
