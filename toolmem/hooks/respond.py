"""What each event of an agent comes to: the vault's part of the conversation."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toolmem.core.agents.event import BEFORE_TOOL, Answer, Event, Reply
from toolmem.core.agents.registry import AGENTS
from toolmem.core.suggest import did_you_mean
from toolmem.errors import UsageError
from toolmem.ops.guard import check_call
from toolmem.store.discover import find_vault
from toolmem.store.vault import Vault, utc_now


def respond(agent: str, payload: Mapping[str, Any], name: str, vault: str) -> Reply:
    """The agent's own answer to one event; nothing where there is nothing to say.

    Raises ``ToolmemError`` for an unknown agent, a missing or a broken vault.
    """
    dialect = AGENTS.get(agent)
    if dialect is None:
        raise UsageError(f"no agent {agent!r}{did_you_mean(agent, AGENTS)}")
    event = dialect.read(payload, name)
    return dialect.write(event, _answer(event, vault))


def _answer(event: Event, vault: str) -> Answer:
    cwd = Path(event.cwd) if event.cwd else Path.cwd()
    opened = Vault.open(find_vault({"vault": vault}, cwd), utc_now())
    if event.kind == BEFORE_TOOL:
        return _before_tool(opened, event)
    return Answer()


def _before_tool(vault: Vault, event: Event) -> Answer:
    found = check_call(vault, event.tool, event.input, cwd=event.cwd)
    if found.verdict in ("deny", "ask"):
        rule = f"{found.rule.rule} (rule {found.rule.id[:8]})" if found.rule else ""
        return Answer(verdict=found.verdict, reason=rule or found.reason)
    return Answer()
