"""Which vault a command works on, and which project and agent it is for.

In this order: the flag, ``TOOLMEM_VAULT``, the nearest ``toolmem.toml`` (a
vault) or ``.toolmem.toml`` (a pointer to one) above the working folder, the
user's default vault.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from toolmem.core.model import Problem
from toolmem.core.text.conflict_marks import conflict_line
from toolmem.errors import InvalidFileError, LostVaultError, NoVaultError, StorageError
from toolmem.store.files.layout import SETTINGS as VAULT_FILE
from toolmem.store.files.settings import (
    SettingsLayer,
    SettingValue,
    environment_layer,
    read_layer,
    resolve,
    user_layer,
)

POINTER_FILE = ".toolmem.toml"


class VaultLocation(NamedTuple):
    """The vault that was found and every setting, with its origin."""

    root: Path
    settings: Mapping[str, SettingValue]
    layers: tuple[SettingsLayer, ...]

    def text(self, name: str) -> str | None:
        """A text setting, or None where it is not set."""
        value = self.settings[name].value
        return str(value) if value else None


def find_vault(
    flags: Mapping[str, str], cwd: Path, *, tolerant: bool = False
) -> VaultLocation:
    """Find the vault and put the settings together.

    ``flags`` are the settings given on the command line, by name; ``tolerant``
    makes a broken ``toolmem.toml`` a problem of its layer, for one who only looks.
    Raises ``NoVaultError`` with the next step, ``InvalidFileError`` for a broken
    settings file and ``StorageError`` for folders that one may not look into.
    """
    flag = SettingsLayer("flag", "flag", {k: v for k, v in flags.items() if v})
    try:
        pointer, nearest = _look_up(cwd)
        layers = [flag, environment_layer(), pointer, user_layer()]
        root = _root(layers, nearest, cwd)
    except OSError as error:
        raise StorageError(f"{error.filename}: {error.strerror}") from error
    layers.insert(3, _vault_layer(root, tolerant))
    settings = resolve(layers)
    settings["vault"] = SettingValue("vault", str(root), _vault_origin(layers, nearest))
    return VaultLocation(root, settings, tuple(layers))


def _look_up(cwd: Path) -> tuple[SettingsLayer, Path | None]:
    """The nearest pointer's settings and the nearest vault above the folder."""
    pointer = SettingsLayer("pointer", "", {})
    for folder in (cwd, *cwd.parents):
        if (folder / VAULT_FILE).is_file():
            return pointer, folder
        path = folder / POINTER_FILE
        if not pointer.origin and path.is_file():
            pointer = _read_pointer(path)
            if "vault" in pointer.values:
                return pointer, None
    return pointer, None


def _read_pointer(path: Path) -> SettingsLayer:
    layer = read_layer(_text(path), where="pointer", origin=str(path))
    if "vault" not in layer.values:
        return layer
    vault = _place(path.parent, layer)
    values = {**layer.values, "vault": str(vault)}
    return SettingsLayer(layer.where, layer.origin, values, layer.problems)


def _root(layers: list[SettingsLayer], nearest: Path | None, cwd: Path) -> Path:
    flag, environment, pointer, user = layers
    for layer in (flag, environment, pointer):
        if "vault" in layer.values:
            return _existing(_place(cwd, layer), layer)
    if nearest is not None:
        return nearest
    if "vault" in user.values:
        return _existing(_place(cwd, user), user)
    pointed = f", and {pointer.origin} names none" if pointer.origin else ""
    raise NoVaultError(
        f"no vault here: no {VAULT_FILE} in {cwd} or above{pointed}; "
        "`toolmem init` makes one, --vault names one"
    )


def _place(base: Path, layer: SettingsLayer) -> Path:
    """The vault's folder that a layer names, relative to ``base``."""
    text = layer.values["vault"]
    try:
        return (base / Path(text).expanduser()).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        # No such user behind ~, links in a circle, a NUL in the name.
        raise NoVaultError(
            f"{text!r} cannot be a folder, though {_said(layer)} names it as vault"
        ) from error


def _said(layer: SettingsLayer) -> str:
    return {"env": "$TOOLMEM_VAULT", "flag": "--vault"}.get(layer.where, layer.origin)


def _existing(root: Path, layer: SettingsLayer) -> Path:
    said = _said(layer)
    if not root.is_dir():
        raise LostVaultError(f"{root}: no such folder, though {said} names it as vault")
    if not (root / VAULT_FILE).is_file():
        import shlex  # only this message needs it

        raise LostVaultError(
            f"{root}: no {VAULT_FILE} there, though {said} names it as vault; "
            f"it is not a vault, or its disk is not mounted (`toolmem init "
            f"{shlex.quote(str(root))}` makes a new one)"
        )
    return root


def _vault_layer(root: Path, tolerant: bool) -> SettingsLayer:
    text = ""
    try:
        text = _text(root / VAULT_FILE)
        return read_layer(text, where="vault", origin=VAULT_FILE)
    except InvalidFileError as error:
        if not tolerant:
            raise
        code = "conflict-marker" if conflict_line(text) else "unreadable"
        problem = Problem(VAULT_FILE, error.line, code, error.reason)
        return SettingsLayer("vault", VAULT_FILE, {}, (problem,))


def _vault_origin(layers: list[SettingsLayer], nearest: Path | None) -> str:
    for layer in layers:
        if layer.where != "user" and "vault" in layer.values:
            return _said(layer)
    if nearest is not None:
        return "found above the working folder"
    return next(layer.origin for layer in layers if layer.where == "user")


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise InvalidFileError(str(path), 0, "is not UTF-8 text") from error
    except OSError as error:
        raise InvalidFileError(
            str(path), 0, f"cannot be read: {error.strerror}"
        ) from error
