"""Set up the agents of a machine or of a project: hooks, MCP server, a trial."""

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from toolmem.core.agents.registry import hooked
from toolmem.errors import ToolmemError, UsageError
from toolmem.ops.setup import agent_install, agent_test, trust
from toolmem.ops.setup.activation import InstallPlaces
from toolmem.ops.setup.agent_install import SettingsChange, installed_agents
from toolmem.ops.setup.init import InitResult, init_user_vault, init_vault
from toolmem.store.files import outside
from toolmem.store.vault.vault import Vault

PROJECT_VAULT = "team-vault"
"""Folder of a vault that is made for a repository."""
_SERVES = "mcp"
"""Package that serves the Model Context Protocol, of the extra of the same name."""


class SetupRow(NamedTuple):
    """Result for one agent.

    ``hooks`` is ``installed``, ``unchanged``, ``removed``, ``absent``, ``kept``,
    ``failed`` or ``text`` (it reads the rules, its calls are not checked), ``server``
    the same for its MCP server, or ``no``. ``trial`` says whether the hooks work, and
    is empty where none were tried. ``todo`` is what the user must still do, or why it
    failed. ``files`` were looked at.
    """

    agent: str
    hooks: str
    server: str = "no"
    trial: str = ""
    todo: str = ""
    files: tuple[str, ...] = ()


def chosen_agents(names: str, places: InstallPlaces) -> tuple[str, ...]:
    """Return the agents of a list with commas, by default those that are installed.

    Raises ``UsageError`` for an unknown one, and where none is installed.
    """
    if names:
        listed = tuple(filter(None, (name.strip() for name in names.split(","))))
        for name in listed:
            agent_install.wiring_of(name)
        return tuple(dict.fromkeys(listed))
    agents = tuple(installed_agents(places))
    if not agents:
        raise UsageError("no agent is installed here: name it with --agents NAME")
    return agents


def agents_set_up(place: str, places: InstallPlaces) -> tuple[str, ...]:
    """Return the agents that have something of toolmem's in a place."""
    return tuple(
        wiring.agent
        for wiring in agent_install.status(places)
        if wiring.place == place
        and (wiring.state != "no" or wiring.server or outside.read_backup(wiring.path))
    )


def has_server() -> bool:
    """Return whether ``toolmem mcp`` can run."""
    return importlib.util.find_spec(_SERVES) is not None


def make_vault(place: str, project: Path) -> InitResult | None:
    """Make the user's default vault, or that of a project, unless there is one."""
    if place == "user":
        return None if trust.default_vault() else init_user_vault(None)
    made = init_vault(project / PROJECT_VAULT)
    if made.default:
        trust.trust(made.root)
    return made


def set_up(
    agents: Sequence[str],
    place: str,
    places: InstallPlaces,
    vault: Vault,
    block: Callable[[], str],
) -> Iterator[SetupRow]:
    """Install and try the hooks of each agent; one that fails stops no other."""
    server = has_server()
    for agent in agents:
        try:
            changes = agent_install.install(agent, place, places, block, server=server)
            yield _tried(_row(agent, place, places, changes), vault)
        except ToolmemError as error:
            yield SetupRow(agent, "failed", todo=str(error))


def take_down(
    agents: Sequence[str], place: str, places: InstallPlaces
) -> Iterator[SetupRow]:
    """Remove what was installed for each agent; its files are as they were."""
    for agent in agents:
        try:
            changes = agent_install.uninstall(agent, place, places)
            yield _row(agent, place, places, changes)
        except ToolmemError as error:
            yield SetupRow(agent, "failed", todo=str(error))


def _row(
    agent: str,
    place: str,
    places: InstallPlaces,
    changes: Sequence[SettingsChange],
) -> SetupRow:
    state = next(
        wiring
        for wiring in agent_install.status(places)
        if (wiring.agent, wiring.place) == (agent, place)
    )
    hooks = changes[0].action
    is_served = agent_install.wiring_of(agent).mcp and hooks == "removed"
    server = changes[-1].action if state.server or is_served else "no"
    note = changes[0].note if hooks in ("installed", "kept") else ""
    files = tuple(str(change.path) for change in changes)
    return SetupRow(agent, hooks, server, "", state.todo or note, files)


def _tried(row: SetupRow, vault: Vault) -> SetupRow:
    if row.agent not in hooked():
        return row._replace(hooks="text")
    trials = agent_test.try_wiring(row.agent, vault, warm=True)
    wrong = [trial for trial in trials if trial.error]
    if wrong and all(trial.slow for trial in wrong):
        return row._replace(trial="no answer in time: the machine is busy")
    return row._replace(trial=wrong[0].error if wrong else "a call was denied")
