"""Determine the project of a checkout without a pointer.

In this order: the pointer of the repository's main worktree, the name of the main
worktree's folder, the name in the address of the remote ``origin`` or, without one, of
the first remote. A name counts only if the vault has a folder for the project.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from toolmem.core.lazy_pattern import lazy_pattern
from toolmem.core.names import encode_name
from toolmem.errors import InvalidFileError, ToolmemError
from toolmem.store.files.bounded import read_text
from toolmem.store.files.settings import SettingValue, read_layer
from toolmem.store.files.trust import Checkout, checkout_of
from toolmem.store.vault.pointer import POINTER_FILE

_PROJECTS = "projects"
_MOST_BYTES = 64 * 1024
_REMOTE = lazy_pattern(r'\[remote "([^"]*)"\]')
_URL = lazy_pattern(r"url\s*=\s*(\S+)")


def project_of(cwd: Path, root: Path) -> SettingValue | None:
    """Return the project of a folder, and the origin of its name."""
    if not (root / _PROJECTS).is_dir():
        return None
    checkout = checkout_of(cwd.resolve())
    if checkout is None:
        return None
    for name, origin in _names(checkout):
        with suppress(ToolmemError, OSError, ValueError):
            if name and (root / _PROJECTS / encode_name(name)).is_dir():
                return SettingValue("project", name, origin)
    return None


def lacks_project(cwd: Path, root: Path) -> bool:
    """Return True in another repository's checkout if the vault has projects."""
    try:
        if not any(entry.is_dir() for entry in (root / _PROJECTS).iterdir()):
            return False
    except OSError:
        return False
    checkout = checkout_of(cwd.resolve())
    return checkout is not None and not root.resolve().is_relative_to(checkout.top)


def _names(checkout: Checkout) -> Iterator[tuple[str, str]]:
    pointer = checkout.main / POINTER_FILE
    if checkout.main != checkout.top and pointer.is_file():
        with suppress(InvalidFileError):
            text = read_text(pointer, follow=False)
            layer = read_layer(text, where="pointer", origin=str(pointer))
            yield str(layer.values.get("project", "")), str(pointer)
    yield checkout.main.name.removesuffix(".git"), f"the repository at {checkout.main}"
    name = remote_name(_config(checkout.common))
    yield name, f"the remote of {checkout.main}"


def _config(common: Path) -> str:
    try:
        with (common / "config").open("rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def remote_name(config: str) -> str:
    """Return the repository's name in the address of ``origin``, else of the first
    remote."""
    remote, found = "", dict[str, str]()
    for raw in config.split("\n"):
        line = raw.strip()
        if line.startswith("["):
            header = _REMOTE.fullmatch(line)
            remote = header[1] if header else ""
        elif remote and (url := _URL.fullmatch(line)):
            found.setdefault(remote, url[1])
    address = found.get("origin") or next(iter(found.values()), "")
    last = re.split(r"[/:\\]", address.rstrip("/"))[-1]
    return last.removesuffix(".git")
