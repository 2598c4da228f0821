"""What of toolmem stands in a repository: its drivers, and who they are for.

The drivers are settings of one clone, in ``.git/config``: only its user puts them
there. Which files they are for is said in the vault's ``.gitattributes``, which
everybody shares and which by itself runs nothing.
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
    """The settings of the drivers; ``program`` is how toolmem is called."""
    return {
        f"merge.{DRIVER}.name": "rules, facts and memories by meaning (toolmem)",
        f"merge.{DRIVER}.driver": f"{program} git merge-driver %O %A %B %P",
        f"diff.{DRIVER}.command": f"{program} git diff-driver",
    }


def read_settings(repo: Repo) -> dict[str, str]:
    """The settings of the drivers that stand in the clone's own configuration."""
    pattern = rf"^(merge|diff)\.{DRIVER}\."
    args = ("config", "--local", "--null", "--get-regexp", pattern)
    output = gitrun.attempt(repo.top, *args).stdout
    pairs = (os.fsdecode(pair).partition("\n") for pair in output.split(b"\0") if pair)
    return {key: value for key, _, value in pairs}


def write_settings(repo: Repo, settings: Mapping[str, str]) -> None:
    """Put settings into the clone's own configuration; raises ``StorageError``."""
    for key, value in settings.items():
        gitrun.run(repo.top, "config", "--local", "--replace-all", key, value)


def drop_settings(repo: Repo) -> None:
    """Take the drivers out of the clone's own configuration."""
    for section in sorted({key.rpartition(".")[0] for key in read_settings(repo)}):
        gitrun.run(repo.top, "config", "--local", "--remove-section", section)


def has_attributes(root: Path) -> bool:
    """Whether the vault says which files the drivers are for."""
    lines = _read(root).decode("utf-8", "replace").splitlines()
    return set(LINES) <= {line.strip() for line in lines}


def write_attributes(root: Path) -> bool:
    """Say which files the drivers are for, under the lock; false if it is said."""
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
    """Take our lines out, under the lock; a file that held no other goes."""
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
