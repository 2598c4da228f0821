"""Every content that a vault's files ever had, and the commit that brought it."""

import os
from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core import limits
from toolmem.store import gitrun
from toolmem.store.gitblobs import Blobs
from toolmem.store.gitrepo import Repo

_AT_ONCE = 200
_LISTED = ("-r", "-m", "-z", "--root", "--no-renames", "--no-ext-diff", "--no-textconv")


class OldFile(NamedTuple):
    """A file as a commit brought it; ``data`` is None for one too large to read."""

    commit: str
    path: str
    data: bytes | None


def old_files(repo: Repo) -> Iterator[OldFile]:
    """Each content once, with the first commit and path that had it, oldest first.

    All branches and tags are looked at. Raises ``StorageError``.
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
    """Commit, path in the vault and blob of each content, as it first appeared."""
    args = ("--all", "--topo-order", "--reverse")
    commits = gitrun.run(repo.top, "rev-list", *args)
    if not commits:
        return
    place = (repo.place(""),) if repo.prefix else ()
    args = ("--stdin", *_LISTED, "--", *place)
    output = gitrun.run(repo.top, "diff-tree", *args, stdin=commits)
    commit, seen = "", set()
    fields = iter(output.split(b"\0"))
    for field in fields:
        if not field.startswith(b":"):
            commit = field.decode("ascii", "replace").strip() or commit
            continue
        mode, blob = field.split(b" ")[1:4:2]
        path = os.fsdecode(next(fields, b""))
        if blob not in seen and mode in (b"100644", b"100755"):
            seen.add(blob)
            yield commit, _inside(repo, path), blob.decode()


def _inside(repo: Repo, path: str) -> str:
    return path[len(repo.prefix) + 1 :] if repo.prefix else path
