"""A conversation is being compacted: what it was given must be given again."""

from toolmem.core.agents.event import Answer, Event
from toolmem.ops.hooks import block_delivery
from toolmem.ops.hooks.journal_event import PENDING_SUFFIX, append_event
from toolmem.store.vault.vault import Vault


def answer(vault: Vault, event: Event) -> Answer:
    """Forget what the session was given.

    An agent that ``delivers`` has no later event for the block: it is given with the
    result of the next call.
    """
    if event.session:
        block_delivery.forget(vault, event)
        if event.delivers:
            text = block_delivery.missing_text(vault, event)
            append_event(vault, event, {"said": text}, suffix=PENDING_SUFFIX)
    return Answer()
