"""Capturing what a person typed while an agent works: now, or as soon as it can be."""

import time
from collections.abc import Callable
from typing import NamedTuple
from uuid import uuid4

from toolmem.core import limits
from toolmem.core.agents.event import Event
from toolmem.core.candidates.captured import REFUSED, CapturedDecree
from toolmem.core.transcript.harness import typed_message
from toolmem.errors import LockedError, StorageError, ToolmemError
from toolmem.ops.capture.capture import capture
from toolmem.ops.capture.context import typed_scope
from toolmem.ops.capture.live_capture import LiveCapture
from toolmem.ops.capture.pending_messages import claimed, message_of
from toolmem.ops.capture.process_journal import process_journal
from toolmem.ops.capture.session_bans import leave_bans
from toolmem.ops.capture.summary_lines import decree_line
from toolmem.ops.capture.transcript import CaptureRequest
from toolmem.store.journal import message_queue
from toolmem.store.journal.hook_log import note
from toolmem.store.journal.message_queue import Claim, Document
from toolmem.store.state.candidates import StoredCandidate
from toolmem.store.state.counters import tools_called
from toolmem.store.state.database import has_state, open_state
from toolmem.store.vault.vault import Vault

_UNWRITTEN = (LockedError, StorageError)
_SHOWN_ACTIONS = ("created", "retired", "proposed", "amended", "contested")


class Late(NamedTuple):
    """Result of capturing the waiting messages, with errors.

    ``candidates`` are new ones, which the agent is to judge. ``failure`` is why a
    message was not captured and goes on waiting.
    """

    decrees: tuple[CapturedDecree, ...] = ()
    errors: tuple[ToolmemError, ...] = ()
    candidates: tuple[StoredCandidate, ...] = ()
    failure: ToolmemError | None = None

    @property
    def is_written(self) -> bool:
        """False if the vault could not be written."""
        return not isinstance(self.failure, _UNWRITTEN)

    def and_then(self, more: "Late") -> "Late":
        """Combine two results of a capture."""
        return Late(
            self.decrees + more.decrees,
            self.errors + more.errors,
            self.candidates + more.candidates,
            more.failure or self.failure,
        )


def capture_prompt(
    vault: Vault, event: Event, queued: Callable[[], None]
) -> LiveCapture:
    """Capture the message of an event.

    The message is stored first: if it cannot be captured, or this process dies, the
    next event captures it. ``queued`` is called then. Raises ``StorageError`` when it
    could be neither stored nor captured.
    """
    message = message_of(event, vault)
    whole = {**message, "text": event.prompt}
    claim, stored = None, True
    try:
        claim = message_queue.add(vault.root, message)
    except StorageError:
        stored = False
    queued()
    if not stored:
        return _shown(event, _captured(vault, whole))
    # Older ones first: this one may take back what they say.
    late = capture_waiting(vault, limits.HOOK_WAITING_SECONDS)
    failure = None
    if claim is not None and late.is_written:
        own = _worked_on(vault, claim._replace(document=whole))
        late, failure = late.and_then(own), own.failure
    elif claim is not None:
        claim.release()
        failure = late.failure
    message_queue.prepare_reserve(vault.root)
    return _shown(event, late)._replace(failure=failure)


def capture_pending(vault: Vault, event: Event) -> LiveCapture:
    """Capture the messages that wait for this vault, as far as a hook has time."""
    return _shown(event, capture_waiting(vault, limits.HOOK_WAITING_SECONDS))


def capture_waiting(vault: Vault, seconds: float = float("inf")) -> Late:
    """Capture the messages that wait for this vault, oldest first.

    Starts no further one after ``seconds``, or when the vault cannot be written.
    """
    deadline = time.monotonic() + seconds
    late = Late()
    for seen, claim in claimed(vault):
        late = late.and_then(_worked_on(seen, claim))
        if not late.is_written or time.monotonic() > deadline:
            break
    return late


def _worked_on(vault: Vault, claim: Claim) -> Late:
    """Capture a claimed message; it goes on waiting if that fails."""
    try:
        late = _captured(vault, claim.document)
    except ToolmemError as error:
        claim.release()
        return Late(errors=(error,), failure=error)
    except Exception:
        claim.set_aside()  # it must not stop every hook from now on
        raise
    claim.finish()
    return late


def _captured(vault: Vault, message: Document) -> Late:
    session = str(message.get("session", ""))
    if session:
        process_journal(vault, session)
    called: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    if session and has_state(vault.root):
        with open_state(vault.root) as state:
            called, used = tools_called(state, session)
    cwd = str(message.get("cwd", ""))
    request = CaptureRequest(
        typed_scope(vault, cwd),
        lambda: uuid4().hex,
        transcript=typed_message(message.get("text"), message.get("id")),
        session=session,
        cwd=cwd,
        since_last=True,
        agent=str(message.get("agent", "")),
        called=called,
        used=used,
        live=True,
    )
    result = capture(vault, request)
    remarks = tuple(map(ToolmemError, result.remarks))
    if vault.setting("capture.mode") == "observe":
        return Late(errors=remarks)
    leave_bans(vault, result.candidates)
    return Late(result.decrees, remarks, result.candidates)


def _shown(event: Event, late: Late) -> LiveCapture:
    for error in late.errors:
        note(event.agent, event.name, error)
    lines = [decree_line(decree) for decree in late.decrees if _is_shown(decree)]
    return LiveCapture(lines, late.candidates)


def _is_shown(decree: CapturedDecree) -> bool:
    """Report what changed and what the user will miss."""
    return decree.action in _SHOWN_ACTIONS or decree.change == REFUSED
