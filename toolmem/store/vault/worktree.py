"""Find files on disk that differ from a commit, by comparing bytes."""

import hashlib
from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from toolmem.core import limits
from toolmem.errors import InvalidFileError
from toolmem.store.files import layout
from toolmem.store.files.tree import Tree
from toolmem.store.files.walk import kind_of
from toolmem.store.git import working_tree
from toolmem.store.git.diff import History
from toolmem.store.git.repo import Repo
from toolmem.store.vault.vault import Vault

_GIT = ".git"


class ModifiedFile(NamedTuple):
    """A file that differs: its former blob, and its bytes now, if any.

    ``data`` may be why the file cannot be read.
    """

    path: str
    before: str
    data: bytes | str | None


def differing(vault: Vault, history: History, tree: str) -> list[ModifiedFile]:
    """Return the files of the vault that differ from this tree ("" is an empty one).

    A file that is not in the tree counts only if it is the vault's and git does not
    ignore it; a file that git does not check (in a sparse checkout) counts as equal.
    """
    repo = history.repo
    unseen = {repo.inside(place) for place in working_tree.passed_over(repo.top)}
    known = {one.path: one for one in history.touched("", tree)}
    found: list[ModifiedFile] = []
    there: set[str] = set()
    for path in _not_ignored(repo, known, _files(vault.tree, "")):
        if path in unseen:
            continue
        old = known.get(path)
        there.add(path)
        data = _read(vault.tree, path)
        if old is None or not is_same(data, old.after):
            found.append(ModifiedFile(path, old.after if old else "", data))
    gone = (
        one
        for path, one in known.items()
        if one.is_plain and path not in there and path not in unseen
    )
    found += [ModifiedFile(one.path, one.after, None) for one in gone]
    return sorted(found)


def _not_ignored(
    repo: Repo, known: Container[str], paths: Iterable[str]
) -> Iterator[str]:
    """Return the files that are in the tree, and those that may be added to it."""
    fresh = []
    for path in paths:
        if path in known:
            yield path
        elif is_ours(path):
            fresh.append(path)
    ignored = working_tree.ignored(repo.top, [repo.place(path) for path in fresh])
    yield from (path for path in fresh if repo.place(path) not in ignored)


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


def blob_id(data: bytes, length: int) -> str:
    """Return git's id of these bytes, in the hash format of this length."""
    head = b"blob %d\0" % len(data)
    if length == 64:
        return hashlib.sha256(head + data).hexdigest()
    return hashlib.sha1(head + data, usedforsecurity=False).hexdigest()


def _files(tree: Tree, folder: str) -> Iterator[str]:
    for entry in tree.entries(folder):
        path = f"{folder}/{entry.name}" if folder else entry.name
        if entry.name == _GIT or path == layout.STATE:
            continue  # the folder may contain clones of other repositories
        if entry.kind == "folder":
            yield from _files(tree, path)
        elif entry.kind == "file":
            yield path


def _read(tree: Tree, path: str) -> bytes | str:
    try:
        return tree.read(path, limits.TEXT_FILE_BYTES)
    except InvalidFileError as error:
        return error.reason
    except FileNotFoundError:
        return "was deleted while it was being read"
