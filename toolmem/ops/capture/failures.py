"""Tools that failed repeatedly in a turn: observations that expire.

An observation is in local state until it happened in two sessions; then it is a
rule file, whose count is kept up to date.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from sqlite3 import Connection
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.candidates.captured import REPEATED
from toolmem.core.model import Priority, Rule, Scope, Source
from toolmem.core.rules.derived_id import derived_id
from toolmem.core.rules.observation import observed_text, recounted
from toolmem.core.rules.proposal import Proposal
from toolmem.core.text.safetext import visible
from toolmem.core.turns.failures import Failure, repeated_failures
from toolmem.errors import ExistsError, UsageError
from toolmem.ops.capture.context import CaptureContext
from toolmem.ops.capture.writer import would_be
from toolmem.ops.rules.change import Edits, edit_rule
from toolmem.ops.rules.put import NewRule, put_rule
from toolmem.ops.session.messages import NumberedTurn
from toolmem.store.state.counters import (
    ObservedFailure,
    event_counts,
    note_event,
    store_failure,
    worked_after,
)
from toolmem.store.state.notebook import Notebook
from toolmem.store.vault.pending import is_rejected, save_proposal
from toolmem.store.vault.vault import Vault


class FailureNote(NamedTuple):
    """A tool that failed repeatedly in a turn, and what was done about it.

    ``times`` is that of the turn, ``total`` that of all turns, ``sessions`` the number
    of sessions. ``action`` is ``observed`` (in local state only), ``created``,
    ``updated``, ``seen``, ``proposed`` or ``skipped``.
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
    scope: str = ""
    sessions: int = 1


def keep_failures(
    state: Connection, notes: Iterable[FailureNote], now: datetime
) -> None:
    """Keep the counts of failures, and observations that no rule file states yet."""
    for note in notes:
        if note.id is None:
            continue
        note_event(state, note.id, "failed", note.place, now, note.times)
        known = ObservedFailure(
            note.id, note.scope, note.tool, note.text, note.worked, note.sessions
        )
        store_failure(state, known, now)


class FailureWriter:
    """Writes the observations of one capture into the scope of ``known``."""

    def __init__(
        self,
        vault: Vault,
        known: CaptureContext,
        notebook: Notebook,
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
        subject = failure.command or failure.tool
        made = derived_id("failure", str(self._scope), key, failure.error, subject)
        before = self._notebook.read(lambda state: _history(state, made)) or _UNKNOWN
        places = {**before.places, place: failure.count}
        total = sum(places.values())
        sessions = len({reference.rpartition("#")[0] for reference in places})
        passed = failure.worked if failure.worked == failure.command else ""
        worked = failure.worked.removeprefix(passed) or before.worked or passed
        at = f"{where}, turn {turn}" if where else f"turn {turn}"
        error = failure.error.replace("_", " ")
        note = FailureNote(
            turn,
            tool,
            failure.count,
            total,
            failure.error,
            failure.command,
            worked,
            _shortened(failure._replace(count=total, worked=worked).text),
            "observed",
            made,
            f"{visible(error)}; failed {total} times, last in {visible(at)}",
            place,
            scope=str(self._scope),
            sessions=sessions,
        )
        is_new = made not in self._known.ids and sessions < limits.FAILURE_SESSIONS
        if is_new or self._vault.setting("capture.mode") == "observe":
            return note
        if before.places.get(place) == failure.count and made in self._known.ids:
            return note._replace(action="seen")  # this turn was read before
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
            rule = would_be(
                self._vault, self._known, wanted, rule_id, self._known.scope
            )
        else:
            vault = self._vault.fresh()
            rule = put_rule(vault, wanted, self._scope, lambda: rule_id).rule
        self._known.add(rule)
        return note._replace(action="created", id=rule.id, path=rule.path)

    def _renewed(self, note: FailureNote, rule_id: str) -> FailureNote:
        """It happened again: its count, its expiry and what worked are updated."""
        vault = self._vault.fresh()
        rule = self._known.file_rule(rule_id)
        if rule is None or not rule.enabled:
            return note._replace(action="skipped", reason="it is switched off")
        expires = expiry(vault.now)
        soon = rule.expires_at is not None and expires - rule.expires_at >= _A_DAY
        text = _updated_text(rule, note)
        if text == rule.rule and not soon:
            return note._replace(action="seen", path=rule.path)
        edits = Edits(
            text=text,
            expires_at=expires if soon else None,
            evidence=note.evidence,
        )
        if not self._dry_run:
            edit_rule(vault, rule_id, edits, self._scope)
        return note._replace(action="updated", path=rule.path)

    def _proposed(self, note: FailureNote, rule_id: str) -> FailureNote:
        if self._notebook.read(lambda state: is_rejected(state, rule_id)):
            return note._replace(action="skipped", id=None, reason="rejected before")
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
    vault: Vault, scope: Scope, notebook: Notebook, *, dry_run: bool
) -> FailureWriter:
    """Writer of observations into a scope."""
    vault = vault.fresh()  # what decrees wrote is to be seen
    return FailureWriter(vault, CaptureContext(vault, scope), notebook, dry_run=dry_run)


def expiry(now: datetime) -> datetime:
    """Return the time at which an observation of today expires."""
    return now + timedelta(days=limits.FAILURE_DAYS)


_A_DAY = timedelta(days=1)


class _History(NamedTuple):
    """Count of a failure by place, and the command that worked after it."""

    places: Mapping[str, int]
    worked: str


_UNKNOWN = _History({}, "")


def _history(state: Connection, failure_id: str) -> _History:
    counts = event_counts(state, failure_id, "failed")
    return _History(counts, worked_after(state, failure_id))


def _updated_text(rule: Rule, note: FailureNote) -> str:
    """The text of an observation with its count; a person's own text as it is."""
    observed = observed_text(rule.rule)
    if rule.source is not Source.POST_TURN or observed is None:
        return rule.rule
    if note.worked not in ("", note.command) or not observed.has_way_out:
        return note.text
    return recounted(rule.rule, note.total)


def _shortened(text: str) -> str:
    limit = limits.RULE_CHARS
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
