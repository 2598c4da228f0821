"""Semantic changes between two states of a vault, and whom they affect."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.changes.compare import compare
from toolmem.core.changes.model import Change, ChangeCount, ChangedItem
from toolmem.core.changes.summary import Counted, summary
from toolmem.core.visibility import Audience, may_see
from toolmem.errors import InvalidFileError, NotFoundError, StorageError
from toolmem.ops.prompt import impact as effect
from toolmem.store.files import layout
from toolmem.store.files.tree import DiskTree, Tree
from toolmem.store.git import merge as gitmerge
from toolmem.store.git.diff import History, Snapshot
from toolmem.store.git.raw import ChangedFile
from toolmem.store.git.repo import Repo
from toolmem.store.vault import worktree
from toolmem.store.vault.items import items_of, kind_and_scope
from toolmem.store.vault.vault import Vault, blob_id
from toolmem.store.vault.visible_tree import PrivateIds

_AT_ONCE = 50
"""Files whose contents are in memory together."""


class Diff(NamedTuple):
    """Return the changes from one state to another; None means the files on disk.

    ``effect`` is there where the vault's chain names a project, a type or an agent. Of
    too many changed files there are only ``counts``.
    """

    before: str
    after: str | None
    changes: tuple[Change, ...]
    effect: "effect.PromptImpact | None" = None
    counts: tuple[ChangeCount, ...] = ()


def diff_vault(vault: Vault, before: str = "HEAD", after: str | None = None) -> Diff:
    """The changes between two revisions, or from one to the files on disk.

    Revisions are read from git's objects alone. Raises ``NotFoundError`` for a
    revision that is not there, and where there is no git.
    """
    with History(repo_of(vault)) as history:
        old = start_of(history, before)
        new = history.snapshot(after) if after is not None else None
        changes = _between(vault, history, old, new)
    if len(vault.chain) > 1:
        changes = changes._replace(effect=effect.effect_of(vault, old, new))
    return changes


def revisions(vault: Vault, text: str) -> tuple[str, str]:
    """The two revisions of ``A..B``; of ``A...B``, where B left A, and B.

    A side that is left out is HEAD. Raises ``NotFoundError``.
    """
    before, _, after = text.partition("..")
    forked = after.startswith(".")
    before, after = before or "HEAD", after.removeprefix(".") or "HEAD"
    if not forked:
        return before, after
    repo = repo_of(vault)
    bases = gitmerge.merge_bases(repo, repo.resolve(before), repo.resolve(after))
    if not bases:
        raise NotFoundError(f"{before} and {after} have no commit in common")
    return bases[0], after


def repo_of(vault: Vault) -> Repo:
    """Return the repository of the vault; raises ``NotFoundError`` without one."""
    repo = Repo.find(vault.root)
    if repo is None:
        raise NotFoundError(f"{vault.root} is not in a git repository")
    return repo


def start_of(history: History, revision: str) -> Snapshot | None:
    """The revision; None for the HEAD of a repository that has no commit yet."""
    try:
        return history.snapshot(revision)
    except NotFoundError:
        if revision != "HEAD":
            raise
        return None


def _between(
    vault: Vault, history: History, old: Snapshot | None, new: Snapshot | None
) -> Diff:
    """Return the changes from a commit (None: from nothing) to another (None: disk)."""
    tree = old.tree if old else ""
    diff = Diff(old.id if old else "", new.id if new else None, ())
    if new is None:
        return _on_disk(vault, history, tree, diff)
    touched = history.touched(tree, new.tree)
    if are_too_many(vault, touched):
        kinds = (counted_file(f.path, f.before, bool(f.after)) for f in touched)
        return diff._replace(counts=summary(kinds))
    return diff._replace(changes=changes_in(history, touched, shown_to(vault)))


def _on_disk(vault: Vault, history: History, tree: str, diff: Diff) -> Diff:
    files = worktree.differing(vault, history, tree)
    if are_too_many(vault, files):
        kinds = (counted_file(f.path, f.before, f.exists) for f in files)
        return diff._replace(counts=summary(kinds))
    return diff._replace(changes=changes_on_disk(vault, history, files))


def are_too_many(vault: Vault, files: Sequence[object]) -> bool:
    """Return True if changed files are not read, but counted.

    An agent may not even know how many of them are private; to it all are read.
    """
    return vault.audience is Audience.PERSON and len(files) > limits.DIFF_FILES


def counted_file(path: str, before: str, exists: bool) -> Counted:
    """Return by what a changed file is counted; it is not read."""
    action = ("changed" if before else "added") if exists else "deleted"
    return action, *kind_and_scope(path)


def uncommitted_changes(vault: Vault, history: History) -> tuple[Change, ...]:
    """Return the changes from the last commit to the files on disk; all are read."""
    start = start_of(history, "HEAD")
    files = worktree.differing(vault, history, start.tree if start else "")
    return changes_on_disk(vault, history, files)


def changes_on_disk(
    vault: Vault, history: History, files: Sequence[worktree.ModifiedFile]
) -> tuple[Change, ...]:
    """The changes that these files make of what they were."""
    sides = history.contents([file.before for file in files])
    before = [
        i
        for file in files
        if file.before
        for i in items_of(file.path, sides[file.before])
    ]
    now = ((file.path, file.content(vault.tree.unrecorded)) for file in files)
    after = [i for path, data in now if data is not None for i in items_of(path, data)]
    shows = shown_to(vault)
    return compare(filter(shows, before), filter(shows, after))


def changes_in(
    history: History, touched: list[ChangedFile], shows: Callable[[ChangedItem], bool]
) -> tuple[Change, ...]:
    """The changes that these files make, of the things that are shown."""
    before: list[ChangedItem] = []
    after: list[ChangedItem] = []
    for old, new in items_in(history, touched):
        before += filter(shows, old)
        after += filter(shows, new)
    return compare(before, after)


def items_in(
    history: History, touched: Iterable[ChangedFile], files: Tree | None = None
) -> Iterator[tuple[list[ChangedItem], list[ChangedItem]]]:
    """Yield the items in each of these files, before and after.

    A few files are read at a time: from ``files``, which is faster than git, if they
    have the wanted content there.
    """
    rest = iter(touched)
    while part := tuple(islice(rest, _AT_ONCE)):
        sides = {file.after: _same_now(files, file) for file in part if files}
        known: dict[str, bytes | str] = {
            name: data for name, data in sides.items() if data is not None
        }
        wanted = (name for file in part for name in (file.before, file.after))
        known |= history.contents([name for name in wanted if name not in known])
        for file in part:
            yield (
                _items(file.path, file.before, file.mode_before, known),
                _items(file.path, file.after, file.mode_after, known),
            )


def _same_now(files: Tree | None, file: ChangedFile) -> bytes | None:
    """Return the content that a file was given, if it has it still."""
    if files is None or not file.after or not file.is_plain:
        return None
    try:
        data = files.read(file.path, limits.TEXT_FILE_BYTES)
    except (FileNotFoundError, InvalidFileError, StorageError):
        return None
    return data if blob_id(data, len(file.after)) == file.after else None


def _items(
    path: str, blob: str, mode: str, contents: Mapping[str, bytes | str]
) -> list[ChangedItem]:
    return list(items_of(path, _plain(mode, contents[blob]))) if blob else []


def shown_to(vault: Vault) -> Callable[[ChangedItem], bool]:
    """Return the test whether the vault's audience may see an item, past or present.

    A memory that is private now is so in the past; one that cannot be read may be.
    """
    if vault.audience is Audience.PERSON:
        return lambda _: True
    hidden = PrivateIds(DiskTree(vault.root))

    def shows(item: ChangedItem) -> bool:
        if item.home.endswith(layout.ORIGINAL):
            stem = item.home.rpartition("/")[2].removesuffix(layout.ORIGINAL)
            return may_see(vault.audience, private=stem in hidden)
        private = item.id in hidden or bool(item.problem or item.values.get("private"))
        return item.kind != "memory" or may_see(vault.audience, private=private)

    return shows


def _plain(mode: str, data: bytes | str) -> bytes | str:
    if mode == "120000":
        return "is a symbolic link"
    return data if mode != "160000" else "is a separate repository"
