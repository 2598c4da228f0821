"""Files above a folder that name a vault, and the project that the folder is in."""

import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from toolmem.core.model import Problem
from toolmem.core.names import encode_name
from toolmem.errors import InvalidFileError, LostVaultError, NoVaultError, ToolmemError
from toolmem.store.files.folders import read_text
from toolmem.store.files.layout import FOLDERS, STATE
from toolmem.store.files.layout import SETTINGS as VAULT_FILE
from toolmem.store.files.settings import SettingsLayer, SettingValue, read_layer
from toolmem.store.files.trust import Checkout, checkout_of

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


def is_vault_folder(folder: Path, *, unmarked: bool = False) -> bool:
    """Return whether a folder is a vault: it has ``toolmem.toml``.

    ``unmarked``: also one that has lost it, and still has its folders and local state.
    """
    if (folder / VAULT_FILE).is_file():
        return True
    return (
        unmarked
        and (folder / STATE).is_dir()
        and any((folder / name).is_dir() for name in FOLDERS)
    )


def look_up(cwd: Path, *, unmarked: bool = False) -> Site:
    """Return the closest folder that names a vault, from this one upwards.

    A pointer next to a vault may have settings for that vault, but names no other.
    For ``unmarked`` see ``is_vault_folder``.
    """
    pointer = NO_POINTER
    for folder in (cwd, *cwd.parents):
        is_vault = is_vault_folder(folder, unmarked=unmarked)
        path = folder / POINTER_FILE
        if not pointer.origin and path.is_file():
            try:
                pointer = _read_pointer(path)
                if "vault" in pointer.values and not is_vault:
                    named = Path(pointer.values["vault"])
                    root = require_vault(named, pointer, unmarked=unmarked)
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


def require_vault(root: Path, layer: SettingsLayer, *, unmarked: bool = False) -> Path:
    """Return the folder, if it is a vault; ``LostVaultError`` names the layer."""
    origin = name_of(layer)
    if not root.is_dir():
        raise LostVaultError(f"{root}: no such folder (from {origin})")
    if not is_vault_folder(root, unmarked=unmarked):
        import shlex  # only this message needs it

        raise LostVaultError(
            f"{root}: no {VAULT_FILE} (from {origin}); "
            f"it is not a vault, or its disk is not mounted (`toolmem init "
            f"{shlex.quote(str(root))}` makes a new one)"
        )
    return root


_PROJECTS = "projects"
_MOST_BYTES = 64 * 1024
_REMOTE = re.compile(r'\[remote "([^"]*)"\]')
_URL = re.compile(r"url\s*=\s*(\S+)")


def project_of(cwd: Path, root: Path) -> SettingValue | None:
    """Return the project of a folder that the vault has, and the origin of its name."""
    checkout = checkout_of(cwd.resolve())
    name = None if checkout is None else _name_of(checkout)
    with suppress(ToolmemError, OSError, ValueError):
        if name and (root / _PROJECTS / encode_name(name[0])).is_dir():
            return SettingValue("project", *name, detected=True)
    return None


def project_name(top: Path) -> str:
    """Return the name of the project of a repository: of its pointer, else the last
    part of its remote's address, else of its folder."""
    checkout = checkout_of(top.resolve())
    name = None if checkout is None else _name_of(checkout)
    return name[0] if name else top.name


def lacks_project(cwd: Path, root: Path) -> bool:
    """Return True in another repository's checkout if the vault has projects."""
    try:
        if not any(entry.is_dir() for entry in (root / _PROJECTS).iterdir()):
            return False
    except OSError:
        return False
    return bool(foreign_project(cwd, root))


def foreign_project(cwd: Path, root: Path) -> str:
    """Return the project of a checkout that does not contain the vault, else ""."""
    checkout = checkout_of(cwd.resolve())
    if checkout is None or root.resolve().is_relative_to(checkout.top):
        return ""
    return _name_of(checkout)[0]


def _name_of(checkout: Checkout) -> tuple[str, str]:
    """Return the name of a repository's project, and the name's origin."""
    pointer = checkout.main / POINTER_FILE
    if pointer.is_file():
        with suppress(InvalidFileError):
            text = read_text(pointer, follow=False)
            layer = read_layer(text, where="pointer", origin=str(pointer))
            if "project" in layer.values:
                return str(layer.values["project"]), str(pointer)
    name = remote_name(_config(checkout.common))
    if name:
        return name, f"the remote of {checkout.main}"
    name = checkout.main.name.removesuffix(".git")
    return name, f"the repository at {checkout.main}"


def _config(common: Path) -> str:
    try:
        with (common / "config").open("rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def remote_name(config: str) -> str:
    """Return the repository's name in the address of ``origin``, else of the first
    remote."""
    remote, addresses = "", dict[str, str]()
    for raw in config.split("\n"):
        line = raw.strip()
        if line.startswith("["):
            header = _REMOTE.fullmatch(line)
            remote = header[1] if header else ""
        elif remote and (url := _URL.fullmatch(line)):
            addresses.setdefault(remote, url[1])
    address = addresses.get("origin") or next(iter(addresses.values()), "")
    last = re.split(r"[/:\\]", address.rstrip("/"))[-1]
    return last.removesuffix(".git")
