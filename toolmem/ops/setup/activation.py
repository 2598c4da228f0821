"""Steps that a user must still take until an agent runs installed hooks."""

import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from toolmem.core.agents.hook_command import ASK, PYTHON, REMEMBERED
from toolmem.core.formats.json_edit import read_json, value_of
from toolmem.core.formats.toml_text import parse_toml
from toolmem.errors import ToolmemError
from toolmem.store.files import outside
from toolmem.store.files.settings import home_folder
from toolmem.store.warm import client

_NOT_YET, _OFF = "installed, not yet active", "installed, switched off"
_MOST_CHARS = 1_000_000
_TRUSTED_BY_COPILOT = ("trustedFolders", "trusted_folders")
"""Copilot 1.0.102 writes the first name, and reads the second as well."""
_TRUSTED_BY_GEMINI = ("TRUST_FOLDER", "TRUST_PARENT")
_DISABLED = "disableAllHooks"
_NAME = "toolmem"
"""Name of our hooks in Gemini CLI."""


class InstallPlaces(NamedTuple):
    """Places of settings: the project, the user's home folder, and the
    environment, in which agents' own variables may name other folders."""

    project: Path
    home: Path
    environment: Mapping[str, str]

    @classmethod
    def of(cls, project: Path) -> "InstallPlaces":
        """Return the places of a project and of the user who runs toolmem."""
        return cls(project, Path.home(), os.environ)

    def folder(self, variable: str, name: str) -> Path:
        """Return the user's folder of an agent, which a variable may move."""
        return Path(self.environment.get(variable) or self.home / name)


def missing_step(agent: str, place: str, path: Path, places: InstallPlaces) -> str:
    """Return "installed, not yet active: …" or "installed, switched off: …", or nothing
    where hooks run.

    Agents run hooks of a project in folders that the user trusts, and Codex only
    those that the user has reviewed. Their own files say so; what cannot be read
    counts as not done.
    """
    off = _switch(agent, places)
    if off:
        return f"{_OFF}: {off}"
    step, home = "", places.home
    if agent == "codex":
        folder = places.folder("CODEX_HOME", ".codex")
        step = _codex(place, path, _toml(folder / "config.toml"))
    elif agent in ("gemini", "qwen") and place == "project":
        step = _gemini(agent, path, home / f".{agent}")
    elif agent == "copilot" and place == "project":
        config = _json(places.folder("COPILOT_HOME", ".copilot") / "config.json")
        if not any(_covers(config.get(key), path) for key in _TRUSTED_BY_COPILOT):
            step = "start copilot in this folder and trust it"
    return f"{_NOT_YET}: {step}" if step else ""


def is_switched_off(step: str) -> bool:
    """Return whether the agent's own settings switch hooks off, by the step to take."""
    return step.startswith(f"{_OFF}: ")


class _Setting(NamedTuple):
    """A setting of an agent that switches hooks off when it has this value."""

    keys: tuple[str, ...]
    value: bool
    fix: str


def _switch(agent: str, places: InstallPlaces) -> str:
    """Return how to switch an agent's hooks on again, if its settings have them off.

    Of several files the narrowest that has the setting counts.
    """
    settings, files = _switches(agent, places)
    for setting in settings:
        for path in files:
            value = _value(path, setting.keys)
            if value is not None:
                if value is setting.value:
                    return f"{setting.fix} in {path}"
                break
    for path in files if agent == "gemini" else ():
        names = _value(path, ("hooksConfig", "disabled"))
        if isinstance(names, list) and _NAME in names:
            return f'remove "{_NAME}" from hooksConfig.disabled in {path}'
    return ""


def _switches(
    agent: str, places: InstallPlaces
) -> tuple[tuple[_Setting, ...], tuple[Path, ...]]:
    """Return the settings that switch hooks off, and their files, narrowest first."""
    if agent == "claude":
        user = places.folder("CLAUDE_CONFIG_DIR", ".claude")
        own = places.project / ".claude"
        narrow = (own / "settings.local.json", own / "settings.json")
        off = _Setting((_DISABLED,), True, f"remove {_DISABLED}")
        return (off,), (*narrow, user / "settings.json")
    if agent == "gemini":
        files = tuple(
            folder / ".gemini" / "settings.json"
            for folder in (places.project, places.home)
        )
        fix = "set hooksConfig.enabled to true"
        return (_Setting(("hooksConfig", "enabled"), False, fix),), files
    if agent == "qwen":
        files = tuple(
            folder / ".qwen" / "settings.json"
            for folder in (places.project, places.home)
        )
        return (_Setting((_DISABLED,), True, f"remove {_DISABLED}"),), files
    if agent == "codex":
        user = places.folder("CODEX_HOME", ".codex")
        files = (places.project / ".codex" / "config.toml", user / "config.toml")
        names = ("hooks", "codex_hooks")
        return tuple(
            _Setting(("features", name), False, f"remove features.{name}")
            for name in names
        ), files
    if agent == "copilot":
        # The user's own settings have no such switch (1.0.102).
        own, claude = places.project / ".github" / "copilot", places.project / ".claude"
        files = tuple(
            folder / name
            for folder in (own, claude)
            for name in ("settings.local.json", "settings.json")
        )
        return (_Setting((_DISABLED,), True, f"remove {_DISABLED}"),), files
    return (), ()


def _value(path: Path, keys: Sequence[str]) -> Any:
    """Return the value of a key in a JSON or TOML file, or None."""
    value: Any = _toml(path) if path.suffix == ".toml" else _json(path)
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _codex(place: str, path: Path, config: Mapping[str, Any]) -> str:
    projects = _table(config, "projects")
    trusted = [
        folder
        for folder in projects
        if _table(projects, folder).get("trust_level") == "trusted"
    ]
    hooks = _table(_table(config, "hooks"), "state")
    reviewed = any(key.startswith(f"{path}:") for key in hooks)
    if place == "project" and not _covers(trusted, path):
        return "start codex in this folder, trust it, then trust its hooks with /hooks"
    return "" if reviewed else "run /hooks in codex and trust them"


def _gemini(agent: str, path: Path, folder: Path) -> str:
    security = _table(_json(folder / "settings.json"), "security")
    enabled = _table(security, "folderTrust").get("enabled")
    # Qwen Code trusts every folder unless its user asks to be asked.
    if enabled is False or (agent == "qwen" and enabled is not True):
        return ""
    folders = _json(folder / "trustedFolders.json")
    trusted = [name for name, kind in folders.items() if kind in _TRUSTED_BY_GEMINI]
    if _covers(trusted, path):
        return ""
    more = " (--skip-trust runs no hooks)" if agent == "gemini" else ""
    return f"start {agent} in this folder and trust it{more}"


def _covers(folders: object, path: Path) -> bool:
    """Return whether one of the folders is above a file."""
    names = folders if isinstance(folders, list | tuple) else ()
    own = path.resolve()
    return any(own.is_relative_to(Path(str(name)).resolve()) for name in names)


def _table(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    table = value.get(key)
    return table if isinstance(table, Mapping) else {}


def _json(path: Path) -> Mapping[str, Any]:
    for text in _text(path):
        try:
            document = value_of(text, read_json(text, str(path)))
        except ToolmemError:
            return {}
        return document if isinstance(document, Mapping) else {}
    return {}


def _toml(path: Path) -> Mapping[str, Any]:
    for text in _text(path):
        try:
            return parse_toml(text, str(path), most=_MOST_CHARS)
        except ToolmemError:
            return {}
    return {}


def _text(path: Path) -> Iterator[str]:
    """Yield the text of a file; nothing for one that cannot be read."""
    try:
        text = outside.read_text(path)
    except ToolmemError:
        return
    if text is not None:
        yield text


def remembered_program() -> Path | None:
    """Return the link that hooks follow to toolmem where PATH has none, if it leads to
    a program."""
    link = Path(home_folder()) / REMEMBERED
    return link if os.access(link, os.X_OK) else None


def remember_program() -> None:
    """Link to this toolmem where hooks look for it, and to what asks a helper."""
    program = shutil.which("toolmem") or str(Path(sys.executable).with_name("toolmem"))
    home = Path(home_folder())
    if os.access(program, os.X_OK) and sys.platform != "win32":
        outside.link(home / REMEMBERED, Path(program).absolute())
    if sys.platform == "linux":
        outside.link(home / PYTHON, Path(sys.executable).absolute())
        outside.link(home / ASK, Path(client.__file__).absolute())
