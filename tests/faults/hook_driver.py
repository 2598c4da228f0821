"""Run one hook event of a session: ``hook_driver.py EVENT VAULT [TEXT [AGENT]]``.

The user's state is below the vault's local state, so that both are reset together.
"""

import json
import os
import sys
from pathlib import Path

from toolmem.core import hook_limits, limits
from toolmem.core.agents.claude import read_event
from toolmem.core.agents.event import PROMPT
from toolmem.core.agents.registry import samples
from toolmem.hooks.main import main
from toolmem.ops.capture import pending_messages
from toolmem.store.journal import message_queue

BAN = "never use rsync."


def payload(event: str, vault: Path, text: str) -> dict[str, str]:
    """Payload that Claude Code sends."""
    base = {"hook_event_name": event, "session_id": "s-1", "cwd": str(vault)}
    more = {"prompt": text} if event == "UserPromptSubmit" else {"source": "startup"}
    return {**base, **more}


def leave_waiting(vault: Path, text: str, *, outside: bool = False) -> None:
    """Store a message as a hook does that could not capture it."""
    use_state_of(vault)
    event = read_event(payload("UserPromptSubmit", vault, text))
    message = pending_messages.message_of(event)
    claim = message_queue.add(vault, message, outside=outside)
    if claim is not None:
        claim.release()


def use_state_of(vault: Path) -> None:
    """Put the user's state below the vault's."""
    os.environ["XDG_STATE_HOME"] = str(vault / ".toolmem" / "user")


def typed(agent: str, vault: str, text: str) -> tuple[str, dict[str, object]]:
    """Name and payload of the event of any agent when its user has typed a text."""
    event = next(one for one in samples(agent, vault) if one.kind == PROMPT)
    return event.name, {**event.payload, "prompt": text}


def run(event: str, vault: str, text: str = BAN, agent: str = "") -> int:
    """Answer the event, however slow this machine is; of an ``agent`` a message."""
    given: object = payload(event, Path(vault), text)
    if agent:
        event, given = typed(agent, vault, text)
    hook_limits.SECONDS = limits.HOOK_WAITING_SECONDS = 60
    hook_limits.CALL_SECONDS = hook_limits.LATE_SECONDS = 60
    use_state_of(Path(vault))
    reading, writing = os.pipe()
    os.write(writing, json.dumps(given).encode())
    os.close(writing)
    os.dup2(reading, 0)
    return main([agent or "claude", "--event", event])


if __name__ == "__main__":
    sys.exit(run(*sys.argv[1:]))
