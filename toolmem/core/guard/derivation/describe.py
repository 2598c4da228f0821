"""What guards do, in one line for people."""

from collections.abc import Mapping, Sequence
from typing import Any

ADVICE = "advice only: no guard could be derived from the text; add one with --guard"
_VERBS = {"deny": "denies", "ask": "asks before", "warn": "warns of"}
_USES = {"read": "reading", "change": "changing", "delete": "deleting"}
_MOST = 4


def guard_line(tables: Sequence[Mapping[str, Any]], *, refused: bool = False) -> str:
    """One line on the guards of a rule, or that it has none."""
    if not tables:
        return "no guard: disabled with --no-guard" if refused else ADVICE
    parts = list(dict.fromkeys(map(_part, tables)))
    return "guard: " + "; ".join(parts)


def _part(table: Mapping[str, Any]) -> str:
    said = f"{_VERBS.get(table.get('action', 'deny'), 'stops')} {_object(table)}"
    unless = table.get("unless")
    if isinstance(unless, Mapping):
        said += f", unless it is {_object(unless)}"
    elif table.get("note"):
        said += f" (condition: {table['note']})"
    if _lines(table) == [["git", "push", "--force"]]:
        said += "; allows --force-with-lease"
    return said


def _object(table: Mapping[str, Any]) -> str:
    lines = [" ".join(map(_word, line)) for line in _lines(table)]
    said = _listed(lines)
    path = table.get("path")
    if path is not None:
        used = [_USES[use] for use in _list(table.get("operation")) if use in _USES]
        place = _place(path)
        said += f" on {place}" if said else f"{' or '.join(used) or 'using'} {place}"
    if table.get("branch"):
        said += f" on the branch {_listed(_list(table['branch']))}"
    if table.get("glob"):
        said += f" to {_listed(_branches(table['glob']))}"
    for key, verb in (("contains", "calls with"), ("host", "the host")):
        if table.get(key):
            said += f"{verb} {_listed(_list(table[key]))}"
    if table.get("regex"):
        said += (" with " if said else "calls with ") + _listed(_list(table["regex"]))
    return said or "every call"


def _place(path: Any) -> str:
    if isinstance(path, Mapping):
        outside = _list(path.get("outside"))
        where = ["the project"] if outside == ["."] else [f"`{p}`" for p in outside]
        return f"files outside {' and '.join(where)}"
    return _listed(_list(path))


def _lines(table: Mapping[str, Any]) -> list[list[Any]]:
    command = table.get("command") or []
    if isinstance(command, str):
        return [command.split()]
    several = all(isinstance(part, list) for part in command)
    return list(command) if several else [list(command)]


def _word(part: Any) -> str:
    return "|".join(part) if isinstance(part, list) else str(part)


def _list(value: Any) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def _listed(texts: Sequence[str]) -> str:
    shown = ", ".join(f"`{text}`" for text in texts[:_MOST])
    return shown + (f" and {len(texts) - _MOST} more" if len(texts) > _MOST else "")


def _branches(globs: Any) -> list[str]:
    """The names among the forms of a branch that a push may have."""
    return [
        glob for glob in _list(globs) if glob[:1] not in "+*" and glob[:5] != "refs/"
    ]
