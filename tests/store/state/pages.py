"""Vaults that are opened as an agent, and what is put into their local state."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from toolmem.core.access.dialogue import TTL, Message
from toolmem.core.access.scratch_page import ScratchEntry, read_entry
from toolmem.core.access.working_memory import TTL_OF_SESSION, WorkingValue
from toolmem.store.state import scratch
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault

NOW = datetime(2026, 4, 20, 12, 0, tzinfo=UTC)


def opened(folder: Path, agent: str = "", **later: float) -> Vault:
    """The vault, made where it is missing, ``later`` than noon."""
    settings = folder / "toolmem.toml"
    if not settings.exists():
        folder.mkdir(parents=True, exist_ok=True)
        settings.write_text("schema = 1\n")
    found = find_vault({"vault": str(folder), "agent": agent}, folder)
    return Vault.open(found, NOW + timedelta(**later))


def note(
    vault: Vault, agent: str = "a", project: str = "", **document: Any
) -> ScratchEntry:
    """Put an entry on an agent's page."""
    given = {"content": "x", **document}
    new, _ = read_entry(given, vault.now, source="me")
    return scratch.add(vault, new, agent=agent, project=project)


def value(name: str, content: str = "x", **more: Any) -> WorkingValue:
    """A value of working memory that was set at noon."""
    at = more.pop("at", NOW)
    return WorkingValue(name, content, at, at + TTL_OF_SESSION, **more)


def message(number: int, **more: Any) -> Message:
    """A message of turn ``number``, which was said so many seconds after noon."""
    at = more.pop("at", NOW + timedelta(seconds=number))
    plain = {"role": "user", "agent": "a", "session": "s", "turn": number, **more}
    name = f"{plain['session']}/{number}/{plain['role']}"
    plain = {"content": f"message {number}", **plain}
    return Message(id=name, at=at, expires_at=at + TTL, **plain)
