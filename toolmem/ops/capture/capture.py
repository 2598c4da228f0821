"""Capture: what a transcript teaches, written down as rules, turns and counts.

Rules come first and are durable when it returns. Local state follows: if the
process dies in between, the next reading finds the same turns, sees the rules
that are there, and counts nothing twice.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from sqlite3 import Connection
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.candidates.captured import CapturedDecree
from toolmem.core.capture.detect.candidates import find_candidates
from toolmem.core.model import Scope
from toolmem.core.shown import counted
from toolmem.core.transcript.events import CallStatus
from toolmem.core.turns.places import mark_of
from toolmem.errors import (
    ExistsError,
    InvalidFileError,
    LockedError,
    StorageError,
    ToolmemError,
)
from toolmem.ops.capture import decrees as deciding
from toolmem.ops.capture import failures as failing
from toolmem.ops.capture.candidates import (
    live_candidates,
    note_outcomes,
    unjudged_candidates,
)
from toolmem.ops.capture.transcript import (
    CaptureRequest,
    LoadedTranscript,
    read_for,
)
from toolmem.ops.session import dialogue
from toolmem.ops.session.messages import (
    NumberedTurn,
    UserMessage,
    message_document,
    message_from,
    user_messages,
)
from toolmem.ops.session.turns import TurnNote, keep_turns, render_turns, turn_notes
from toolmem.store.state.candidates import StoredCandidate, store_candidates
from toolmem.store.state.counters import event_counts, is_said, note_event
from toolmem.store.state.database import begin_write
from toolmem.store.state.notebook import Notebook
from toolmem.store.state.retention import forget_expired
from toolmem.store.state.rows import project_of
from toolmem.store.state.typed_messages import spool, spooled, unspool
from toolmem.store.vault.transcripts import save_bookmark
from toolmem.store.vault.vault import Vault

_WRITTEN_PARTS = "turns, counts and the transcript's place"
_UNWRITTEN = (LockedError, StorageError, ExistsError)


class CaptureResult(NamedTuple):
    """Result of a capture; ``skipped`` counts ignored decrees by reason.

    ``candidates`` are those that were stored now, for the agent to judge; of a dry
    run, those that a judge is to be asked about. ``failure`` says why a judge did not
    answer.
    """

    decrees: tuple[CapturedDecree, ...]
    failures: tuple["failing.FailureNote", ...]
    turns: tuple[TurnNote, ...]
    skipped: Mapping[str, int]
    session: str
    format: str
    remarks: tuple[str, ...] = ()
    candidates: tuple[StoredCandidate, ...] = ()
    failure: str = ""


def capture(vault: Vault, request: CaptureRequest) -> CaptureResult:
    """Read a transcript and write down what it teaches.

    Raises ``InvalidFileError`` for settings of capture that do not exist, and
    ``LockedError``, ``ExistsError`` or ``StorageError`` when a rule could not be
    written: what was not captured is kept, and is captured the next time.
    """
    if not request.dry_run:
        vault.require_writable()
    _require_settings(vault)
    with Notebook(vault.root, dry_run=request.dry_run) as notebook:
        reading = read_for(request, notebook)
        notes = turn_notes(reading.placed, reading.cwd)
        work = _Work(vault, request, notebook)
        if vault.setting("capture.mode") != "off":
            work.capture(reading)
            work.note_failures(reading)
        written = notebook.write(
            lambda state: work.keep(state, reading, notes), _WRITTEN_PARTS
        )
    if work.error is not None:
        error = _with_rest(work.error, len(work.unheard), written)
        raise error from work.error.__cause__
    fresh = {placed.number for placed in work.fresh(reading)}
    if request.dry_run:
        work.candidates = tuple(unjudged_candidates(work.done))
    return CaptureResult(
        tuple(decree for _, decree in work.done),
        tuple(work.failures),
        tuple(note for note in notes if note.turn in fresh),
        dict(sorted(work.skipped(reading).items())),
        reading.session,
        reading.transcript.format,
        tuple(notebook.remarks),
        work.candidates,
    )


def _require_settings(vault: Vault) -> None:
    """Refuse to guess how a person wanted capture to be set."""
    for problem in vault.problems:
        if problem.code == "bad-value" and problem.message.startswith("capture."):
            raise InvalidFileError(problem.path, problem.line, problem.message)


def _with_rest(error: ToolmemError, rest: int, written: bool) -> ToolmemError:
    if not rest:
        return error
    messages = counted(rest, "message")
    if written:
        return type(error)(f"{error}; {messages} will be captured next time")
    return type(error)(f"{error}; {messages} could be neither captured nor kept")


class _Work:
    """One capture as it goes on: what was done, and what could not be."""

    def __init__(
        self, vault: Vault, request: CaptureRequest, notebook: Notebook
    ) -> None:
        self._vault = vault
        self._request = request
        self._notebook = notebook
        self._listeners: dict[Scope, deciding.Listener] = {}
        self.done: list[tuple[UserMessage, CapturedDecree]] = []
        self._waited: list[int] = []
        self._places: dict[str, set[str]] = {}
        self.failures: list[failing.FailureNote] = []
        self.unheard: list[UserMessage] = []
        self.error: ToolmemError | None = None
        self.candidates: tuple[StoredCandidate, ...] = ()

    def capture(self, reading: LoadedTranscript) -> None:
        """Capture the waiting messages, then those of the transcript."""
        waiting = () if self._request.dry_run else (self._notebook.read(spooled) or ())
        self._waited = [number for number, _ in waiting]
        earlier = [message_from(document) for _, document in waiting]
        again = {message.key for message in earlier}
        now = [
            message for message in self._messages(reading) if message.key not in again
        ]
        messages = [*earlier, *now]
        for number, message in enumerate(messages):
            if not find_candidates(message.text):
                continue
            try:
                decrees = self._listener(message.scope).capture(message)
            except _UNWRITTEN as error:
                self.error = error
                self.unheard = messages[number:]
                return
            if decrees and message.own and not self._is_said(message.key):
                message = message._replace(key=message.own)  # a forked session has it
            self.done += [
                (message, self._counted(decree, message)) for decree in decrees
            ]

    def _is_said(self, key: str) -> bool:
        return bool(self._notebook.read(partial(is_said, key=key)))

    def _counted(self, decree: CapturedDecree, message: UserMessage) -> CapturedDecree:
        """The decree, with how often it was said when it is a rule."""
        if decree.id is None or not _is_rule(decree):
            return decree
        places = self._places.get(decree.id)
        if places is None:
            ask = partial(event_counts, rule=decree.id, kind="said")
            places = self._places[decree.id] = set(self._notebook.read(ask) or ())
        places.add(message.key)
        return decree._replace(times_stated=len(places))

    def _messages(self, reading: LoadedTranscript) -> Sequence[UserMessage]:
        declared = (*self._request.tools, *reading.transcript.session.tools)
        about = UserMessage(
            text="",
            turn=0,
            session=reading.session,
            place=reading.place,
            key=reading.key,
            called=self._request.called,
            used=self._request.used,
            declared=tuple(dict.fromkeys(declared)),
            agent=self._request.agent or reading.transcript.format,
            scope=self._request.scope,
        )
        before = reading.captured_before()
        messages = tuple(
            message._replace(is_known=message.is_known or message.key in before)
            for message in user_messages(reading.every, reading.transcript, about)
        )
        if not self._request.since_last:
            return messages
        return [message for message in messages if not message.is_known]

    def _listener(self, scope: Scope) -> "deciding.Listener":
        listener = self._listeners.get(scope)
        if listener is None:
            listener = self._listeners[scope] = deciding.listener_for(
                self._vault,
                scope,
                self._notebook,
                self._request.answers,
                asked=self._request.asked,
                dry_run=self._request.dry_run,
                live=self._request.live,
            )
        return listener

    def note_failures(self, reading: LoadedTranscript) -> None:
        """Note what failed repeatedly; nothing where rules cannot be written."""
        writer = None
        for placed in self.fresh(reading):
            if self.error is not None:
                return
            failed = (use.status is CallStatus.FAILED for use in placed.turn.uses)
            if sum(failed) < limits.FAILURES_OF_ONE_TOOL:
                continue
            writer = writer or failing.writer_for(
                self._vault,
                self._request.scope,
                self._notebook,
                dry_run=self._request.dry_run,
            )
            try:
                self.failures += writer.note(placed, reading.key, reading.place)
            except _UNWRITTEN as error:
                self.error = error

    def fresh(self, reading: LoadedTranscript) -> list[NumberedTurn]:
        """The turns that are new or have grown; all, where all are asked for."""
        if not self._request.since_last:
            return list(reading.placed)
        return [
            placed
            for placed in reading.placed
            if reading.known.get(placed.number, _NEW)[0] != mark_of(placed.turn)
        ]

    def keep(
        self, state: Connection, reading: LoadedTranscript, notes: Sequence[TurnNote]
    ) -> None:
        """Keep turns, counts, what waits, and where the transcript was left."""
        begin_write(state)
        now = self._vault.now
        if not self._request.dry_run:
            unspool(state, self._waited)
        spool(state, map(message_document, self.unheard), now)
        for message, decree in self.done:
            if _is_rule(decree) and decree.id:
                for rule_id in (decree.id, *decree.about):
                    note_event(state, rule_id, "said", message.key, now)
        self.candidates = store_candidates(state, live_candidates(self.done), now)
        note_outcomes(state, self.done, now)
        failing.keep_failures(state, self.failures, now)
        keep_turns(
            self._vault,
            state,
            reading.key,
            reading.placed,
            notes,
            captured=True,
            logged=reading.is_logged,
            project=project_of(self._vault),
        )
        self._keep_dialogue(state, reading, notes)
        if reading.bookmark:
            save_bookmark(state, reading.key, reading.path, reading.bookmark, now)

    def _keep_dialogue(
        self, state: Connection, reading: LoadedTranscript, notes: Sequence[TurnNote]
    ) -> None:
        forget_expired(state, self._vault.now)
        about = reading.transcript.session
        logged = reading.is_logged and dialogue.is_logged(self._vault)
        if not logged or about.subagent:
            return
        vault = self._vault
        utterances = dialogue.utterances_of(reading.placed, vault.now)
        agent = vault.setting("agent") or self._request.agent or about.agent
        speaker = dialogue.Speaker(reading.key, agent, project_of(vault))
        began = reading.placed and reading.placed[0].turn.index >= 0
        dialogue.save_utterances(state, vault, speaker, utterances, more=not began)
        dialogue.save_working_memory(
            state, vault, speaker, utterances, render_turns(notes[-1:])
        )

    def skipped(self, reading: LoadedTranscript) -> Counter[str]:
        """Count skipped decrees by reason."""
        reasons = Counter(reading.transcript.skipped)
        turns = [placed.turn for placed in reading.placed]
        typed = sum(turn.index >= 0 for turn in turns)
        reasons["not typed by a person"] += sum(
            text.synthetic for turn in turns for text in turn.texts
        )
        if reading.transcript.session.subagent:
            reasons["typed for a sub-agent"] += typed
        elif self._vault.setting("capture.mode") == "off":
            reasons["capture.mode is off"] += typed
        for listener in self._listeners.values():
            reasons["permission that no rule contradicts"] += listener.unmet
        return +reasons


_NEW = (None, False)


def _is_rule(decree: CapturedDecree) -> bool:
    return decree.action in ("created", "seen")
