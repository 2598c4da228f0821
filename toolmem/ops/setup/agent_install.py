"""Wiring an agent: our entries in its settings, and nothing else changed."""

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from toolmem.core.agents import settings_text
from toolmem.core.agents.plugin import is_our_plugin
from toolmem.core.agents.registry import wirings
from toolmem.core.agents.settings_text import Install
from toolmem.core.agents.wiring import McpEntry, Wiring, user_path
from toolmem.core.text.suggest import did_you_mean
from toolmem.errors import InvalidFileError, UsageError
from toolmem.ops.setup import activation
from toolmem.ops.setup.activation import InstallPlaces
from toolmem.store.files import outside
from toolmem.store.files.outside import Backup
from toolmem.store.warm import helpers

Block = Callable[[], str]
"""Makes the prompt block, for agents that take a text."""


class SettingsChange(NamedTuple):
    """Change of a file by installing or removing: its text before and after.

    ``action`` is ``installed``, ``unchanged``, ``removed``, ``absent`` or ``kept``
    (a file of ours that was changed); None for a text means that there is no file.
    ``note`` is what the user has to do.
    """

    agent: str
    path: Path
    action: str
    before: str | None
    after: str | None
    note: str = ""


class InstallStatus(NamedTuple):
    """State of an agent's hooks in one place: ``installed``, ``partly``, ``no``,
    ``unreadable``.

    ``todo`` is what the user must do until the agent runs hooks that are installed.
    ``warm``: they ask a helper about tool calls. ``server``: toolmem is among the
    agent's MCP servers.
    """

    agent: str
    place: str
    path: Path
    state: str
    todo: str = ""
    warm: bool = False
    server: bool = False


class _File(NamedTuple):
    """A file of an agent: with hooks, with MCP servers, or with both."""

    wiring: Wiring
    path: Path
    hooks: bool
    servers: McpEntry | None = None


def wiring_of(agent: str) -> Wiring:
    """Return the wiring of an agent; raises ``UsageError`` for an unknown one."""
    known = wirings()
    wiring = known.get(agent)
    if wiring is None:
        raise UsageError(
            f"no agent {agent!r}{did_you_mean(agent, known)} "
            f"(there are {', '.join(known)})"
        )
    return wiring


def _files(agent: str, place: str, places: InstallPlaces) -> tuple[_File, ...]:
    """Return the files of an agent, the one with hooks first."""
    wiring = wiring_of(agent)
    hooks = _File(wiring, _place(wiring, place, places), hooks=True)
    entry = wiring.mcp
    if entry is None or not (entry.project if place == "project" else entry.user):
        return (hooks,)
    path = _place(entry, place, places)
    if path == hooks.path:
        return (hooks._replace(servers=entry),)
    return hooks, _File(wiring, path, hooks=False, servers=entry)


def _place(entry: Wiring | McpEntry, place: str, places: InstallPlaces) -> Path:
    if place == "project":
        return places.project / entry.project
    return places.home / user_path(entry, places.environment)


def install(
    agent: str,
    place: str,
    places: InstallPlaces,
    block: Block,
    *,
    dry_run: bool = False,
    warm: bool = True,
    server: bool = False,
    vault: str = "",
) -> tuple[SettingsChange, ...]:
    """Install hooks, and with ``server`` the MCP server, where the agent has a place.

    ``warm`` hooks ask a helper about tool calls; ``vault`` is the path of the one that
    they work on, empty to find it at each event. Raises ``InvalidFileError`` for
    settings that cannot be read: of that file nothing is written then.
    """
    wiring = wiring_of(agent)
    if not (dry_run or wiring.shape == "section"):
        activation.remember_program()
    options = ("--vault", vault) if vault else ()
    new = Install(sys.platform, block, warm, options)
    program = _program(place) if server else ""
    files = [part for part in _files(agent, place, places) if part.hooks or server]
    return tuple(_install(file, new, program, dry_run) for file in files)


def _program(place: str) -> str:
    """Return the program of an MCP entry; a project's is on the PATH of its people."""
    link = activation.remembered_program()
    missing = shutil.which("toolmem") is None and link is not None
    return str(link) if missing and place == "user" else "toolmem"


def _install(file: _File, new: Install, program: str, dry_run: bool) -> SettingsChange:
    agent, path = file.wiring.agent, file.path
    before = outside.read_text(path)
    after = before
    if file.hooks:
        after = settings_text.installed(file.wiring, before, str(path), new)
    if file.servers and program:
        after = settings_text.with_server(
            file.servers, after, str(path), program, new.options
        )
    if after is None or before == after:
        return SettingsChange(agent, path, "unchanged", before, after)
    if not dry_run:
        outside.keep_backup(path, _backup(file, before, after))
        outside.write_text(path, after)
        helpers.end_all()
    return SettingsChange(agent, path, "installed", before, after, file.wiring.note)


def snippet(agent: str, block: Block, *, warm: bool = True) -> str:
    """Return the text for an empty settings file of an agent."""
    wiring = wiring_of(agent)
    new = Install(sys.platform, block, warm)
    return settings_text.installed(wiring, None, wiring.project, new)


def uninstall(
    agent: str, place: str, places: InstallPlaces, *, dry_run: bool = False
) -> tuple[SettingsChange, ...]:
    """Remove our entries, byte for byte if a file was not changed since."""
    return tuple(
        _uninstall(file, dry_run)
        for file in _files(agent, place, places)
        if file.hooks or outside.read_backup(file.path)
    )


def _uninstall(file: _File, dry_run: bool) -> SettingsChange:
    agent, path = file.wiring.agent, file.path
    before = outside.read_text(path)
    after = _removed(file, before)
    if before == after:
        change = SettingsChange(agent, path, "absent", before, after)
        is_own = file.wiring.shape == "plugin" and file.hooks
        return _kept(change) if is_own and before is not None else change
    if not dry_run:
        backup = outside.read_backup(path)
        if after is None:
            outside.remove(path, backup.made if backup else ())
        else:
            outside.write_text(path, after)
        outside.drop_backup(path)
        helpers.end_all()
    return SettingsChange(agent, path, "removed", before, after)


def _kept(change: SettingsChange) -> SettingsChange:
    note = (
        "the file was changed since toolmem wrote it: delete it by hand if you no "
        "longer need it"
    )
    return change._replace(action="kept", note=note)


def status(places: InstallPlaces) -> tuple[InstallStatus, ...]:
    """Return the state of every agent's hooks, in the project and for the user."""
    return tuple(
        _status(agent, place, places)
        for agent in wirings()
        for place in ("project", "user")
    )


def _status(agent: str, place: str, places: InstallPlaces) -> InstallStatus:
    files = _files(agent, place, places)
    path, todo = files[0].path, ""
    try:
        text = outside.read_text(path)
        state = settings_text.HookState("no")
        if text is not None:
            state = settings_text.state(files[0].wiring, text, str(path))
    except InvalidFileError:
        state = settings_text.HookState("unreadable")
    if state.state == "installed":
        todo = activation.missing_step(agent, place, path, places)
    server = any(map(_has_server, files))
    return InstallStatus(agent, place, path, state.state, todo, state.warm, server)


def _has_server(file: _File) -> bool:
    if file.servers is None:
        return False
    try:
        text = outside.read_text(file.path)
        return settings_text.server_in(file.servers, text, str(file.path)) is not None
    except InvalidFileError:
        return False


def installed_agents(places: InstallPlaces) -> Iterator[str]:
    """Yield the agents that this machine has: a program on PATH, or a folder of
    settings of the user."""
    path = places.environment.get("PATH")
    for agent, wiring in wirings().items():
        programs = (shutil.which(name, path=path) for name in wiring.programs)
        if any(programs) or (places.home / _folder(wiring, places)).is_dir():
            yield agent


def _folder(wiring: Wiring, places: InstallPlaces) -> Path:
    """Return the agent's own folder of the user: the first that is not shared."""
    path = Path(user_path(wiring, places.environment))
    parts = Path(wiring.user).parts
    depth = len(parts) - (2 if parts[0] == ".config" else 1)
    return path.parents[depth - 1]


def _backup(file: _File, before: str | None, after: str) -> Backup:
    """Return the file as it was before the installation, later edits of others
    then included."""
    earlier = outside.read_backup(file.path)
    if earlier is not None and earlier.after == before:
        return Backup(earlier.before, after, earlier.made)
    made = earlier.made if earlier else outside.missing_folders(file.path)
    if file.wiring.shape == "plugin" and file.hooks:
        is_own = before is not None and is_our_plugin(before)
        return Backup(None if is_own else before, after, made)
    return Backup(_removed(file, before), after, made)


def _removed(file: _File, before: str | None) -> str | None:
    """Return the text of a file without anything of ours."""
    if before is None or not before.strip():
        return before
    backup = outside.read_backup(file.path)
    if backup is not None and backup.after == before:
        return backup.before
    was = backup.before if backup else None
    path, text = str(file.path), before
    if file.hooks:
        left = settings_text.removed(file.wiring, before, was, path, sys.platform)
        if left is None:
            return None
        text = left
    if file.servers:
        return settings_text.without_server(file.servers, text, was, path)
    return text
