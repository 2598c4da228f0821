"""After a tool: what happened is left for the end of the turn, and the model is shown
what could not be shown before."""

from toolmem.core.agents.event import Answer, Event
from toolmem.core.agents.record import call_record
from toolmem.ops.hooks import block_delivery
from toolmem.ops.hooks.journal_event import PENDING_SUFFIX, append_event, reader_journal
from toolmem.store.journal import journal
from toolmem.store.vault.vault import Vault


def answer(vault: Vault, event: Event) -> Answer:
    """Return what could not be shown to the model earlier."""
    if not event.tool:
        return Answer()
    call = call_record(event)
    line = {"session": event.session, "cwd": event.cwd, "call": call}
    line["project"] = vault.session_vault.setting("project") or ""
    append_event(vault, event, line)
    if not event.takes_context:
        return Answer()
    texts = _pending_notices(vault, event)
    if event.delivers:
        texts.insert(0, block_delivery.missing_text(vault, event))
    return Answer("\n".join(filter(None, texts)))


def _pending_notices(vault: Vault, event: Event) -> list[str]:
    """Return captures that could not be reported to the model earlier."""
    name = reader_journal(event, PENDING_SUFFIX)
    root = vault.session_vault.root
    if not event.session or not journal.is_there(root, name):
        return []
    taken = journal.take(root, name)
    journal.forget(taken)
    return [str(line["said"]) for line in taken.lines if "said" in line]
