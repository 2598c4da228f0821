"""Three-way merge of TOML files: rules, manifests and settings."""

from collections.abc import Iterable, Mapping
from typing import Any

from toolmem.core.formats.toml_edit import edit_toml
from toolmem.core.formats.toml_text import BOM, parse_toml
from toolmem.core.merge.lines import agreed_text
from toolmem.core.merge.result import MergeResult
from toolmem.core.merge.tables import CONFLICT, merge_tables, open_conflicts, updated
from toolmem.core.text.textlines import line_ending, split_lines
from toolmem.errors import InvalidFileError


def merge_toml(base: str, ours: str, theirs: str, path: str) -> MergeResult:
    """Merge three files; conflicts are ours, with a table ``conflict``.

    If the lines can be merged and match the merged keys, they are; else the text of the
    side that was changed later gets the other's keys and comments. Raises
    ``InvalidFileError`` for a side that is not TOML.
    """
    tables = [parse_toml(text, path) for text in (base, ours, theirs)]
    merged = merge_tables(*tables)
    if CONFLICT not in merged.table:
        lines = agreed_text(base, ours, theirs)
        if lines is not None and says(lines, merged.table, path):
            return MergeResult(lines)
    sides = [(ours, tables[1]), (theirs, tables[2])]
    if not merged.conflicts:  # same result whichever side is ours
        sides.sort(key=lambda side: (updated(side[1]), side[0]), reverse=True)
    (text, table), (other, _) = sides
    edited = edit_toml(text, _changes(table, merged.table), path)
    commented = with_comments(edited, other, base)
    if says(commented, merged.table, path):
        edited = commented
    return MergeResult(edited, tuple(open_conflicts(merged.table)))


def _changes(current: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    keys = dict.fromkeys([*current, *wanted])
    return {key: wanted.get(key) for key in keys if current.get(key) != wanted.get(key)}


def says(text: str, table: Mapping[str, Any], path: str) -> bool:
    """Return True if the text parses to exactly this table."""
    try:
        return parse_toml(text, path) == table
    except InvalidFileError:
        return False


def with_comments(text: str, other: str, base: str) -> str:
    """Add the comment lines that only ``other`` added, at their keys."""
    known = {line.strip() for line in split_lines(text + "\n" + base)}
    lines = split_lines(text)
    for comment, below in _comments(other):
        if comment.strip() in known:
            continue
        known.add(comment.strip())
        place = next((n for n, line in enumerate(lines) if _key(line) == below), 0)
        ending = next(filter(None, map(line_ending, lines)), "\n")
        if not place and lines and lines[0].startswith(BOM):
            lines[0] = lines[0].removeprefix(BOM)
            lines.insert(0, BOM + comment.rstrip("\r\n") + ending)
        else:
            lines.insert(place, comment.rstrip("\r\n") + ending)
    return "".join(lines)


def _comments(text: str) -> Iterable[tuple[str, str]]:
    """Yield the comment lines of a text, each with the key of the line below."""
    lines = split_lines(text.removeprefix(BOM))
    for number, line in enumerate(lines):
        if line.lstrip(" \t").startswith("#"):
            keys = filter(None, map(_key, lines[number + 1 :]))
            yield line, next(iter(keys), "")


def _key(line: str) -> str:
    bare = line.removeprefix(BOM).strip()
    if not bare or bare[0] in "#[" or "=" not in bare:
        return ""
    return bare.partition("=")[0].strip().strip("\"'")
