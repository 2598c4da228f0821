"""Give the model the prompt block once, and after that only what has changed.

The journal of what a session has read says how far it is: ``block`` when the block
was given, ``resumed`` when the session went on later. Agents keep what a hook gave
them with the conversation, so a resumed session has it still; a compaction loses it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from toolmem.core import limits
from toolmem.core.agents.event import SESSION_START, Event
from toolmem.core.prompt.since import since_text
from toolmem.core.times import rfc3339
from toolmem.errors import ToolmemError
from toolmem.ops.hooks.entered_topic import given_changes
from toolmem.ops.hooks.journal_event import (
    SHOWN_SUFFIX,
    append_event,
    reader_journal,
    rule_version,
)
from toolmem.ops.hooks.modes import injected, observed_injection
from toolmem.ops.hooks.vaults_line import context_line
from toolmem.ops.prompt.build import Block, PromptRequest, build_prompt
from toolmem.ops.prompt.snapshot import PromptSnapshot, freeze
from toolmem.ops.session import turns
from toolmem.store.journal import journal, transcript_tail
from toolmem.store.journal.hook_log import note
from toolmem.store.state.counters import count_event
from toolmem.store.state.database import open_state
from toolmem.store.state.turn_log import turn_documents
from toolmem.store.vault.vault import Vault

_BLOCK, _RESUMED = "block", "resumed"
_RESUME = "resume"
_KEEP = (
    "When the user states a rule for later sessions, save it: "
    '`toolmem rule keep --quote "<the user\'s exact words>" --tool NAME`.'
)
_MARK = "When you learn something that later sessions need, save it: "
"""In every block, and the same in JSON: shows whether a conversation still has it."""
_SAVE = (
    f'{_MARK}`toolmem memory save "<what, and why>"` or `toolmem fact set KEY VALUE`.'
)


def missing_text(vault: Vault, event: Event) -> str:
    """Text that a session still needs: the block, its changes, or nothing.

    At most ``HOOK_CHARS`` characters.
    """
    lines = _journal(vault, event)
    given = any(_BLOCK in line for line in lines)
    if given and _is_lost(event, lines):
        forget(vault, event)
        given = False
    goes_on = event.kind != SESSION_START
    if given and goes_on and not (event.may_resume or _is_resumed(lines)):
        return ""
    notice = context_line(vault)
    if not given:
        _count_observed(vault, event)
    shown_of = injected(vault)
    if shown_of is None:
        _note_given(vault, event)
        return notice.strip("\n")
    habits = _habits(vault.session_vault)
    chars = limits.HOOK_BLOCK_CHARS - len(habits)
    request = PromptRequest(max_chars=chars, hard=True)
    block = build_prompt(shown_of, request)
    frozen = _frozen(vault, event, request, block, refresh=not given)
    if frozen is None:
        return block.text + habits + notice
    if given and (goes_on or event.source == _RESUME):
        _note_given(vault, event)
        news = (*frozen.news, *given_changes(vault, event))
        return since_text(news, _within(limits.HOOK_CHARS), hard=True).strip("\n")
    chars_left = limits.HOOK_CHARS - len(notice)
    return _whole(vault, event, block, frozen, habits, chars_left) + notice


def _count_observed(vault: Vault, event: Event) -> None:
    """Count the rules that would be given to the model, where that is observed."""
    observed = observed_injection(vault)
    if observed is None or not event.session:
        return
    request = PromptRequest(max_chars=limits.HOOK_BLOCK_CHARS, hard=True)
    shown = rule_ids(build_prompt(observed, request))
    append_event(vault, event, {"session": event.session, "shown": shown})


def _frozen(
    vault: Vault, event: Event, request: PromptRequest, block: Block, *, refresh: bool
) -> PromptSnapshot | None:
    """Return the session's block, a new one with ``refresh``; None if not storable."""
    if not event.session:
        return None
    try:
        return freeze(
            vault,
            event.session,
            request,
            block,
            {"text": block.text},
            refresh=refresh,
            shown=True,
        )
    except ToolmemError as error:
        note(event.agent, event.name, error)
        return None


def forget(vault: Vault, event: Event) -> None:
    """Give the session everything again: its model knows it no more."""
    name = reader_journal(event, SHOWN_SUFFIX)
    journal.forget(journal.take(vault.session_vault.root, name))


def note_start(vault: Vault, event: Event) -> None:
    """Remember that a session goes on, for the event that gives the block."""
    if event.source == _RESUME:
        append_event(vault, event, {_RESUMED: [""]}, suffix=SHOWN_SUFFIX)


def note_end(vault: Vault, event: Event) -> None:
    """Remember that a session has ended: its next message is one of a resumed session.

    Copilot starts the hook of a resumed session's message before the one of its start
    has ended.
    """
    name = reader_journal(event, SHOWN_SUFFIX)
    if event.session and journal.is_there(vault.session_vault.root, name):
        append_event(vault, event, {_RESUMED: [""]}, suffix=SHOWN_SUFFIX)


def _journal(vault: Vault, event: Event) -> Sequence[Mapping[str, Any]]:
    if not event.session:
        return ()
    name = reader_journal(event, SHOWN_SUFFIX)
    return journal.read(vault.session_vault.root, name)


def _note_given(vault: Vault, event: Event, shown: Sequence[str] = ()) -> None:
    """Remember that the model has everything, and how long the transcript is."""
    if event.session:
        size = transcript_tail.size_of(event.transcript) if event.replaced else 0
        line = {_BLOCK: [size], "shown": list(shown)}
        append_event(vault, event, line, suffix=SHOWN_SUFFIX)


def _is_lost(event: Event, lines: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the conversation was replaced by one without the block."""
    if not event.replaced:
        return False
    sizes = [line[_BLOCK][0] for line in lines if isinstance(line.get(_BLOCK), list)]
    start = sizes[-1] if sizes and isinstance(sizes[-1], int) else 0
    written = transcript_tail.read_after(event.transcript, start)
    _, replaced, conversation = written.rpartition(event.replaced.encode())
    return bool(replaced) and _MARK.encode() not in conversation


def _is_resumed(lines: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the session continued after the last delivery."""
    marks = [_RESUMED in line for line in lines if _RESUMED in line or _BLOCK in line]
    return bool(marks) and marks[-1]


def _habits(vault: Vault) -> str:
    """Instructions for the agent: keep the user's rules, save what it learns."""
    lines = [_SAVE]
    if vault.setting("capture.mode") == "judged":
        lines.insert(0, _KEEP)
    return "\n" + "\n".join(lines) + "\n"


def _within(chars: int) -> Callable[[str], bool]:
    """A test whether a text is within so many characters."""
    return lambda text: len(text) <= chars


def _whole(
    vault: Vault,
    event: Event,
    block: Block,
    frozen: PromptSnapshot,
    habits: str,
    chars: int,
) -> str:
    """Return the session's block, and all that came after it."""
    shown = rule_ids(block)
    _note_given(vault, event, rule_versions(block))
    text = str(frozen.document["text"]) + habits
    changes = (*frozen.changes, *given_changes(vault, event))
    text += since_text(changes, _within(chars - len(text)), hard=True)
    session = event.session
    try:
        with open_state(vault.session_vault.root) as state:
            for rule_id in shown:
                count_event(state, rule_id, "shown", rfc3339(vault.now))
            has_turns = bool(turn_documents(state, session, 1))
    except ToolmemError as error:
        note(event.agent, event.name, error)
        return text
    if has_turns:
        text += _turn_memory(vault.session_vault, session, chars - len(text))
    return text


def _turn_memory(vault: Vault, session: str, chars: int) -> str:
    """Render as many of the last turns as fit."""
    last = limits.TURNS_SHOWN
    while last:
        text = turns.render_turns(turns.list_turns(vault, session, last))
        if len(text) + 2 <= chars:
            return f"\n{text}\n"
        last //= 2
    return ""


def rule_versions(block: Block) -> list[str]:
    """Return the rules of a block, as they are noted as seen."""
    items = (i for part in block.parts if part.kind == "rules" for i in part.items)
    return [
        rule_version(str(i.data["id"]), str(i.data["priority"]), str(i.data["rule"]))
        for i in items
        if i.data["id"]
    ]


def rule_ids(block: Block) -> list[str]:
    """Return the ids of the rules in a block."""
    items = (i for part in block.parts if part.kind == "rules" for i in part.items)
    return [str(item.data["id"]) for item in items if item.data["id"]]
