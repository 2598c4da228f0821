"""Read and combine the settings of all sources.

Order: flag, environment, pointer (``.toolmem.toml``), vault (``toolmem.toml``), the
user's own file, default. A vault may come from someone else: it may set only what the
table allows, and nothing that runs a program.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from toolmem.core.formats.toml_text import flat, parse_toml
from toolmem.core.model import Problem
from toolmem.core.text import normal_form
from toolmem.core.text.suggest import did_you_mean
from toolmem.errors import InvalidFileError
from toolmem.store.files.folders import read_text
from toolmem.store.files.setting_table import SCHEMA as SCHEMA
from toolmem.store.files.setting_table import SETTINGS as SETTINGS
from toolmem.store.files.setting_table import Setting
from toolmem.store.files.trust import TrustedFolder, trusted_folders

_NAMES = frozenset({"project", "agent_type", "agent"})
_BY_NAME = {setting.name: setting for setting in SETTINGS}


class SettingValue(NamedTuple):
    """Current value of a setting, and its origin.

    ``detected``: no one has set it; it is the project of the repository around.
    """

    name: str
    value: Any
    origin: str
    detected: bool = False


class SettingsLayer(NamedTuple):
    """Settings of one place by dotted name; the user's file has ``trusted`` folders."""

    where: str
    origin: str
    values: Mapping[str, Any]
    problems: tuple[Problem, ...] = ()
    trusted: tuple[TrustedFolder, ...] = ()


def environment_layer() -> SettingsLayer:
    """Return the settings in the environment; an empty variable counts as unset."""
    values = {s.name: os.environ[s.env] for s in SETTINGS if os.environ.get(s.env)}
    return SettingsLayer("env", "environment", values)


def user_file() -> Path:
    """Return the path of the user's own settings file (it need not exist)."""
    base = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA")
    folder = Path(base) if base else Path.home() / ".config"
    return folder / "toolmem" / "config.toml"


def home_folder() -> str:
    """Return the user's home folder, as the shell of an agent sees it."""
    return os.environ.get("HOME") or str(Path.home())


def state_folder() -> Path:
    """Return the folder of the user's state that belongs to no vault."""
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    folder = Path(base) if base else Path.home() / ".local" / "state"
    return folder / "toolmem"


def data_folder() -> Path:
    """Return the folder of the user's default vault, unless another one is set."""
    base = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    folder = Path(base) if base else Path.home() / ".local" / "share"
    return folder / "toolmem"


def user_layer() -> SettingsLayer:
    """Return the user's own settings.

    Raises ``InvalidFileError`` if the file exists and cannot be read.
    """
    path = user_file()
    if not path.exists():
        return SettingsLayer("user", str(path), {})
    text = read_text(path, follow=True)
    return read_layer(text, where="user", origin=str(path))


def read_layer(text: str, *, where: str, origin: str) -> SettingsLayer:
    """Read the settings of a file; one that it may not set is a problem.

    Raises ``InvalidFileError`` for text that is not TOML and for a wrong type.
    """
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    table = parse_toml(text, origin)
    trusted = trusted_folders(table, origin) if where == "user" else ()
    for name, value in flat(table).items():
        if name.startswith("conflict."):
            continue  # an unresolved merge, which `check` reports
        setting = _BY_NAME.get(name)
        if setting is None:
            hint = did_you_mean(name, _BY_NAME)
            problems.append(
                _problem(
                    text, origin, name, "unknown-key", f"no setting {name!r}{hint}"
                )
            )
        elif where not in setting.where:
            places = " or ".join(setting.where)
            message = f"{name} is not read from here; set it in the {places} file"
            problems.append(
                _problem(text, origin, name, "setting-not-allowed", message)
            )
        elif new := _replacement(setting, value):
            values[name] = new
            message = f"{name}: {str(value).lower()} is now {new!r}"
            problems.append(_problem(text, origin, name, "old-value", message))
        elif message := _not_allowed(setting, value):
            problems.append(_problem(text, origin, name, "bad-value", message))
        else:
            values[name] = _checked(setting, value, text, origin)
    return SettingsLayer(where, origin, values, tuple(problems), trusted)


def _replacement(setting: Setting, value: Any) -> str | None:
    """Return the value that replaces one of an older version."""
    values = (new for old, new in setting.former if old is value)
    return next(values, None)


def _not_allowed(setting: Setting, value: Any) -> str:
    """Return why a setting cannot have a value, with those allowed, or nothing."""
    if setting.choices and value not in setting.choices:
        hint = did_you_mean(str(value), setting.choices)
        choices = ", ".join(setting.choices)
        return f"{setting.name}: no {value!r:.40}{hint} ({choices})"
    if setting.span and type(value) is int:
        least, most = setting.span
        if not least <= value <= most:
            return f"{setting.name}: {value!r:.40} is out of range ({least} to {most})"
    return ""


def resolve(layers: list[SettingsLayer]) -> dict[str, SettingValue]:
    """Return the value of each setting; ``layers`` come strongest first."""
    resolved: dict[str, SettingValue] = {}
    for setting in SETTINGS:
        resolved[setting.name] = SettingValue(setting.name, setting.default, "default")
        for layer in layers:
            if setting.name in layer.values:
                origin = f"${setting.env}" if layer.where == "env" else layer.origin
                value = layer.values[setting.name]
                if setting.name in _NAMES:
                    value = normal_form.normal_form("NFC", value)
                resolved[setting.name] = SettingValue(setting.name, value, origin)
                break
    return resolved


_ASKED = {
    "text": "a string",
    "number": "a number",
    "words": "a list of texts",
    "switch": "a switch (true or false)",
}


def _checked(setting: Setting, value: Any, text: str, origin: str) -> Any:
    wanted = {"text": str, "number": int, "words": list, "switch": bool}[setting.kind]
    is_words = not isinstance(value, list) or all(isinstance(v, str) for v in value)
    # The exact type: in Python a bool is an int.
    if type(value) is wanted and is_words:
        return value
    line = _line_of(text, setting.name)
    asked = _ASKED[setting.kind]
    raise InvalidFileError(
        origin, line, f"{setting.name}: expected {asked}, found {value!r:.40}"
    )


def _problem(text: str, origin: str, name: str, code: str, message: str) -> Problem:
    severity = "warning" if code in ("unknown-key", "old-value") else "error"
    return Problem(origin, _line_of(text, name), code, message, severity)


def _line_of(text: str, name: str) -> int:
    """Return the line that sets a dotted name, by itself or in a table."""
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if bare.startswith("["):
            key = table = _bare_key(bare.strip("[").partition("]")[0])
        else:
            key = ".".join(filter(None, (table, _bare_key(bare.partition("=")[0]))))
            if "=" in bare and f"{name}.".startswith(f"{key}."):
                return number
        if key == name:
            return number
    return 1


def _bare_key(key: str) -> str:
    return ".".join(part.strip(" \t\"'") for part in key.split("."))
