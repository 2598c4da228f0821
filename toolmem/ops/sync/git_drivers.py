"""Git's drivers: merge three files, compare two."""

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path

from toolmem.core import limits
from toolmem.core.changes import render
from toolmem.core.changes.compare import compare
from toolmem.core.changes.model import ChangedItem
from toolmem.core.shown import show
from toolmem.errors import InvalidFileError, StorageError
from toolmem.ops.sync.merge_file import kind_in_repo, merge_bytes
from toolmem.store.files.layout import SETTINGS
from toolmem.store.files.outside import write_bytes
from toolmem.store.files.walk import kind_of
from toolmem.store.vault.items import items_of

_NOTHING = "/dev/null"
_SIDES = 6
"""Arguments on the two versions of a file."""


def merge_files(base: Path, ours: Path, theirs: Path, path: str) -> list[str]:
    """Merge into ``ours``; what is in conflict, one line each.

    Where a side cannot be read ours stays as it is, which is a conflict as well.
    """
    sides = [_read(file) for file in (base, ours, theirs)]
    try:
        kind = kind_in_repo(path)
        merged = merge_bytes(kind, sides[0] or None, sides[1], sides[2], path)
    except InvalidFileError as error:
        return [f"{error}; kept our version; their version is in git's index"]
    if merged.data != sides[1]:
        write_bytes(ours, merged.data)
    return [
        f"{path}: {conflict.key} was changed on both sides: `toolmem resolve`"
        for conflict in merged.conflicts
    ]


def compare_files(path: str, about: Sequence[str]) -> str:
    """Describe the changes between two versions of a file; else return a plain diff.

    ``about``: file, id and mode, before and after, and for a moved file its new path
    and git's lines on that. Git passes none for an unmerged file. A failure would end
    git's whole comparison, so a file that cannot be read is a line.
    """
    if len(about) < _SIDES:
        return show(f"toolmem diff {path}: unmerged (`toolmem resolve`)")
    old, new = Path(about[0]), Path(about[3])
    new_path = about[_SIDES] if len(about) > _SIDES else path
    title = path if new_path == path else f"{path} → {new_path}"
    try:
        lines = list(_compared(path, new_path, old, new))
    except (InvalidFileError, StorageError) as error:
        lines = [f"  {error}"]
    return "\n".join([show(f"toolmem diff {title}"), *lines])


def _compared(path: str, new_path: str, old: Path, new: Path) -> Iterator[str]:
    changes = compare(_items(_in_vault(path), old), _items(_in_vault(new_path), new))
    yield from (f"  {render.line(change)}" for change in changes)
    if not changes or changes[0].item.kind in ("text", "other", "memory"):
        yield from _plain(path, new_path, old, new)


def _items(path: str, file: Path) -> list[ChangedItem]:
    return [] if str(file) == _NOTHING else list(items_of(path, _read(file)))


def _plain(path: str, new_path: str, old: Path, new: Path) -> list[str]:
    names = show(f"a/{path}"), show(f"b/{new_path}")
    return list(difflib.unified_diff(_lines(old), _lines(new), *names, lineterm=""))


def _lines(file: Path) -> list[str]:
    if str(file) == _NOTHING:
        return []
    return _read(file).decode("utf-8", "replace").split("\n")


def _in_vault(path: str) -> str:
    """The path below the vault, wherever in the repository that lies."""
    parts = path.split("/")
    for number in range(len(parts)):
        inside = "/".join(parts[number:])
        if inside == SETTINGS or kind_of(inside.removeprefix("archive/")) != "other":
            return inside
    return path


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            data = opened.read(limits.TEXT_FILE_BYTES + 1)
    except OSError as error:
        raise StorageError(f"{file}: {error.strerror}") from error
    if len(data) > limits.TEXT_FILE_BYTES:
        raise InvalidFileError(str(file), 0, "is too large to be merged by meaning")
    return data
