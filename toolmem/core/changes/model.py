"""Comparable items of a vault, and changes to them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from toolmem.core.model import Scope

KINDS = ("rule", "fact", "memory", "text", "tool", "settings", "other")
"""Kinds of items, in the order in which their changes are listed."""

FACTS_FILE = "facts"
"""Title of the item for a whole file of facts."""


class ChangedItem(NamedTuple):
    """One rule, override, fact, memory or other file, in one state of the vault.

    ``path`` is its location and ``home`` the one before it was archived; ``text`` is
    its main text, ``values`` all other keys. ``problem`` is why it cannot be read; then
    it has no text and values.
    """

    kind: str
    id: str
    path: str
    home: str
    scope: Scope | None
    tool: str = ""
    text: str = ""
    title: str = ""
    values: Mapping[str, Any] = MappingProxyType({})
    problem: str = ""
    override: bool = False

    @property
    def archived(self) -> bool:
        """True if the item is in the archive."""
        return self.path != self.home


class Field(NamedTuple):
    """One changed key; None on the side where it is absent."""

    key: str
    before: Any
    after: Any


class DiffWord(NamedTuple):
    """A piece of a text: ``mark`` is ``=`` (unchanged), ``-`` (removed) or ``+``
    (added).
    """

    mark: str
    text: str


class Change(NamedTuple):
    """Change of one item: at least one action, most important first.

    A new item has no ``before``, a deleted one no ``after``.
    """

    actions: tuple[str, ...]
    before: ChangedItem | None
    after: ChangedItem | None
    fields: tuple[Field, ...] = ()
    words: tuple[DiffWord, ...] = ()

    @property
    def item(self) -> ChangedItem:
        """The item as it is now, or as it was last."""
        found = self.after or self.before
        if found is None:
            raise ValueError("a change of nothing")
        return found

    @property
    def reason(self) -> str:
        """Stated reason of the retirement or change."""
        return str(self.item.values.get("reason") or "")


class ChangeCount(NamedTuple):
    """Number of files of one kind and scope that were added, changed or deleted."""

    action: str
    kind: str
    scope: Scope | None
    files: int
