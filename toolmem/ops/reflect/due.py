"""Check whether a cleanup is due, such as for cron."""

from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.shown import counted
from toolmem.errors import InvalidFileError
from toolmem.store.files import layout
from toolmem.store.files.tree import DiskTree
from toolmem.store.files.walk import VaultFile, walk
from toolmem.store.state.reflect_state import last_reflected, mark_of
from toolmem.store.vault.vault import Vault, blob_id

NOTHING: Mapping[str, str] = MappingProxyType({})


class ReflectStatus(NamedTuple):
    """True if a cleanup is due, with the number of changes and the reason."""

    due: bool
    changes: int
    reason: str


def versions(vault: Vault, known: Mapping[str, str] = NOTHING) -> dict[str, str]:
    """Return the current git blob id of each rule and memory file, by path.

    Files with a ``known`` id are not read.
    """
    found = {}
    with DiskTree(vault.root) as tree:
        for one in walk(tree):
            if isinstance(one, VaultFile) and one.kind in ("rule", "memory"):
                if one.path in known:
                    found[one.path] = known[one.path]
                    continue
                try:
                    data = tree.read(one.path, limits.TEXT_FILE_BYTES)
                except (FileNotFoundError, InvalidFileError):
                    continue
                found[one.path] = blob_id(data)
    return found


def is_due(vault: Vault) -> ReflectStatus:
    """Return whether enough has changed since the last cleanup.

    Raises ``StorageError`` when local state cannot be read.
    """
    shows = vault.tree.shows
    now = {p: mark_of(blob) for p, blob in versions(vault).items() if shows(p)}
    last = last_reflected(vault.root)
    marks = last.marks if last else {}
    paths = now.keys() | set(filter(shows, marks))
    changed = [path for path in paths if now.get(path) != marks.get(path)]
    changes = len(changed)
    if last is None or last.at is None:
        memories = sum(f"/{layout.MEMORY}/" in path for path in changed)
        done = "" if last is None else ", except of single projects"
        return ReflectStatus(
            memories >= limits.DUE_FIRST,
            changes,
            f"no cleanup has been done here yet{done}, and there are "
            f"{counted(memories, 'memory')}",
        )
    days = (vault.now - last.at) // timedelta(days=1)
    due = changes >= limits.DUE_CHANGES and days >= limits.DUE_DAYS
    reason = f"{changes} changed in {counted(days, 'day')} since the last time"
    return ReflectStatus(due, changes, reason)
