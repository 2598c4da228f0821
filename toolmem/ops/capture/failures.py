"""Tools that failed again and again in a turn: an observation that expires."""

from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.model import Priority, Rule, Scope, Source
from toolmem.core.rules.captured import REPEATED
from toolmem.core.rules.derived_id import derived_id
from toolmem.core.rules.proposal import Proposal
from toolmem.core.text.safetext import visible
from toolmem.core.turns.failures import Failure, repeated_failures
from toolmem.errors import ExistsError, UsageError
from toolmem.ops.capture.bookmarks import Bookmarks
from toolmem.ops.capture.context import CaptureContext
from toolmem.ops.capture.writer import would_be
from toolmem.ops.rules.change import Edits, edit_rule
from toolmem.ops.rules.put import NewRule, put_rule
from toolmem.ops.session.messages import NumberedTurn
from toolmem.store.state.counters import event_counts
from toolmem.store.vault.pending import is_rejected, save_proposal
from toolmem.store.vault.vault import Vault


class FailureNote(NamedTuple):
    """A tool that failed repeatedly in a turn, and what was done about it.

    ``times`` is that of the turn, ``total`` that of all turns; ``action`` is
    ``created``, ``updated`` (it holds on), ``seen``, ``proposed`` or ``skipped``.
    """

    turn: int
    tool: str
    times: int
    total: int
    error: str
    command: str
    worked: str
    text: str
    action: str
    id: str | None
    evidence: str
    place: str
    reason: str = ""
    path: str = ""


class FailureWriter:
    """Writes the observations of one capture into the scope of ``known``."""

    def __init__(
        self,
        vault: Vault,
        known: CaptureContext,
        notebook: Bookmarks,
        *,
        dry_run: bool,
    ) -> None:
        self._vault = vault
        self._known = known
        self._scope = known.scope
        self._notebook = notebook
        self._dry_run = dry_run

    def note(self, placed: NumberedTurn, session: str, where: str) -> list[FailureNote]:
        """The repeated failures of a turn; evidence calls its session ``where``.

        Raises ``LockedError`` or ``StorageError`` when one could not be written.
        """
        return [
            self._note(failure, placed.number, f"{session}#{placed.number}", where)
            for failure in repeated_failures(placed.turn)
        ]

    def _note(self, failure: Failure, turn: int, place: str, where: str) -> FailureNote:
        tool = self._known.spelt([failure.tool])[0]
        key = self._known.names.key(tool)
        text = _shortened(failure.text)
        made = self._known.same_text(key, text) or derived_id(
            "failure", str(self._scope), key, failure.error, failure.program
        )
        ask = partial(event_counts, rule=made, kind="failed")
        before = self._notebook.read(ask) or {}
        total = sum(before.values()) - before.get(place, 0) + failure.count
        at = f"{where}, turn {turn}" if where else f"turn {turn}"
        error = failure.error.replace("_", " ")
        note = FailureNote(
            turn,
            tool,
            failure.count,
            total,
            failure.error,
            failure.command,
            failure.worked,
            text,
            "seen",
            made,
            f"{visible(error)}; failed {total} times, last in {visible(at)}",
            place,
        )
        if before.get(place) == failure.count and made in self._known.ids:
            return note  # this turn was read before
        return self._written(note, made, key)

    def _written(self, note: FailureNote, rule_id: str, key: str) -> FailureNote:
        if rule_id in self._known.archived(self._scope, key):
            return note._replace(action="skipped", id=None, reason="retired since")
        try:
            if self._vault.setting("capture.mode") == "propose":
                return self._proposed(note, rule_id)
            if rule_id in self._known.ids:
                return self._renewed(note, rule_id)
            return self._made(note, rule_id)
        except (UsageError, ExistsError) as error:
            return note._replace(action="skipped", id=None, reason=str(error))

    def _made(self, note: FailureNote, rule_id: str) -> FailureNote:
        wanted = NewRule(
            note.tool,
            note.text,
            Priority.NORMAL,
            Source.POST_TURN,
            (REPEATED,),
            expiry(self._vault.now),
            note.evidence,
        )
        if self._dry_run:
            rule = would_be(self._vault, self._known, wanted, rule_id)
        else:
            vault = self._vault.fresh()
            rule = put_rule(vault, wanted, self._scope, lambda: rule_id).rule
        self._known.add(rule)
        return note._replace(action="created", id=rule.id, path=rule.path)

    def _renewed(self, note: FailureNote, rule_id: str) -> FailureNote:
        """It happened again: it holds on, and what worked is told."""
        vault = self._vault.fresh()
        rule = self._known.file_rule(rule_id)
        if rule is None or not rule.enabled:
            return note._replace(action="skipped", reason="it is switched off")
        expires = expiry(vault.now)
        tells_more = note.worked and not _tells_what_worked(rule)
        soon = rule.expires_at is not None and expires - rule.expires_at >= _A_DAY
        if not soon and not tells_more:
            return note._replace(path=rule.path)
        edits = Edits(
            text=note.text if tells_more and rule.source is Source.POST_TURN else None,
            expires_at=expires if soon else None,
            evidence=note.evidence,
        )
        if not self._dry_run:
            edit_rule(vault, rule_id, edits, self._scope)
        return note._replace(action="updated", path=rule.path)

    def _proposed(self, note: FailureNote, rule_id: str) -> FailureNote:
        if self._notebook.read(lambda state: is_rejected(state, rule_id)):
            return note._replace(action="skipped", id=None, reason="turned down before")
        proposal = Proposal(
            rule_id,
            "add",
            (note.tool,),
            note.text,
            Priority.NORMAL,
            self._scope,
            "failed repeatedly",
            note.text,
            note.evidence,
            self._vault.now,
            source=Source.POST_TURN,
        )
        if not self._dry_run:
            save_proposal(self._vault.fresh(), proposal)
        return note._replace(action="proposed")


def writer_for(
    vault: Vault, scope: Scope, notebook: Bookmarks, *, dry_run: bool
) -> FailureWriter:
    """Whoever writes observations into a scope."""
    vault = vault.fresh()  # what decrees wrote is to be seen
    return FailureWriter(vault, CaptureContext(vault, scope), notebook, dry_run=dry_run)


def expiry(now: datetime) -> datetime:
    """When an observation of today is over."""
    return now + timedelta(days=limits.FAILURE_DAYS)


_A_DAY = timedelta(days=1)


def _tells_what_worked(rule: Rule) -> bool:
    return rule.rule.endswith((" worked", ", then passed"))


def _shortened(text: str) -> str:
    limit = limits.RULE_CHARS
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
