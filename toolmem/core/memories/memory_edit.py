"""Create and edit a memory's text; untouched bytes stay as they are.

Each result is read again: a text whose fields or body would read back as anything but
the intended ones is never returned.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from toolmem.core.memories.front_matter import (
    MemoryHeader,
    MemoryParts,
    read_header,
    split_header,
)
from toolmem.core.memories.header_line import YAML_WORDS, HeaderEntry
from toolmem.core.memories.header_values import in_utc, value_of, write_value
from toolmem.core.memories.memory_text import parse_memory
from toolmem.core.text.safetext import one_line
from toolmem.core.text.textlines import (
    BLANKS,
    BOM,
    find_unsafe_line,
    heading,
    line_ending,
    split_lines,
)
from toolmem.errors import InvalidFileError, UsageError

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def new_memory_text(fields: Mapping[str, Any], title: str, body: str) -> str:
    """Return a new memory: header in the order of ``fields``, title, body.

    Fields that are ``None`` or empty are omitted; blank lines around the body are
    removed and its lines end in a line feed. Raises ``UsageError`` for a blank title,
    and for text or values that a memory cannot contain.
    """
    title, body = _clean_title(title), body.replace("\r\n", "\n").strip("\n")
    unsafe = find_unsafe_line(body)
    if unsafe:
        raise UsageError(f"line {unsafe.line} of the memory {unsafe.message}")
    stated = {
        key: value for key, value in fields.items() if value not in (None, (), [])
    }
    lines = [f"{_clean_key(key)}: {write_value(stated[key])}\n" for key in stated]
    head = f"---\n{''.join(lines)}---\n" if lines else ""
    # A second run of # preserves the first one, which CommonMark would remove.
    mark = " #" if heading(f"# {title}") != (1, title) else ""
    text = f"{head}# {title}{mark}\n" + (f"\n{body}\n" if body else "")
    parsed = parse_memory(text, path="")
    if parsed.title != title or not parsed.body.endswith(body + "\n" * bool(body)):
        raise UsageError(
            "the memory would be read back with another title or text: change its "
            "title line or header"
        )
    written = _values(read_header(split_header(text)))
    if parsed.problems or written != _expected([], stated):
        reasons = [
            f"line {problem.line}: {problem.message}" for problem in parsed.problems
        ]
        raise UsageError(
            f"a memory cannot contain this: {'; '.join(reasons) or stated}"
        )
    return text


def edit_header(
    text: str, changes: Mapping[str, Any], *, path: str = "memory.md"
) -> str:
    """Return the text with some fields set, or removed where the value is ``None``.

    A changed field changes its own lines, a new one goes to the end of the header, and
    a text without a header gets one. Raises ``UsageError`` for a value that a header
    cannot contain, and ``InvalidFileError`` (with ``path``) for a header that cannot be
    read or edited.
    """
    split, header = _readable(text, path)
    old = _values(header)
    expected = _expected(old, changes)
    touched = {
        key: value for key, value in changes.items() if _differs(old, key, value)
    }
    if not touched:
        return text
    changed = _spliced(split, header, touched)
    again = split_header(changed)
    written = _values(read_header(again))
    if again.problems or again.body != _body(split) or written != expected:
        reason = "the header cannot be edited line by line: edit it by hand"
        raise InvalidFileError(path, 1, reason)
    return changed


def replace_body(text: str, body: str, *, path: str = "memory.md") -> str:
    """Return the text with everything below its header replaced.

    Raises ``InvalidFileError`` (with ``path``) for a text whose header cannot be read,
    and for a body that would read as a header or a conflict.
    """
    split, _ = _readable(text, path)
    changed = split.opening + split.header + split.closing + body
    again = split_header(changed)
    if again.problems or (again.header, again.body) != (split.header, body):
        raise InvalidFileError(path, 1, "the new text would be read back differently")
    return changed


Values = list[tuple[str, Any]]
"""Fields of a header in order, with values that compare by type."""


def _readable(text: str, path: str) -> tuple[MemoryParts, MemoryHeader]:
    split = split_header(text)
    header = read_header(split)
    for problem in (*split.problems, *header.problems):
        raise InvalidFileError(path, problem.line, problem.message)
    return split, header


def _clean_title(title: str) -> str:
    unsafe = find_unsafe_line(title)
    if unsafe:
        raise UsageError(f"the title of the memory {unsafe.message}")
    if not title.strip():
        raise UsageError("the title of the memory is blank")
    return one_line(title)


def _clean_key(key: str) -> str:
    if not _KEY.fullmatch(key) or key.casefold() in YAML_WORDS:
        raise UsageError(f"{key!r} cannot be a field: use letters, digits, _ and -")
    return key


def _values(header: MemoryHeader) -> Values:
    return [
        (key, _comparable(value_of(entry.node)))
        for key, entry in header.entries.items()
    ]


def _expected(old: Values, changes: Mapping[str, Any]) -> Values:
    table = dict(old)
    for key, value in changes.items():
        if value is None:
            table.pop(key, None)
        else:
            table[key] = _comparable(value)
    return list(table.items())


def _differs(old: Values, key: str, value: Any) -> bool:
    if value is None:
        return key in dict(old)
    return (key, _comparable(value)) not in old


def _comparable(value: Any) -> Any:
    """Pair the value with its type, so that ``1``, ``1.0``, ``True`` and ``"1"``
    differ."""
    if isinstance(value, str):
        return "str", str(value)
    if isinstance(value, datetime):
        return "time", in_utc(value)
    if isinstance(value, (list, tuple)):
        return "list", [_comparable(item) for item in value]
    if isinstance(value, dict):
        return "table", [(key, _comparable(item)) for key, item in value.items()]
    return type(value).__name__, value


def _spliced(
    split: MemoryParts, header: MemoryHeader, touched: Mapping[str, Any]
) -> str:
    """Return the text with the touched fields' lines replaced, removed, appended."""
    lines = split_lines(split.header)
    # From the bottom up, so that positions above stay valid.
    for key in reversed(list(header.entries)):
        if key in touched:
            entry, value = header.entries[key], touched[key]
            first, last = entry.key_start[0], _last_line(entry)
            if value is None:
                del lines[first : _end_of_block(lines, entry)]
            else:
                while last > first and not lines[last].strip():
                    last -= 1
                lines[first : last + 1] = [
                    _with_value(entry, lines[first], lines[last], value)
                ]
    ending = _ending(split)
    columns = [entry.key_start[1] for entry in header.entries.values()]
    indent = " " * columns[0] if columns else ""
    for key, value in touched.items():
        if key not in header.entries:
            lines.append(f"{indent}{_clean_key(key)}: {write_value(value)}{ending}")
    opening = split.opening or f"---{ending}"
    closing = split.closing or f"---{ending}"
    return "".join([opening, *lines, closing, _body(split)])


def _body(split: MemoryParts) -> str:
    """Return the body; a byte order mark goes, because a header will precede it."""
    return split.body if split.opening else split.body.removeprefix(BOM)


def _ending(split: MemoryParts) -> str:
    first = [split.opening, *split_lines(split.body)[:1]]
    return next(filter(None, map(line_ending, first)), "\n")


def _last_line(entry: HeaderEntry) -> int:
    return entry.end[0] - 1 if _ends_below(entry) else entry.end[0]


def _end_of_block(lines: list[str], entry: HeaderEntry) -> int:
    """Return the line after a field and the comments indented below it."""
    end = _last_line(entry) + 1
    margin = entry.key_start[1] + 1
    while end < len(lines) and lines[end].lstrip(BLANKS)[:1] == "#":
        if lines[end][:margin].strip(BLANKS):
            break
        end += 1
    return end


def _ends_below(entry: HeaderEntry) -> bool:
    """Return True if the field ends with a block scalar, which includes blank lines."""
    return entry.end[1] == 0 and entry.end[0] > entry.key_start[0]


def _with_value(entry: HeaderEntry, first: str, last: str, value: Any) -> str:
    """Return the line of a field with another value, with its trailing comment."""
    if entry.start[0] == entry.key_start[0]:
        head = first[: entry.start[1]]
    else:
        head = first[: entry.key_end[1]] + ":"
    if head[-1] not in BLANKS:
        head += " "
    tail = line_ending(last) if _ends_below(entry) else last[entry.end[1] :]
    return head + write_value(value) + tail
