"""Describe guards in one line for people."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

UNCHECKED = "advice only: nothing in it can be checked"
ADVICE = f"{UNCHECKED}; --guard adds a check"
_VERBS = {"deny": "denies", "ask": "asks before", "warn": "warns of"}
_USES = {"read": "reading", "change": "changing", "delete": "deleting"}
_VALUES = (
    ("contains", "calls with"),
    ("recipient", "sending to"),
    ("host", "the host"),
)
_MOST = 4


def guard_line(
    tables: Sequence[Mapping[str, Any]],
    duties: Sequence[Mapping[str, Any]] = (),
    *,
    refused: bool = False,
) -> str:
    """Describe the guards and duties of a rule in one line, or say that it has none."""
    if not tables and not duties:
        return "no guard: disabled with --no-guard" if refused else ADVICE
    lines = []
    for name, parts in (("guard", map(_part, tables)), ("duty", map(_due, duties))):
        texts = list(dict.fromkeys(parts))
        lines += [f"{name}: " + "; ".join(texts)] if texts else []
    return "; ".join(lines)


def effect(
    tables: Sequence[Mapping[str, Any]], duties: Sequence[Mapping[str, Any]] = ()
) -> str:
    """Describe in a few words what guards and duties do, for a column of a list."""
    if not tables and not duties:
        return "advice only"
    first, *more = dict.fromkeys((*map(_part, tables), *map(_due, duties)))
    return f"{first} (+{len(more)})" if more else first


def _due(table: Mapping[str, Any]) -> str:
    """Describe a duty: by when, after which changes, and what."""
    before = [line for line in _list(table.get("before")) if line != "end"]
    lines = [line if isinstance(line, str) else " ".join(line) for line in before]
    when = f"before {_listed(lines)}" if lines else "before the end of a turn"
    if table.get("after"):
        when += f", after changes in {_listed(_list(table['after']))}"
    if table.get("fact"):
        what = f"the command in the fact `{table['fact']}`, once there is one"
    elif table.get("change"):
        what = f"a change of {_or(_list(table['change']))}"
    else:
        what = _or(
            line if isinstance(line, str) else " ".join(map(_word, line))
            for line in _list(table.get("run"))
        )
    return f"{when}: {what}"


def _or(texts: Iterable[str]) -> str:
    return " or ".join(f"`{text}`" for text in texts)


def _part(table: Mapping[str, Any]) -> str:
    if table.get("adds"):
        return _added(table)
    sentence = f"{_VERBS.get(table.get('action', 'deny'), 'stops')} {_object(table)}"
    unless = table.get("unless")
    if isinstance(unless, Mapping):
        sentence += f", unless it is {_object(unless)}"
    elif table.get("note"):
        sentence += f" (condition: {table['note']})"
    if _lines(table) == [["git", "push", "--force"]]:
        sentence += "; allows --force-with-lease"
    return sentence


def _added(table: Mapping[str, Any]) -> str:
    """Describe a guard on what is added: to which files, or to messages."""
    where = " to a commit or pull request" if table.get("command") else ""
    paths = _list(table.get("path"))
    if paths and paths != ["**"]:
        where = f" to {_listed(paths)}"
    done = {"ask": "asks", "warn": "warned of"}.get(table.get("action", ""), "denied")
    return f"adds {_listed(_list(table['adds']))}{where}: {done}"


def _object(table: Mapping[str, Any]) -> str:
    lines = [" ".join(map(_word, line)) for line in _lines(table)]
    listed = _listed(lines)
    path = table.get("path")
    if path is not None:
        used = [_USES[use] for use in _list(table.get("operation")) if use in _USES]
        files = "files " if isinstance(path, Mapping) else ""
        place = f"{files}{_place(path)}"
        used_as = " or ".join(used) or "using"
        listed += f" on {place}" if listed else f"{used_as} {place}"
    if table.get("branch"):
        listed += f" on the branch {_listed(_list(table['branch']))}"
    if table.get("within"):
        place = _place(table["within"])
        listed += f" {place}" if place.startswith("outside") else f" in {place}"
    if table.get("glob"):
        listed += f" to {_listed(_branches(table['glob']))}"
    for key, verb in _VALUES:
        if table.get(key):
            listed += f"{verb} {_listed(_list(table[key]))}"
    if table.get("regex"):
        listed += (" with " if listed else "calls with ") + _listed(
            _list(table["regex"])
        )
    if table.get("tool"):
        words = [re.sub(r"[*_]+", " ", glob).strip() for glob in _list(table["tool"])]
        listed += f" calls of tools named {_listed(list(dict.fromkeys(words)))}"
    return listed.strip() or "every call"


def _place(path: Any) -> str:
    if isinstance(path, Mapping):
        outside = _list(path.get("outside"))
        where = ["the project"] if outside == ["."] else [f"`{p}`" for p in outside]
        return f"outside {' and '.join(where)}"
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
    """Return the names among the forms of a branch in a push."""
    return [
        glob for glob in _list(globs) if glob[:1] not in "+*" and glob[:5] != "refs/"
    ]
