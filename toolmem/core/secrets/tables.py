"""Credentials in the columns of tables: a header with a noun, and cells below it."""

import re
from collections.abc import Iterator

from toolmem.core.secrets import kinds

_HEADER = re.compile(
    r"(?i)(?:pass|pw|token|secret|key|cred|pin)[\w \"'`*-]{0,20}[|\t,;\n]"
)
_NOUN = re.compile(
    r"""(?xi) [\s"'`*]* (?: [A-Za-z]{1,20}[ -] )? (?: (?P<token> token | secret
      | (?: api | access ) [ _-]? key ) | (?P<pin> pin )
      | (?P<password> pass (?:word|phrase|wd)? | pwd? | credentials? | passwort
        | kennwort ) ) [\s"'`*]*"""
)
_SEPARATORS = "|\t,;"
_MOST_CELLS, _LONGEST = 40, 24


def tabled_credentials(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each value in a cell below the name of a credential."""
    if _HEADER.search(text) is None:
        return
    columns: dict[int, str] = {}
    separator, width, at = "", 0, 0
    for line in text.splitlines(keepends=True):
        parts = line.split(separator, _MOST_CELLS) if separator else []
        if columns and len(parts) == width:
            yield from _under(columns, parts, at)
        else:
            separator, columns = _header(line)
            width = len(line.split(separator, _MOST_CELLS)) if separator else 0
        at += len(line)


def _header(line: str) -> tuple[str, dict[int, str]]:
    for separator in _SEPARATORS:
        if separator in line:
            parts = line.rstrip("\n").split(separator, _MOST_CELLS)
            if any(len(cell) > _LONGEST for cell in parts):
                continue
            found = {
                at: match.lastgroup or ""
                for at, cell in enumerate(parts)
                if (match := _NOUN.fullmatch(cell))
            }
            return (separator, found) if found else ("", {})
    return "", {}


def _under(
    columns: dict[int, str], parts: list[str], start: int
) -> Iterator[tuple[int, int]]:
    for at, cell in enumerate(parts):
        value = cell.strip().strip("\"'`*")
        if at in columns and _is_credential(columns[at], value):
            begin = start + cell.index(value)
            yield begin, begin + len(value)
        start += len(cell) + 1


def _is_credential(noun: str, value: str) -> bool:
    """Return True if a cell is no description of a setting of that name."""
    kind = kinds.kind_of(value, is_quoted=False)
    if noun == "pin":
        return kind == "number"
    return kind == "generated" or (noun == "password" and kind in kinds.INVENTED)
