"""The end of a turn: failures, turn memory and counts are worked out and kept."""

from typing import TYPE_CHECKING

from toolmem.core.agents.event import SESSION_END, Answer, Event
from toolmem.core.on_demand import OnDemand
from toolmem.errors import ToolmemError
from toolmem.ops.waiting import waits
from toolmem.store import journal
from toolmem.store.hook_log import note
from toolmem.store.vault import Vault

if TYPE_CHECKING:
    from toolmem.core.agents import record
    from toolmem.ops import hear, leave, settle, told
    from toolmem.store import state, working
else:
    # A turn without calls leaves nothing to be worked out.
    hear = OnDemand("toolmem.ops.hear")
    settle = OnDemand("toolmem.ops.settle")
    told = OnDemand("toolmem.ops.told")
    record = OnDemand("toolmem.core.agents.record")
    leave = OnDemand("toolmem.ops.leave")
    state = OnDemand("toolmem.store.state")
    working = OnDemand("toolmem.store.working")


def answer(vault: Vault, event: Event) -> Answer:
    """What was learned from failures, for the user."""
    vault = vault.session_vault
    lines = hear.hear_waiting(vault, event) if waits(vault.root, event) else []
    if event.said and vault.settings["conversation.keep"].value:
        _leave_reply(vault, event)
    if journal.is_there(vault.root, journal.name_of(event.session)):
        notes = settle.settle(vault, event.session)
        new = [one for one in notes if one.action in ("created", "proposed")]
        lines += map(told.failure_line, new)
    if event.kind == SESSION_END and event.session and state.has_state(vault.root):
        try:
            with state.open_state(vault.root) as held:
                working.forget_session(held, event.session)
        except ToolmemError as error:
            note(event.agent, event.name, error)
    return Answer(message="\n".join(lines))


def _leave_reply(vault: Vault, event: Event) -> None:
    line = {"session": event.session, "cwd": event.cwd}
    agent = vault.setting("agent") or event.agent
    line |= {"reply": record.spoken(event.said), "agent": agent}
    leave.leave(vault, event, line)
