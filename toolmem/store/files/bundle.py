"""List every file of a vault for a copy: all that git would store, and no links."""

from collections.abc import Iterator

from toolmem.core import limits
from toolmem.core.imports.bundle import BundleFile
from toolmem.errors import InvalidFileError, StorageError
from toolmem.store.files import durable, folders, layout
from toolmem.store.files.tree import Tree

LeftOut = tuple[str, str]
"""A path of the vault, and why it is not in the copy."""


def all_files(tree: Tree, folder: str = "") -> Iterator[BundleFile | LeftOut]:
    """Yield the files below a folder, by name, without local state and git's files."""
    try:
        entries = tree.entries(folder)
    except (InvalidFileError, StorageError) as error:
        yield folder, str(error)
        return
    for entry in entries:
        path = f"{folder}/{entry.name}" if folder else entry.name
        if path == layout.STATE or not folders.is_plain(entry.name):
            continue
        if durable.is_temp(entry.name):
            continue
        if entry.kind == "folder":
            yield from all_files(tree, path)
        elif entry.kind == "file":
            yield _read(tree, path)
        else:
            yield path, "is neither a file nor a folder"


def _read(tree: Tree, path: str) -> BundleFile | LeftOut:
    try:
        return BundleFile(path, tree.read(path, limits.IMPORT_BYTES))
    except (InvalidFileError, FileNotFoundError) as error:
        return path, str(error)
