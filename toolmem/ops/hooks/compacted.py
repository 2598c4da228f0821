"""A conversation is being compacted: what it was given must be given again."""

from toolmem.core.agents.event import Answer, Event
from toolmem.ops.hooks import block_delivery
from toolmem.store.vault.vault import Vault


def answer(vault: Vault, event: Event) -> Answer:
    """Forget what the session was given; nothing is said."""
    if event.session:
        block_delivery.forget(vault, event)
    return Answer()
