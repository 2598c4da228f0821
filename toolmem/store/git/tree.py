"""Tree of a vault at a commit, with the same interface as on disk."""

import errno
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from toolmem.errors import InvalidFileError, NotFoundError, NoVaultError
from toolmem.store.files import folders
from toolmem.store.files.tree import DirectoryEntry, Kind
from toolmem.store.git import run as gitrun
from toolmem.store.git.blobs import Blobs
from toolmem.store.git.repo import Repo

_Folder = dict[str, tuple[Kind, str]]
"""Name → its kind and its object id."""

_ERRORS = {"folder": errno.EISDIR, "link": errno.ELOOP, "other": errno.ENXIO}


class GitTree:
    """A vault at one commit; it runs a git process until ``close``."""

    def __init__(self, repo: Repo, commit: str, prefix: str | None = None) -> None:
        """Take the path from the top to the vault, by default that of ``repo``."""
        if not gitrun.ID.fullmatch(commit):
            raise NotFoundError(f"{commit!r} is not the id of a commit")
        self._repo = repo
        self._commit = commit
        self._prefix = repo.prefix if prefix is None else prefix
        self._blobs = Blobs(repo.top)
        self._known: dict[str, _Folder] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the git process; the next call that needs one starts another."""
        self._blobs.close()

    def entries(self, folder: str) -> tuple[DirectoryEntry, ...]:
        """See ``Tree.entries``."""
        listed = self._folder(folder)
        return tuple(DirectoryEntry(name, listed[name][0]) for name in sorted(listed))

    def each_entry(self, folder: str) -> Iterator[DirectoryEntry]:
        """See ``Tree.each_entry``."""
        return iter(self.entries(folder))

    def read(self, path: str, limit: int) -> bytes:
        """See ``Tree.read``."""
        folder, _, name = path.rpartition("/")
        folders.split(path)
        entry = self._all().get(folder, {}).get(name)
        if entry is None:
            if self._blocked(folder) == errno.ELOOP:
                raise InvalidFileError(path, 0, folders.why(errno.ELOOP))
            raise FileNotFoundError(errno.ENOENT, "no such file", path)
        [answer] = self._contents([(path, *entry)], limit)
        if isinstance(answer, bytes):
            return answer
        raise answer

    def read_all(
        self, folder: str, suffix: str, limit: int
    ) -> list[tuple[str, bytes | InvalidFileError]]:
        """See ``Tree.read_all``."""
        entries = self._folder(folder)
        prefix = f"{folder}/" if folder else ""
        names = sorted(name for name in entries if name.endswith(suffix))
        files = [(prefix + name, *entries[name]) for name in names]
        contents = self._contents(files, limit)
        return [(file[0], data) for file, data in zip(files, contents, strict=True)]

    def _contents(
        self, files: list[tuple[str, Kind, str]], limit: int
    ) -> list[bytes | InvalidFileError]:
        blobs = [blob for _, kind, blob in files if kind == "file"]
        answers = iter(self._blobs.read(blobs, limit))
        result: list[bytes | InvalidFileError] = []
        for path, kind, _ in files:
            answer = next(answers) if kind == "file" else folders.why(_ERRORS[kind])
            if isinstance(answer, str):
                result.append(InvalidFileError(path, 0, answer))
            else:
                result.append(answer)
        return result

    def _folder(self, path: str) -> _Folder:
        entries = self._all().get(path)
        if entries is not None:
            return entries
        number = self._blocked(path)
        if number:
            raise InvalidFileError(path, 0, folders.why(number))
        return {}

    def _blocked(self, path: str) -> int:
        """Return the error number for what is in place of a folder of the path."""
        walked = ""
        for name in folders.split(path):
            kind, _ = self._all().get(walked, {}).get(name, ("folder", ""))
            if kind != "folder":
                return errno.ELOOP if kind == "link" else errno.ENOTDIR
            walked = f"{walked}/{name}" if walked else name
        return 0

    def _all(self) -> dict[str, _Folder]:
        if self._known is None:
            place = (f"{self._prefix}/",) if self._prefix else ()
            args = ("-r", "-z", "--full-tree", self._commit, *place)
            output = gitrun.run(self._repo.top, "ls-tree", *args)
            if not output:
                raise NoVaultError(f"commit {self._commit[:8]} contains no vault")
            self._known = _folders(output, len(place[0]) if place else 0)
        return self._known


def _folders(output: bytes, skip: int) -> dict[str, _Folder]:
    """Return the entries by folder, from the output of ``ls-tree -r -z``."""
    known: dict[str, _Folder] = {"": {}}
    for record in output.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        about, _, path = record.partition("\t")
        mode, kind, blob = about.split(" ")
        folder, _, name = path[skip:].rpartition("/")
        # A crafted tree may contain any name; one that no disk allows is skipped.
        if folders.is_plain(name) and _make(known, folder):
            known[folder][name] = (_kind(mode, kind), blob)
    return known


def _make(known: dict[str, _Folder], folder: str) -> bool:
    """Add a folder and those above it; False for a path that leaves the vault."""
    if folder in known:
        return True
    try:
        names = folders.split(folder)
    except InvalidFileError:
        return False
    walked = ""
    for name in names:
        above = known[walked]
        walked = f"{walked}/{name}" if walked else name
        if walked not in known:
            above[name] = ("folder", "")
            known[walked] = {}
    return True


def _kind(mode: str, kind: str) -> Kind:
    if kind != "blob":
        return "other"  # a submodule
    return "link" if mode == "120000" else "file"
