"""Sharing a vault through git."""

import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import sleep
from typing import NamedTuple

from toolmem.api.access import Operations, bounded
from toolmem.core.model import Problem
from toolmem.errors import Arg, UsageError
from toolmem.ops.setup import git_setup
from toolmem.ops.sync import resolve
from toolmem.ops.sync import sync as syncing
from toolmem.ops.sync import unmerged as unmerged_files
from toolmem.store.vault.vault import Vault


class ResolveResult(NamedTuple):
    """Settled and open conflicts, and files that cannot be read.

    ``unmerged`` are those that git left unmerged and that a person must fix.
    """

    settled: "tuple[unmerged_files.ResolvedFile, ...]"
    open: "tuple[resolve.OpenConflict, ...]"
    problems: tuple[Problem, ...]
    unmerged: tuple[Problem, ...] = ()


@bounded()
class Sharing(Operations):
    """Sharing of a vault through git."""

    @property
    def git(self) -> "Git":
        """Drivers that let git merge and compare by meaning."""
        return Git(self._access)

    def resolve(
        self, path: Sequence[str] = (), *, take: str = "", key: str = ""
    ) -> "ResolveResult":
        """Merge files with git's conflict marks again, and list the conflicts.

        ``take`` settles them for ``ours``, ``theirs``, ``stricter`` (rules) or ``both``
        (texts): all of them, or those of these paths or rules' ids, or the one that
        ``key`` names. Raises ``NotFoundError`` and ``UsageError``.
        """
        if key and not take:
            raise UsageError(Arg("key"), " needs ", Arg("take"))
        vault = self._access.whole(write=True)
        path = resolve.in_vault(vault, path)
        merged = list(resolve.merge_again(vault, path))
        done = [
            file for file in merged if isinstance(file, unmerged_files.ResolvedFile)
        ]
        left = resolve.open_conflicts(vault.fresh()).open
        if take and (path or not done or left):
            done += resolve.resolve_conflicts(vault.fresh(), take, path, key)
        left_over = unmerged(vault, path, merged)
        return outcome(vault, path, done, left_over)

    def sync(
        self,
        *,
        remote: str = "",
        offline: bool = False,
        all: bool = False,
        dry_run: bool = False,
    ) -> "syncing.SyncResult":
        """Fetch, merge by meaning, check and push; ``.action`` is the outcome.

        ``remote`` replaces the branch's own; ``offline`` merges what was fetched last
        and pushes nothing. If a commit changes files outside the vault, nothing is
        pushed without ``all``. A dry run fetches, and changes nothing here. Raises
        ``NotFoundError`` without a remote, ``StorageError``, ``ExistsError`` and
        ``LockedError``.
        """
        vault = self._access.whole(write=True)
        return syncing.sync_vault(
            vault,
            sleep,
            self._access.before_push,
            remote=remote,
            offline=offline,
            everything=all,
            dry_run=dry_run,
        )


def unmerged(
    vault: Vault, paths: Sequence[str], merged: "Iterable[object]"
) -> tuple[Problem, ...]:
    """Return files that git left unmerged and that a person must fix."""
    known = [problem for problem in merged if isinstance(problem, Problem)]
    left = {problem.path: problem for problem in resolve.left_unmerged(vault.fresh())}
    named = (path for path in left if resolve.is_named(path, paths))
    more = sorted({*named} - {problem.path for problem in known})
    return (*known, *(left[path] for path in more))


def outcome(
    vault: Vault,
    paths: Sequence[str],
    done: "Sequence[unmerged_files.ResolvedFile]",
    unmerged: tuple[Problem, ...] = (),
) -> ResolveResult:
    """Return the settled conflicts, and the open ones of these files (none: of all)."""
    conflicts = resolve.open_conflicts(vault.fresh())
    left = (
        conflict
        for conflict in conflicts.open
        if resolve.is_named(conflict.path, paths)
    )
    broken = (
        problem
        for problem in conflicts.problems
        if resolve.is_named(problem.path, paths)
    )
    return ResolveResult(tuple(done), tuple(left), tuple(broken), unmerged)


@bounded("git")
class Git(Operations):
    """Operations on the drivers that teach git about the vault."""

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
    program = shutil.which("toolmem")
    if program:
        return shlex.quote(Path(program).absolute().as_posix())
    return f"{shlex.quote(Path(sys.executable).as_posix())} -m toolmem"
