"""List, find and read the memories of a vault."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.memories import memory_text
from toolmem.core.model import Scope
from toolmem.core.visibility import Audience
from toolmem.errors import (
    InvalidFileError,
    NextStep,
    NotFoundError,
    StorageError,
    UsageError,
)
from toolmem.store.files import layout, walk
from toolmem.store.files.tree import Tree
from toolmem.store.vault.vault import Vault, decode
from toolmem.store.vault.visible_tree import VisibleTree

NamedPaths = Callable[[str], Iterable[str]]
"""Returns the paths of the files with a name."""


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


def memory_paths(
    tree: Tree, scopes: Iterable[Scope], reader: Audience = Audience.PERSON
) -> Iterator[MemoryPath]:
    """Yield every memory file of the scopes, by path; only folders are read.

    One that cannot be listed is an error for a person; for an agent it is not there,
    as its memories may be private.
    """
    for scope in scopes:
        folder = f"{layout.scope_folder(scope)}/{layout.MEMORY}"
        for path in _markdown(tree, folder, reader):
            stem = path.rpartition("/")[2].removesuffix(".md")
            yield MemoryPath(stem, path, scope)


def _markdown(tree: Tree, folder: str, reader: Audience) -> Iterator[str]:
    try:
        entries = tree.entries(folder)
    except InvalidFileError:
        return  # a link or a file in its place, which `check` reports
    except StorageError:
        if reader is Audience.PERSON:
            raise
        return
    for entry in entries:
        path = f"{folder}/{entry.name}"
        if entry.kind == "folder":
            yield from _markdown(tree, path, reader)
        elif entry.kind == "file" and entry.name.endswith(".md"):
            yield path


def every_memory(vault: Vault) -> tuple[MemoryPath, ...]:
    """Return every memory file of the vault."""
    return tuple(memory_paths(vault.tree, layout.all_scopes(vault.tree)))


def taken_ids(vault: Vault) -> set[str]:
    """Return the ids of all memories, regardless of visibility, to avoid duplicates."""
    tree = vault.tree.every
    every = memory_paths(tree, layout.all_scopes(tree), vault.audience)
    return {memory.id for memory in every}


class MemoryLocations:
    """Paths of memories by id, those in the archive included, whoever may see them.

    ``named`` returns the paths of the files with a name, as an index does. Without it
    the memories are listed when the first of them is looked for.
    """

    def __init__(
        self, vault: Vault, named: NamedPaths | None = None, *, archive: bool = True
    ) -> None:
        """Take ``archive`` as False to leave out the archive."""
        self._every = vault.tree.every
        self._reader = vault.audience
        self._seen = VisibleTree(self._every, Audience.AGENT)
        self._named = named
        self._has_archive = archive
        self._live: dict[str, list[str]] | None = None
        self._archived: dict[str, list[str]] | None = None

    def __contains__(self, memory_id: object) -> bool:
        """Return True if there is a memory with this id."""
        return any(self.paths(str(memory_id)))

    def paths(self, memory_id: str) -> Iterator[str]:
        """Yield the paths of the memories with this id."""
        if self._named is not None:
            named = self._named(f"{memory_id}.md")
            yield from (path for path in named if walk.kind_of(path) == "memory")
        else:
            if self._live is None:
                scopes = layout.all_scopes(self._every)
                every = memory_paths(self._every, scopes, self._reader)
                self._live = _by_stem(memory.path for memory in every)
            yield from self._live.get(memory_id, ())
        if self._archived is None:
            listed: Iterable[str] = ()
            if self._has_archive:
                listed = _markdown(self._every, layout.ARCHIVE, self._reader)
            place = f"/{layout.MEMORY}/"
            self._archived = _by_stem(path for path in listed if place in path)
        yield from self._archived.get(memory_id, ())

    def visible(self, ids: Iterable[str]) -> frozenset[str]:
        """Return the ids of memories that an agent may see."""
        return frozenset(
            id_ for id_ in ids if any(map(self._seen.shows, self.paths(id_)))
        )


def _by_stem(paths: Iterable[str]) -> dict[str, list[str]]:
    by_stem: dict[str, list[str]] = {}
    for path in paths:
        stem = path.rpartition("/")[2].removesuffix(".md")
        by_stem.setdefault(stem, []).append(path)
    return by_stem


def find_memory(
    vault: Vault, prefix: str, allows: Callable[[Scope], bool] | None = None
) -> MemoryPath:
    """Return the memory with this id or unique prefix of an id.

    ``allows`` decides which scopes may be seen (without it, all). Raises
    ``NotFoundError``, and ``UsageError`` for an ambiguous prefix.
    """
    tree = vault.tree.every  # only matches of the prefix are read
    scopes = layout.all_scopes(tree) if prefix else ()
    paths = memory_paths(tree, scopes, vault.audience)
    fitting = [
        memory
        for memory in paths
        if memory.id.startswith(prefix) and (allows is None or allows(memory.scope))
    ]
    seen = [memory for memory in fitting if vault.tree.shows(memory.path)]
    matches = [memory for memory in seen if memory.id == prefix] or seen
    if not matches:
        raise NotFoundError(
            f"no memory {prefix!r}: ", NextStep("memory.list"), " shows the ids"
        )
    if len(matches) > 1:
        ids = ", ".join(memory.path for memory in matches[:5])
        raise UsageError(f"{prefix!r} is a prefix of several memories: {ids}")
    return matches[0]


def read_memory(
    vault: Vault,
    where: MemoryPath,
    audience: Audience | None = None,
    locations: MemoryLocations | None = None,
    tree: Tree | None = None,
) -> Memory:
    """Read the memory at a path; ``error`` says why it cannot be read.

    For an agent (``audience`` defaults to the vault's) links to memories that it may
    not see are left out; ``locations`` serve for several memories. ``tree`` is read
    instead of the vault's own.
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
        parsed = _with_visible_links(parsed, locations or MemoryLocations(vault))
    return Memory(where.id, where.path, where.scope, parsed)


def _with_visible_links(
    parsed: "memory_text.ParsedMemory", locations: MemoryLocations
) -> "memory_text.ParsedMemory":
    parsed = parsed._replace(settled=())
    named = {*parsed.supersedes, *parsed.contested_with, *parsed.related_to}
    if not named:
        return parsed
    visible = locations.visible(named)

    def seen(ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(id_ for id_ in ids if id_ in visible)

    return parsed._replace(
        supersedes=seen(parsed.supersedes),
        contested_with=seen(parsed.contested_with),
        related_to=seen(parsed.related_to),
    )
