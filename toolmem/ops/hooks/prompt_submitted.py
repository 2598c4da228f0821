"""A message of the user: decrees in it are captured at once, and what the vault
knows about its topic is told, once a session."""

from zlib import crc32

from toolmem.core.agents.event import Answer, Event
from toolmem.core.agents.record import spoken
from toolmem.core.capture.detect import candidates
from toolmem.core.prompt import build, markdown
from toolmem.core.transcript.harness import typed_part
from toolmem.ops.capture import live
from toolmem.ops.capture.pending_messages import has_pending, message_id
from toolmem.ops.hooks.journal_event import PENDING_SUFFIX, SHOWN_SUFFIX, append_event
from toolmem.ops.hooks.vaults_line import saved_line
from toolmem.ops.prompt import memories_by_topic as topic_memories
from toolmem.ops.search import topic_gate as topic_entry
from toolmem.store.state import journal
from toolmem.store.vault.vault import Vault

_WORDS_OF_A_TASK = 2
"""A single word ("continue") answers a question of the agent's."""
_HOLDS = "What was created holds from now on, what was retired holds no more."


def answer(vault: Vault, event: Event) -> Answer:
    """What was captured, for the model and the user, and the block of a topic."""
    session = vault.session_vault
    typed = typed_part(event.prompt) if event.typed else ""
    if typed and _may_decree(session, typed):
        lines = live.capture_prompt(session, event)
    else:
        lines = live.capture_pending(session, event) if has_pending(session) else []
        if typed:
            _leave_message(session, event, typed)
    if lines and vault.own is not None:
        lines.append(saved_line(vault))
    said = "\n".join(lines)
    told = f"{said}\n{_HOLDS}" if said else ""
    if told and event.session and not event.takes_context:
        # The model hears of it with the result of its next call.
        append_event(vault, event, {"said": told}, beside=PENDING_SUFFIX)
    parts = [told, _topic(vault, event)]
    return Answer(context="\n\n".join(filter(None, parts)), message=said)


def _may_decree(vault: Vault, typed: str) -> bool:
    if vault.setting("capture.mode") == "off":
        return False
    return bool(candidates.find_candidates(typed))


def _leave_message(vault: Vault, event: Event, typed: str) -> None:
    body = typed.encode("utf-8", "replace")
    mark = f"{crc32(body):08x}:{len(body)}:{message_id(event)}"
    line = {"session": event.session, "cwd": event.cwd, "prompt": mark}
    if vault.settings["conversation.keep"].value:
        line |= {"said": spoken(typed), "agent": vault.setting("agent") or event.agent}
    append_event(vault, event, line)


def _topic(vault: Vault, event: Event) -> str:
    """The memories on a topic that the message enters and the session has not seen."""
    answered = len(event.prompt.split()) < _WORDS_OF_A_TASK
    if answered or not event.session or not event.takes_context:
        return ""
    told = _told_topics(vault, event.session)
    if not topic_entry.may_enter(vault, event.prompt, told):
        return ""
    memories, _ = topic_memories.topic_memories(vault, "", event.prompt)
    topic = memories[0].topic if memories else ""
    if not topic or topic in told:
        return ""
    append_event(vault, event, {"topic": [topic]}, beside=SHOWN_SUFFIX)
    return markdown.render_markdown([build.memories_part(memories)])


def _told_topics(vault: Vault, session: str) -> set[str]:
    root = vault.session_vault.root
    lines = journal.read(root, journal.name_of(session) + SHOWN_SUFFIX)
    held = [line.get("topic") for line in lines]
    return {str(topic) for one in held if isinstance(one, list) for topic in one}
