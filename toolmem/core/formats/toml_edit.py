"""Edit a TOML file of a person: only the lines of the changed keys.

TOML writers lose comments and reflow, so the text is spliced, parsed again and compared
with the intended values.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from toolmem.core.formats.toml_text import BOM, parse_toml
from toolmem.core.times import rfc3339
from toolmem.errors import InvalidFileError

_KEY = re.compile(r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')""")
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE = re.compile(r"[^\s,\]}#]+(?: \d[^\s,\]}#]*)?")
_BASIC = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_LITERAL = re.compile(r"'[^'\n]*'")
# A closing run may be preceded by two quotes that belong to the string.
_MULTI_BASIC = re.compile(r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}', re.DOTALL)
_MULTI_LITERAL = re.compile(r"'''(?:[^']|'{1,2}(?!'))*'{3,5}", re.DOTALL)
_ATOMS = (_MULTI_BASIC, _MULTI_LITERAL, _BASIC, _LITERAL, _BARE)


class _Entry(NamedTuple):
    key: str
    start: int
    value_start: int
    value_end: int


def toml_value(value: Any) -> str:
    """Return one value on one line (arrays and tables in it, times in UTC)."""
    if isinstance(value, datetime):
        return rfc3339(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    if isinstance(value, Mapping):
        pairs = (f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items())
        return "{ " + ", ".join(pairs) + " }" if value else "{}"
    if isinstance(value, bool | int | float | str | date):
        import tomli_w  # imported late: most runs write nothing

        return tomli_w.dumps({"x": value}).removeprefix("x = ").rstrip("\n")
    raise TypeError(f"no TOML value on one line: {value!r}")


def toml_key(key: str) -> str:
    """Return a key, quoted if necessary."""
    return key if _PLAIN_KEY.fullmatch(key) else toml_value(key)


def toml_document(table: Mapping[str, Any]) -> str:
    """Return a new file: a line for each key in order, arrays of tables at the end."""
    plain = {k: v for k, v in table.items() if not _is_tables(v)}
    lines = [f"{key} = {toml_value(value)}\n" for key, value in plain.items()]
    for key, tables in table.items():
        if _is_tables(tables):
            lines += [_table_text(key, entry) for entry in tables]
    return "".join(lines)


def edit_toml(text: str, changes: Mapping[str, Any], path: str) -> str:
    """Return the text with top-level keys set (None removes a key).

    An array of tables is rewritten as a whole; every other byte stays. Raises
    ``InvalidFileError`` if the text is not TOML or the result would not read back as
    intended.
    """
    before = parse_toml(text, path)
    meant = {k: v for k, v in {**before, **changes}.items() if v is not None}
    edited = text
    for key, value in changes.items():
        if before.get(key) == value:
            continue
        if _is_tables(value) or _is_tables(before.get(key)):
            tables = value if _is_tables(value) else ()
            edited = _edit_tables(_edit_key(edited, key, None), key, tables)
            if value is not None and not tables:  # an empty list
                edited = _edit_key(edited, key, value)
        elif isinstance(before.get(key) if value is None else value, Mapping):
            inside = _edit_inside(edited, (key,), before.get(key), value)
            edited = _edit_table(edited, key, value) if inside is None else inside
        else:
            edited = _edit_key(edited, key, value)
    if _plain(parse_toml(edited, path)) != _plain(meant):
        raise InvalidFileError(
            path, 0, "this file cannot be changed safely; edit it by hand"
        )
    return edited


def _edit_key(text: str, key: str, value: Any) -> str:
    entries, tables_at = _top_level(text)
    edited = next((entry for entry in entries if entry.key == key), None)
    if edited is None:
        return text if value is None else _insert(text, key, value, tables_at, entries)
    if value is None:
        mark = len(BOM) if text.startswith(BOM) else 0
        start = text.rfind("\n", 0, edited.start) + 1 or mark
        return text[:start] + text[_line_end(text, edited.value_end) :]
    return text[: edited.value_start] + toml_value(value) + text[edited.value_end :]


def _edit_tables(
    text: str, key: str, tables: Iterable[Mapping[str, Any]], pattern: str = ""
) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    _, at = _top_level(text)
    ours = re.compile(pattern or rf"[ \t]*\[\[[ \t]*{re.escape(key)}[ \t]*\]\]")
    pieces = re.split(r"^(?=[ \t]*\[)", text[at:], flags=re.MULTILINE)
    others = "".join(piece for piece in pieces if not ours.match(piece))
    head = (text[:at] + others).rstrip("\r\n")
    new = "".join(_table_text(key, table) for table in tables)
    return head + newline + new.replace("\n", newline)


def _edit_inside(
    text: str, names: tuple[str, ...], before: Any, after: Any
) -> str | None:
    """Return the text with keys of a table changed in place.

    None if the table is new, removed or not written as a section.
    """
    if not isinstance(before, Mapping) or not isinstance(after, Mapping):
        return None
    for key in dict.fromkeys([*before, *after]):
        old, new = before.get(key), after.get(key)
        edited: str | None = text
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            edited = _edit_inside(text, (*names, key), old, new)
        elif old != new:
            edited = _edit_in_section(text, names, key, new)
        if edited is None:
            return None
        text = edited
    return text


def _edit_in_section(
    text: str, names: tuple[str, ...], key: str, value: Any
) -> str | None:
    dotted = r"[ \t]*\.[ \t]*".join(rf"[\"']?{re.escape(name)}[\"']?" for name in names)
    header = re.search(rf"^[ \t]*\[[ \t]*{dotted}[ \t]*\][^\n]*\n", text, re.MULTILINE)
    if header is None:
        return None
    after = text[header.end() :]
    end = _top_level(after)[1]
    return text[: header.end()] + _edit_key(after[:end], key, value) + after[end:]


def _edit_table(text: str, key: str, table: Mapping[str, Any] | None) -> str:
    """Return the text with ``[key]`` at its end, or without it; one value a line."""
    text = _edit_tables(
        text, key, (), pattern=rf"[ \t]*\[[ \t]*{re.escape(key)}[ \t]*\]"
    )
    newline = "\r\n" if "\r\n" in text else "\n"
    if any(entry.key == key for entry in _top_level(text)[0]):
        return _edit_key(text, key, table)  # an inline table
    if table is None:
        return text
    lines = [f"{toml_key(name)} = {toml_value(value)}" for name, value in table.items()]
    return text + newline.join(["", f"[{toml_key(key)}]", *lines, ""])


def _insert(
    text: str, key: str, value: Any, tables_at: int, entries: tuple[_Entry, ...]
) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    at = _line_end(text, entries[-1].value_end) if entries else tables_at
    head = text[:at]
    if head and not head.endswith("\n") and head != BOM:
        head += newline
    return f"{head}{toml_key(key)} = {toml_value(value)}{newline}{text[at:]}"


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _top_level(text: str) -> tuple[tuple[_Entry, ...], int]:
    """Return the entries before the first table header, and the header's position."""
    entries: list[_Entry] = []
    at = _skip(text, len(BOM) if text.startswith(BOM) else 0)
    while at < len(text) and text[at] != "[":
        start = at
        while at < len(text) and text[at] != "=":
            key = _KEY.match(text, at)
            at = key.end() if key else at + 1
        name = text[start:at].strip().strip("\"'")
        value_start = _skip(text, at + 1)
        at = _value_end(text, value_start)
        entries.append(_Entry(name, start, value_start, at))
        at = _skip(text, at)
    return tuple(entries), at


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value_end(text: str, at: int) -> int:
    if text[at : at + 1] not in ("[", "{"):
        return _atom_end(text, at)
    depth = 0
    while at < len(text):
        if text[at] in "[{":
            depth += 1
        elif text[at] in "]}":
            depth -= 1
        at = _atom_end(text, at) if text[at] in "\"'" else at + 1
        if depth == 0:
            return at
        at = _skip(text, at)
    return at


def _atom_end(text: str, at: int) -> int:
    for pattern in _ATOMS:
        match = pattern.match(text, at)
        if match:
            return match.end()
    return at + 1


def _table_text(key: str, table: Mapping[str, Any]) -> str:
    lines = (f"{toml_key(name)} = {toml_value(item)}\n" for name, item in table.items())
    return f"\n[[{key}]]\n{''.join(lines)}"


def _is_tables(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(isinstance(item, Mapping) for item in value)
    )


def _plain(value: Any) -> Any:
    """Return the value with times in UTC and whole seconds, so that equal ones compare
    equal.
    """
    if isinstance(value, datetime):
        return rfc3339(value) if value.tzinfo else value
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
