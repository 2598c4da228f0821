"""Read TOML of the vault within strict limits; every error has its line."""

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from toolmem.core import limits
from toolmem.core.text.conflict_marks import conflict_line
from toolmem.errors import InvalidFileError

BOM = "\ufeff"
# Compiled by ``re`` at first use: most runs never need them.
_LINE = r"\(at line (\d+), column \d+\)"
# A key begins a line or follows one of these. Possessive, so that it is linear.
_BEFORE = r"[{,\[]"
_LONG_NUMBER = r"\b0[xob]\w{1000}"
"""The parser limits the digits of decimal numbers only."""
_PART = r"""(?:[\w-]++|"[^"]*+"|'[^']*+')"""
_DOTTED_KEY = rf"\s*+{_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{%d}}"


def parse_toml(
    text: str, path: str, *, most: int = limits.RULE_FILE_BYTES
) -> dict[str, Any]:
    """Parse a text of at most ``most`` characters, with or without a BOM.

    Raises ``InvalidFileError`` with the line for anything that is not TOML, that is a
    merge conflict, or that is built to stall a parser.
    """
    text = text.removeprefix(BOM)
    _bounded(text, path, most)
    try:
        table = tomllib.loads(text)
        if re.search(_LONG_NUMBER, text):
            str(table)  # raises for numbers that no message could show
        return table
    except tomllib.TOMLDecodeError as error:
        raise _fault(text, path, str(error)) from error
    except (ValueError, RecursionError) as error:
        raise InvalidFileError(path, 0, f"is not valid TOML: {error}") from error


def flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Flatten nested tables to dotted keys."""
    flattened: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flattened |= flat(value, f"{prefix}{key}.")
        else:
            flattened[prefix + key] = value
    return flattened


def _bounded(text: str, path: str, most: int) -> None:
    """Raise if the text is too long or has a key with too many dots.

    At each dot the parser walks all parts before it again, even if no value follows: a
    key of 40 KB of dots takes seconds.
    """
    if len(text) > most:
        raise InvalidFileError(path, 0, f"larger than {most // 1024} KiB")
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > limits.TOML_KEY_DOTS and _has_long_key(line):
            raise InvalidFileError(
                path, number, f"a key has more than {limits.TOML_KEY_DOTS} dots"
            )


def _has_long_key(line: str) -> bool:
    long_key = re.compile(_DOTTED_KEY % (limits.TOML_KEY_DOTS + 1))
    return any(long_key.match(piece) for piece in re.split(_BEFORE, line))


def _fault(text: str, path: str, message: str) -> InvalidFileError:
    conflict = conflict_line(text)
    if conflict:
        return InvalidFileError(
            path, conflict, "the file has an unresolved merge conflict"
        )
    where = re.search(_LINE, message)
    line = int(where.group(1)) if where else text.count("\n") + 1
    return InvalidFileError(path, line, re.sub(_LINE, "", message).strip())
