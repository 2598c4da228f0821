"""Wiring an agent: our entries in its settings, and nothing else changed."""

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from toolmem.core.agents.hook_command import HookCommand, calls_us, is_warm
from toolmem.core.agents.plugin import plugin_options
from toolmem.core.agents.wiring import (
    WIRINGS,
    Wiring,
    WiringEntry,
    claude_plugin,
    has_handler,
    installed_options,
)
from toolmem.core.formats.json_edit import (
    append_item,
    read_json,
    remove_items,
    remove_key,
    set_value,
    value_of,
)
from toolmem.core.text.marked import has_section, put_section, take_section
from toolmem.core.text.suggest import did_you_mean
from toolmem.errors import ExistsError, InvalidFileError, UsageError
from toolmem.ops.setup import activation, program_link
from toolmem.ops.setup.activation import InstallPlaces
from toolmem.store.files import outside
from toolmem.store.files.outside import Backup
from toolmem.store.warm import helpers


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
    ``warm``: they ask a helper about tool calls.
    """

    agent: str
    place: str
    path: Path
    state: str
    todo: str = ""
    warm: bool = False


def wiring_of(agent: str) -> Wiring:
    """Return the wiring of an agent; raises ``UsageError`` for an unknown one."""
    wiring = WIRINGS.get(agent)
    if wiring is None:
        raise UsageError(
            f"no agent {agent!r}{did_you_mean(agent, WIRINGS)} "
            f"(there are {', '.join(WIRINGS)})"
        )
    return wiring


def settings_path(agent: str, place: str, places: InstallPlaces) -> Path:
    """The file of an agent for the ``project`` or the ``user``."""
    wiring = wiring_of(agent)
    if place == "project":
        return places.project / wiring.project
    return places.home / wiring.user_path(places.environment)


def install(
    agent: str,
    path: Path,
    block: Callable[[], str],
    *,
    dry_run: bool,
    warm: bool = True,
) -> SettingsChange:
    """Install hooks; ``block`` makes the prompt for agents that take a text.

    ``warm`` hooks ask a helper about tool calls. Raises ``InvalidFileError`` for
    settings that cannot be read: nothing is written then.
    """
    wiring = wiring_of(agent)
    before = outside.read_text(path)
    after = _installed(agent, before, path, block, warm)
    if not (dry_run or wiring.section):
        program_link.remember_program()
    action = "unchanged" if before == after else "installed"
    if action == "installed" and not dry_run:
        outside.keep_backup(path, _backup(agent, path, before, after))
        outside.write_text(path, after)
        helpers.end_all()
    return SettingsChange(agent, path, action, before, after, wiring.note)


def snippet(agent: str, block: Callable[[], str], *, warm: bool = True) -> str:
    """Return the text for an empty settings file of an agent."""
    wiring = wiring_of(agent)
    return _installed(agent, None, Path(wiring.project), block, warm)


def uninstall(agent: str, path: Path, *, dry_run: bool) -> SettingsChange:
    """Remove our entries, byte for byte if the file was not changed since."""
    wiring = wiring_of(agent)
    before = outside.read_text(path)
    after = _uninstalled(agent, before, path)
    if before == after:
        return _nothing_removed(
            wiring, SettingsChange(agent, path, "absent", before, after)
        )
    if not dry_run:
        backup = outside.read_backup(path)
        if after is None:
            outside.remove(path, backup.made if backup else ())
        else:
            outside.write_text(path, after)
        outside.drop_backup(path)
        helpers.end_all()
    return SettingsChange(agent, path, "removed", before, after)


def _nothing_removed(wiring: Wiring, change: SettingsChange) -> SettingsChange:
    if not wiring.whole or change.before is None:
        return change
    note = (
        "the file was changed since toolmem wrote it: delete it by hand if you no "
        "longer need it"
    )
    return change._replace(action="kept", note=note)


def status(places: InstallPlaces) -> tuple[InstallStatus, ...]:
    """Return the state of every agent's hooks, in the project and for the user."""
    found = []
    for agent in WIRINGS:
        for place in ("project", "user"):
            path = settings_path(agent, place, places)
            (state, warm), todo = _state(agent, path), ""
            if state == "installed":
                todo = activation.missing_step(agent, place, path, places)
            found.append(InstallStatus(agent, place, path, state, todo, warm))
    return tuple(found)


def write_plugin(folder: Path, *, dry_run: bool, warm: bool) -> tuple[Path, ...]:
    """Write a Claude Code plugin into a folder, never over other files; its files."""
    files = claude_plugin(warm=warm)
    for name, text in files.items():
        present = outside.read_text(folder / name)
        if present is not None and present != text:
            raise ExistsError(f"{folder / name} exists and was not written by toolmem")
    for name, text in files.items():
        if not dry_run:
            outside.write_text(folder / name, text)
    return tuple(folder / name for name in files)


def _installed(
    agent: str, before: str | None, path: Path, block: Callable[[], str], warm: bool
) -> str:
    wiring = wiring_of(agent)
    if wiring.section:
        return put_section(before or "", block(), str(path))
    command = _command(agent, before, path)._replace(warm=warm)
    if wiring.whole:
        whole = wiring.whole_for(command)
        if before is not None and before != whole and "toolmem" not in before:
            raise ExistsError(f"{path} exists and was not written by toolmem")
        return whole
    entries = wiring.entries_for(command)
    text = before if before and before.strip() else "{}\n"
    for key, value in wiring.base.items():
        text = set_value(text, key, value, str(path))
    for entry in entries:
        if dict(entry.item) in _items_at(_document(text, path), entry.keys):
            continue
        text = _without(text, agent, entry, path)
        text = append_item(text, entry.keys, dict(entry.item), str(path))
    return text


def _command(agent: str, before: str | None, path: Path) -> HookCommand:
    """Return the hooks' command, with options that the installed ones have."""
    plain = HookCommand(agent, sys.platform)
    if not before or not before.strip():
        return plain
    plain = plain._replace(warm=is_warm(before))
    if path.suffix == ".js":
        return plain._replace(options=plugin_options(before))
    with suppress(InvalidFileError):
        document = _document(before, path)
        return plain._replace(options=installed_options(document, agent))
    return plain


def _whole(wiring: Wiring, before: str, path: Path) -> str:
    """Return the file that is ours alone, with the options of the installed one."""
    return wiring.whole_for(_command(wiring.agent, before, path))


def _backup(agent: str, path: Path, before: str | None, after: str) -> Backup:
    """Return the file as it was before the installation, later edits of others
    then included."""
    earlier = outside.read_backup(path)
    if earlier is None:
        return Backup(before, after, outside.missing_folders(path))
    same = earlier.after == before
    original = earlier.before if same else _uninstalled(agent, before, path)
    return Backup(original, after, earlier.made)


def _document(text: str, path: Path) -> object:
    return value_of(text, read_json(text, str(path)))


def _items_at(document: object, keys: tuple[str, ...]) -> list[object]:
    value = document
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, list) else []


def _uninstalled(agent: str, before: str | None, path: Path) -> str | None:
    wiring = wiring_of(agent)
    if before is None:
        return None
    backup = outside.read_backup(path)
    if backup is not None and backup.after == before:
        return backup.before
    if wiring.section:
        return take_section(before, str(path)) or None
    if wiring.whole:
        return None if before == _whole(wiring, before, path) else before
    was = backup.before if backup else None
    return _without_entries(agent, before, was, path)


def _without_entries(
    agent: str, before: str, was: str | None, path: Path
) -> str | None:
    """The settings without our items, and without what they alone needed."""
    wiring = wiring_of(agent)
    text = before
    for entry in wiring.entries:
        text = _without(text, agent, entry, path)
    if text == before:
        return before  # nothing of ours is there
    for entry in wiring.entries:
        for depth in range(len(entry.keys), 0, -1):
            keys = entry.keys[:depth]
            theirs = _had(was, keys, path) or _is_empty(before, keys, path)
            if _is_empty(text, keys, path) and not theirs:
                text = remove_key(text, keys, str(path))
    if was is None and _is_ours_alone(text, wiring, path):
        return None
    return text


def _is_ours_alone(text: str, wiring: Wiring, path: Path) -> bool:
    """True if nothing but what we put into an empty file is left, no comment either."""
    own = "{}"
    for key, value in wiring.base.items():
        own = set_value(own, key, value, str(path))
    return "".join(text.split()) in ("{}", "".join(own.split()))


def _without(text: str, agent: str, entry: WiringEntry, path: Path) -> str:
    """The text without the handlers of ours in the array of an entry."""
    ours = partial(calls_us, agent=agent)
    return remove_items(text, entry.keys, ours, str(path), "hooks")


def _is_empty(text: str, keys: tuple[str, ...], path: Path) -> bool:
    value = _document(text, path)
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return False
        value = value[key]
    return value in ({}, [])


def _had(was: str | None, keys: tuple[str, ...], path: Path) -> bool:
    """Return whether the file had this container before the installation."""
    if not was or not was.strip():
        return False
    value = _document(was, path)
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return False
        value = value[key]
    return True


def _state(agent: str, path: Path) -> tuple[str, bool]:
    """Return the state of an agent's hooks in a file, and whether they are warm."""
    wiring = WIRINGS[agent]
    try:
        text = outside.read_text(path)
        if text is None:
            return "no", False
        if wiring.section:
            return ("installed" if has_section(text) else "no"), False
        if wiring.whole:
            is_ours = text == _whole(wiring, text, path)
            return ("installed" if is_ours else "partly"), is_warm(text)
        document = _document(text, path)
    except InvalidFileError:
        return "unreadable", False
    command = _command(agent, text, path)
    ways = (command._replace(platform=one) for one in ("", "win32"))
    there = [
        [dict(e.item) in _items_at(document, e.keys) for e in entries]
        for entries in map(wiring.entries_for, ways)
    ]
    warm = is_warm(text)
    if any(map(all, there)):
        return "installed", warm
    partly = any(map(any, there)) or has_handler(document, agent)
    return ("partly" if partly else "no"), warm
