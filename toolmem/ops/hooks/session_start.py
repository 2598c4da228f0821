"""A session begins, goes on or was compacted: the frozen block, what has changed
since, and what the session's turns left behind."""

from collections.abc import Sequence

from toolmem.core import limits
from toolmem.core.agents.event import Answer, Event
from toolmem.errors import ToolmemError
from toolmem.ops.capture import live, process_journal
from toolmem.ops.capture.pending_messages import has_pending
from toolmem.ops.hooks.journal_event import SHOWN_SUFFIX, append_event, reader_journal
from toolmem.ops.hooks.modes import injected
from toolmem.ops.hooks.vaults_line import context_line, vaults_line
from toolmem.ops.prompt.build import Block, PromptRequest, build_prompt
from toolmem.ops.prompt.snapshot import freeze, since_text
from toolmem.ops.session import turns
from toolmem.store.journal import journal, message_queue
from toolmem.store.journal.hook_log import note
from toolmem.store.state.counters import count_event
from toolmem.store.state.database import open_state
from toolmem.store.state.turn_log import turn_documents
from toolmem.store.vault.vault import Vault

_FORGETS = ("clear", "compact")
"""After these the model knows no more what it was told during the session."""
_KEEP = (
    "When the user lays down a rule for later sessions, keep it: "
    '`toolmem rule keep --quote "<the user\'s exact words>" --tool NAME`.'
)
_SAVE = (
    "When you learn what later sessions need, save it: "
    '`toolmem memory save "<what, and why>"` or `toolmem fact set KEY VALUE`.'
)


def answer(vault: Vault, event: Event) -> Answer:
    """The block and what belongs to it, in at most ``HOOK_CHARS`` characters."""
    session = vault.session_vault
    message_queue.prepare_reserve(session.root)
    known = event.source == "compact" and not vault.faults
    lines = [] if known else [vaults_line(vault)]
    if has_pending(session):
        lines += live.capture_pending(session, event).lines
    for fault in vault.faults:
        note(event.agent, event.name, fault)
    notice = context_line(vault)
    shown_of = injected(vault)
    if shown_of is None:
        if event.session:
            _catch_up(session, event)
        return Answer(context=notice.strip("\n"), message="\n".join(lines))
    habits = _habits(session)
    chars = limits.HOOK_BLOCK_CHARS - len(habits)
    request = PromptRequest(max_chars=chars, hard=True)
    block = build_prompt(shown_of, request)
    text = block.text + habits
    if event.session:
        _catch_up(session, event)
        shown = _shown(block)
        _tell(vault, event, shown)
        room = limits.HOOK_CHARS - len(notice)
        text = _of_session(vault, event, request, block, shown, habits, room)
    return Answer(context=text + notice, message="\n".join(lines))


def _habits(vault: Vault) -> str:
    """What the agent does on its own: keep the user's rules, save what it learns."""
    lines = [_SAVE]
    if vault.setting("capture.mode") == "judged":
        lines.insert(0, _KEEP)
    return "\n" + "\n".join(lines) + "\n"


def _catch_up(vault: Vault, event: Event) -> None:
    """Work out what a turn left that never ended; forget what nobody asked for."""
    journal.sweep(vault.root)
    try:
        if journal.is_there(vault.root, journal.name_of(event.session)):
            process_journal.process_journal(vault, event.session)
        if journal.abandoned(vault.root):
            process_journal.settle_abandoned(vault)
    except ToolmemError as error:
        note(event.agent, event.name, error)


def _of_session(
    vault: Vault,
    event: Event,
    request: PromptRequest,
    block: Block,
    shown: Sequence[str],
    habits: str,
    room: int,
) -> str:
    """The block that the session began with, and all that came after it."""
    session = event.session
    try:
        frozen = freeze(
            vault,
            session,
            request,
            block,
            {"text": block.text},
            refresh=event.source == "clear",
        )
        with open_state(vault.session_vault.root) as state:
            for rule_id in shown:
                count_event(state, rule_id, "shown", f"session {session}", vault.now)
            has_turns = bool(turn_documents(state, session, 1))
    except ToolmemError as error:
        note(event.agent, event.name, error)
        return block.text + habits
    text = str(frozen.document["text"]) + habits
    left = room - len(text)
    text += since_text(frozen.changes, lambda more: len(more) <= left, hard=True)
    if has_turns:
        text += _turn_memory(vault.session_vault, session, room - len(text))
    return text


def _turn_memory(vault: Vault, session: str, room: int) -> str:
    """What the last turns left behind, as many of them as there is room for."""
    last = limits.TURNS_SHOWN
    while last:
        text = turns.render_turns(turns.list_turns(vault, session, last))
        if len(text) + 2 <= room:
            return f"\n{text}\n"
        last //= 2
    return ""


def _shown(block: Block) -> list[str]:
    """The ids of the rules in a block."""
    items = (i for part in block.parts if part.kind == "rules" for i in part.items)
    return [str(item.data["id"]) for item in items if item.data["id"]]


def _tell(vault: Vault, event: Event, shown: Sequence[str]) -> None:
    """Keep what the session knows by now, so that it is not told again."""
    if event.source in _FORGETS:
        told = reader_journal(event, SHOWN_SUFFIX)
        journal.forget(journal.take(vault.session_vault.root, told))
    if shown:
        append_event(vault, event, {"shown": list(shown)}, beside=SHOWN_SUFFIX)
