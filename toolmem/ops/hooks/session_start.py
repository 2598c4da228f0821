"""A session begins, goes on or was compacted: which vaults are in force, the prompt
block, and the work that earlier turns left."""

from collections.abc import Iterator

from toolmem.core.agents.event import Answer, Event
from toolmem.core.agents.registry import loses_text
from toolmem.core.prompt.safe import safe_line
from toolmem.core.rules.rule_file import newer_text
from toolmem.errors import ToolmemError
from toolmem.ops.capture import live, process_journal
from toolmem.ops.hooks import block_delivery
from toolmem.ops.hooks.vaults_line import new_faults, vaults_line
from toolmem.ops.judging import past
from toolmem.ops.rules.guard import broken_rules, repair
from toolmem.ops.rules.verdict_times import CURE, time_warning
from toolmem.store.journal import hook_log, journal, message_queue, waiting
from toolmem.store.vault.vault import Vault

_MOST = 3
"""Rule files that are named; ``toolmem check`` names all."""


def answer(vault: Vault, event: Event) -> Answer:
    """The block, for an agent that takes it here, and the vaults, for the user."""
    session = vault.session_vault
    message_queue.prepare_reserve(session.root)
    known = event.source == "compact" and not vault.faults
    lines = [] if known else [vaults_line(vault, event.cwd)]
    if not waiting.is_empty(session.root):
        lines += live.capture_pending(session, event).lines
    for fault in vault.faults:
        hook_log.note(event.agent, event.name, fault)
    if event.session:
        _catch_up(session, event)
        if loses_text(event):
            block_delivery.forget(vault, event)
    text, asked = "", ""
    if not known and event.session:
        line, asked = past.undecided_notes(
            session, event.session, delivers=event.delivers
        )
        lines += filter(None, [line])
    if event.delivers:
        parts = (block_delivery.missing_text(vault, event), asked)
        text = "\n".join(filter(None, parts))
    elif event.session:
        block_delivery.note_start(vault, event)
    new_faults(vault, event)  # the line above names them
    lines += _rule_file_lines(vault)
    late = time_warning(vault.now)
    if late:
        lines.append(f"toolmem: {late}; {CURE}")
    return Answer(context=text, message="\n".join(lines))


def _catch_up(vault: Vault, event: Event) -> None:
    """Process what a turn left that never ended; forget what was never asked for."""
    journal.sweep(vault.root)
    try:
        if journal.is_there(vault.root, journal.name_of(event.session)):
            process_journal.process_journal(vault, event.session)
        if journal.abandoned(vault.root):
            process_journal.process_abandoned(vault)
    except ToolmemError as error:
        hook_log.note(event.agent, event.name, error)


def _rule_file_lines(vault: Vault) -> Iterator[str]:
    """Yield a line for each rule file that cannot be read, or not all of it; of each
    vault up to a few."""
    for place in vault.in_force:
        broken, newer = broken_rules(place)
        lines = [
            f"{entry.place} cannot be read: {entry.reason}; calls of {entry.tool} ask "
            f"until it is corrected: `{repair(place, entry.path)}`"
            for entry in broken
        ]
        lines += [f"{path} {newer_text(number)}" for path, number in newer.items()]
        yield from (safe_line(f"toolmem: {line}") for line in lines[:_MOST])
        if len(lines) > _MOST:
            more = len(lines) - _MOST
            yield f"toolmem: {more} more rule files: `toolmem check` names them"
