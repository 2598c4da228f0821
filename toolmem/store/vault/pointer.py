"""Find the files above a folder that name a vault, and the vault."""

from pathlib import Path

from toolmem.core.model import Problem
from toolmem.core.named_tuple import NamedTuple
from toolmem.errors import InvalidFileError, LostVaultError, NoVaultError, ToolmemError
from toolmem.store.files.bounded import read_text
from toolmem.store.files.layout import SETTINGS as VAULT_FILE
from toolmem.store.files.settings import SettingsLayer, read_layer

POINTER_FILE = ".toolmem.toml"
NO_POINTER = SettingsLayer("pointer", "", {})


class Site(NamedTuple):
    """The closest folder above another that names a vault.

    ``root`` is the vault and ``folder`` has the file that names it; None if there is
    none. ``pointer`` are the settings of the closest pointer. ``error`` is why the file
    cannot be used.
    """

    folder: Path | None
    root: Path | None
    pointer: SettingsLayer
    error: ToolmemError | None = None


def look_up(cwd: Path) -> Site:
    """Return the closest folder that names a vault, from this one upwards.

    A pointer next to a vault may have settings for that vault, but names no other.
    """
    pointer = NO_POINTER
    for folder in (cwd, *cwd.parents):
        is_vault = (folder / VAULT_FILE).is_file()
        path = folder / POINTER_FILE
        if not pointer.origin and path.is_file():
            try:
                pointer = _read_pointer(path)
                if "vault" in pointer.values and not is_vault:
                    root = require_vault(Path(pointer.values["vault"]), pointer)
                    return Site(folder, root, pointer)
            except (InvalidFileError, NoVaultError) as error:
                if not is_vault:
                    return Site(folder, None, pointer, error)
                pointer = _unreadable(path, error)
            pointer = _next_to_vault(pointer, folder) if is_vault else pointer
        if is_vault:
            return Site(folder, folder, pointer)
    return Site(None, None, pointer)


def _unreadable(path: Path, error: ToolmemError) -> SettingsLayer:
    """Return empty settings, with the error, for a pointer that is not essential."""
    line = error.line if isinstance(error, InvalidFileError) else 0
    reason = error.reason if isinstance(error, InvalidFileError) else str(error)
    problem = Problem(str(path), line, "unreadable", reason)
    return SettingsLayer("pointer", str(path), {}, (problem,))


def _next_to_vault(pointer: SettingsLayer, folder: Path) -> SettingsLayer:
    """Return a pointer's settings for the vault in its folder."""
    values = dict(pointer.values)
    named = values.pop("vault", None)
    if named is None or Path(named) == folder.resolve():
        return pointer._replace(values=values)
    message = f"vault: not used, because {VAULT_FILE} next to it marks a vault"
    problem = Problem(pointer.origin, 0, "pointer-not-used", message, "warning")
    return pointer._replace(values=values, problems=(*pointer.problems, problem))


def _read_pointer(path: Path) -> SettingsLayer:
    layer = read_layer(read_text(path, follow=False), where="pointer", origin=str(path))
    if "vault" not in layer.values:
        return layer
    vault = named_folder(path.parent, layer)
    return layer._replace(values={**layer.values, "vault": str(vault)})


def named_folder(base: Path, layer: SettingsLayer) -> Path:
    """Return the vault's folder that a layer names, relative to ``base``."""
    text = layer.values["vault"]
    try:
        return (base / Path(text).expanduser()).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        # no such user after ~, a cycle of links, or a NUL in the name
        raise LostVaultError(
            f"{text!r} cannot be a folder (from {name_of(layer)})"
        ) from error


def name_of(layer: SettingsLayer) -> str:
    """Return the user's name for the place of a layer."""
    return {"env": "$TOOLMEM_VAULT", "flag": "--vault"}.get(layer.where, layer.origin)


def require_vault(root: Path, layer: SettingsLayer) -> Path:
    """Return the folder, if it is a vault; ``LostVaultError`` names the layer."""
    origin = name_of(layer)
    if not root.is_dir():
        raise LostVaultError(f"{root}: no such folder (from {origin})")
    if not (root / VAULT_FILE).is_file():
        import shlex  # only this message needs it

        raise LostVaultError(
            f"{root}: no {VAULT_FILE} (from {origin}); "
            f"it is not a vault, or its disk is not mounted (`toolmem init "
            f"{shlex.quote(str(root))}` makes a new one)"
        )
    return root
