"""Merging one file of the vault, as git's driver and as ``sync`` do it."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from toolmem.core.formats.toml_edit import edit_toml
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.memories.memory_edit import edit_header
from toolmem.core.merge.lines import merge_text
from toolmem.core.merge.memory_merge import table_of
from toolmem.core.merge.merge import TOML, merge_file
from toolmem.core.merge.open_conflicts import conflicts_of
from toolmem.core.merge.result import Conflict
from toolmem.core.merge.tables import CONFLICT, Table, mark_deleted, mark_moved
from toolmem.errors import InvalidFileError
from toolmem.store.files import layout
from toolmem.store.files.walk import kind_of
from toolmem.store.vault.vault import decode


class MergedFile(NamedTuple):
    """The merged bytes, and what is in conflict in them."""

    data: bytes
    conflicts: tuple[Conflict, ...] = ()


def merge_kind(path: str) -> str:
    """Return the kind of file of a path for a merge, also in the archive."""
    home = path.removeprefix(f"{layout.ARCHIVE}/")
    return "settings" if home == layout.SETTINGS else kind_of(home)


def kind_in_repo(path: str) -> str:
    """The same for a path of a repository in which a vault lies somewhere."""
    parts = path.split("/")
    kinds = (merge_kind("/".join(parts[n:])) for n in range(len(parts)))
    return next((kind for kind in kinds if kind not in ("other", "misplaced")), "other")


def merge_bytes(
    kind: str, base: bytes | None, ours: bytes, theirs: bytes, path: str
) -> MergedFile:
    """Merge three versions of a file; None for a base that there is not.

    Raises ``InvalidFileError`` where a side cannot be read; the message says which.
    """
    if ours == theirs or theirs == base:
        return MergedFile(ours)
    if ours == base:
        return MergedFile(theirs)
    texts = [decode(base or b"", path)]
    for name, side in (("ours", ours), ("theirs", theirs)):
        try:
            texts.append(decode(side, path))
        except InvalidFileError as error:
            raise InvalidFileError(
                path, error.line, f"{name} {error.reason}"
            ) from error
    merged = merge_file(kind, texts[0], texts[1], texts[2], path)
    return MergedFile(merged.text.encode(), merged.conflicts)


def keep_deleted(
    kind: str, base: bytes, changed: bytes, side: str, path: str
) -> MergedFile:
    """A file that ``ours`` or ``theirs`` deleted while the other changed it.

    It stays, and says so. Raises ``InvalidFileError`` for one that cannot be read.
    """
    text, was = decode(changed, path), decode(base, path)
    marked = _marked(kind, text, path, lambda table: mark_deleted(table, side))
    if marked is not None:
        text = marked
    else:
        sides = ("", text) if side == "ours" else (text, "")
        if kind == "prose":
            text = merge_text(was, *sides).text
        else:
            text = merge_file(kind, was, *sides, path).text
    return MergedFile(text.encode(), tuple(conflicts_of(kind, text, path)))


def note_move(
    kind: str, merged: MergedFile, paths: Sequence[str], path: str
) -> MergedFile:
    """A merged file that the sides moved to two places: it says so.

    Files that have no keys do not.
    """
    text = decode(merged.data, path)
    marked = _marked(kind, text, path, lambda table: mark_moved(table, paths))
    if marked is None:
        return merged
    return MergedFile(marked.encode(), tuple(conflicts_of(kind, marked, path)))


def _marked(
    kind: str, text: str, path: str, mark: Callable[[Table], dict[str, Any]]
) -> str | None:
    """The text with its ``conflict`` table changed; None for one without keys."""
    if kind in TOML:
        return edit_toml(text, {CONFLICT: mark(parse_toml(text, path))}, path)
    if kind == "memory":
        return edit_header(text, {CONFLICT: mark(table_of(text, path))}, path=path)
    return None
