"""Sharing a vault through git, and the documents of the answers."""

import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from toolmem.api.access import Access, bounded
from toolmem.api.documents import plain
from toolmem.api.history import change_document
from toolmem.core.model import Problem
from toolmem.ops.setup import git_setup
from toolmem.ops.sync import resolve
from toolmem.ops.sync import sync as syncing
from toolmem.ops.sync.unmerged import ResolvedFile
from toolmem.store.vault.vault import Vault


class ResolveResult(NamedTuple):
    """Settled and open conflicts, and files that cannot be read.

    ``unmerged`` are those that git left unmerged and that a person must fix.
    """

    settled: tuple[ResolvedFile, ...]
    open: "tuple[resolve.OpenConflict, ...]"
    problems: tuple[Problem, ...]
    unmerged: tuple[Problem, ...] = ()


def unmerged(
    vault: Vault, paths: Sequence[str], merged: "Iterable[object]"
) -> tuple[Problem, ...]:
    """Return files that git left unmerged and that a person must fix."""
    known = [one for one in merged if isinstance(one, Problem)]
    left = {one.path: one for one in resolve.left_unmerged(vault.fresh())}
    named = (path for path in left if resolve.is_named(path, paths))
    more = sorted({*named} - {one.path for one in known})
    return (*known, *(left[path] for path in more))


def outcome(
    vault: Vault,
    paths: Sequence[str],
    done: Sequence[ResolvedFile],
    unmerged: tuple[Problem, ...] = (),
) -> ResolveResult:
    """Return the settled conflicts, and the open ones of these files (none: of all)."""
    found = resolve.open_conflicts(vault.fresh())
    left = (one for one in found.open if resolve.is_named(one.path, paths))
    broken = (one for one in found.problems if resolve.is_named(one.path, paths))
    return ResolveResult(tuple(done), tuple(left), tuple(broken), unmerged)


@bounded("git")
class Git:
    """Operations on the drivers that teach git about the vault."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def install(self) -> "git_setup.GitSetup":
        """Set up the merge and diff drivers in this clone, and ``.gitattributes``.

        Raises ``NotFoundError`` without git.
        """
        return git_setup.git_install(self._access.whole(write=True), _program())

    def status(self) -> "git_setup.GitSetup":
        """Return what is set up in this clone."""
        return git_setup.git_status(self._access.read())

    def uninstall(self) -> "git_setup.GitSetup":
        """Remove the drivers and our lines of ``.gitattributes``."""
        return git_setup.git_uninstall(self._access.whole(write=True))


def _program() -> str:
    """Return the command by which git's shell calls this toolmem."""
    own = Path(sys.argv[0])
    if own.stem == "toolmem" and own.is_file():
        return shlex.quote(own.resolve().as_posix())
    found = shutil.which("toolmem")
    if found:
        return shlex.quote(Path(found).absolute().as_posix())
    return f"{shlex.quote(Path(sys.executable).as_posix())} -m toolmem"


def resolved_document(done: ResolveResult) -> dict[str, Any]:
    """Return settled and open conflicts, and problems."""
    return {
        "settled": [one._asdict() for one in done.settled],
        "open": [
            {"path": one.path, "kind": one.kind, **one.conflict._asdict()}
            for one in done.open
        ],
        "problems": plain(done.problems),
    }


def synced_document(done: "syncing.SyncResult") -> dict[str, Any]:
    """Return the outcome of a sync."""
    return {
        "action": done.action,
        "remote": done.remote,
        "commit": done.commit,
        "pushed": done.pushed,
        "tries": done.tries,
        "uncommitted": done.uncommitted,
        "changes": [change_document(change) for change in done.changes],
        "conflicts": [
            {"path": path, **conflict._asdict()} for path, conflict in done.conflicts
        ],
        "problems": plain(done.problems),
        "commits": [
            {**one._asdict(), "outside": list(one.outside)} for one in done.commits
        ],
        "rejection": done.rejection and done.rejection._asdict(),
    }
