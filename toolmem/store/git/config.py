"""Configure toolmem's drivers in a repository.

The drivers are settings of one clone, in ``.git/config``, where only its user puts
them. The vault's shared ``.gitattributes`` assigns files to them, and runs nothing by
itself.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from toolmem.errors import ExistsError
from toolmem.store.files import files
from toolmem.store.files.layout import ATTRIBUTES
from toolmem.store.git import run as gitrun
from toolmem.store.git.repo import Repo

DRIVER = "toolmem"
LINES = (f"*.toml merge={DRIVER} diff={DRIVER}", f"*.md merge={DRIVER} diff={DRIVER}")
_REMARK = "# Git merges and compares these by meaning after `toolmem git install`."
_LIMIT = 1 << 20


def settings_for(program: str) -> Mapping[str, str]:
    """Return the settings of the drivers; ``program`` is the command of toolmem."""
    return {
        f"merge.{DRIVER}.name": "rules, facts and memories by meaning (toolmem)",
        f"merge.{DRIVER}.driver": f"{program} git merge-driver %O %A %B %P",
        f"diff.{DRIVER}.command": f"{program} git diff-driver",
    }


def read_settings(repo: Repo) -> dict[str, str]:
    """Return the settings of the drivers in the clone's own configuration."""
    pattern = rf"^(merge|diff)\.{DRIVER}\."
    args = ("config", "--local", "--null", "--get-regexp", pattern)
    output = gitrun.attempt(repo.top, *args).stdout
    pairs = (os.fsdecode(pair).partition("\n") for pair in output.split(b"\0") if pair)
    return {key: value for key, _, value in pairs}


def write_settings(repo: Repo, settings: Mapping[str, str]) -> None:
    """Write settings to the clone's own configuration; raises ``StorageError``."""
    for key, value in settings.items():
        gitrun.run(repo.top, "config", "--local", "--replace-all", key, value)


def drop_settings(repo: Repo) -> None:
    """Remove the drivers from the clone's own configuration."""
    for section in sorted({key.rpartition(".")[0] for key in read_settings(repo)}):
        gitrun.run(repo.top, "config", "--local", "--remove-section", section)


def has_attributes(root: Path) -> bool:
    """Return True if the vault assigns files to the drivers."""
    lines = _read(root).decode("utf-8", "replace").splitlines()
    return set(LINES) <= {line.strip() for line in lines}


def write_attributes(root: Path) -> bool:
    """Assign files to the drivers, under the lock; False if they already are."""
    if has_attributes(root):
        return False
    before = _read(root)
    text = _without(before.decode("utf-8", "surrogateescape"))
    if text and not text.endswith("\n"):
        text += "\n"
    after = text + "".join(f"{line}\n" for line in (_REMARK, *LINES))
    _write(root, before, after.encode("utf-8", "surrogateescape"))
    return True


def drop_attributes(root: Path) -> bool:
    """Remove our lines, under the lock; a file without others is deleted."""
    before = _read(root)
    after = _without(before.decode("utf-8", "surrogateescape"))
    data = after.encode("utf-8", "surrogateescape")
    if data == before:
        return False
    if data:
        _write(root, before, data)
    else:
        files.delete(root, ATTRIBUTES, before)
    return True


def _without(text: str) -> str:
    ours = {_REMARK, *LINES}
    return "".join(
        line for line in text.splitlines(keepends=True) if line.strip() not in ours
    )


def _read(root: Path) -> bytes:
    path = root / ATTRIBUTES
    if path.is_symlink():
        raise ExistsError(
            f"{ATTRIBUTES} is a symbolic link: add the lines to its target by hand"
        )
    try:
        return path.read_bytes()[:_LIMIT]
    except FileNotFoundError:
        return b""


def _write(root: Path, before: bytes, after: bytes) -> None:
    if before:
        files.replace(root, ATTRIBUTES, after, before)
    else:
        files.create(root, ATTRIBUTES, after)
