"""``toolmem setup``: hooks, MCP servers and a vault for the agents of a machine."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer

from toolmem.cli.options import local
from toolmem.cli.output import aside, emit_json, emit_table, print_notice
from toolmem.cli.run import Run
from toolmem.cli.tree import Exit
from toolmem.errors import NoVaultError, UsageError
from toolmem.ops.prompt.build import PromptRequest, build_prompt
from toolmem.ops.setup import machine
from toolmem.ops.setup.activation import InstallPlaces
from toolmem.ops.setup.agent_install import installed_agents
from toolmem.ops.setup.machine import SetupRow
from toolmem.ops.setup.trust import default_vault, settings_of_person
from toolmem.store.git.repo import Repo

_HEADS = ("AGENT", "HOOKS", "MCP", "TRIAL")
_NO_SERVER = "the MCP server is not installed: it needs the extra `mcp` of the package"


@local("setup")
def setup_command(
    run: Run,
    *,
    yes: bool = False,
    agents: str = "",
    project: bool = False,
    remove: bool = False,
    as_json: bool = False,
) -> None:
    """Set up your agents: a vault, hooks and MCP servers.

    Each is tried. Run again, it repairs what is missing.
    """
    settings_of_person("change the hooks of agents")
    place = "project" if project else "user"
    places = _places(run, project)
    if remove:
        named = machine.agents_set_up(place, places)
        chosen = machine.chosen_agents(agents, places) if agents else named
    else:
        chosen = machine.chosen_agents(agents, places)
    if not (yes or _agrees(chosen, remove, places.project if project else None)):
        raise Exit(1)
    if remove:
        _show(list(machine.take_down(chosen, place, places)), as_json)
        return
    _show(_set_up(run, chosen, place, places), as_json)


def offer_setup(run: Run, *, user: bool) -> None:
    """Ask at a terminal whether the agents shall be set up for a new vault."""
    places = _places(run, not user)
    agents = tuple(installed_agents(places))
    if agents and _agrees(agents, False, None if user else places.project):
        place = "user" if user else "project"
        _show(_set_up(run, agents, place, places), as_json=False)


def _places(run: Run, project: bool) -> InstallPlaces:
    repo = Repo.find(run.cwd) if project else None
    return InstallPlaces.of(repo.top if repo else run.cwd)


def _agrees(agents: Sequence[str], remove: bool, project: Path | None) -> bool:
    """Ask the person at the terminal; raises ``UsageError`` where there is none."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("there is no terminal to ask at: repeat this with --yes")
    verb = "Remove toolmem from" if remove else "Set up toolmem for"
    where = f"the project {project}" if project else "your user settings"
    question = f"{verb} {', '.join(agents) or 'no agent'} in {where}?"
    return typer.confirm(question, default=True, err=True)


def _set_up(
    run: Run, agents: Sequence[str], place: str, places: InstallPlaces
) -> list[SetupRow]:
    vault = _vault(run, place, places)
    print_notice(f"the vault is {vault}")
    opened = run.open()

    def block() -> str:
        return build_prompt(opened, PromptRequest()).text

    rows = machine.set_up(agents, place, places, opened, block)
    return list(_reported(rows))


def _vault(run: Run, place: str, places: InstallPlaces) -> str:
    """Return the vault of the hooks; it is made if there is none."""
    if place == "user":
        made = machine.make_vault(place, places.project)
        return str(made.root) if made else default_vault()
    try:
        return str(run.find().root)
    except NoVaultError:
        made = machine.make_vault(place, places.project)
        return str(made.root) if made else ""


def _reported(rows: Iterator[SetupRow]) -> Iterator[SetupRow]:
    """Yield the rows; at a terminal, say what is done while it is done."""
    for row in rows:
        if sys.stderr.isatty():
            aside(f"{row.agent} …")
        yield row


def _show(rows: Sequence[SetupRow], as_json: bool) -> None:
    if as_json:
        emit_json([row._asdict() for row in rows])
    else:
        emit_table(
            ((row.agent, row.hooks, row.server, row.trial or "-") for row in rows),
            _HEADS,
        )
        for row in rows:
            if row.todo:
                print_notice(f"{row.agent}: {row.todo}")
        if not machine.has_server() and any(row.hooks != "removed" for row in rows):
            print_notice(_NO_SERVER)
    if any(row.hooks == "failed" for row in rows):
        raise Exit(1)
