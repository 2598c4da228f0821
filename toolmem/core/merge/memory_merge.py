"""Three-way merge of memories: the header key by key, the body line by line."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from toolmem.core.memories.front_matter import MemoryParts, read_header, split_header
from toolmem.core.memories.header_values import value_of
from toolmem.core.memories.memory_edit import edit_header
from toolmem.core.merge.lines import agreed_text, merge_text
from toolmem.core.merge.result import MergeResult
from toolmem.core.merge.tables import merge_tables, open_conflicts, updated
from toolmem.core.text.textlines import BOM
from toolmem.errors import InvalidFileError


class _Side(NamedTuple):
    text: str
    split: MemoryParts
    table: dict[str, Any]


def merge_memory(base: str, ours: str, theirs: str, path: str) -> MergeResult:
    """Merge three memories; conflicts of keys are in the field ``conflict``.

    Conflicts of the text have both sides, between marks that are comments. Raises
    ``InvalidFileError`` for a side whose header cannot be read.
    """
    was, left, right = (_side(text, path) for text in (base, ours, theirs))
    merged = merge_tables(was.table, left.table, right.table)
    body = merge_text(_body(was), _body(left), _body(right))
    text = None
    if not merged.conflicts and not body.conflicts:
        text = agreed_text(base, ours, theirs)
        if text is not None and not _says(text, merged.table, path):
            text = None
    if text is None:
        text = _assembled(left, right, merged.table, body.text, path)
    above = text[: len(text) - len(body.text)].count("\n")
    texts = (
        conflict._replace(line=conflict.line + above) for conflict in body.conflicts
    )
    return MergeResult(text, (*merged.conflicts, *texts))


def table_of(text: str, path: str) -> dict[str, Any]:
    """Return the fields of a memory; raise ``InvalidFileError`` if unreadable."""
    return _side(text, path).table


def _side(text: str, path: str) -> _Side:
    split = split_header(text)
    header = read_header(split)
    for problem in (*split.problems, *header.problems):
        raise InvalidFileError(path, problem.line, problem.message)
    entries = header.entries.items()
    return _Side(text, split, {key: value_of(entry.node) for key, entry in entries})


def _body(side: _Side) -> str:
    return side.split.body if side.split.opening else side.split.body.removeprefix(BOM)


def _assembled(
    left: _Side, right: _Side, table: Mapping[str, Any], body: str, path: str
) -> str:
    """Return one side's header with the merged fields, above the merged body."""
    sides = [left, right]
    if not open_conflicts(table):  # same result whichever side is ours
        sides.sort(key=lambda side: (updated(side.table), side.text), reverse=True)
    first = sides[0]
    head = first.split.opening + first.split.header + first.split.closing
    keys = dict.fromkeys([*first.table, *table])
    changes = {
        key: table.get(key) for key in keys if first.table.get(key) != table.get(key)
    }
    return edit_header(head + body, changes, path=path)


def _says(text: str, table: Mapping[str, Any], path: str) -> bool:
    try:
        return _side(text, path).table == table
    except InvalidFileError:
        return False
