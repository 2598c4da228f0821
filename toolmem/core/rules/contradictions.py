"""Determine the effect of a rule with an unresolved merge: the stricter side."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from toolmem.core.model import PRIORITY_RANKS, Priority
from toolmem.core.rules.rule_file import RuleFile, read_key

_REMOVED = "removed"
_CRITICAL = Priority.CRITICAL.value


def in_effect(file: RuleFile) -> Iterator[RuleFile]:
    """Yield the file as it takes effect; twice if its text or tool is in conflict.

    A file without a ``conflict`` table is unchanged.
    """
    conflict = file.stated.get("conflict")
    if not conflict:
        yield file
        return
    if "deleted" in conflict and file.stated.get("enabled") is False:
        return  # one side deleted what disables a rule: the rule stays on
    stated = _strict(file.stated, conflict)
    yield file._replace(stated=stated)
    for text in _others(file.stated, conflict, "rule"):
        yield file._replace(stated=_with_priority({**stated, "rule": text}, file))
    for tool in _others(file.stated, conflict, "tool"):
        yield file._replace(stated={**stated, "tool": tool})


def _with_priority(stated: dict[str, Any], file: RuleFile) -> dict[str, Any]:
    """Make an override's other text a rule by itself, at its strictest."""
    if "tool" in file.stated or "priority" in stated:
        return stated
    return {**stated, "priority": _CRITICAL, "tool": file.folder_tool}


def _strict(stated: Mapping[str, Any], conflict: Mapping[str, Any]) -> dict[str, Any]:
    strict = dict(stated)
    gone = set(_listed(conflict.get(_REMOVED)))
    priorities = [stated.get("priority"), *_others(stated, conflict, "priority")]
    ranked = sorted(
        (p for p in priorities if p in PRIORITY_RANKS), key=lambda p: PRIORITY_RANKS[p]
    )
    if ranked:
        strict["priority"] = ranked[0]
    if "enabled" in gone or True in _others(stated, conflict, "enabled"):
        strict.pop("enabled", None)
    guards = [stated.get("guard", []), *_others(stated, conflict, "guard")]
    if any(guards):
        strict["guard"] = [guard for tables in guards for guard in tables]
    ends = [stated.get("expires_at"), *_others(stated, conflict, "expires_at")]
    if "expires_at" in gone or ends[0] is None:
        strict.pop("expires_at", None)
    else:
        strict["expires_at"] = max(end for end in ends if isinstance(end, datetime))
    return strict


def _others(
    stated: Mapping[str, Any], conflict: Mapping[str, Any], key: str
) -> list[Any]:
    """Return the other side's valid values for a key."""
    others = []
    for value in _listed(conflict.get(key)):
        try:
            read = read_key(key, value)
        except ValueError:
            continue
        if read != stated.get(key) and read not in others:
            others.append(read)
    return others


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
