"""A message of the user: decrees in it are captured at once, and what the vault
knows about its topic is shown, each memory once a session."""

import time
from zlib import crc32

from toolmem.core import limits
from toolmem.core.agents.event import Answer, Event
from toolmem.core.agents.record import spoken
from toolmem.core.candidates import note as candidate_note
from toolmem.core.candidates import place
from toolmem.core.capture.detect import candidates
from toolmem.core.prompt import markdown
from toolmem.core.scope import parse_scope, scope_words
from toolmem.core.secrets.detect import redact
from toolmem.core.shown import counted
from toolmem.core.transcript.harness import typed_part
from toolmem.errors import StorageError
from toolmem.ops.capture import live, pending_messages
from toolmem.ops.capture.live_capture import LiveCapture
from toolmem.ops.hooks import (
    block_delivery,
    changed_rules,
    entered_topic,
    vaults_line,
)
from toolmem.ops.hooks.journal_event import (
    PENDING_SUFFIX,
    append_event,
)
from toolmem.ops.hooks.modes import injected
from toolmem.store.journal import hook_log, waiting
from toolmem.store.state import candidates as stored
from toolmem.store.state.typed_messages import TypedMessage, store_typed
from toolmem.store.vault.vault import Vault

_WORDS_OF_A_TASK = 2
"""A single word ("continue") answers a question of the agent's."""


def answer(vault: Vault, event: Event) -> Answer:
    """Return notes about captures, for model and user, and the block of a topic."""
    session = vault.session_vault
    typed = typed_part(event.prompt) if event.typed else ""
    captured = _captured(session, event, typed)
    lines = captured.lines
    if lines and vault.own is not None:
        lines.append(vaults_line.saved_line(vault))
    if captured.failure is not None:
        lines += pending_messages.delayed(event, captured.failure)
    lines += vaults_line.new_faults(vault, event)
    lines += changed_rules.changed_lines(vault, event)
    text = "\n".join(lines)
    shown = "\n".join(filter(None, (text, _note(captured))))
    if shown and event.session and not event.takes_context:
        # It goes to the model with the result of its next call.
        append_event(vault, event, {"said": shown}, suffix=PENDING_SUFFIX)
    if captured.failure is not None:
        return Answer(context=shown, message=text)  # the rest needs the disk as well
    topic = _topic(vault, event) if injected(vault) else ""
    block = ""
    if event.delivers and event.typed:
        block = block_delivery.missing_text(vault, event)
    rest = "\n\n".join(filter(None, (shown, topic)))
    context = f"{block}\n{rest}" if block and rest else block + rest
    return Answer(context=context, message=text)


def _captured(session: Vault, event: Event, typed: str) -> LiveCapture:
    """Capture what the message decrees, or what earlier ones left, and store it."""
    if typed and _may_decree(session, typed):
        captured = live.capture_prompt(
            session, event, lambda: _store_typed(session, event, typed)
        )
        line = {"session": event.session, "cwd": event.cwd, "began": True}
        append_event(session, event, line)
        return captured
    captured = LiveCapture([])
    if typed:
        _store_typed(session, event, typed)
    if not waiting.is_empty(session.root):
        captured = live.capture_pending(session, event)
    if typed:
        _leave_message(session, event, typed)
    return captured


def _note(captured: LiveCapture) -> str:
    """Return the note that asks the agent to judge, likeliest candidates first."""
    order = sorted(captured.candidates, key=lambda candidate: -candidate.score)
    return candidate_note.render_note(
        [
            candidate_note.NotedCandidate(c.id, c.sentence, c.rules, _place(c), c.tools)
            for c in order
        ]
    )


def _place(candidate: "stored.StoredCandidate") -> str:
    """Return where the rule of a candidate would apply, in words."""
    here = parse_scope(candidate.scope)
    scope = place.scope_for(candidate.sentence, ban=candidate.kind == "ban", here=here)
    return scope_words(scope)


def _keeps_typed(vault: Vault) -> bool:
    """Return whether quotations can be verified later, from stored messages."""
    judged = vault.setting("capture.mode") == "judged"
    return judged and bool(vault.settings["conversation.keep"].value)


def _store_typed(vault: Vault, event: Event, typed: str) -> None:
    if not _keeps_typed(vault):
        return
    text, cut = redact(typed[: limits.TYPED_CHARS]), len(typed) > limits.TYPED_CHARS
    message = TypedMessage(event.session, event.agent, text, time.time(), cut)
    try:
        store_typed(vault.root, message)
    except StorageError as error:
        hook_log.note(event.agent, event.name, error)


def _may_decree(vault: Vault, typed: str) -> bool:
    if vault.setting("capture.mode") == "off":
        return False
    return bool(candidates.find_candidates(typed))


def _leave_message(vault: Vault, event: Event, typed: str) -> None:
    body = typed.encode("utf-8", "replace")
    mark = f"{crc32(body):08x}:{len(body)}:{waiting.message_id(event.session)}"
    line = {"session": event.session, "cwd": event.cwd, "prompt": mark}
    line["project"] = vault.setting("project") or ""
    if vault.settings["conversation.keep"].value:
        line |= {"said": spoken(typed), "agent": vault.setting("agent") or event.agent}
    append_event(vault, event, line)


def _topic(vault: Vault, event: Event) -> str:
    """The memories on a topic that the message enters, unless the session has them."""
    answered = len(event.prompt.split()) < _WORDS_OF_A_TASK
    if answered or not event.session or not event.takes_context:
        return ""
    entered = entered_topic.find_entered(vault, event.prompt)
    if entered.unread:
        return (
            f"toolmem: {counted(entered.unread, 'file')} of the vault are not in the "
            "search index yet, so memories on this topic come with a later message; "
            '`toolmem recall "QUESTION"` finds them now'
        )
    if not entered.topic:
        return ""
    memories = entered_topic.unseen_memories(vault, event, entered)
    if not memories.items:
        return ""
    return markdown.render_markdown([memories])
