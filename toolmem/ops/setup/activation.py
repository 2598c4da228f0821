"""Steps that a user must still take until an agent runs installed hooks."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from toolmem.core.formats.json_edit import read_json, value_of
from toolmem.core.formats.toml_text import parse_toml
from toolmem.errors import ToolmemError
from toolmem.store.files import outside

_NOT_YET = "installed, not yet active"
_MOST_CHARS = 1_000_000
_TRUSTED_BY_COPILOT = ("trustedFolders", "trusted_folders")
"""Copilot 1.0.102 writes the first name, and reads the second as well."""
_TRUSTED_BY_GEMINI = ("TRUST_FOLDER", "TRUST_PARENT")


def missing_step(
    agent: str, place: str, path: Path, home: Path, environment: Mapping[str, str]
) -> str:
    """Return "installed, not yet active: …", or nothing where hooks run.

    Agents run hooks of a project in folders that the user trusts, and Codex only
    those that the user has reviewed. Their own files say so; what cannot be read
    counts as not done.
    """
    step = ""
    if agent == "codex":
        folder = Path(environment.get("CODEX_HOME") or home / ".codex")
        step = _codex(place, path, _toml(folder / "config.toml"))
    elif agent == "gemini" and place == "project":
        step = _gemini(path, home / ".gemini")
    elif agent == "copilot" and place == "project":
        config = _json(home / ".copilot" / "config.json")
        if not any(_covers(config.get(key), path) for key in _TRUSTED_BY_COPILOT):
            step = "start copilot in this folder and trust it"
    return f"{_NOT_YET}: {step}" if step else ""


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


def _gemini(path: Path, folder: Path) -> str:
    security = _table(_json(folder / "settings.json"), "security")
    if _table(security, "folderTrust").get("enabled") is False:
        return ""
    found = _json(folder / "trustedFolders.json")
    trusted = [name for name, kind in found.items() if kind in _TRUSTED_BY_GEMINI]
    if _covers(trusted, path):
        return ""
    return "start gemini in this folder and trust it (--skip-trust runs no hooks)"


def _covers(folders: object, path: Path) -> bool:
    """Return whether one of the folders is above a file."""
    names = folders if isinstance(folders, list | tuple) else ()
    own = path.resolve()
    return any(own.is_relative_to(Path(str(name)).resolve()) for name in names)


def _table(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, Mapping) else {}


def _json(path: Path) -> Mapping[str, Any]:
    for text in _text(path):
        try:
            found = value_of(text, read_json(text, str(path)))
        except ToolmemError:
            return {}
        return found if isinstance(found, Mapping) else {}
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
