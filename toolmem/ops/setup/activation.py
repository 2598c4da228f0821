"""Steps that a user must still take until an agent runs installed hooks."""

import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from toolmem.core.agents.hook_command import ASK, PYTHON, REMEMBERED
from toolmem.core.agents.registry import agent_of
from toolmem.core.agents.wiring import McpEntry, TextFile, Wiring, user_path
from toolmem.core.formats import json_edit
from toolmem.core.formats.toml_text import parse_toml
from toolmem.errors import ToolmemError
from toolmem.store.files import outside
from toolmem.store.files.settings import home_folder
from toolmem.store.warm import client

_NOT_YET, _OFF = "installed, not yet active", "installed, switched off"
_MOST_CHARS = 1_000_000
_SHARED = ".config"
"""Folder of a home folder that many programs use."""


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

    def path(self, where: str, file: Wiring | McpEntry | TextFile) -> Path:
        """Return a file of the project or the user; a folder if there is none."""
        if where == "project":
            return self.project / file.project
        return self.home / user_path(file, self.environment)


def own_folder(wiring: Wiring, places: InstallPlaces) -> Path:
    """Return the agent's own folder of the user: the first that is not shared.

    It has the file of the prompt block where hooks are in a folder of many agents.
    """
    own = wiring.block or wiring
    path = places.home / user_path(own, places.environment)
    parts = Path(own.user).parts
    depth = len(parts) - (2 if parts[0] == _SHARED else 1)
    return path.parents[depth - 1]


def missing_step(name: str, place: str, path: Path, places: InstallPlaces) -> str:
    """Return "installed, not yet active: …" or "installed, switched off: …", or nothing
    where hooks run.

    Agents run hooks of a project in folders that the user trusts, and Codex only
    those that the user has reviewed. Their own files say so; what cannot be read
    counts as not done.
    """
    off = _switch(name, places)
    if off:
        return f"{_OFF}: {off}"
    agent = agent_of(name)
    if agent.missing_step is None:
        return ""
    files = _UserFiles(str(path), own_folder(agent.wiring, places))
    step = agent.missing_step(place, files)
    return f"{_NOT_YET}: {step}" if step else ""


class _UserFiles(NamedTuple):
    """The files that an agent's ``missing_step`` reads."""

    hooks: str
    folder: Path

    def read(self, name: str) -> Mapping[str, Any]:
        """Return a JSON or TOML file; an empty table if it cannot be read."""
        return _table(self.folder / name)

    def covers(self, folders: Iterable[object]) -> bool:
        """Return whether one of the folders is above the hooks."""
        own = Path(self.hooks).resolve()
        return any(own.is_relative_to(Path(str(name)).resolve()) for name in folders)


def is_switched_off(step: str) -> bool:
    """Return whether the agent's own settings switch hooks off, by the step to take."""
    return step.startswith(f"{_OFF}: ")


def _switch(name: str, places: InstallPlaces) -> str:
    """Return how to switch an agent's hooks on again, if its settings have them off."""
    for switch in agent_of(name).switches:
        for file, where in product(switch.files, ("project", "user")):
            path = places.path(where, file)
            value = _value(path, switch.keys) if path.suffix else None
            if value is None:
                continue  # the next file decides
            listed = isinstance(value, list) and switch.value in value
            if listed or value is switch.value:
                return f"{switch.fix} in {path}"
            break
    return ""


def _value(path: Path, keys: Sequence[str]) -> Any:
    """Return the value of a key in a JSON or TOML file, or None."""
    value: Any = _table(path)
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _table(path: Path) -> Mapping[str, Any]:
    """Return the table of a JSON or TOML file; an empty one if it cannot be read."""
    try:
        text = outside.read_text(path) or ""
        if path.suffix == ".toml":
            return parse_toml(text, str(path), most=_MOST_CHARS)
        value = (
            json_edit.value_of(text, json_edit.read_json(text, str(path)))
            if text
            else {}
        )
    except ToolmemError:
        return {}
    return value if isinstance(value, Mapping) else {}


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
