"""Parse a rule file: TOML text → the typed keys that it states."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time
from typing import Any, NamedTuple

from toolmem.core.formats.toml_text import BOM, parse_toml
from toolmem.core.model import Priority, Scope, Source
from toolmem.core.names import is_tool_name
from toolmem.core.text.safetext import one_line
from toolmem.core.times import in_utc
from toolmem.errors import InvalidFileError

PRIORITIES = tuple(p.value for p in Priority)
SOURCES = tuple(s.value for s in Source)
OWN_REASON = "own_reason"
"""Key of an archived file for the reason that it had before its retirement."""


class RuleFile(NamedTuple):
    """One file under ``rules/``: its content, and its location.

    ``folder_tool`` is the key of its folder; ``stated`` contains the known keys with
    checked types (times in UTC) and unknown keys as read.
    """

    id: str
    scope: Scope
    path: str
    folder_tool: str
    stated: Mapping[str, Any]


class UnreadableRule(NamedTuple):
    """A rule file that cannot be read; its tool (a key) is needed for a warning.

    ``line`` counts from 1, and is 0 if no line is known.
    """

    tool: str
    scope: Scope
    path: str
    reason: str
    line: int = 0
    vault: str = ""

    @property
    def full_path(self) -> str:
        """The path, with the vault if it is not the session's."""
        return f"{self.vault}/{self.path}" if self.vault else self.path

    @property
    def place(self) -> str:
        """The path with the line, if it is known."""
        return f"{self.full_path}:{self.line}" if self.line else self.full_path


class RuleFiles(NamedTuple):
    """Rule files of some scopes, and those that cannot be read."""

    files: tuple[RuleFile, ...]
    unreadable: tuple[UnreadableRule, ...]


def parse_rule_file(
    text: str, *, path: str, scope: Scope, folder_tool: str
) -> RuleFile:
    """Read one rule or override file.

    An invalid ``tool`` is replaced by the folder's. Raises ``InvalidFileError`` with
    path and line for text that is not TOML, for a missing ``id`` and for a known key of
    the wrong type.
    """
    table = parse_toml(text, path)
    for key, value in table.items():
        reader = _READERS.get(key)
        if reader is not None:
            try:
                table[key] = reader(value)
            except ValueError as error:
                line = key_line(text, key)
                raise InvalidFileError(path, line, f"{key}: {error}") from error
    if "tool" in table and not is_tool_name(table["tool"]):
        table["tool"] = folder_tool
    if "id" not in table:
        raise InvalidFileError(path, 1, "id is missing: a rule needs id, tool and rule")
    return RuleFile(table["id"], scope, path, folder_tool, table)


def read_key(key: str, value: Any) -> Any:
    """Return the value of a known key; raise ``ValueError`` for one of a wrong type."""
    reader = _READERS.get(key)
    return value if reader is None else reader(value)


def key_line(text: str, key: str) -> int:
    """Return the line on which a top-level key is set (1 if unknown)."""
    for number, line in enumerate(text.removeprefix(BOM).split("\n"), 1):
        head = line.partition("=")[0].partition("]")[0].strip(" \t[")
        first = head.partition(".")[0].rstrip()
        if key in (head.strip("\"'"), first.strip("\"'")):
            return number
    return 1


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected a quoted string, found {value!r:.40}")
    line = one_line(value)
    if not line:
        raise ValueError("is blank")
    return line


def _optional_text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected a quoted string, found {value!r:.40}")
    return value


def _one_of(allowed: tuple[str, ...]) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value.strip().lower() not in allowed:
            raise ValueError(f"expected {', '.join(allowed)}, found {value!r:.40}")
        return value.strip().lower()

    return read


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, found {value!r:.40}")
    return value


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise ValueError(f"expected a list of strings, found {value!r:.40}")
    return value


def _tables(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
        raise ValueError(f"expected [[guard]] tables, found {value!r:.40}")
    return value


def _table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"expected a [conflict] table, found {value!r:.40}")
    return value


def _moment(value: Any) -> datetime:
    if isinstance(value, datetime):
        return in_utc(value)
    if isinstance(value, date):
        return datetime.combine(value, time(), UTC)
    raise ValueError(f"expected an unquoted date or time, found {value!r:.40}")


_READERS: dict[str, Callable[[Any], Any]] = {
    "id": _text,
    "tool": _text,
    "rule": _text,
    "priority": _one_of(PRIORITIES),
    "source": _one_of(SOURCES),
    "tags": _texts,
    "created_at": _moment,
    "updated_at": _moment,
    "expires_at": _moment,
    "evidence": _optional_text,
    "reason": _optional_text,
    "agent": _text,
    "kept_by": _text,
    "enabled": _flag,
    "guard": _tables,
    "conflict": _table,
}
KNOWN_KEYS = tuple(_READERS)
