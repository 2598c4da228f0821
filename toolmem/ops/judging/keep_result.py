"""The answer of a ``rule keep`` that a hook carried out, for the command to report.

An agent's sandbox may forbid its commands to write to the vault, so the hook that
sees the command writes, outside the sandbox, and leaves the answer in local state.
"""

import time
from collections.abc import Mapping
from typing import Any
from zlib import crc32

from toolmem.core.candidates.command import KeepCommand
from toolmem.store.journal import journal
from toolmem.store.vault.vault import Vault

_SECONDS = 120
"""Maximum age of an answer: a command runs soon after its hook."""


def leave_result(
    vault: Vault, command: KeepCommand, document: Mapping[str, Any]
) -> None:
    """Leave the answer to a command. Raises ``StorageError``."""
    name = _name(command)
    journal.forget(journal.take(vault.root, name))
    line = {"at": time.time(), "command": _key(command), "document": document}
    journal.append(vault.root, name, line)


def find_result(vault: Vault, command: KeepCommand) -> Mapping[str, Any] | None:
    """Return the answer that a hook left to this command; None without one."""
    oldest = time.time() - _SECONDS
    for line in reversed(journal.read(vault.root, _name(command))):
        at, document = line.get("at"), line.get("document")
        fresh = isinstance(at, int | float) and at >= oldest
        if fresh and line.get("command") == _key(command):
            return document if isinstance(document, dict) else None
    return None


def _key(command: KeepCommand) -> list[Any]:
    return [
        list(v) if isinstance(v, tuple) else v for v in command._replace(json=False)
    ]


def _name(command: KeepCommand) -> str:
    return f"0.kept-{crc32(repr(_key(command)).encode()):08x}"
