"""Launch of a server, and the bounds that it sets for requests."""

from pathlib import Path
from typing import NamedTuple

from toolmem.api.access import NAMES, Access, Bounds, Queries, new_uuid
from toolmem.api.vault import Vault
from toolmem.core.names import clean_name
from toolmem.ops.session import repair_state as local_state
from toolmem.store.index.warm import WarmIndexes
from toolmem.store.vault.discover import VaultLocation
from toolmem.store.vault.vault import clock


class Launch(NamedTuple):
    """Flags that a server was started with, and the folder."""

    cwd: Path
    vault: str = ""
    project: str = ""
    agent_type: str = ""
    agent: str = ""
    read_only: bool = False


AGENT = "mcp"
"""Owner of rules by an agent without a name."""


def launched(launch: Launch, *, by_agent: bool) -> Vault:
    """Return the vault for the requests of a server, within the launch's bounds.

    Flags and the environment apply to all requests; a pointer's settings are their
    defaults. ``by_agent``: a model sends them, so that other agents' scopes are not
    visible, and items they write are marked. Raises ``NoVaultError`` and
    ``InvalidFileError``.
    """
    access = _access(launch)
    location = access.find()
    bounds = Bounds(
        **{name: _fixed(location, name) for name in NAMES},
        read_only=launch.read_only,
        own=by_agent,
        served=True,
        author=AGENT if by_agent else "",
        search_tool="memory_recall" if by_agent else "",
    )
    return Vault(access._replace(bounds=bounds, warm=WarmIndexes()))


def repaired(launch: Launch) -> tuple[str, ...]:
    """Replace damaged local state; return remarks about it.

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


def _fixed(location: VaultLocation, name: str) -> str | None:
    value = location.settings[name]
    text = location.text(name)
    explicit = value.origin == "flag" or value.origin.startswith("$")
    # An agent is never another one, whatever the source of its name.
    return clean_name(text) if text and (explicit or name == "agent") else None
