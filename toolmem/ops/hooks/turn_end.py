"""The end of a turn: failures, turn memory and counts are worked out and kept."""

from toolmem.core.agents import record
from toolmem.core.agents.event import SESSION_END, TURN_END, Answer, Event
from toolmem.errors import ToolmemError
from toolmem.ops.capture import live, process_journal, summary_lines
from toolmem.ops.hooks import block_delivery, duties, journal_event, late_outcomes
from toolmem.ops.rules import compiled
from toolmem.store.journal import hook_log, journal, waiting
from toolmem.store.state import database as state
from toolmem.store.state import working
from toolmem.store.vault.vault import Vault


def answer(vault: Vault, event: Event) -> Answer:
    """Describe the observations made from failures, for the user.

    What the turn has left undone goes to the agent.
    """
    has_duties = compiled.has_duties(vault)
    undone = Answer()
    if has_duties and event.kind == TURN_END:
        undone = duties.at_end(vault, event)
    whole, vault = vault, vault.session_vault
    if event.kind == SESSION_END:
        block_delivery.note_end(vault, event)
    lines: list[str] = []
    if not waiting.is_empty(vault.root):
        lines = live.capture_pending(vault, event).lines
    if event.reply and vault.settings["conversation.keep"].value:
        _leave_reply(vault, event)
    if journal.is_there(vault.root, journal.name_of(event.session)):
        late_outcomes.leave_outcomes(vault, event)
        if has_duties:
            duties.note_record(whole, event)
            lines += duties.passed_lines(vault, event)
        notes = process_journal.process_journal(vault, event.session)
        new = [note for note in notes if note.action in ("created", "proposed")]
        lines += [summary_lines.failure_line(note) for note in new]
    if event.kind == SESSION_END and event.session and state.has_state(vault.root):
        try:
            with state.open_state(vault.root) as database:
                working.forget_session(database, event.session)
        except ToolmemError as error:
            hook_log.note(event.agent, event.name, error)
    return undone._replace(message="\n".join(lines))


def _leave_reply(vault: Vault, event: Event) -> None:
    line = {"session": event.session, "cwd": event.cwd}
    agent = vault.setting("agent") or event.agent
    line |= {"reply": record.spoken(event.reply), "agent": agent}
    line["project"] = vault.setting("project") or ""
    journal_event.append_event(vault, event, line)
