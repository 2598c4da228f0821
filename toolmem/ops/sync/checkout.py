"""Putting a merged commit on disk: files, then the index, then the branch.

A ref names the commit until all is done, so that a run that was cut short is taken
up again by the next one.
"""

from collections.abc import Container, Iterable, Sequence
from contextlib import suppress

from toolmem.core import limits
from toolmem.errors import ExistsError, InvalidFileError, LockedError, StorageError
from toolmem.ops.sync.merge_trees import require_ours
from toolmem.store.files import files, lock
from toolmem.store.files.tree import DiskTree
from toolmem.store.git import merge as gitmerge
from toolmem.store.git import run as gitrun
from toolmem.store.git import unmerged as gitunmerged
from toolmem.store.git import working_tree
from toolmem.store.git.diff import ChangedFile, History, Snapshot
from toolmem.store.git.merge import INTERRUPTED, MergedEntry
from toolmem.store.git.repo import Repo
from toolmem.store.vault.vault import Vault
from toolmem.store.vault.worktree import is_same

_NAMED = 5


def check_out(vault: Vault, repo: Repo, old: Snapshot, new: Snapshot) -> None:
    """Bring the vault's files, index and branch from one commit to another.

    Raises ``ExistsError``, before anything is changed, where a file that would
    change has changes that are not committed; ``LockedError`` where the branch has
    moved meanwhile.
    """
    with lock.hold(vault.root), History(Repo(repo.top)) as history:
        touched = history.touched(old.tree, new.tree)
        require_ours(repo, touched)
        _require_quiet(repo, old, touched)
        blobs = history.contents([one.after for one in touched])
        skipped = working_tree.skipped(repo.top)
        here = [one for one in touched if not _is_absent(repo, one, skipped)]
        on_disk = _on_disk(vault, repo, here)
        gitmerge.move_ref(repo, INTERRUPTED, new.id)
        for one in here:
            _write(vault, repo, one, on_disk[one.path], blobs.get(one.after))
        entries = [
            MergedEntry(t.path, t.mode_after or "100644", t.after) for t in touched
        ]
        if entries:
            gitmerge.stage(repo, entries, len(new.id))
        if not gitmerge.move_ref(repo, "HEAD", new.id, old.id):
            raise LockedError("another process is committing to this clone: try again")
        gitmerge.move_ref(repo, INTERRUPTED, "")


def finish_interrupted(vault: Vault, repo: Repo) -> bool:
    """Finish what a run that was cut short left half done; whether there was any."""
    wanted = gitrun.verify(repo.top, INTERRUPTED)
    if wanted is None:
        return False
    head = gitrun.verify(repo.top, "HEAD^{commit}")
    if head and head != wanted and gitmerge.merge_bases(repo, head, wanted) == [head]:
        with History(repo) as history:
            old, new = history.snapshot(head), history.snapshot(wanted)
        check_out(vault, repo, old, new)
        return True
    gitmerge.move_ref(repo, INTERRUPTED, "")
    return False


def _require_quiet(repo: Repo, old: Snapshot, touched: Sequence[ChangedFile]) -> None:
    """Raise where git is busy, or has other changes of these files staged."""
    if gitrun.verify(repo.top, "HEAD^{commit}") != old.id:
        raise LockedError("another process is committing to this clone: try again")
    reason = gitunmerged.unfinished(repo)
    if reason:
        raise ExistsError(reason)
    staged = gitmerge.staged(repo)
    _refuse(one.path for one in touched if staged.get(one.path, one.after) != one.after)


def _is_absent(repo: Repo, one: ChangedFile, skipped: Container[str]) -> bool:
    """Return whether a sparse checkout leaves the file out: only git changes."""
    return one.path in skipped and not (repo.top / one.path).exists()


def _on_disk(
    vault: Vault, repo: Repo, touched: Sequence[ChangedFile]
) -> dict[str, bytes | None]:
    """Return the content of the files now: that of the commit, or already the new."""
    found: dict[str, bytes | None] = {}
    changed = []
    with DiskTree(vault.root) as tree:
        for one in touched:
            data: bytes | None = None
            try:
                data = tree.read(repo.inside(one.path), limits.TEXT_FILE_BYTES)
            except FileNotFoundError:
                pass
            except InvalidFileError as error:
                raise StorageError(str(error)) from error
            found[one.path] = data
            if not any(_is(data, blob) for blob in (one.before, one.after)):
                changed.append(one.path)
    _refuse(changed)
    return found


def _is(data: bytes | None, blob: str) -> bool:
    return not blob if data is None else bool(blob) and is_same(data, blob)


def _refuse(paths: Iterable[str]) -> None:
    listed = list(paths)
    if listed:
        more = f" and {len(listed) - _NAMED} more" if len(listed) > _NAMED else ""
        raise ExistsError(
            f"{', '.join(listed[:_NAMED])}{more}: changed here and not committed, and"
            " changed by others: commit it first"
        )


def _write(
    vault: Vault,
    repo: Repo,
    one: ChangedFile,
    current: bytes | None,
    data: bytes | str | None,
) -> None:
    path = repo.inside(one.path)
    if isinstance(data, str):
        raise StorageError(f"{one.path}: {data}")
    if current == data:
        return
    if data is None:
        files.delete(vault.root, path, current or b"")
    elif current is None:
        files.create(vault.root, path, data)
    else:
        files.replace(vault.root, path, data, current)
    if data is not None and one.mode_after == "100755":
        with suppress(OSError):
            (vault.root / path).chmod(0o755, follow_symlinks=True)
