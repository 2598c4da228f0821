"""Wiring an agent: our entries in its settings, and nothing else changed."""

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from toolmem.core.agents import settings_text
from toolmem.core.agents.registry import agent_of, wirings
from toolmem.core.agents.settings_text import Install
from toolmem.core.agents.wiring import McpEntry, Wiring
from toolmem.errors import InvalidFileError
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
    """A file of an agent: with hooks, with MCP servers, or with both.

    ``event`` is that of a file with the hook of one event, None without hooks.
    """

    wiring: Wiring
    path: Path
    event: str | None = ""
    servers: McpEntry | None = None

    @property
    def hooks(self) -> bool:
        """Whether the file has hooks, or the block."""
        return self.event is not None

    @property
    def is_ours_alone(self) -> bool:
        """Whether toolmem writes the whole file."""
        return self.hooks and self.wiring.shape in ("plugin", "scripts")


def wiring_of(agent: str) -> Wiring:
    """Return the wiring of an agent; raises ``UsageError`` for an unknown one."""
    return agent_of(agent).wiring


def _files(agent: str, place: str, places: InstallPlaces) -> tuple[_File, ...]:
    """Return the files of an agent, the one with hooks first."""
    wiring = wiring_of(agent)
    path = places.path(place, wiring)
    names = wiring.events if wiring.shape == "scripts" else ("",)
    files = [_File(wiring, path / event, event) for event in names]
    if wiring.block is not None:
        section = wiring._replace(shape="section")
        files.append(_File(section, places.path(place, wiring.block)))
    entry = wiring.mcp
    if entry is None or not (entry.project if place == "project" else entry.user):
        return tuple(files)
    served = places.path(place, entry)
    if served == path:
        return (files[0]._replace(servers=entry), *files[1:])
    return (*files, _File(wiring, served, None, servers=entry))


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
        one = new._replace(event=file.event or "")
        after = settings_text.installed(file.wiring, before, str(path), one)
    if file.servers and program:
        after = settings_text.with_server(
            file.servers, after, str(path), program, new.options
        )
    if after is None or before == after:
        return SettingsChange(agent, path, "unchanged", before, after)
    if not dry_run:
        outside.keep_backup(path, _backup(file, before, after))
        outside.write_text(path, after, program=file.wiring.shape == "scripts")
        helpers.end_all()
    return SettingsChange(agent, path, "installed", before, after, file.wiring.note)


def snippet(agent: str, block: Block, *, warm: bool = True) -> str:
    """Return the text for an empty settings file of an agent."""
    wiring = wiring_of(agent)
    event = wiring.events[0] if wiring.shape == "scripts" else ""
    new = Install(sys.platform, block, warm, event=event)
    return settings_text.installed(wiring, None, wiring.project, new)


def uninstall(
    agent: str, place: str, places: InstallPlaces, *, dry_run: bool = False
) -> tuple[SettingsChange, ...]:
    """Remove our entries, byte for byte if a file was not changed since.

    The last file goes first: folders that installing made are those of the first.
    """
    files = _files(agent, place, places)
    chosen = [file for file in files if file.hooks or outside.read_backup(file.path)]
    changes = [_uninstall(file, dry_run) for file in reversed(chosen)]
    return tuple(reversed(changes))


def _uninstall(file: _File, dry_run: bool) -> SettingsChange:
    agent, path = file.wiring.agent, file.path
    before = outside.read_text(path)
    after = _removed(file, before)
    if before == after:
        change = SettingsChange(agent, path, "absent", before, after)
        return _kept(change) if file.is_ours_alone and before is not None else change
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
    states = [_state(file) for file in files if file.hooks]
    state = states[0]
    if any(other.state != state.state for other in states):
        unread = any(other.state == "unreadable" for other in states)
        state = state._replace(state="unreadable" if unread else "partly")
    if state.state == "installed":
        todo = activation.missing_step(agent, place, path, places)
    server = any(map(_has_server, files))
    return InstallStatus(agent, place, path, state.state, todo, state.warm, server)


def _state(file: _File) -> settings_text.HookState:
    try:
        text = outside.read_text(file.path)
        if text is None:
            return settings_text.HookState("no")
        event = file.event or ""
        return settings_text.state(file.wiring, text, str(file.path), event)
    except InvalidFileError:
        return settings_text.HookState("unreadable")


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
        if any(programs) or activation.own_folder(wiring, places).is_dir():
            yield agent


def _backup(file: _File, before: str | None, after: str) -> Backup:
    """Return the file as it was before the installation, later edits of others
    then included."""
    earlier = outside.read_backup(file.path)
    if earlier is not None and earlier.after == before:
        return Backup(earlier.before, after, earlier.made)
    made = earlier.made if earlier else outside.missing_folders(file.path)
    if file.is_ours_alone:
        is_own = before is not None and settings_text.is_ours(before)
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
        left = settings_text.removed(
            file.wiring, before, was, path, sys.platform, file.event or ""
        )
        if left is None:
            return None
        text = left
    if file.servers:
        return settings_text.without_server(file.servers, text, was, path)
    return text
