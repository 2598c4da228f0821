"""Read what an agent keeps in local state as items that a query returns."""

from toolmem.core.access import dialogue, scratch_page, working_memory
from toolmem.core.access.item import AccessItem
from toolmem.core.access.kinds import CONVERSATION, WORKING
from toolmem.store.state import conversation, scratch, working
from toolmem.store.state.agent_table import of_project
from toolmem.store.vault.vault import Vault


def kept_items(
    vault: Vault, memory_type: str, *, agent: str, project: str = "", status: str = ""
) -> list[AccessItem]:
    """Return what an agent keeps of a type of memory, newest first.

    With a ``project``, what belongs to another is left out, but not what belongs to
    none. ``status`` is that of scratch entries, by default active ones. Raises
    ``StorageError``.
    """
    if memory_type == WORKING:
        values = of_project(working.values(vault, agent=agent), project)
        return list(map(working_memory.item_of, values))
    if memory_type == CONVERSATION:
        messages = conversation.messages(vault, agent=agent)[::-1]
        return list(map(dialogue.item_of, of_project(messages, project)))
    page = scratch.page(vault, agent, status or scratch_page.ACTIVE)
    return list(map(scratch_page.item_of, of_project(page, project)))
