"""``toolmem agent``: install and remove the hooks of an agent."""

import difflib
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from toolmem.cli.options import local
from toolmem.cli.output import emit, emit_json, emit_lines, emit_table, print_notice
from toolmem.cli.run import Run
from toolmem.cli.tree import Exit, group
from toolmem.core.agents.registry import hooked
from toolmem.core.shown import counted
from toolmem.errors import (
    InvalidFileError,
    LostVaultError,
    NotFoundError,
    NoVaultError,
    ToolmemError,
    UsageError,
)
from toolmem.ops.prompt import build
from toolmem.ops.setup import activation, agent_install, agent_test, trust
from toolmem.ops.setup.activation import InstallPlaces, is_switched_off
from toolmem.store.journal import hook_log
from toolmem.store.warm import helpers

group("agent", "Hooks of agents: install, uninstall, status.")


@local("agent.install")
def install(
    run: Run,
    agent: str,
    *,
    project: bool = False,
    user: bool = False,
    dry_run: bool = False,
    print_: bool = False,
    no_warm: bool = False,
    mcp: bool = False,
    as_json: bool = False,
) -> None:
    """Install toolmem's hooks for an agent."""
    warm = not no_warm
    if print_:
        emit(agent_install.snippet(agent, lambda: _block(run), warm=warm))
        return
    trust.settings_of_person("change the hooks of agents")
    place = _place(project, user)
    changes = agent_install.install(
        agent,
        place,
        InstallPlaces.of(run.cwd),
        lambda: _block(run),
        dry_run=dry_run,
        warm=warm,
        server=mcp,
        vault=str((run.cwd / run.vault).resolve()) if run.vault else "",
    )
    change = changes[0]
    todo = _todo(run, agent, change.path)
    _show(changes, dry_run, as_json, todo)
    _remark_vault(run, user)
    _remark_second(run, change, user, warm)
    if todo and not (dry_run or as_json):
        print_notice(f"{agent}: {todo}")
    is_new = change.action == "installed" and not (dry_run or as_json)
    if is_new and not is_switched_off(todo):
        _check_wiring(run, agent, warm)


def _remark_second(
    run: Run, change: agent_install.SettingsChange, user: bool, warm: bool
) -> None:
    """Report hooks in the agent's other place that are run, too."""
    agent, other = change.agent, "project" if user else "user"
    wiring = agent_install.wiring_of(agent)
    if agent in hooked() and any(
        hook.state != "no" and (wiring.twice or hook.warm != warm)
        for hook in agent_install.status(InstallPlaces.of(run.cwd))
        if (hook.agent, hook.place) == (agent, other) and hook.path != change.path
    ):
        print_notice(f"{agent} has hooks for the {other}, too: they may run twice")


def _todo(run: Run, agent: str, path: Path) -> str:
    """Return what the user must do until the agent runs the hooks."""
    hooks = agent_install.status(InstallPlaces.of(run.cwd))
    todos = (hook.todo for hook in hooks if (hook.agent, hook.path) == (agent, path))
    return next(todos, "")


def _check_wiring(run: Run, agent: str, warm: bool) -> None:
    """Try what was installed, where there is a vault and toolmem can be found."""
    if agent not in hooked() or shutil.which("toolmem") is None:
        return
    try:
        vault = run.open()
    except ToolmemError:
        return  # reported already
    trials = agent_test.try_wiring(agent, vault, warm=warm)
    wrong = [trial for trial in trials if trial.error]
    for trial in wrong:
        print_notice(f"{trial.event}: {trial.error}")
    step = f"`toolmem agent test {agent}` shows it"
    outcome = "do not work" if wrong else "work"
    if wrong and all(trial.slow for trial in wrong):
        outcome = "may work: no answer came in time"
    print_notice(f"the hooks {outcome}: {step}")


@local("agent.test")
def try_hooks(
    run: Run,
    agent: str,
    *,
    project: bool = False,
    user: bool = False,
    as_json: bool = False,
) -> None:
    """Try an agent's installed hooks on sample events.

    Runs the commands that the agent runs, on a copy of the vault, and prints what
    the model would read, which call is denied and what is captured. Exits with 1
    if something does not work.
    """
    place = _place(project, user)
    agent_install.wiring_of(agent)
    hooks = [
        hook
        for hook in agent_install.status(InstallPlaces.of(run.cwd))
        if hook.agent == agent and (hook.place == place or not (project or user))
    ]
    states = {hook.state for hook in hooks}
    if "installed" not in states:
        lack = "only partly" if "partly" in states else "not"
        flag = " --user" if user else ""
        step = f"`toolmem agent install {agent}{flag}`"
        raise NotFoundError(f"the hooks of {agent} are {lack} installed: run {step}")
    warm = any(hook.warm for hook in hooks if hook.state == "installed")
    trials = agent_test.try_wiring(agent, run.open(), warm=warm)
    for todo in {hook.todo for hook in hooks if hook.todo}:
        print_notice(f"{agent}: {todo}")
    if as_json:
        emit_json([trial._asdict() for trial in trials])
    else:
        emit_lines(line for trial in trials for line in _trial_lines(trial))
    if any(trial.error for trial in trials):
        raise Exit(1)


def _remark_vault(run: Run, user: bool) -> None:
    """Report that the hooks will find no vault, and the command that makes one."""
    try:
        run.find()
        missing = user and not trust.default_vault()
    except (LostVaultError, InvalidFileError) as error:
        print_notice(str(error))
        return
    except NoVaultError:
        missing = True
    if missing:
        where = "you have no default vault" if user else "no vault is found from here"
        command = "toolmem init --user" if user else "toolmem init"
        print_notice(f"{where}, so the hooks have no rules: `{command}` creates one")


@local("agent.uninstall")
def uninstall(
    run: Run,
    agent: str,
    *,
    project: bool = False,
    user: bool = False,
    dry_run: bool = False,
    as_json: bool = False,
) -> None:
    """Remove toolmem's hooks from an agent's settings."""
    trust.settings_of_person("change the hooks of agents")
    place, places = _place(project, user), InstallPlaces.of(run.cwd)
    changes = agent_install.uninstall(agent, place, places, dry_run=dry_run)
    _show(changes, dry_run, as_json)


@local("agent.status")
def status(
    run: Run, agent: str = "", *, all: bool = False, as_json: bool = False
) -> None:
    """Show which agents have toolmem's hooks."""
    if agent:
        agent_install.wiring_of(agent)
    hooks = [
        hook
        for hook in agent_install.status(InstallPlaces.of(run.cwd))
        if agent in ("", hook.agent)
    ]
    if as_json:
        emit_json([{**hook._asdict(), "path": str(hook.path)} for hook in hooks])
    else:
        if not (all or agent):
            hooks = _of_interest(hooks, InstallPlaces.of(run.cwd))
        rows = (
            (hook.agent, hook.place, _state(hook), str(hook.path)) for hook in hooks
        )
        emit_table(rows, ("AGENT", "PLACE", "STATE", "FILE"))
        if any(hook.warm for hook in hooks):
            _remark_helpers()
        for hook in hooks:
            if hook.todo:
                print_notice(f"{hook.agent} ({hook.place}): {hook.todo}")
    trouble = hook_log.recent()
    if trouble:
        last = trouble[-1]
        print_notice(
            f"a hook failed {hook_log.where_and_when(last)}: {last['error']}; "
            f"{hook_log.log_path()} has all"
        )


def _of_interest(
    hooks: Sequence[agent_install.InstallStatus], places: InstallPlaces
) -> list[agent_install.InstallStatus]:
    """Return what concerns agents that are installed or wired; say how many do not."""
    there = {hook.agent for hook in hooks if hook.state != "no"}
    there |= {*agent_install.installed_agents(places)}
    listed = [hook for hook in hooks if hook.agent in there]
    if left := len({hook.agent for hook in hooks} - there):
        print_notice(f"{counted(left, 'agent')} not installed: --all lists them")
    return listed


def _state(status: agent_install.InstallStatus) -> str:
    warm = ", warm" if status.warm else ""
    off = ", switched off" if is_switched_off(status.todo) else ""
    return f"{status.state}{warm}{off}"


def _remark_helpers() -> None:
    if not helpers.is_available():
        print_notice("no helper can be asked here: the hooks of tool calls run cold")
        return
    running = list(helpers.running())
    for helper in running:
        if helper.process:
            print_notice(f"a helper answers (process {helper.process})")
        else:
            print_notice(f"a helper does not answer ({helpers.folder()}/{helper.name})")
    if not running:
        print_notice("no helper runs: the next event of a session starts one")


def _block(run: Run) -> str:
    return build.build_prompt(run.open(), build.PromptRequest()).text


def _place(project: bool, user: bool) -> str:
    if project and user:
        raise UsageError("--project and --user exclude each other")
    return "user" if user else "project"


def _show(
    changes: Sequence[agent_install.SettingsChange],
    dry_run: bool,
    as_json: bool,
    todo: str = "",
) -> None:
    """Print the changes; the first is that of the file with hooks."""
    change = changes[0]
    if as_json:
        document = {
            "agent": change.agent,
            "path": str(change.path),
            "action": change.action,
            "dry_run": dry_run,
            "todo": todo,
            "files": [{"path": str(c.path), "action": c.action} for c in changes],
        }
        emit_json(document)
        return
    if dry_run:
        emit_lines(line for edit in changes for line in _difference(edit))
        return
    emit_lines(f"{edit.action} {edit.path}" for edit in changes)
    if change.note and change.action in ("installed", "kept"):
        print_notice(change.note)
    if change.action == "installed" and shutil.which("toolmem") is None:
        link = activation.remembered_program()
        print_notice(
            f"toolmem is not on PATH: the hooks run {link}"
            if link
            else "toolmem is not on PATH: the agent cannot find it"
        )


def _trial_lines(trial: "agent_test.Trial") -> Iterator[str]:
    """Return the results of a trial event, a line each."""
    lines = [f"failed: {trial.error}"] if trial.error else []
    if trial.shown:
        first = trial.shown.strip().splitlines()[0]
        lines.append(f"shown to the model: {len(trial.shown)} characters: {first}")
    if trial.message:
        lines.append(f"shown to the user: {trial.message.splitlines()[0]}")
    if trial.denied:
        lines.append(f"denied: {trial.denied}")
    printed = "\n".join(lines)
    lines += [f"captured: {rule}" for rule in trial.captured if rule not in printed]
    for number, text in enumerate(lines or ["nothing to say"]):
        yield f"{'' if number else trial.event:20} {text}"


def _difference(change: agent_install.SettingsChange) -> Iterator[str]:
    """Yield the change of a file as lines of a unified diff."""
    return difflib.unified_diff(
        (change.before or "").splitlines(),
        (change.after or "").splitlines(),
        str(change.path) if change.before is not None else "/dev/null",
        str(change.path) if change.after is not None else "/dev/null",
        lineterm="",
    )
