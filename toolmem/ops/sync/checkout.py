"""Putting a merged commit on disk: files, then the index, then the branch.

Everything is read before anything is written, and a ref names commit and branch until
all is done: a run that was cut short is finished, or taken back, by the next one.
"""

import sys
import tempfile
from collections.abc import Container, Iterable, Sequence
from pathlib import Path

from toolmem.errors import (
    ExistsError,
    InvalidFileError,
    LockedError,
    StorageError,
    UsageError,
)
from toolmem.ops.sync.merge_trees import require_ours
from toolmem.store.files import files, lock
from toolmem.store.files.tree import DiskTree
from toolmem.store.git import merge as gitmerge
from toolmem.store.git import run as gitrun
from toolmem.store.git import unmerged as gitunmerged
from toolmem.store.git import working_tree
from toolmem.store.git.diff import History, Snapshot
from toolmem.store.git.merge import MergedEntry
from toolmem.store.git.raw import ChangedFile
from toolmem.store.git.remote import current_branch
from toolmem.store.git.repo import Repo
from toolmem.store.vault.vault import Vault
from toolmem.store.vault.worktree import is_same

_NAMED = 5


def check_out(
    vault: Vault, repo: Repo, branch: str, old: Snapshot, new: Snapshot
) -> None:
    """Bring the vault's files, the index and the branch from one commit to another.

    Raises ``ExistsError``, before anything is changed, where a file that would
    change has changes that are not committed; ``LockedError`` where the branch has
    moved meanwhile.
    """
    with lock.hold(vault.root), History(Repo(repo.top)) as history:
        touched = history.touched(old.tree, new.tree)
        require_ours(repo, touched)
        _require_quiet(repo, branch, old, touched)
        skipped = working_tree.skipped(repo.top)
        here = [file for file in touched if not _is_absent(repo, file, skipped)]
        with tempfile.TemporaryDirectory(prefix="toolmem-") as folder:
            contents = _contents(history, here, Path(folder))
            _refuse(file.path for file in here if _is_changed(vault, repo, file))
            gitmerge.mark_interrupted(repo, branch, new.id)
            _write_all(vault, repo, here, contents)
        _stage(repo, touched, len(new.id))
        if not gitmerge.move_ref(repo, f"refs/heads/{branch}", new.id, old.id):
            raise LockedError("another process is committing to this clone: try again")
        gitmerge.mark_interrupted(repo, branch, "")


def finish_interrupted(vault: Vault, repo: Repo) -> None:
    """Finish what a run in this worktree that was cut short left half done.

    It is taken back where another branch is checked out now, or files were changed.
    """
    for branch, commit in gitmerge.interrupted(repo):
        reason = gitunmerged.unfinished(repo)
        if reason:
            raise ExistsError(reason)
        head = gitrun.verify(repo.top, "HEAD^{commit}")
        is_other = head != commit
        if head and is_other and gitmerge.merge_bases(repo, head, commit) == [head]:
            _finish(vault, repo, branch, head, commit)
        gitmerge.mark_interrupted(repo, branch, "")


def _finish(vault: Vault, repo: Repo, branch: str, head: str, commit: str) -> None:
    with History(repo) as history:
        old, new = history.snapshot(head), history.snapshot(commit)
    try:
        if branch == current_branch(repo):
            check_out(vault, repo, branch, old, new)
            return
    except (ExistsError, UsageError):
        pass
    _take_back(vault, repo, old, new)


def _take_back(vault: Vault, repo: Repo, old: Snapshot, new: Snapshot) -> None:
    """Bring back what is in the last commit, in files as they were written."""
    with lock.hold(vault.root), History(Repo(repo.top)) as history:
        back = history.touched(new.tree, old.tree)
        written = [file for file in back if _is_on_disk(vault, repo, file, file.before)]
        with tempfile.TemporaryDirectory(prefix="toolmem-") as folder:
            contents = _contents(history, written, Path(folder))
            _write_all(vault, repo, written, contents)
        staged = gitmerge.staged(repo)
        again = [file for file in back if staged.get(file.path) == file.before]
        _stage(repo, again, len(old.id))


def _stage(repo: Repo, touched: Iterable[ChangedFile], length: int) -> None:
    entries = [MergedEntry(t.path, t.mode_after or "100644", t.after) for t in touched]
    if entries:
        gitmerge.stage(repo, entries, length)


def _require_quiet(
    repo: Repo, branch: str, old: Snapshot, touched: Sequence[ChangedFile]
) -> None:
    """Raise where git is busy, or has other changes of these files staged."""
    head = gitrun.verify(repo.top, "HEAD^{commit}")
    if (current_branch(repo), head) != (branch, old.id):
        raise LockedError("another process is committing to this clone: try again")
    reason = gitunmerged.unfinished(repo)
    if reason:
        raise ExistsError(reason)
    staged = gitmerge.staged(repo)
    _refuse(
        file.path for file in touched if staged.get(file.path, file.after) != file.after
    )


def _is_absent(repo: Repo, file: ChangedFile, skipped: Container[str]) -> bool:
    """Return whether a sparse checkout leaves the file out: only git changes."""
    return file.path in skipped and not (repo.top / file.path).exists()


def _contents(
    history: History, touched: Iterable[ChangedFile], folder: Path
) -> dict[str, bytes | Path]:
    """Read the new blobs; those that are too large to stay in memory into a folder."""
    paths = {file.after: file.path for file in touched if file.after}
    contents: dict[str, bytes | Path] = {}
    for blob, data in history.contents([*paths]).items():
        if isinstance(data, bytes):
            contents[blob] = data
            continue
        contents[blob] = copy = folder / blob
        try:
            history.copy(blob, copy)
        except StorageError as error:
            raise StorageError(f"{paths[blob]}: {error}") from error
    return contents


def _is_changed(vault: Vault, repo: Repo, file: ChangedFile) -> bool:
    """Return whether a file is neither that of the commit nor already the new one."""
    return not any(_is_on_disk(vault, repo, file, n) for n in (file.before, file.after))


def _is_on_disk(vault: Vault, repo: Repo, file: ChangedFile, blob: str) -> bool:
    data = _read(vault, repo.inside(file.path))
    return not blob if data is None else bool(blob) and is_same(data, blob)


def _read(vault: Vault, path: str) -> bytes | None:
    with DiskTree(vault.root) as tree:
        try:
            return tree.read(path, sys.maxsize)
        except FileNotFoundError:
            return None
        except InvalidFileError as error:
            raise StorageError(str(error)) from error


def _refuse(paths: Iterable[str]) -> None:
    listed = list(paths)
    if listed:
        more = f" and {len(listed) - _NAMED} more" if len(listed) > _NAMED else ""
        raise ExistsError(
            f"{', '.join(listed[:_NAMED])}{more}: changed here and not committed, and"
            " changed by others: commit it first"
        )


def _write_all(
    vault: Vault,
    repo: Repo,
    touched: Iterable[ChangedFile],
    contents: dict[str, bytes | Path],
) -> None:
    has_modes = working_tree.has_modes(repo.top)
    for file in touched:
        data = contents[file.after] if file.after else None
        _write(vault, repo, file, data.read_bytes() if isinstance(data, Path) else data)
        if has_modes and file.after and file.mode_before != file.mode_after:
            working_tree.set_executable(
                repo.top / file.path, file.mode_after == "100755"
            )


def _write(vault: Vault, repo: Repo, file: ChangedFile, data: bytes | None) -> None:
    path = repo.inside(file.path)
    current = _read(vault, path)
    if current == data:
        return
    if data is None:
        files.delete(vault.root, path, current or b"")
    elif current is None:
        files.create(vault.root, path, data)
    else:
        files.replace(vault.root, path, data, current)
