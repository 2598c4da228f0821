"""Which files on disk differ from a commit: bytes are compared, no program runs."""

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core import limits
from toolmem.errors import InvalidFileError
from toolmem.store.files import layout
from toolmem.store.files.tree import Tree
from toolmem.store.files.walk import kind_of
from toolmem.store.git.diff import History
from toolmem.store.vault.vault import Vault

_PASSED_OVER = (layout.STATE, ".git")


class ModifiedFile(NamedTuple):
    """A file that differs: the blob that it was, and its bytes now, if any.

    ``data`` may be why the file cannot be read.
    """

    path: str
    before: str
    data: bytes | str | None


def differing(vault: Vault, history: History, tree: str) -> list[ModifiedFile]:
    """The files of the vault that are not as in this tree ("" is an empty one).

    A file that is not in the tree counts only where it is the vault's.
    """
    known = {one.path: one for one in history.touched("", tree)}
    found: list[ModifiedFile] = []
    there: set[str] = set()
    for path in _files(vault.tree, ""):
        old = known.get(path)
        if old is None and not is_ours(path):
            continue
        there.add(path)
        data = _read(vault.tree, path)
        if old is None or not is_same(data, old.after):
            found.append(ModifiedFile(path, old.after if old else "", data))
    gone = (one for path, one in known.items() if path not in there and one.is_plain)
    found += [ModifiedFile(one.path, one.after, None) for one in gone]
    return sorted(found)


def is_ours(path: str) -> bool:
    """Whether the vault's format gives this path a meaning, or toolmem writes it."""
    if path in layout.BESIDE:
        return True
    home = path.removeprefix(f"{layout.ARCHIVE}/")
    return home == layout.SETTINGS or kind_of(home) != "other"


def is_same(data: bytes | str, blob: str) -> bool:
    """Whether these bytes are that blob, or are but for carriage returns."""
    if isinstance(data, str):
        return False
    if blob_id(data, len(blob)) == blob:
        return True
    return b"\r\n" in data and blob_id(data.replace(b"\r\n", b"\n"), len(blob)) == blob


def blob_id(data: bytes, length: int) -> str:
    """The id that git gives to these bytes, in the format whose ids are so long."""
    head = b"blob %d\0" % len(data)
    if length == 64:
        return hashlib.sha256(head + data).hexdigest()
    return hashlib.sha1(head + data, usedforsecurity=False).hexdigest()


def _files(tree: Tree, folder: str) -> Iterator[str]:
    for entry in tree.entries(folder):
        path = f"{folder}/{entry.name}" if folder else entry.name
        if entry.kind == "folder" and path not in _PASSED_OVER:
            yield from _files(tree, path)
        elif entry.kind == "file":
            yield path


def _read(tree: Tree, path: str) -> bytes | str:
    try:
        return tree.read(path, limits.TEXT_FILE_BYTES)
    except InvalidFileError as error:
        return error.reason
    except FileNotFoundError:
        return "was deleted while it was read"
