"""Three-way merge of tables, key by key.

A change of one side is taken. If both changed a key, lists are united unless both
replaced one of their tables, equal intentions take the later side's value, and anything
else is a conflict: ours stays, and theirs goes into a table ``conflict`` next to it.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Any, NamedTuple

from toolmem.core.comparison.same import same_text
from toolmem.core.merge.result import DELETED, MOVED, Conflict
from toolmem.core.model import PRIORITY_RANKS

CONFLICT = "conflict"
REMOVED = "removed"
"""In a ``conflict`` table: the keys that the other side removed."""
_MISSING: Any = object()
_LATEST = frozenset({"updated_at", "updated", "archived_at"})
_EARLIEST = frozenset({"created_at", "created"})
# Keys about the item rather than its content: the later value serves both sides.
_ABOUT = frozenset({"evidence", "reason", "importance", "confidence"})
_PRIORITY = "priority"

Table = Mapping[str, Any]


class MergedTable(NamedTuple):
    """Merged keys, ``conflict`` included, and the conflicts among them."""

    table: dict[str, Any]
    conflicts: tuple[Conflict, ...]


def merge_tables(base: Table, ours: Table, theirs: Table) -> MergedTable:
    """Merge two tables that were made from a third."""
    sides = [dict(side) for side in (base, ours, theirs)]
    known = [alternatives(side) for side in sides]
    for side in sides:
        side.pop(CONFLICT, None)
    table, fresh = _merged(sides[0], sides[1], sides[2])
    open_ = _carried(known[0], known[1], known[2], table)
    for conflict in fresh:
        others = open_.setdefault(conflict.key, [])
        if conflict.theirs not in others:
            others.append(conflict.theirs)
    if open_:
        table[CONFLICT] = _as_table(open_)
    return MergedTable(table, tuple(open_conflicts(table)))


def _merged(
    base: Table, ours: Table, theirs: Table, prefix: str = ""
) -> tuple[dict[str, Any], list[Conflict]]:
    """Return the merged keys, nested ones by dotted name, and the conflicts."""
    later = _later(ours, theirs)
    table: dict[str, Any] = {}
    fresh: list[Conflict] = []
    for key in dict.fromkeys([*ours, *theirs]):
        values = [side.get(key, _MISSING) for side in (base, ours, theirs)]
        if _are_tables(*values):
            was = {} if values[0] is _MISSING else values[0]
            table[key], more = _merged(was, values[1], values[2], f"{prefix}{key}.")
            fresh += more
            continue
        value, agreed = _decided(key, values[0], values[1], values[2], later)
        if key == _PRIORITY and not base and not same(values[1], values[2]):
            # Without a base the direction of the change is unknown.
            agreed = values[1] is _MISSING or values[2] is _MISSING
            value = value if agreed else values[1]
        if not agreed:
            fresh.append(Conflict(prefix + key, _shown(values[1]), _shown(values[2])))
        if value is not _MISSING:
            table[key] = value
    return table, fresh


def _are_tables(base: Any, ours: Any, theirs: Any) -> bool:
    known = base is _MISSING or isinstance(base, Mapping)
    return known and isinstance(ours, Mapping) and isinstance(theirs, Mapping)


def open_conflicts(table: Table) -> list[Conflict]:
    """Return the conflicts in a table."""
    conflicts = []
    for key, values in alternatives(table).items():
        if key == DELETED:
            side = values[0]
            sides = (DELETED, "changed") if side == "ours" else ("changed", DELETED)
            conflicts.append(Conflict(key, *sides))
        elif key == MOVED:
            conflicts.append(Conflict(key, values[0], values[-1]))
        else:
            conflicts += [
                Conflict(key, _value_of(table, key), value) for value in values
            ]
    return conflicts


def mark_deleted(table: Table, side: str) -> dict[str, Any]:
    """Return the ``conflict`` table of a file that ``ours`` or ``theirs`` deleted."""
    return {**(table.get(CONFLICT) or {}), DELETED: side}


def mark_moved(table: Table, paths: Sequence[str]) -> dict[str, Any]:
    """Return the ``conflict`` table of a file that the sides moved to these paths."""
    return {**(table.get(CONFLICT) or {}), MOVED: [*paths]}


def resolved(table: Table, key: str, value: Any) -> dict[str, Any]:
    """Return the changes to a table that settle a conflict with this value."""
    left = {k: v for k, v in alternatives(table).items() if k != key}
    changes: dict[str, Any] = {CONFLICT: _as_table(left) if left else None}
    if key not in (DELETED, MOVED):
        changes |= _change(table, key, value)
    return changes


def _value_of(table: Table, key: str) -> Any:
    """Return the value of a key, which may be dotted."""
    head, dot, rest = key.partition(".")
    inner = table.get(head)
    if key in table or not dot or not isinstance(inner, Mapping):
        return table.get(key)
    return _value_of(inner, rest)


def _change(table: Table, key: str, value: Any) -> dict[str, Any]:
    """Return the changes to a table that set a key, which may be dotted."""
    head, dot, rest = key.partition(".")
    inner = table.get(head)
    if key in table or not dot or not isinstance(inner, Mapping):
        return {key: value}
    changed = {**inner, **_change(inner, rest, value)}
    return {head: {k: v for k, v in changed.items() if v is not None}}


def alternatives(table: Table) -> dict[str, list[Any]]:
    """Return the other side's values for each conflicting key; None: it removed the
    key."""
    conflict = table.get(CONFLICT)
    if not isinstance(conflict, Mapping):
        return {}
    by_key = {
        key: list(value) if isinstance(value, list | tuple) else [value]
        for key, value in conflict.items()
        if key != REMOVED
    }
    removed = conflict.get(REMOVED, ())
    for key in removed if isinstance(removed, list | tuple) else [removed]:
        by_key.setdefault(str(key), []).append(None)
    return by_key


def _as_table(open_: Mapping[str, list[Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, values in open_.items():
        stated = [value for value in values if value is not None]
        if stated:
            alone = len(stated) == 1 and not isinstance(stated[0], list)
            table[key] = stated[0] if alone else stated
    removed = sorted(key for key, values in open_.items() if None in values)
    if removed:
        table[REMOVED] = removed
    return table


def _carried(
    base: Mapping[str, list[Any]],
    ours: Mapping[str, list[Any]],
    theirs: Mapping[str, list[Any]],
    table: Table,
) -> dict[str, list[Any]]:
    """Return the conflicts that were open before and that neither side settled."""
    carried: dict[str, list[Any]] = {}
    for key in sorted({*ours, *theirs}):
        if key in base and not (key in ours and key in theirs):
            continue
        values: list[Any] = []
        for value in [*ours.get(key, ()), *theirs.get(key, ())]:
            if value not in values and (
                key == DELETED or value != _value_of(table, key)
            ):
                values.append(value)
        if values:
            carried[key] = values
    return carried


def _shown(value: Any) -> Any:
    return None if value is _MISSING else value


def _decided(
    key: str, base: Any, ours: Any, theirs: Any, later: Callable[[Any, Any], Any]
) -> tuple[Any, bool]:
    """Return the merged value of a key, and True if the sides agree on it."""
    if same(ours, theirs) or same(theirs, base):
        return ours, True
    if same(ours, base):
        return theirs, True
    if isinstance(ours, list) or isinstance(theirs, list):
        return _united_or_not(base, ours, theirs)
    if ours is _MISSING or theirs is _MISSING:
        return ours, False
    if key in _LATEST or key in _EARLIEST:
        return _moment(key, ours, theirs), True
    if _is_one_intent(key, base, ours, theirs):
        return later(ours, theirs), True
    return ours, False


def same(one: Any, other: Any) -> bool:
    """Return True if two values are the same, including their types."""
    if one is _MISSING or other is _MISSING:
        return one is other
    return type(one) is type(other) and bool(one == other)


def _united_or_not(base: Any, ours: Any, theirs: Any) -> tuple[Any, bool]:
    lists = [[] if side is _MISSING else side for side in (base, ours, theirs)]
    if not isinstance(lists[1], list) or not isinstance(lists[2], list):
        return ours, False
    was = lists[0] if isinstance(lists[0], list) else []
    if _replaced_twice(was, lists[1], lists[2]):
        return ours, False
    return (united(was, lists[1], lists[2]) or _MISSING), True


def _replaced_twice(base: list[Any], ours: list[Any], theirs: list[Any]) -> bool:
    """Return True if both sides put something else in the place of one table."""
    gone = [item for item in base if item not in ours and item not in theirs]
    return any(isinstance(item, Mapping) for item in gone) and all(
        any(item not in base for item in side) for side in (ours, theirs)
    )


def united(base: list[Any], ours: list[Any], theirs: list[Any]) -> list[Any]:
    """Return the items that both have, then the additions of both, sorted.

    An item that one side removed goes; a replacement counts as an addition.
    """
    common = [item for item in base if item in ours and item in theirs]
    added = [item for item in [*ours, *theirs] if item not in base]
    items: list[Any] = []
    for item in [*common, *sorted(added, key=repr)]:
        if item not in items:
            items.append(item)
    return items


def _moment(key: str, ours: Any, theirs: Any) -> Any:
    pick = min if key in _EARLIEST else max
    return pick((ours, theirs), key=lambda value: (moment(value), repr(value)))


def moment(value: Any) -> datetime:
    """Return a time or date as a moment; anything else precedes all of them."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, date):
        return datetime.combine(value, time(), UTC)
    return datetime.min.replace(tzinfo=UTC)


def updated(table: Table) -> datetime:
    """Return the time of a side's last change, as it states."""
    return max(moment(table.get("updated_at")), moment(table.get("updated")))


def _later(ours: Table, theirs: Table) -> Callable[[Any, Any], Any]:
    """Return a function that chooses the value of the side that was changed later.

    At equal times it chooses the stricter, or else the greater value.
    """
    first, second = updated(ours), updated(theirs)

    def choose(one: Any, other: Any) -> Any:
        if first != second:
            return one if first > second else other
        return max((one, other), key=lambda value: (-_rank(value), repr(value)))

    return choose


def _rank(value: Any) -> int:
    return PRIORITY_RANKS.get(_spelled(value), len(PRIORITY_RANKS))


def _spelled(value: Any) -> Any:
    return str(value).strip().lower()


def _is_one_intent(key: str, base: Any, ours: Any, theirs: Any) -> bool:
    """Return True if both sides meant the same by different values."""
    if key in _ABOUT:
        return True
    if key == "rule" and isinstance(ours, str) and isinstance(theirs, str):
        return same_text(ours, theirs)
    if key == _PRIORITY:
        sides = ("normal" if base is _MISSING else base, ours, theirs)
        return _one_way(*(PRIORITY_RANKS.get(_spelled(side)) for side in sides))
    if key == "expires_at":
        if base is _MISSING:
            return True
        return _one_way(*(moment(side) for side in (base, ours, theirs)))
    return False


def _one_way(base: Any, ours: Any, theirs: Any) -> bool:
    """Return True if both went up, or both down."""
    if base is None or ours is None or theirs is None:
        return False
    return bool((ours > base and theirs > base) or (ours < base and theirs < base))
