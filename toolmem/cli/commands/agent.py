"""``toolmem agent``: wire an agent's hooks, and unwire them."""

import difflib
import os
import shutil
from pathlib import Path
from typing import Annotated

import typer

from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit, emit_json, emit_lines, remark, table
from toolmem.cli.run import Run
from toolmem.cli.tree import command, group, run_of
from toolmem.core.agents.registry import AGENTS, HOOKED
from toolmem.errors import InvalidFileError, LostVaultError, NoVaultError, UsageError
from toolmem.ops.prompt.build import PromptRequest, build_prompt
from toolmem.ops.setup import agent_install
from toolmem.ops.setup.trust import default_vault
from toolmem.store.journal import hook_log

app = group("Hooks of agents: install, uninstall, status.")

AgentArgument = Annotated[
    str,
    typer.Argument(
        metavar="AGENT",
        help=f"{', '.join(AGENTS[:-1])} or {AGENTS[-1]}.",
    ),
]
ProjectFlag = Annotated[
    bool, typer.Option("--project", help="In this folder (the default).")
]
UserFlag = Annotated[bool, typer.Option("--user", help="For you, in every project.")]
DryRunFlag = Annotated[
    bool, typer.Option("--dry-run", help="Show the change, do not write it.")
]


@command(app, "install")
def install(
    ctx: typer.Context,
    agent: AgentArgument,
    project: ProjectFlag = False,
    user: UserFlag = False,
    dry_run: DryRunFlag = False,
    print_: Annotated[
        bool, typer.Option("--print", help="Print what goes into an empty file.")
    ] = False,
    plugin: Annotated[
        str,
        typer.Option(
            "--plugin", metavar="FOLDER", help="Write a Claude Code plugin instead."
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Install toolmem's hooks for an agent."""
    run = run_of(ctx)
    if plugin:
        if agent != "claude":
            raise UsageError("--plugin is for claude")
        written = agent_install.write_plugin(run.cwd / plugin, dry_run=dry_run)
        if as_json:
            emit_json({"files": [str(path) for path in written], "dry_run": dry_run})
        else:
            emit_lines(str(path) for path in written)
        return
    if print_:
        emit(agent_install.snippet(agent, lambda: _block(run)))
        return
    path = _path(run, agent, project, user)
    change = agent_install.install(agent, path, lambda: _block(run), dry_run=dry_run)
    _show(change, dry_run, as_json)
    _remark_vault(run, user)
    other = "project" if user else "user"
    states = {
        one.state
        for one in agent_install.status(_places(run))
        if (one.agent, one.place) == (agent, other) and one.path != path
    }
    if states - {"no"} and agent in HOOKED:
        remark(f"{agent} is wired for the {other}, too: its hooks may run twice")


def _remark_vault(run: Run, user: bool) -> None:
    """Report that the hooks will find no vault, and the command that makes one."""
    try:
        run.find()
        missing = user and not default_vault()
    except (LostVaultError, InvalidFileError) as error:
        remark(str(error))
        return
    except NoVaultError:
        missing = True
    if missing:
        where = "you have no default vault" if user else "no vault is found from here"
        command = "toolmem init --user" if user else "toolmem init"
        remark(f"{where}, so the hooks have no rules: `{command}` makes one")


@command(app, "uninstall")
def uninstall(
    ctx: typer.Context,
    agent: AgentArgument,
    project: ProjectFlag = False,
    user: UserFlag = False,
    dry_run: DryRunFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Remove toolmem's hooks from an agent's settings."""
    path = _path(run_of(ctx), agent, project, user)
    _show(agent_install.uninstall(agent, path, dry_run=dry_run), dry_run, as_json)


@command(app, "status")
def status(
    ctx: typer.Context,
    agent: Annotated[
        str, typer.Argument(metavar="AGENT", help="Only this agent.")
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Show which agents have toolmem's hooks."""
    if agent:
        agent_install.wiring_of(agent)
    found = [
        one
        for one in agent_install.status(_places(run_of(ctx)))
        if agent in ("", one.agent)
    ]
    if as_json:
        emit_json([{**one._asdict(), "path": str(one.path)} for one in found])
    else:
        emit(table((one.agent, one.place, one.state, str(one.path)) for one in found))
    trouble = hook_log.recent()
    if trouble:
        last = trouble[-1]
        remark(
            f"a hook of {last['agent']} had trouble at {last['when']} "
            f"({last['event']}): {last['error']}; {hook_log.log_path()} has all"
        )


def _block(run: Run) -> str:
    return build_prompt(run.open(), PromptRequest()).text


def _path(run: Run, agent: str, project: bool, user: bool) -> Path:
    if project and user:
        raise UsageError("--project and --user at once")
    place = "user" if user else "project"
    return agent_install.settings_path(agent, place, _places(run))


def _places(run: Run) -> agent_install.InstallPlaces:
    return agent_install.InstallPlaces(run.cwd, Path.home(), os.environ)


def _show(change: agent_install.SettingsChange, dry_run: bool, as_json: bool) -> None:
    if as_json:
        document = {
            "agent": change.agent,
            "path": str(change.path),
            "action": change.action,
            "dry_run": dry_run,
        }
        emit_json(document)
        return
    if dry_run:
        emit(_difference(change))
        return
    emit_lines([f"{change.action} {change.path}"])
    if change.note and change.action in ("installed", "kept"):
        remark(change.note)
    if change.action == "installed" and shutil.which("toolmem") is None:
        remark("toolmem is not on PATH: the agent will not find it")


def _difference(change: agent_install.SettingsChange) -> str:
    lines = difflib.unified_diff(
        (change.before or "").splitlines(),
        (change.after or "").splitlines(),
        str(change.path) if change.before is not None else "/dev/null",
        str(change.path) if change.after is not None else "/dev/null",
        lineterm="",
    )
    return "\n".join(lines)
