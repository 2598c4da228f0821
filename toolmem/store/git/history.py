"""List every past content of a vault's files, and the commit that brought it."""

from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core import limits
from toolmem.store.git import run as gitrun
from toolmem.store.git.blobs import Blobs
from toolmem.store.git.raw import EACH_PARENT, records
from toolmem.store.git.repo import Repo

_AT_ONCE = 200


class OldFile(NamedTuple):
    """A file in a commit, without ``data`` if it is too large to read."""

    commit: str
    path: str
    data: bytes | None


def old_files(repo: Repo) -> Iterator[OldFile]:
    """Yield each content once, with the first commit and path that had it, oldest
    first.

    Includes all branches and tags. Raises ``StorageError``.
    """
    listed = list(_first_places(repo))
    blobs = Blobs(repo.top)
    try:
        for start in range(0, len(listed), _AT_ONCE):
            part = listed[start : start + _AT_ONCE]
            contents = blobs.read([blob for _, _, blob in part], limits.TEXT_FILE_BYTES)
            for (commit, path, _), data in zip(part, contents, strict=True):
                yield OldFile(commit, path, data if isinstance(data, bytes) else None)
    finally:
        blobs.close()


def _first_places(repo: Repo) -> Iterator[tuple[str, str, str]]:
    """Yield commit, path in the vault and blob of each content's first occurrence."""
    args = ("--all", "--topo-order", "--reverse")
    commits = gitrun.run(repo.top, "rev-list", *args).decode().split()
    seen = set()
    for record in records(repo, commits, EACH_PARENT):
        mode, blob = record.modes[-1], record.ids[-1]
        if blob not in seen and mode in ("100644", "100755"):
            seen.add(blob)
            yield record.commit, record.path, blob
