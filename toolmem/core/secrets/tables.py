"""Credentials in the columns of tables: a header with a noun, and cells below it."""

import re
from collections.abc import Iterator

_HEADER = re.compile(r"(?im)^[^\n]{0,400}?(?:pass|pw|token|secret|key|cred|pin)")
_NOUN = re.compile(
    r"""(?xi) [\s"'`*]* (?: [\w-]{1,20}[ _-] )? (?: (?P<password> pass (?:word|phrase|wd)?
      | pwd? | credentials? | passwort | kennwort ) | (?P<token> token | secret
      | (?: api | access ) [ _-]? key ) | (?P<pin> pin ) ) [\s"'`*]*"""
)
_SEPARATORS = "|\t,;"
_MOST_CELLS = 40


def cells(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of each cell below the name of a credential."""
    if _HEADER.search(text) is None:
        return
    columns: dict[int, str] = {}
    separator, at = "", 0
    for line in text.splitlines(keepends=True):
        parts = line.split(separator, _MOST_CELLS) if separator else []
        if columns and len(parts) > max(columns):
            yield from _under(columns, parts, at)
        else:
            separator, columns = _header(line)
        at += len(line)


def _header(line: str) -> tuple[str, dict[int, str]]:
    for separator in _SEPARATORS:
        if separator in line:
            found = {
                at: match.lastgroup or ""
                for at, cell in enumerate(line.split(separator, _MOST_CELLS))
                if len(cell) < 60 and (match := _NOUN.fullmatch(cell))
            }
            return (separator, found) if found else ("", {})
    return "", {}


def _under(
    columns: dict[int, str], parts: list[str], start: int
) -> Iterator[tuple[str, int, int]]:
    for at, cell in enumerate(parts):
        value = cell.strip().strip("\"'`*")
        if at in columns and value:
            begin = start + cell.index(value)
            yield columns[at], begin, begin + len(value)
        start += len(cell) + 1
