"""Compare two states of a vault, item by item.

Items are matched by id, so that a moved file, above all one moved to the archive, is
one change instead of a deletion and an addition.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

from toolmem.core.changes.model import FACTS_FILE, KINDS, Change, ChangedItem, Field
from toolmem.core.changes.words import word_diff
from toolmem.core.model import PRIORITY_RANKS

_BOOKKEEPING = frozenset({"updated_at", "created_at", "updated", "archived_at"})
"""Keys that change along with any other and mean nothing by themselves."""
_FIRST_KEYS = (
    *(
        "priority",
        "enabled",
        "expires_at",
        "guard",
        "duty",
        "tags",
        "conflict",
        "reason",
    ),
)

SortKey = tuple[int, str, str, str, str]
_Pair = tuple[ChangedItem | None, ChangedItem | None]
"""Old and new state of an item."""


def compare(
    before: Iterable[ChangedItem], after: Iterable[ChangedItem]
) -> tuple[Change, ...]:
    """Return every change, sorted by kind, tool, scope and text.

    Items that are equal in both states may be left out.
    """
    comparison = Comparison()
    changes = [*comparison.of_file(before, after), *comparison.of_the_rest()]
    return tuple(sorted(changes, key=order))


class Comparison:
    """Compare two states of a vault file by file."""

    def __init__(self) -> None:
        self._before: list[ChangedItem] = []
        self._after: list[ChangedItem] = []

    def of_file(
        self, before: Iterable[ChangedItem], after: Iterable[ChangedItem]
    ) -> Iterator[Change]:
        """Yield the changes of items that are in the same file before and after.

        Every other item is kept for ``of_the_rest``.
        """
        pairs, old, new = _matched(before, after, _place)
        self._before += old
        self._after += new
        yield from _changes(pairs)

    def of_the_rest(self) -> Iterator[Change]:
        """Yield the changes of items that were moved, added or deleted."""
        yield from _changes(_paired(self._before, self._after))


def _changes(pairs: Iterable[_Pair]) -> Iterator[Change]:
    changes = (_change(old, new) for old, new in pairs)
    return (change for change in changes if change is not None)


def order(change: Change) -> SortKey:
    """Return the key by which changes are sorted."""
    item = change.item
    return KINDS.index(item.kind), item.tool, str(item.scope), item.id, item.path


def _matched(
    before: Iterable[ChangedItem],
    after: Iterable[ChangedItem],
    key: Callable[[ChangedItem], Hashable],
) -> tuple[list[_Pair], list[ChangedItem], list[ChangedItem]]:
    """Return pairs of items with the same key, and the others of each state."""
    known: dict[Hashable, list[ChangedItem]] = {}
    for item in before:
        known.setdefault(key(item), []).append(item)
    pairs: list[_Pair] = []
    left: list[ChangedItem] = []
    for item in after:
        same = known.get(key(item)) if known else None
        if same:
            pairs.append((same.pop(0), item))
        else:
            left.append(item)
    return pairs, [item for items in known.values() for item in items], left


def _paired(before: list[ChangedItem], after: list[ChangedItem]) -> Iterator[_Pair]:
    """Yield old and new of each item that is not in the same place."""
    for key in (_home, _identity):
        pairs, before, after = _matched(before, after, key)
        yield from pairs
    before, after, broken = _broken(before, after)
    yield from broken
    yield from ((item, None) for item in before)
    yield from ((None, item) for item in after)


def _broken(
    before: list[ChangedItem], after: list[ChangedItem]
) -> tuple[list[ChangedItem], list[ChangedItem], list[tuple[ChangedItem, ChangedItem]]]:
    """Pair items that cannot be read, and so have no id; return the others and the
    pairs.
    """
    places = {(item.kind, item.path): item for item in before}
    pairs = []
    for item in after:
        old = places.get((item.kind, item.path))
        if old is not None and (old.problem or item.problem):
            pairs.append((old, item))
    gone = {id(item) for pair in pairs for item in pair}
    before = [item for item in before if id(item) not in gone]
    after = [item for item in after if id(item) not in gone]
    return before, after, pairs


def _place(item: ChangedItem) -> Hashable:
    return item.kind, item.id, item.path


def _home(item: ChangedItem) -> Hashable:
    return item.kind, item.id, item.home


def _identity(item: ChangedItem) -> Hashable:
    # A moved fact is the same fact elsewhere; a text is identified by its place.
    if item.kind == "fact":
        return item.kind, item.id, item.text
    return item.kind, item.id


def _change(old: ChangedItem | None, new: ChangedItem | None) -> Change | None:
    if old is None or new is None:
        item = new or old
        if item is None or (old is None and item.archived and item.problem):
            return None
        if item.title == FACTS_FILE and item.kind == "text" and not item.problem:
            return None  # its facts are listed one by one
        return Change(tuple(_alone(old, new)), old, new, _fields(old, new))
    readable = not (old.problem or new.problem)
    fields = _fields(old, new) if readable else ()
    actions = list(_actions(old, new))
    actions += [
        action
        for action in (_of_field(old, field) for field in fields)
        if action and action not in actions
    ]
    if not actions and (fields or old.title != new.title):
        actions = ["changed"]
    if not actions or (old.archived and new.archived):
        return None  # updates to retired items are not worth reporting
    words = word_diff(old.text, new.text) if "reworded" in actions else ()
    return Change(tuple(actions), old, new, fields, words)


def _alone(old: ChangedItem | None, new: ChangedItem | None) -> Iterator[str]:
    if new is None:
        yield "deleted"
    elif new.archived:
        yield "retired"
    elif new.problem:
        yield "unreadable"
    else:
        yield "overridden" if new.override else "added"
        if "conflict" in new.values:
            yield "contested"


def _actions(old: ChangedItem, new: ChangedItem) -> Iterator[str]:
    if new.problem != old.problem:
        yield "unreadable" if new.problem else "repaired"
    if new.archived != old.archived:
        yield "retired" if new.archived else "restored"
    elsewhere = old.home != new.home and old.archived == new.archived
    if elsewhere or (old.scope, old.tool) != (new.scope, new.tool):
        yield "moved"
    if old.text != new.text and not new.problem:
        yield "changed" if old.kind == "fact" else "reworded"


def _of_field(old: ChangedItem, field: Field) -> str:
    key, before, after = field
    if key == "priority" and old.kind == "rule":
        if before is None or after is None:
            return "changed"
        rise = PRIORITY_RANKS.get(before, 9) - PRIORITY_RANKS.get(after, 9)
        return "raised" if rise > 0 else "lowered"
    if key == "enabled":
        return "disabled" if after is False else "enabled"
    if key == "conflict":
        return "settled" if after is None else "contested"
    return {"expires_at": "expiry", "guard": "guards", "duty": "duties"}.get(
        key, "changed"
    )


def _fields(old: ChangedItem | None, new: ChangedItem | None) -> tuple[Field, ...]:
    if old is None and new is not None and not new.override:
        return ()
    if new is None:
        return ()
    before = dict(old.values) if old else {}
    after = dict(new.values)
    # The reason of a retirement is shown with it and removed with it.
    if new.archived:
        after.pop("reason", None)
    elif old is not None and old.archived:
        before.pop("reason", None)
    keys = sorted({*before, *after} - _BOOKKEEPING, key=_key_order)
    fields = (Field(key, before.get(key), after.get(key)) for key in keys)
    return tuple(field for field in fields if _differs(field))


def _key_order(key: str) -> tuple[int, str]:
    return (_FIRST_KEYS.index(key) if key in _FIRST_KEYS else len(_FIRST_KEYS)), key


def _differs(field: Field) -> bool:
    before, after = field.before, field.after
    return type(before) is not type(after) or bool(_plain(before) != _plain(after))


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
