"""Find files on disk that differ from a commit.

Git names those that may differ; their bytes decide.
"""

import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from toolmem.core import limits
from toolmem.errors import InvalidFileError
from toolmem.store.files import durable, folders, layout
from toolmem.store.files.tree import DiskTree, Tree
from toolmem.store.files.walk import kind_of
from toolmem.store.git import diff, working_tree
from toolmem.store.git.diff import History
from toolmem.store.git.repo import Repo
from toolmem.store.vault.vault import Vault, blob_id

_GIT = ".git"
_PLAIN = ("100644", "100755")


class ModifiedFile(NamedTuple):
    """A file that differs: its former blob ("" for none), and whether it exists."""

    path: str
    before: str
    exists: bool

    def content(self, tree: Tree) -> bytes | str | None:
        """Return its bytes now, or why it cannot be read; None without a file."""
        return _read(tree, self.path, limits.TEXT_FILE_BYTES) if self.exists else None


def differing(vault: Vault, history: History, tree: str) -> list[ModifiedFile]:
    """Return the files of the vault that differ from this tree ("" is an empty one).

    Only files that git does not know to be the same are read. A file that is not in the
    tree counts only if it is the vault's and git does not ignore it; a file that git
    does not check (in a sparse checkout) counts as equal.
    """
    repo = history.repo
    maybe = diff.maybe_changed(repo, tree)
    unseen = {repo.inside(place) for place in working_tree.passed_over(repo.top)}
    files: list[ModifiedFile] = []
    with DiskTree(vault.root) as disk:
        untracked = dict.fromkeys(_untracked(disk, repo, maybe), ("", ""))
        for path, (mode, blob) in {**untracked, **maybe.known}.items():
            if path in unseen or not _is_of_vault(path) or not (blob or is_ours(path)):
                continue
            if disk.kind(path) == "file" and vault.tree.shows(path):
                if not blob or not is_same(_read(disk, path, sys.maxsize), blob):
                    files.append(ModifiedFile(path, blob, exists=True))
            elif mode in _PLAIN:
                files.append(ModifiedFile(path, blob, exists=False))
    return sorted(files)


def committable(vault: Vault) -> Iterator[tuple[str, str]]:
    """Yield the files that git has or would take, and reasons for not taking others.

    A reason is "" for a file that is taken. Without git, and in a vault that git
    ignores, the format of vaults decides alone. The folder of another vault is none of
    this one.
    """
    with DiskTree(vault.root) as disk:
        known, others = _listed(disk, Repo.find(vault.root))
        vaults: dict[str, bool] = {}
        for path in sorted((*known, *others)):
            kind = disk.kind(path)
            if kind is None or not _is_of_vault(path):
                continue
            if _inner_vault(disk, path, vaults):
                continue
            if kind != "file":
                yield path, "is neither a file nor a folder"
            elif path in known or is_ours(path) or _is_original(path):
                yield path, ""
            elif not durable.is_temp(path.rpartition("/")[2]):
                yield path, "is not in git, and is no part of a vault"
        yield from ((path, "is another vault") for path in vaults if vaults[path])


def _listed(disk: DiskTree, repo: Repo | None) -> tuple[Iterable[str], Iterable[str]]:
    """Return the files that git has, and those that it may take."""
    if repo is not None:
        maybe = diff.maybe_changed(repo, "")
        if maybe.known or not working_tree.ignored(
            repo.top, [repo.place(layout.SETTINGS)]
        ):
            return maybe.known, tuple(_untracked(disk, repo, maybe))
    return (), tuple(_files(disk, "", links=True))


def _inner_vault(disk: DiskTree, path: str, known: dict[str, bool]) -> str:
    """Return the outermost vault inside this one that contains a path, or ""."""
    place = ""
    for name in path.split("/")[:-1]:
        place = f"{place}/{name}".removeprefix("/")
        if place not in known:
            known[place] = disk.kind(f"{place}/{layout.SETTINGS}") is not None
        if known[place]:
            return place
    return ""


def _is_original(path: str) -> bool:
    """Return True for the original text of a memory."""
    return path.endswith(layout.ORIGINAL) and is_ours(
        path.removesuffix(layout.ORIGINAL) + ".md"
    )


def _untracked(disk: DiskTree, repo: Repo, maybe: diff.MaybeChanged) -> Iterator[str]:
    """Return the files to add, also those in a folder that is a repository."""
    inner = []
    for path in maybe.untracked:
        if path.endswith("/"):
            inner += [file for file in _files(disk, path[:-1]) if is_ours(file)]
        else:
            yield path
    ignored = working_tree.ignored(repo.top, [repo.place(path) for path in inner])
    yield from (path for path in inner if repo.place(path) not in ignored)


def _is_of_vault(path: str) -> bool:
    """Return True for a path that is neither local state nor a repository's own."""
    names = path.split("/")
    return names[0] != layout.STATE and all(map(folders.is_plain, names))


def is_ours(path: str) -> bool:
    """Return True if the vault's format or toolmem defines this path."""
    if path in layout.TOP_FILES:
        return True
    home = path.removeprefix(f"{layout.ARCHIVE}/")
    return home == layout.SETTINGS or kind_of(home) != "other"


def is_same(data: bytes | str, blob: str) -> bool:
    """Return True if these bytes are that blob, apart from carriage returns."""
    if isinstance(data, str):
        return False
    if blob_id(data, len(blob)) == blob:
        return True
    return b"\r\n" in data and blob_id(data.replace(b"\r\n", b"\n"), len(blob)) == blob


def _files(tree: Tree, folder: str, *, links: bool = False) -> Iterator[str]:
    """Yield the files below a folder; with ``links`` everything that is no folder."""
    for entry in tree.entries(folder):
        path = f"{folder}/{entry.name}" if folder else entry.name
        if entry.name == _GIT or path == layout.STATE:
            continue  # the folder may contain clones of other repositories
        if entry.kind == "folder":
            yield from _files(tree, path, links=links)
        elif links or entry.kind == "file":
            yield path


def _read(tree: Tree, path: str, limit: int) -> bytes | str:
    try:
        return tree.read(path, limit)
    except InvalidFileError as error:
        return error.reason
    except FileNotFoundError:
        return "was deleted while it was being read"
