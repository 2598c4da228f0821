"""Typed messages that wait until they can be captured."""

import errno
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from toolmem.core import limits
from toolmem.core.agents.event import Answer, Event
from toolmem.core.secrets.detect import redact
from toolmem.core.text.safetext import visible
from toolmem.errors import ToolmemError
from toolmem.store.journal import message_queue, waiting
from toolmem.store.journal.message_queue import Claim
from toolmem.store.vault.discover import find_in_force
from toolmem.store.vault.vault import Vault

_QUOTED_CHARS = 200
_FULL = (errno.ENOSPC, errno.EDQUOT)
_STATE_FULL = ("SQLITE_FULL", "SQLITE_IOERR_SHMSIZE")
"""Errors of SQLite on a full disk; the second is for its shared memory."""
_STORED_SETTINGS = ("project", "agent_type", "agent")


def message_of(event: Event, vault: Vault | None = None) -> dict[str, Any]:
    """A typed message and what capture needs to know about it, without credentials.

    ``flags`` are the settings of the vault that it belongs to, as far as known.
    """
    flags: dict[str, str] = {}
    if vault is not None:
        settings = {name: vault.setting(name) or "" for name in _STORED_SETTINGS}
        flags = {"vault": str(vault.root), **settings}
    return {
        "id": waiting.message_id(event.session),
        "session": event.session,
        "agent": event.agent,
        "cwd": event.cwd,
        "text": redact(event.prompt[: limits.TOOL_ARG_CHARS]),
        "flags": flags,
    }


def keep_for_later(event: Event, *, flag: str = "") -> None:
    """Store a message whose vault could not be used; ``flag`` is what named it.

    Raises ``StorageError`` if it cannot be stored anywhere.
    """
    message = message_of(event)
    message["flags"] = {"vault": str(Path(flag).absolute())} if flag else {}
    folder = Path(event.cwd or ".").absolute()
    claim = message_queue.add(folder, message, outside=True)
    if claim is not None:
        claim.release()


def not_saved(event: Event, error: Exception) -> Answer:
    """Report to agent and user that a message could be neither captured nor stored."""
    notice = f"not saved: {_quoted(event)} ({visible(str(error))})"
    advice = "toolmem could not store it: free some disk space, then repeat it."
    text = f"{_not_in_force(error)}\n{notice}\n{advice}"
    return Answer(context=text, message=text)


def delayed(event: Event, error: Exception) -> list[str]:
    """Return the lines that report a message that waits until it can be captured."""
    waits = f"{_quoted(event)} is captured as soon as the vault can be written"
    return [_not_in_force(error), waits]


def _not_in_force(error: Exception) -> str:
    reason = "no space in the vault" if _is_full(error) else visible(str(error))
    return f"toolmem: not in force yet: {reason}"


def _is_full(error: BaseException | None) -> bool:
    """Return whether a full disk, or quota, is the cause of an error."""
    while error is not None:
        name = getattr(error, "sqlite_errorname", "")
        if getattr(error, "errno", None) in _FULL or name in _STATE_FULL:
            return True
        error = error.__cause__
    return False


def _quoted(event: Event) -> str:
    quoted = visible(redact(event.prompt[:_QUOTED_CHARS]))
    return f"“{quoted}…”" if len(event.prompt) > _QUOTED_CHARS else f"“{quoted}”"


def number_waiting(vault: Vault) -> int:
    """The number of messages that wait for this vault."""

    def is_ours(document: Mapping[str, Any]) -> bool:
        return vault_of(vault, document) is not None

    return message_queue.count(vault.root, is_ours)


def claimed(vault: Vault) -> Iterator[tuple[Vault, Claim]]:
    """Claim the messages of a vault one by one, each with the vault as it saw it."""

    def is_ours(document: Mapping[str, Any]) -> bool:
        return vault_of(vault, document) is not None

    for claim in message_queue.claims(vault.root, is_ours):
        yield vault_of(vault, claim.document) or vault, claim


def vault_of(vault: Vault, message: Mapping[str, Any]) -> Vault | None:
    """The vault with the settings that a message was typed under; None if another."""
    flags, cwd = message.get("flags"), message.get("cwd")
    given = flags if isinstance(flags, dict) else {}
    try:
        root = find_in_force(
            {str(key): str(value) for key, value in given.items()},
            Path(str(cwd or vault.root)),
        )
    except (ToolmemError, ValueError):
        return None
    typed_in = Vault.open(root, vault.now).session_vault
    return typed_in if typed_in.root == vault.root else None
