"""What a vault holds as things that can be compared, and how one of them changed."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from toolmem.core.model import Scope

KINDS = ("rule", "fact", "memory", "text", "tool", "settings", "other")
"""The kinds of things, in the order in which changes of them are told."""

FACTS_FILE = "facts"
"""The title of the item that stands for a file of facts, and not for one of them."""


class ChangedItem(NamedTuple):
    """One rule, override, fact, memory or other file, as it stood.

    ``path`` is where it lies and ``home`` where it lay before it was archived;
    ``text`` is what it says, ``values`` all else that it states. ``problem`` says
    why it cannot be read; then it states nothing.
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
        """Whether it lies in the archive."""
        return self.path != self.home


class Field(NamedTuple):
    """One key that changed; None where it was not, or is no more, stated."""

    key: str
    before: Any
    after: Any


class DiffWord(NamedTuple):
    """A piece of a text: ``mark`` is ``=`` (kept), ``-`` (gone) or ``+`` (new)."""

    mark: str
    text: str


class Change(NamedTuple):
    """What became of one thing: at least one action, most important first.

    ``before`` is None for what is new, ``after`` for what is gone.
    """

    actions: tuple[str, ...]
    before: ChangedItem | None
    after: ChangedItem | None
    fields: tuple[Field, ...] = ()
    words: tuple[DiffWord, ...] = ()

    @property
    def item(self) -> ChangedItem:
        """The thing as it is now, or as it was last."""
        found = self.after or self.before
        if found is None:
            raise ValueError("a change of nothing")
        return found

    @property
    def reason(self) -> str:
        """Why it was retired or changed, where it says so."""
        return str(self.item.values.get("reason") or "")
