"""Check the files of a vault on disk, reading only those that may have changed.

A folder with the stamp that it had when it was listed has the same entries; a file with
the stamp that it had before it was read has the same content. Neither is relied on for
anything as young as the scan was: it may have changed again within one tick of the
clock. An answer is complete: results of unchanged files are repeated.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import repeat
from pathlib import Path

from toolmem.core.model import Problem
from toolmem.store.checks import cache_file
from toolmem.store.checks.cache_file import FolderRecord
from toolmem.store.checks.result import (
    CheckedFile,
    CheckedFolder,
    FileResult,
    default,
    from_json,
    to_json,
)
from toolmem.store.files.tree import Tree
from toolmem.store.files.walk import VaultFile, VaultFolder, is_top, kind_of, look_into
from toolmem.store.listing import stamps
from toolmem.store.listing.listing import (
    FileListing,
    FolderListing,
    from_bytes,
    to_bytes,
    walk,
)

Examine = Callable[[VaultFile], tuple[FileResult, bool]]
"""Reads and checks a file; False if the result may change without the file."""
_RACY_NS = 2_000_000_000
"""A file this young may change again within one tick of a coarse clock."""


class _UnlistedError(Exception):
    """A folder that cannot be listed, so that it is unknown what an agent may see."""


def visible(
    root: Path, tree: Tree, examine: Examine, seen: Tree
) -> list[CheckedFolder | Problem] | None:
    """Return the results that an agent may see; None if the cache cannot tell.

    ``seen`` is the tree as the agent sees it. The cache is that of ``checked``.
    """
    try:
        return list(checked(root, tree, examine, seen))
    except _UnlistedError:
        return None


def checked(
    root: Path, tree: Tree, examine: Examine, seen: Tree | None = None
) -> Iterator[CheckedFolder | Problem]:
    """Yield the results of every folder.

    ``tree`` reads the same folder. The results are cached when all were yielded.
    """
    with cache_file.locked(root) as now:
        known = cache_file.read(root)
        listings = {path: one.listing for path, one in known.items()}
        listing = walk(root, _is_checked, _is_entered, listings)
        scan = _Scan(tree, examine, known, listing, now, seen)
        yield from scan.folder("")
        if now is not None and scan.is_news:
            cache_file.write(root, scan.records)


def _is_checked(path: str) -> bool:
    return "/" in path and kind_of(path) != "other"


def _is_entered(path: str) -> bool:
    return "/" in path or is_top(path)


class _Scan:
    """One scan: yields results, and collects the records to keep."""

    def __init__(
        self,
        tree: Tree,
        examine: Examine,
        known: Mapping[str, FolderRecord],
        listing: FileListing,
        now: int | None,
        seen: Tree | None,
    ) -> None:
        self.records: list[FolderRecord] = []
        self.is_news = len(known) != len(listing.folders)
        self._tree = tree
        self._seen = seen
        self._examine = examine
        self._known = known
        self._listings = {one.path: one for one in listing.folders}
        self._sure_before = (now or 0) - _RACY_NS

    def folder(self, path: str) -> Iterator[CheckedFolder | Problem]:
        """Yield the results in a folder and below."""
        listing = self._listings.get(path)
        if listing is None:  # it cannot be listed, or was made just now
            yield from self._unlisted(path)
            return
        old = self._known.get(path)
        record = self._record(listing, old)
        self.is_news = self.is_news or (record is not old and record != old)
        self.records.append(record)
        yield from self._problems(record)
        yield _checked(record, private=self._seen is None)
        for name in from_bytes(record.listing.folders):
            yield from self.folder(_join(path, name))

    def _problems(self, record: FolderRecord) -> Iterator[Problem]:
        """Yield problems of names; those of hidden files are not an agent's."""
        if self._seen is None:
            yield from (Problem(*problem) for problem in record.problems)
        elif record.problems:
            path = record.listing.path
            if any(Problem(*problem).path == path for problem in record.problems):
                raise _UnlistedError  # only the folder's own problem has its path
            found = look_into(self._seen, path)
            yield from (one for one in found if isinstance(one, Problem))

    def _unlisted(self, path: str) -> Iterator[CheckedFolder | Problem]:
        if self._seen is not None:
            raise _UnlistedError
        self.is_news = True
        for found in look_into(self._tree, path):
            if isinstance(found, VaultFolder):
                yield from self._unlisted(found.path)
            elif isinstance(found, Problem):
                yield found
            else:
                yield CheckedFolder((), [CheckedFile(found, self._examine(found)[0])])

    def _record(self, listing: FolderListing, old: FolderRecord | None) -> FolderRecord:
        """Return the record of a folder; files that may have changed are read."""
        if old is not None and listing is old.listing and not old.unsure:
            return old
        record = self._listed(listing, old)
        kinds = dict(_kinds(record))
        results = {n: one for n, one in record.results.items() if n in kinds}
        unsure = []
        young = self._young(listing)
        for name in _changed(listing, old):
            file = VaultFile(_join(listing.path, name), kinds[name])
            result, is_lasting = self._examine(file)
            results.pop(name, None)
            if result != default(file.kind):
                results[name] = to_json(result)
            if name in young or not is_lasting:
                unsure.append(name)
        return record._replace(unsure=tuple(unsure), results=results)

    def _listed(self, listing: FolderListing, old: FolderRecord | None) -> FolderRecord:
        """Return a record with the entries of a folder and the known results."""
        if old is not None and listing.stamp == old.listing.stamp:
            return old._replace(listing=listing._replace(folders=old.listing.folders))
        entries = list(look_into(self._tree, listing.path))
        folders = [one.path for one in entries if isinstance(one, VaultFolder)]
        names = (path.rpartition("/")[2] for path in folders)
        is_old = stamps.times(listing.stamp)[0] < self._sure_before
        kinds = [kind_of(path) for path in listing.paths()]
        return FolderRecord(
            listing._replace(
                folders=to_bytes(names), stamp=listing.stamp if is_old else b""
            ),
            kinds[0] if len(set(kinds)) == 1 else kinds,
            tuple(tuple(one) for one in entries if isinstance(one, Problem)),
            results={} if old is None else old.results,
        )

    def _young(self, listing: FolderListing) -> set[str]:
        """Return the files that may change again without a change of their stamps."""
        each = zip(from_bytes(listing.names), stamps.times(listing.stamps), strict=True)
        return {name for name, when in each if when >= self._sure_before}


def _changed(listing: FolderListing, old: FolderRecord | None) -> Iterator[str]:
    """Yield the files that are new, have another stamp, or are unsure."""
    known = {} if old is None else _stamps(old.listing)
    for name in () if old is None else old.unsure:
        known.pop(name, None)
    each = _stamps(listing).items()
    return (name for name, stamp in each if known.get(name) != stamp)


def _stamps(listing: FolderListing) -> dict[str, bytes]:
    names = from_bytes(listing.names)
    return dict(zip(names, stamps.split(listing.stamps), strict=True))


def _kinds(record: FolderRecord) -> Iterator[tuple[str, str]]:
    names = from_bytes(record.listing.names)
    kinds = repeat(record.kinds) if isinstance(record.kinds, str) else record.kinds
    return zip(names, kinds, strict=False)


def _checked(record: FolderRecord, *, private: bool) -> CheckedFolder:
    """Return the files of a folder, with or without those that agents may not see."""
    paths = record.listing.paths()
    if record.kinds == "memory" and not record.results:
        return CheckedFolder(paths, ())
    memories, others = [], []
    for path, (name, kind) in zip(paths, _kinds(record), strict=True):
        found = record.results.get(name)
        if found is not None:
            if private or not found["private"]:
                file = VaultFile(path, kind)
                others.append(CheckedFile(file, from_json(found, path)))
        elif kind == "memory":
            memories.append(path)
    return CheckedFolder(memories, others)


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
