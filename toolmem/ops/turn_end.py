"""The end of a turn: failures, turn memory and counts are worked out and kept."""

from typing import TYPE_CHECKING

from toolmem.core.agents.event import Answer, Event
from toolmem.core.on_demand import OnDemand
from toolmem.ops.waiting import waits
from toolmem.store import journal
from toolmem.store.vault import Vault

if TYPE_CHECKING:
    from toolmem.ops import hear, settle, told
else:
    # A turn without calls leaves nothing to be worked out.
    hear = OnDemand("toolmem.ops.hear")
    settle = OnDemand("toolmem.ops.settle")
    told = OnDemand("toolmem.ops.told")


def answer(vault: Vault, event: Event) -> Answer:
    """What was learned from failures, for the user."""
    lines = hear.hear_waiting(vault, event) if waits(vault.root, event) else []
    if journal.is_there(vault.root, journal.name_of(event.session)):
        notes = settle.settle(vault, event.session)
        new = [note for note in notes if note.action in ("created", "proposed")]
        lines += map(told.failure_line, new)
    return Answer(message="\n".join(lines))
