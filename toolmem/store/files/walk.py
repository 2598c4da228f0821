"""List every file of a vault with its kind, and every invalid name."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from toolmem.core.model import Problem
from toolmem.core.names import decode_name, encode_name, fold
from toolmem.core.text.safetext import find_unsafe
from toolmem.errors import InvalidFileError, StorageError
from toolmem.store.files import layout
from toolmem.store.files.tree import DirectoryEntry, Tree

_TOP = ("system", "agent-types", "projects", "agents", layout.TOOLS, layout.ARCHIVE)


class VaultFile(NamedTuple):
    """A file and its kind: rule, manifest, facts, memory, prose or other.

    A rule file is ``misplaced`` if it is in no tool's folder, or its suffix is not in
    lower case: it is not read.
    """

    path: str
    kind: str

    @property
    def name(self) -> str:
        """Name of the file in its folder."""
        return self.path.rpartition("/")[2]


class VaultFolder(NamedTuple):
    """A folder of the vault's own that contains others and files."""

    path: str


def walk(tree: Tree) -> Iterator[VaultFile | Problem]:
    """Yield the files of the vault's own folders; links and case twins are problems."""
    yield from _walk(tree, "")


def _walk(tree: Tree, folder: str) -> Iterator[VaultFile | Problem]:
    for entry in look_into(tree, folder):
        if isinstance(entry, VaultFolder):
            yield from _walk(tree, entry.path)
        else:
            yield entry


def guarding_files(tree: Tree) -> Iterator[str]:
    """Yield the files that guards depend on: settings, state, manifests and rules."""
    yield from (layout.SETTINGS, layout.ATTRIBUTES)
    yield from (f"{layout.STATE}/{entry.name}" for entry in tree.entries(layout.STATE))
    scopes = (layout.scope_folder(scope) for scope in layout.all_scopes(tree))
    for folder in (layout.TOOLS, *(f"{scope}/{layout.RULES}" for scope in scopes)):
        entries = _walk(tree, folder)
        yield from (entry.path for entry in entries if isinstance(entry, VaultFile))


def look_into(tree: Tree, folder: str) -> Iterator[VaultFile | VaultFolder | Problem]:
    """Yield what is in one folder ("" is the vault), by name, and its problems."""
    if not folder:
        yield from _look_at_top(tree)
        return
    try:
        entries = tree.entries(folder)
    except (InvalidFileError, StorageError) as error:
        yield Problem(folder, 0, "unreadable", str(error))
        return
    yield from _name_problems(folder, entries)
    for entry in entries:
        path = f"{folder}/{entry.name}"
        if entry.kind == "folder":
            if kind_of(path) in _FILES:
                yield Problem(path, 0, "unreadable", "is a folder, not a file")
            yield VaultFolder(path)
        elif entry.kind == "file" and _is_for_a_folder(path):
            yield _no_folder(path)
        elif entry.kind == "file":
            yield VaultFile(path, kind_of(path))
        elif entry.kind == "link":
            yield _link(path)
        else:
            yield Problem(path, 0, "special-file", "is neither a file nor a folder")


def _look_at_top(tree: Tree) -> Iterator[VaultFolder | Problem]:
    top = [e for e in tree.entries("") if e.name in _TOP or e.kind == "link"]
    yield from _name_problems("", top)
    for entry in top:
        if entry.kind == "folder":
            yield VaultFolder(entry.name)
        elif entry.kind != "link":
            yield _no_folder(entry.name)
        elif entry.name in _TOP:
            yield _link(entry.name)


def kind_of(path: str) -> str:
    """Return the kind of a path of the vault by its location."""
    folder, slash, name = path.rpartition("/")
    if name.startswith("."):
        return "other"
    if name not in _NAMED:  # for all other files only the suffix matters
        suffix = name[name.rfind(".") :] if "." in name else ""
        name = f"file{suffix}" if suffix.lower() in _SUFFIXES else "file"
    return _kind_at(folder + slash + name)


_NAMED = (layout.FACTS, layout.PROFILE)
_SUFFIXES = (".md", ".toml")
_FILES = ("rule", "manifest", "facts", "prose")
"""Kinds that only files have; folders of memories may have any name."""
_FOLDERS = (layout.RULES, layout.GUIDANCE, layout.MEMORY)


@lru_cache(maxsize=1024)
def _kind_at(path: str) -> str:
    parts = path.split("/")
    if parts[0] == layout.ARCHIVE:
        return "other"
    if parts[0] == layout.TOOLS:
        return "manifest" if len(parts) == 2 and path.endswith(".toml") else "other"
    return _kind_in_scope("/".join(below_scope(path)))


def below_scope(path: str) -> list[str]:
    """Return the names below the folder of the scope; empty for a path in no scope."""
    scope = layout.scope_of(path)
    if scope is None:
        return []
    depth = {"system": 1, "override": 4}.get(scope.kind, 2)
    return path.split("/")[depth:]


def _is_for_a_folder(path: str) -> bool:
    """Return True for the path of a known folder."""
    below = below_scope(path)
    if below == ["overrides"]:
        return path.startswith("projects/")
    return len(below) == 1 and below[0] in _FOLDERS


def _kind_in_scope(rest: str) -> str:
    parts = rest.split("/")
    if parts[0] == layout.RULES and rest.lower().endswith(".toml"):
        is_read = len(parts) == 3 and rest.endswith(".toml")
        return "rule" if is_read else "misplaced"
    if rest == layout.FACTS:
        return "facts"
    if rest == layout.PROFILE:
        return "prose"
    if not rest.endswith(".md"):
        return "other"
    if parts[0] == layout.GUIDANCE and len(parts) == 2:
        return "prose"
    if parts[0] == layout.MEMORY:
        return "memory"
    return "prose" if len(parts) == 2 and parts[0] == "overrides" else "other"


def _no_folder(path: str) -> Problem:
    return Problem(path, 0, "unreadable", "is a file, not a folder")


def _link(path: str) -> Problem:
    return Problem(path, 0, "symlink", "is a symbolic link, and is not followed")


def _name_problems(folder: str, entries: Sequence[DirectoryEntry]) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for entry in entries:
        path = f"{folder}/{entry.name}" if folder else entry.name
        twin = seen.setdefault(fold(decode_name(entry.name)), entry.name)
        if twin != entry.name:
            yield Problem(
                path,
                0,
                "name-twins",
                f"differs from {twin!r} only in case or Unicode form: "
                "on other systems they are the same file",
            )
        if find_unsafe(entry.name):
            yield Problem(path, 0, "bad-name", "the name contains an unsafe character")
        elif (
            entry.name.count("%") and encode_name(decode_name(entry.name)) != entry.name
        ):
            yield Problem(
                path, 0, "bad-name", "the name is not encoded as toolmem encodes names"
            )
