"""List, find and read the memories of a vault."""

from collections.abc import Callable, Iterable, Iterator

from toolmem.core import limits
from toolmem.core.access.visibility import Audience
from toolmem.core.memories import memory_text
from toolmem.core.model import Scope
from toolmem.core.named_tuple import NamedTuple
from toolmem.errors import InvalidFileError, NotFoundError, UsageError
from toolmem.store.files import layout
from toolmem.store.files.tree import Tree
from toolmem.store.vault.vault import Vault, VisibleTree, decode


class MemoryPath(NamedTuple):
    """Location of a memory; its id is the stem of the file."""

    id: str
    path: str
    scope: Scope


class Memory(NamedTuple):
    """A memory that has been read; ``error`` is why it could not be."""

    id: str
    path: str
    scope: Scope
    parsed: "memory_text.ParsedMemory | None"
    error: str = ""


def memory_paths(tree: Tree, scopes: Iterable[Scope]) -> Iterator[MemoryPath]:
    """Yield every memory file of the scopes, by path; only folders are read."""
    for scope in scopes:
        folder = f"{layout.scope_folder(scope)}/{layout.MEMORY}"
        for path in _markdown(tree, folder):
            stem = path.rpartition("/")[2].removesuffix(".md")
            yield MemoryPath(stem, path, scope)


def _markdown(tree: Tree, folder: str) -> Iterator[str]:
    try:
        entries = tree.entries(folder)
    except InvalidFileError:
        return  # a link or a file in its place, which `check` reports
    for entry in entries:
        path = f"{folder}/{entry.name}"
        if entry.kind == "folder":
            yield from _markdown(tree, path)
        elif entry.kind == "file" and entry.name.endswith(".md"):
            yield path


def archived_ids(tree: Tree) -> frozenset[str]:
    """Return the ids of all memories in the archive."""
    place = f"/{layout.MEMORY}/"
    paths = _markdown(tree, layout.ARCHIVE)
    stems = (path.rpartition("/")[2] for path in paths if place in path)
    return frozenset(stem.removesuffix(".md") for stem in stems)


def every_memory(vault: Vault) -> tuple[MemoryPath, ...]:
    """Return every memory file of the vault."""
    return tuple(memory_paths(vault.tree, layout.all_scopes(vault.tree)))


def taken_ids(vault: Vault) -> set[str]:
    """Return the ids of all memories, regardless of visibility, to avoid duplicates."""
    tree = vault.tree.every
    return {memory.id for memory in memory_paths(tree, layout.all_scopes(tree))}


def find_memory(
    vault: Vault, prefix: str, allows: Callable[[Scope], bool] | None = None
) -> MemoryPath:
    """Return the memory with this id or unique prefix of an id.

    ``allows`` decides which scopes may be seen (without it, all). Raises
    ``NotFoundError``, and ``UsageError`` for an ambiguous prefix.
    """
    tree = vault.tree.every  # only matches of the prefix are read
    paths = memory_paths(tree, layout.all_scopes(tree)) if prefix else ()
    fitting = [
        memory
        for memory in paths
        if memory.id.startswith(prefix) and (allows is None or allows(memory.scope))
    ]
    seen = [memory for memory in fitting if vault.tree.shows(memory.path)]
    found = [memory for memory in seen if memory.id == prefix] or seen
    if not found:
        raise NotFoundError(
            f"no memory {prefix!r}: `toolmem memory list` shows the ids"
        )
    if len(found) > 1:
        ids = ", ".join(memory.path for memory in found[:5])
        raise UsageError(f"{prefix!r} is a prefix of several memories: {ids}")
    return found[0]


def read_memory(
    vault: Vault,
    where: MemoryPath,
    audience: Audience | None = None,
    tree: Tree | None = None,
) -> Memory:
    """Read the memory at a path; ``error`` says why it cannot be read.

    ``tree`` is read instead of the vault's own. For an agent (``audience`` defaults to
    the vault's) links to memories that it may not see are left out.
    """
    try:
        data = (tree or vault.tree).read(where.path, limits.TEXT_FILE_BYTES)
        text = decode(data, where.path)
    except FileNotFoundError:
        return Memory(where.id, where.path, where.scope, None, "it is gone")
    except InvalidFileError as error:
        return Memory(where.id, where.path, where.scope, None, error.reason)
    parsed = memory_text.parse_memory(text, path=where.path)
    if (audience or vault.audience) is Audience.AGENT:
        parsed = _with_visible_links(vault, parsed)
    return Memory(where.id, where.path, where.scope, parsed)


def _with_visible_links(
    vault: Vault, parsed: "memory_text.ParsedMemory"
) -> "memory_text.ParsedMemory":
    named = {*parsed.supersedes, *parsed.contested_with, *parsed.related_to}
    if not named:
        return parsed
    tree = VisibleTree(vault.tree.every, Audience.AGENT)
    scopes = tuple(layout.all_scopes(tree))
    folders = [f"{layout.scope_folder(scope)}/{layout.MEMORY}" for scope in scopes]
    folders += [layout.archived(folder) for folder in folders]
    visible = {
        stem
        for folder in folders
        for path in _markdown(vault.tree.every, folder)
        if (stem := path.rpartition("/")[2].removesuffix(".md")) in named
        and tree.shows(path)
    }

    def seen(ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(one for one in ids if one in visible)

    return parsed._replace(
        supersedes=seen(parsed.supersedes),
        contested_with=seen(parsed.contested_with),
        related_to=seen(parsed.related_to),
    )
