"""Parse a rule file: TOML text → the typed keys that it states."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time
from typing import Any, NamedTuple

from toolmem.core import times
from toolmem.core.formats import json_schema
from toolmem.core.formats.json_schema import Schema, ValueReader
from toolmem.core.formats.toml_text import BOM, parse_toml
from toolmem.core.model import Priority, Scope, Source
from toolmem.core.names import is_tool_name
from toolmem.core.rules import duty_table, guard_table
from toolmem.core.text.safetext import one_line
from toolmem.core.text.suggest import did_you_mean
from toolmem.errors import InvalidFileError

PRIORITIES = tuple(p.value for p in Priority)
SOURCES = tuple(s.value for s in Source)
OWN_REASON = "own_reason"
"""Key of an archived file for the reason that it had before its retirement."""
FORMAT = 3
"""Highest format of rule files that this version reads."""
_LONGEST = 40
_FORMATS = {"guards": 2, "why": 2, "duty": 3, "adds": 3}
"""Keys that older versions do not have, with the format that introduced each;
``adds`` is one of a guard."""
_TABLE_KEYS = {"guard": set(guard_table.GUARD_KEYS), "duty": set(duty_table.DUTY_KEYS)}


class RuleFile(NamedTuple):
    """One file under ``rules/``: its content, and its location.

    ``folder_tool`` is the key of its folder; ``stated`` contains its keys with checked
    types (times in UTC). An empty list of guards is one of ``guards = false``.
    """

    id: str
    scope: Scope
    path: str
    folder_tool: str
    stated: Mapping[str, Any]

    @property
    def newer_format(self) -> int:
        """Its format if this version does not read all of that, else 0."""
        number = self.stated.get("format", 1)
        return number if number > FORMAT else 0


def newer_text(number: int) -> str:
    """Return what to do about a file of a format that this version does not read."""
    return (
        f"has format {number} of rule files, this toolmem reads up to {FORMAT}: it "
        "applies as far as it is understood; upgrade toolmem"
    )


class UnreadableRule(NamedTuple):
    """A rule file that cannot be read; its tool (a key) is needed for a warning.

    ``line`` counts from 1, and is 0 if no line is known. ``overrides`` is the id that
    an override names, if that is the defect.
    """

    tool: str
    scope: Scope
    path: str
    reason: str
    line: int = 0
    vault: str = ""
    overrides: str = ""

    @property
    def full_path(self) -> str:
        """The path, with the vault if it is not the session's."""
        return f"{self.vault}/{self.path}" if self.vault else self.path

    @property
    def place(self) -> str:
        """The path with the line, if it is known."""
        return f"{self.full_path}:{self.line}" if self.line else self.full_path


def override_alone(rule_id: str, tool: str, scope: Scope, path: str) -> UnreadableRule:
    """Return an override as unreadable, in case that no rule has its id."""
    reason = f"overrides {rule_id}, which no rule has as its id: correct or delete it"
    return UnreadableRule(tool, scope, path, reason, overrides=rule_id)


class RuleFiles(NamedTuple):
    """Rule files of some scopes, and those that cannot be read."""

    files: tuple[RuleFile, ...]
    unreadable: tuple[UnreadableRule, ...]


def parse_rule_file(
    text: str, *, path: str, scope: Scope, folder_tool: str
) -> RuleFile:
    """Read one rule or override file.

    An invalid ``tool`` is replaced by the folder's. Raises ``InvalidFileError`` with
    path and line for text that is not TOML, for a missing ``id``, for an unknown key
    and for one of the wrong type. Of a newer format the known keys are read, and the
    guards and duties that have only known keys.
    """
    table = parse_toml(text, path)
    newer = _read("format", table.get("format", 1), text, path) > FORMAT
    stated = {
        key: _read(key, value, text, path)
        for key, value in table.items()
        if key in _READERS or not newer
    }
    if "tool" in stated and not is_tool_name(stated["tool"]):
        stated["tool"] = folder_tool
    if "id" not in stated:
        raise InvalidFileError(path, 1, "id is missing: a rule needs id, tool and rule")
    for key, every in _TABLE_KEYS.items():
        if newer and key in stated:
            known = [one for one in stated[key] if every.issuperset(one)]
            stated |= {key: known} if known else {}
            if not known:
                del stated[key]  # those of the text are in force instead
    if stated.pop("guards", None) is False:
        stated.setdefault("guard", [])
    return RuleFile(stated["id"], scope, path, folder_tool, stated)


def _read(key: str, value: Any, text: str, path: str) -> Any:
    reader = _READERS.get(key)
    if reader is None:
        hint = did_you_mean(key[:_LONGEST], KNOWN_KEYS)
        problem = f"no key {key[:_LONGEST]!r}{hint}"
        raise InvalidFileError(path, key_line(text, key), problem)
    try:
        return reader.read(value)
    except ValueError as error:
        raise InvalidFileError(path, key_line(text, key), f"{key}: {error}") from error


def as_written(keys: Mapping[str, Any], stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return keys to write into a file that has ``stated``; None removes a key.

    Refused guards are ``guards = false``, and a key that older versions do not have
    comes with the number of its format.
    """
    written = dict(keys)
    if "guard" in keys:
        refused = keys["guard"] == []
        written |= {"guard": None} if refused else {}
        if refused or "guards" in stated:
            written["guards"] = False if refused else None
    new = [key for key, value in written.items() if value is not None]
    tables = keys.get("guard") or ()
    new += ["adds"] if any("adds" in table for table in tables) else []
    needed = max(_FORMATS.get(key, 1) for key in ("id", *new))
    if needed > stated.get("format", 1):
        written["format"] = needed
    return written


def read_key(key: str, value: Any) -> Any:
    """Return the value of a known key; raise ``ValueError`` for one of a wrong type."""
    reader = _READERS.get(key)
    return value if reader is None else reader.read(value)


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


def _false(value: Any) -> bool:
    if value is not False:
        raise ValueError(f"expected false or [[guard]] tables, found {value!r:.40}")
    return value


def _number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"expected a number from 1, found {value!r:.40}")
    return value


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise ValueError(f"expected a list of strings, found {value!r:.40}")
    return value


def _tables(name: str) -> Callable[[Any], list[dict[str, Any]]]:
    def read(value: Any) -> list[dict[str, Any]]:
        if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
            raise ValueError(f"expected [[{name}]] tables, found {value!r:.40}")
        return value

    return read


def _table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"expected a [conflict] table, found {value!r:.40}")
    return value


def _moment(value: Any) -> datetime:
    if isinstance(value, datetime):
        return times.in_utc(value)
    if isinstance(value, date):
        return datetime.combine(value, time(), UTC)
    raise ValueError(f"expected an unquoted date or time, found {value!r:.40}")


_TIME = ValueReader(_moment, json_schema.TIME)
_WORDS = ValueReader(_optional_text, json_schema.ANY_TEXT)
_NAME = ValueReader(_text, json_schema.TEXT)
_READERS = {
    "id": _NAME,
    "tool": _NAME,
    "rule": _NAME,
    "priority": ValueReader(_one_of(PRIORITIES), json_schema.choice(PRIORITIES)),
    "source": ValueReader(_one_of(SOURCES), json_schema.choice(SOURCES)),
    "tags": ValueReader(_texts, json_schema.list_of(json_schema.ANY_TEXT)),
    "created_at": _TIME,
    "updated_at": _TIME,
    "expires_at": _TIME,
    "evidence": _WORDS,
    "why": _WORDS,
    "reason": _WORDS,
    "agent": _NAME,
    "kept_by": _NAME,
    "enabled": ValueReader(_flag, json_schema.FLAG),
    "guard": ValueReader(_tables("guard"), json_schema.list_of(guard_table.schema())),
    "guards": ValueReader(_false, {"const": False}),
    "duty": ValueReader(_tables("duty"), json_schema.list_of(duty_table.schema())),
    "conflict": ValueReader(_table, json_schema.ANY_TABLE),
    "archived_at": _TIME,
    OWN_REASON: _WORDS,
    "format": ValueReader(_number, json_schema.NUMBER),
}
KNOWN_KEYS = tuple(_READERS)


def schema() -> Schema:
    """Return the JSON Schema of rule files; one of a newer format may have any key."""
    newer = {"required": ["format"], "properties": {"format": {"minimum": FORMAT + 1}}}
    return {
        "type": "object",
        "required": ["id"],
        "properties": {key: reader.schema for key, reader in _READERS.items()},
        "if": newer,
        "else": {"propertyNames": {"enum": list(KNOWN_KEYS)}},
    }
