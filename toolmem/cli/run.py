"""Environment of one run of the program: folder, clock, ids, and the flags."""

import os
import sys
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from toolmem.api.access import Access, new_uuid
from toolmem.api.launch import Launch
from toolmem.cli.progress import terminal_progress
from toolmem.errors import StorageError, UsageError, unopened
from toolmem.store.vault.discover import VaultLocation, find_vault
from toolmem.store.vault.vault import Vault, clock

Serve = Callable[[str, Launch], int]
"""Starts the server of a name and returns its exit code when it has ended."""


def no_server(name: str, launch: Launch) -> int:
    """Refuse to serve: this run has no streams for a server."""
    del launch
    raise UsageError(f"`toolmem {name}` is a separate program: run it on its own")


class Run:
    """One run; ``vault`` is the flag ``--vault``, given before or after the verb."""

    def __init__(
        self,
        *,
        cwd: Path | None = None,
        now: Callable[[], datetime] = clock,
        new_id: Callable[[], str] = new_uuid,
        vault: str = "",
        serve: Serve = no_server,
    ) -> None:
        self.cwd = cwd or _working_folder()
        self.now = now
        self.new_id = new_id
        self.vault = vault
        self.serve = serve

    def find(
        self, project: str = "", agent_type: str = "", agent: str = ""
    ) -> VaultLocation:
        """Find the vault and the settings for these flags."""
        flags = {
            "vault": self.vault,
            "project": project,
            "agent_type": agent_type,
            "agent": agent,
        }
        return find_vault(flags, self.cwd)

    def open(self, project: str = "", agent_type: str = "", agent: str = "") -> Vault:
        """Open the vault for these flags, for a separate operation."""
        vault = Vault.open(self.find(project, agent_type, agent), self.now())
        return vault._replace(progress=terminal_progress())

    def access_for(
        self, project: str = "", agent_type: str = "", agent: str = ""
    ) -> Access:
        """Return a function that opens the vault for these flags."""
        flags, progress = {"vault": self.vault}, terminal_progress()
        access = Access(flags, self.cwd, self.now, self.new_id, progress=progress)
        return access.narrowed(project=project, agent_type=agent_type, agent=agent)


def _working_folder() -> Path:
    """Return the working folder, or its former path if it was deleted."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path(os.environ.get("PWD") or os.sep)


def file_text(folder: Path, name: str) -> str:
    """Return the text of a file that the user named, relative to a folder.

    Raises ``NotFoundError`` or ``StorageError``.
    """
    try:
        data = (folder / Path(name).expanduser()).read_bytes()
    except OSError as error:
        raise unopened(name, error) from error
    except ValueError as error:  # a NUL
        raise StorageError(f"{name}: cannot be read: {error}") from error
    return data.decode("utf-8", "replace")


def text_or_stdin(text: str, what: str) -> str:
    """The text itself, or standard input for ``-``."""
    if text != "-":
        return text
    try:
        data = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError("standard input is not UTF-8 text") from error
    if not data.strip():
        raise UsageError(f"no {what} on standard input")
    return data


def pairs_of(words: Iterable[str], option: str) -> dict[str, str]:
    """The table that several ``KEY=VALUE`` make. Raises ``UsageError``."""
    pairs = [word.partition("=") for word in words]
    for key, equals, _ in pairs:
        if not key or not equals:
            raise UsageError(f"{option} needs KEY=VALUE, found {key!r}")
    return {key: value for key, _, value in pairs}
