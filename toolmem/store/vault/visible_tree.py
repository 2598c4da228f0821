"""A tree as its audience sees it: without memories that are private."""

from collections.abc import Container, Iterator

from toolmem.core import limits
from toolmem.core.memories import memory_text
from toolmem.core.visibility import Audience, may_see
from toolmem.errors import InvalidFileError, StorageError
from toolmem.store.files import layout, walk
from toolmem.store.files.tree import DirectoryEntry, Tree


class VisibleTree:
    """A tree that hides files its audience may not see from listing and reading.

    ``hidden`` are ids of memories that count as private whatever a file says: one that
    is private today is private in the past, too. A memory that cannot be read may be
    private, and counts as such, as does a folder of memories that cannot be listed.
    """

    def __init__(
        self, tree: Tree, audience: Audience, hidden: Container[str] = frozenset()
    ) -> None:
        self.every = tree
        self._audience = audience
        self._hidden = hidden
        self._known: dict[str, bool] = {}

    @property
    def sees_all(self) -> bool:
        """True if nothing is hidden from the audience."""
        return self._audience is Audience.PERSON

    def entries(self, folder: str) -> tuple[DirectoryEntry, ...]:
        """See ``Tree.entries``."""
        if self.sees_all or not _of_memories(f"{folder}/x.md"):
            return self.every.entries(folder)
        entries = self._listed(folder) or ()
        return tuple(
            entry for entry in entries if self._lists(f"{folder}/{entry.name}", entry)
        )

    def each_entry(self, folder: str) -> Iterator[DirectoryEntry]:
        """See ``Tree.each_entry``."""
        return iter(self.entries(folder))

    def read(self, path: str, limit: int) -> bytes:
        """See ``Tree.read``."""
        if not self.shows(path):
            raise FileNotFoundError(2, "no such file", path)
        return self.every.read(path, limit)

    def read_all(
        self, folder: str, suffix: str, limit: int
    ) -> list[tuple[str, bytes | InvalidFileError]]:
        """See ``Tree.read_all``."""
        contents = self.every.read_all(folder, suffix, limit)
        return [content for content in contents if self.shows(content[0])]

    def shows(self, path: str) -> bool:
        """Return whether a path is visible: not a private memory, nor the original of
        one."""
        if self.sees_all or not _of_memories(path):
            return True
        name = path.removesuffix(layout.ORIGINAL)
        memory = f"{name}.md" if name != path else path
        known = self._known.get(memory)
        if known is None:
            known = self._known[memory] = self._shows_memory(memory)
        return known

    def _lists(self, path: str, entry: DirectoryEntry) -> bool:
        """Return whether an entry is listed; a folder is if it shows anything."""
        if entry.kind != "folder":
            return self.shows(path)
        entries = self._listed(path)
        return entries == () or (entries is not None and bool(self.entries(path)))

    def _listed(self, folder: str) -> tuple[DirectoryEntry, ...] | None:
        """Return the entries of a folder of memories; None if it cannot be listed."""
        try:
            return self.every.entries(folder)
        except StorageError:
            return None

    def _shows_memory(self, path: str) -> bool:
        stem = path.rpartition("/")[2].removesuffix(".md")
        if stem in self._hidden:
            return False
        try:
            text = self.every.read(path, limits.TEXT_FILE_BYTES).decode()
        except FileNotFoundError:
            return True
        except (InvalidFileError, StorageError, UnicodeDecodeError):
            return may_see(self._audience, private=True)
        parsed = memory_text.parse_memory(text, path=path)
        return may_see(self._audience, private=parsed.private)


class PrivateIds:
    """Ids of memories hidden from agents, the archive's included.

    Folders are listed at the first question, files read only where an id is asked for.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._visible = VisibleTree(tree, Audience.AGENT)
        self._folders: dict[str, tuple[str, ...]] | None = None

    def __contains__(self, stem: object) -> bool:
        if self._folders is None:
            self._folders = self._listed()
        inside = self._folders.get(str(stem), ())
        paths = (f"{folder}/{stem}.md".removeprefix("/") for folder in inside)
        return any(not self._visible.shows(path) for path in paths)

    def _listed(self) -> dict[str, tuple[str, ...]]:
        """Return the folders of markdown files by their stems."""
        homes: dict[str, tuple[str, ...]] = {}
        folders = [""]
        while folders:
            folder = folders.pop()
            try:
                entries = self._tree.entries(folder)
            except (InvalidFileError, StorageError):
                continue
            here = (folder,)
            for entry in entries:
                if entry.kind == "folder" and not entry.name.startswith("."):
                    folders.append(f"{folder}/{entry.name}".removeprefix("/"))
                elif entry.name.endswith(".md"):
                    stem = entry.name.removesuffix(".md")
                    known = homes.get(stem)
                    homes[stem] = (*known, folder) if known else here
        return homes


def _of_memories(path: str) -> bool:
    home = path.removeprefix(f"{layout.ARCHIVE}/")
    if path.endswith(layout.ORIGINAL):
        home = home.removesuffix(layout.ORIGINAL) + ".md"
    return walk.kind_of(home) == "memory"
