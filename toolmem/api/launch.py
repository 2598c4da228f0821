"""How a server is started, and what its requests may therefore not do."""

from pathlib import Path
from typing import NamedTuple

from toolmem.api.access import NAMES, Access, Bounds, Queries, clock, new_uuid
from toolmem.api.vault import Vault
from toolmem.core.names import clean_name
from toolmem.ops.session import repair_state as local_state
from toolmem.store.vault.discover import VaultLocation


class Launch(NamedTuple):
    """The flags that a server was started with, and the folder."""

    cwd: Path
    vault: str = ""
    project: str = ""
    agent_type: str = ""
    agent: str = ""
    read_only: bool = False


AGENT = "mcp"
"""Whose rules they are when an agent that has no name puts them."""


def launched(launch: Launch, *, by_agent: bool) -> Vault:
    """The vault for the requests of a server; they cannot go beyond the launch.

    What a flag or the environment says holds for all of them; what a pointer says
    is where they begin. ``by_agent``: a model sends them, so that other agents'
    scopes are not theirs, and what they write is marked. Raises ``NoVaultError``
    and ``InvalidFileError``.
    """
    access = _access(launch)
    found = access.find()
    bounds = Bounds(
        **{name: _fixed(found, name) for name in NAMES},
        read_only=launch.read_only,
        own=by_agent,
        served=True,
        author=AGENT if by_agent else "",
        search_tool="memory_recall" if by_agent else "",
    )
    return Vault(access._replace(bounds=bounds))


def repaired(launch: Launch) -> tuple[str, ...]:
    """Begin damaged local state anew; what is to be told about it.

    Raises as ``launched`` does.
    """
    return local_state.repair_if_possible(_access(launch).find().root)


def _access(launch: Launch) -> Access:
    flags = {
        "vault": launch.vault,
        "project": launch.project,
        "agent_type": launch.agent_type,
        "agent": launch.agent,
    }
    return Access(flags, launch.cwd, clock, new_uuid, queries=Queries())


def _fixed(found: VaultLocation, name: str) -> str | None:
    value = found.settings[name]
    text = found.text(name)
    explicit = value.origin == "flag" or value.origin.startswith("$")
    # An agent is never somebody else, whoever says who it is.
    return clean_name(text) if text and (explicit or name == "agent") else None
