"""Which memories a vault holds, and where new ones go."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.memories import memory_text
from toolmem.core.model import Scope
from toolmem.errors import InvalidFileError, NotFoundError, UsageError
from toolmem.store.files import layout
from toolmem.store.files.tree import Tree
from toolmem.store.vault.vault import Vault, decode


class MemoryPath(NamedTuple):
    """Where a memory lies; its id is the stem of the file."""

    id: str
    path: str
    scope: Scope


class Memory(NamedTuple):
    """A memory that has been read; ``error`` is set where it could not be."""

    id: str
    path: str
    scope: Scope
    parsed: "memory_text.ParsedMemory | None"
    error: str = ""


def memory_paths(tree: Tree, scopes: Iterable[Scope]) -> Iterator[MemoryPath]:
    """Every memory file of the scopes, by path; only folders are read."""
    for scope in scopes:
        folder = f"{layout.scope_folder(scope)}/{layout.MEMORY}"
        for path in _markdown(tree, folder):
            stem = path.rpartition("/")[2].removesuffix(".md")
            yield MemoryPath(stem, path, scope)


def _markdown(tree: Tree, folder: str) -> Iterator[str]:
    try:
        entries = tree.entries(folder)
    except InvalidFileError:
        return  # a link or a file in its place, which check reports
    for entry in entries:
        path = f"{folder}/{entry.name}"
        if entry.kind == "folder":
            yield from _markdown(tree, path)
        elif entry.kind == "file" and entry.name.endswith(".md"):
            yield path


def every_memory(vault: Vault) -> tuple[MemoryPath, ...]:
    """Every memory file of the vault."""
    return tuple(memory_paths(vault.tree, layout.all_scopes(vault.tree)))


def find_memory(vault: Vault, prefix: str) -> MemoryPath:
    """The memory with this id, or the only one whose id begins so.

    Raises ``NotFoundError``, and ``UsageError`` when several begin so.
    """
    paths = every_memory(vault)
    exact = [memory for memory in paths if memory.id == prefix]
    found = exact or [memory for memory in paths if memory.id.startswith(prefix)]
    if not prefix or not found:
        raise NotFoundError(
            f"no memory {prefix!r}: `toolmem memory list` shows the ids"
        )
    if len(found) > 1:
        ids = ", ".join(memory.path for memory in found[:5])
        raise UsageError(f"{prefix!r} begins several memories: {ids}")
    return found[0]


def read_memory(vault: Vault, where: MemoryPath) -> Memory:
    """The memory at a path; what cannot be read is told, and is nobody's to see."""
    try:
        text = decode(vault.tree.read(where.path, limits.TEXT_FILE_BYTES), where.path)
    except FileNotFoundError:
        return Memory(where.id, where.path, where.scope, None, "it is gone")
    except InvalidFileError as error:
        return Memory(where.id, where.path, where.scope, None, error.reason)
    parsed = memory_text.parse_memory(text, path=where.path)
    return Memory(where.id, where.path, where.scope, parsed)
