"""Carry out the agent's ``toolmem rule keep`` in the hook that sees the command.

The hook runs outside the agent's sandbox, so it can write to the vault; and it
approves this one command, which changes nothing but what was verified.
"""

from toolmem.core.agents.event import Answer, Event
from toolmem.core.candidates.answer import answer_lines
from toolmem.core.candidates.command import KeepCommand, read_keep_command
from toolmem.errors import ToolmemError
from toolmem.ops.judging import keep_command, keep_result
from toolmem.store.journal.hook_log import note
from toolmem.store.vault.vault import Vault

_KEYS = ("command", "cmd")


def approve(vault: Vault, event: Event) -> Answer | None:
    """Carry the command out and approve it; None for any other call."""
    command = keep_command_of(event)
    if command is None:
        return None
    try:
        document = keep_result.find_result(vault, command)
        if document is None:
            document = keep_command.carry_out(
                vault, command, event.session, event.agent, event.cwd
            )
            keep_result.leave_result(vault, command, document)
    except ToolmemError as error:
        # The command itself runs next, and reports what is wrong.
        note(event.agent, event.name, error)
        return Answer(verdict="allow", reason="toolmem verifies what it keeps")
    return Answer(verdict="allow", reason="; ".join(answer_lines(document)))


def keep_command_of(event: Event) -> KeepCommand | None:
    """Return the ``rule keep`` or ``rule retract`` that is all of a call, or None."""
    for key in _KEYS:
        value = event.input.get(key)
        if isinstance(value, list) and len(value) == 3 and value[1] in ("-c", "-lc"):
            value = value[2]
        if isinstance(value, str) and "toolmem" in value:
            return read_keep_command(value)
    return None
