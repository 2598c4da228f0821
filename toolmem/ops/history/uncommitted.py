"""Uncommitted changes of the vault, one entry for each item to review.

Keeping an entry commits its files and no others; turning it down puts back what
the last commit says. What is taken away by that is kept in ``.toolmem/backup/``.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.changes.model import FACTS_FILE, Change
from toolmem.core.secrets.detect import find_secrets
from toolmem.errors import (
    Arg,
    ExistsError,
    NextStep,
    NotFoundError,
    SecretError,
    UsageError,
)
from toolmem.ops.history.diff import (
    are_too_many,
    changes_on_disk,
    counted_file,
    repo_of,
    shown_to,
    start_of,
)
from toolmem.store.files import files, layout, lock, outside
from toolmem.store.git import commit as gitcommit
from toolmem.store.git import merge as gitmerge
from toolmem.store.git import unmerged as gitunmerged
from toolmem.store.git.diff import History
from toolmem.store.git.raw import ChangedFile
from toolmem.store.git.repo import Repo
from toolmem.store.vault import worktree
from toolmem.store.vault.items import item_at, items_of
from toolmem.store.vault.vault import Vault

_SHOWN = 5
_BINARY_BYTES = 8000
_DETACHED = "HEAD is detached: keep this commit with `git switch -c BRANCH`"


class UncommittedEntry(NamedTuple):
    """A thing that changed since the last commit: its id, files and changes.

    The facts of one file are one entry, for git commits a file as a whole.
    """

    id: str
    kind: str
    paths: tuple[str, ...]
    changes: tuple[Change, ...]


class CommitResult(NamedTuple):
    """The commit that was made (None: none was), and of what.

    ``remarks`` name files that cannot be read, and a commit that is on no branch.
    ``more`` are committed files that are not in the vault, and ``left`` such files that
    git does not have yet, as paths below the top of the repository.
    """

    id: str | None
    message: str
    paths: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def require_finished(vault: Vault) -> None:
    """Raise ``ExistsError`` where git has to end something before a commit."""
    repo = repo_of(vault)
    reason = gitunmerged.unfinished(repo)
    if reason:
        raise ExistsError(reason)
    if gitmerge.interrupted(repo):  # files of others would be committed as our own
        raise ExistsError("a sync was cut short: finish it with ", NextStep("sync"))


def has_history(vault: Vault) -> bool:
    """Return whether the vault is in a git repository."""
    return vault.revision is None and Repo.find(vault.root) is not None


def uncommitted(vault: Vault) -> tuple[UncommittedEntry, ...]:
    """Everything that differs from the last commit, by kind and path.

    Too many files are not read: each is an entry without its content. Raises
    ``NotFoundError`` where there is no git.
    """
    with History(repo_of(vault)) as history:
        start = start_of(history, "HEAD")
        files_ = worktree.differing(vault, history, start.tree if start else "")
        if are_too_many(vault, files_):
            return tuple(map(_unread, files_))
        changes = changes_on_disk(vault, history, files_)
    changes += tuple(_edits(vault, files_, changes))
    by_paths: dict[tuple[str, ...], list[Change]] = {}
    for change in changes:
        by_paths.setdefault(_paths(change), []).append(change)
    return tuple(_entry(paths, own) for paths, own in by_paths.items())


def _unread(file: worktree.ModifiedFile) -> UncommittedEntry:
    action, _, _ = counted_file(file.path, file.before, file.exists)
    item = item_at(file.path)
    change = Change(
        (action,), item if file.before else None, item if file.exists else None
    )
    return UncommittedEntry(item.id, item.kind, (file.path,), (change,))


def _edits(
    vault: Vault, files_: Iterable[worktree.ModifiedFile], changes: Iterable[Change]
) -> Iterator[Change]:
    """Files whose change changes no meaning: comments, prose between facts, times."""
    known = {path for change in changes for path in _paths(change)}
    shows = shown_to(vault)
    for file in files_:
        if file.path not in known:
            data = file.content(vault.tree.unrecorded) or b""
            *_, item = items_of(file.path, data)
            if shows(item):
                yield Change(("edited",), item, item)


def _paths(change: Change) -> tuple[str, ...]:
    items = [item for item in (change.before, change.after) if item is not None]
    return tuple(dict.fromkeys(item.path for item in items))


def _entry(paths: tuple[str, ...], changes: Sequence[Change]) -> UncommittedEntry:
    shown = [c for c in changes if c.item.title != FACTS_FILE] or list(changes)
    first = shown[0].item
    if first.kind == "fact":
        return UncommittedEntry(paths[-1], "facts", paths, tuple(shown))
    return UncommittedEntry(first.id, first.kind, paths, tuple(shown))


def find_entry(
    entries: Iterable[UncommittedEntry], prefix: str
) -> UncommittedEntry | None:
    """The entry with this id or path, or the only one that begins so.

    Raises ``UsageError`` when several begin so.
    """
    listed = list(entries)
    exact = [entry for entry in listed if prefix == entry.id or prefix in entry.paths]
    matches = exact or [
        entry for entry in listed if prefix and entry.id.startswith(prefix)
    ]
    if len(matches) > 1:
        paths = ", ".join(entry.paths[-1] for entry in matches[:_SHOWN])
        raise UsageError(f"{prefix!r} is ambiguous: {paths}")
    return matches[0] if matches else None


def required_entry(
    entries: Iterable[UncommittedEntry], prefix: str
) -> UncommittedEntry:
    """Return the same; raise ``NotFoundError`` without one."""
    entry = find_entry(entries, prefix)
    if entry is None:
        raise NotFoundError(f"no changed item is called {prefix!r}")
    return entry


def commit_entries(
    vault: Vault,
    entries: Sequence[UncommittedEntry],
    message: str,
    *,
    more: tuple[str, ...] = (),
    allow_secret: bool = False,
) -> CommitResult:
    """Commit the files of these entries as they are, and nothing else.

    ``more`` are further files, as paths below the top of the repository. Raises
    ``SecretError`` for a credential in one of them, and ``StorageError`` when git
    refuses.
    """
    paths = tuple(dict.fromkeys(path for entry in entries for path in entry.paths))
    files_of = (*paths, *_originals(paths))
    repo = repo_of(vault)
    if not allow_secret:
        for path in files_of:
            _refuse_secrets(vault, path)
        for path in more:
            _refuse_secret_in(path, outside.read_text(repo.top / path) or "")
    with lock.hold(vault.root):
        require_finished(vault)
        places = (*map(repo.place, files_of), *more)
        made = Repo(repo.top).commit_paths(places, message)
    remarks = (_DETACHED,) if gitcommit.is_detached(repo.top) else ()
    return CommitResult(made, message, paths, remarks, more)


def _originals(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the current or former paths of the originals of these memories."""
    return tuple(
        path.removesuffix(".md") + layout.ORIGINAL
        for path in paths
        if path.endswith(".md") and f"/{layout.MEMORY}/" in path
    )


def _refuse_secrets(vault: Vault, path: str) -> None:
    try:
        data = vault.tree.unrecorded.read(path, sys.maxsize)
    except FileNotFoundError:
        return
    if len(data) > limits.TEXT_FILE_BYTES and b"\0" in data[:_BINARY_BYTES]:
        return  # a picture or the like: nothing reads it as text
    _refuse_secret_in(path, data.decode("utf-8", "replace"))


def _refuse_secret_in(path: str, text: str) -> None:
    secrets = find_secrets(text)
    if secrets:
        line = text.count("\n", 0, secrets[0].start) + 1
        raise SecretError(
            f"{path}:{line}: this looks like a credential ({secrets[0].kind}): "
            "remove it, or use ",
            Arg("allow_secret"),
        )


def undo_entry(vault: Vault, entry: UncommittedEntry) -> tuple[str, ...]:
    """Put back what the last commit says of an entry; where the backups are.

    It is not staged any more either, or git's next commit would have it.

    Raises ``ExistsError`` when a file changes meanwhile.
    """
    vault.require_writable()
    if vault.setting("agent"):
        raise UsageError("only a person can reject uncommitted changes")
    paths = (*entry.paths, *_originals(entry.paths))
    with lock.hold(vault.root), History(repo_of(vault)) as history:
        start = start_of(history, "HEAD")
        listed = history.touched("", start.tree) if start else ()
        known = {file.path: file for file in listed if file.path in paths}
        ids = [file.after for file in known.values()]
        blobs = history.contents(ids, limits.ORIGINAL_BYTES)
        copies = []
        for path in paths:
            old = blobs[known[path].after] if path in known else None
            if isinstance(old, str):
                raise NotFoundError(f"{path}: {old}")
            copies += _put_back(vault, path, old)
        repo = history.repo
        gitmerge.stage_again(repo, [_entry_of(repo, p, known) for p in paths])
    return tuple(copies)


def _entry_of(
    repo: Repo, path: str, known: Mapping[str, ChangedFile]
) -> gitmerge.MergedEntry:
    """State of a file in git's index where nothing is staged."""
    place = repo.place(path)
    if path not in known:
        return gitmerge.MergedEntry(place)
    return gitmerge.MergedEntry(place, known[path].mode_after, known[path].after)


def _put_back(vault: Vault, path: str, old: bytes | None) -> list[str]:
    try:
        now = vault.tree.read(path, limits.ORIGINAL_BYTES)
    except FileNotFoundError:
        if old is not None:
            files.create(vault.root, path, old)
        return []
    if now == old:
        return []
    backup = _backup(vault, path, now)
    if old is None:
        files.delete(vault.root, path, expected=now)
    else:
        files.replace(vault.root, path, old, expected=now)
    return [backup]


def _backup(vault: Vault, path: str, data: bytes) -> str:
    stamp = vault.now.strftime("%Y%m%dT%H%M%SZ")
    folder = f"{layout.STATE}/backup/{stamp}"
    number = 1
    while True:
        name = f"{folder}/{path}" + (f".{number}" if number > 1 else "")
        try:
            files.create(vault.root, name, data)
        except ExistsError:
            number += 1
        else:
            return name
