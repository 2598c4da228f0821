"""What a prompt block is made of: parts in order, each of whole items."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

NOTHING: Mapping[str, Any] = MappingProxyType({})
KINDS = ("role", "overrides", "rules", "facts", "guidance", "memories", "search")
"""The parts of a block in the order in which they are printed."""
TIERS = {
    "role": "L0",
    "facts": "L1",
    "guidance": "L1",
    "memories": "L2",
    "search": "L3",
}
DROP_ORDER = (
    *("memories", "guidance", "facts", "rules", "overrides", "role"),
    "search",
)
"""The order in which parts give way when the whole block has too little room."""


class PromptItem(NamedTuple):
    """One thing that stands or falls whole.

    ``text`` is markdown that is safe to print; ``name`` is what a person calls
    it; ``breadth`` is that of its scope (0 for system); ``rank`` grows from the best
    item of a part to the weakest; ``pinned`` items are never dropped; ``data`` is
    what JSON shows, with the text as it was written.
    """

    text: str
    name: str
    group: str = ""
    breadth: int = 0
    rank: int = 0
    pinned: bool = False
    data: Mapping[str, Any] = NOTHING


class OmittedItem(NamedTuple):
    """An item that was left out, and why."""

    item: PromptItem
    reason: str


class PromptPart(NamedTuple):
    """One part of the block: what is in, in order of print, and what is out."""

    kind: str
    items: tuple[PromptItem, ...] = ()
    omitted: tuple[OmittedItem, ...] = ()

    @property
    def tier(self) -> str:
        """``L0`` to ``L3``, or nothing for overrides and rules."""
        return TIERS.get(self.kind, "")

    def without(self, items: tuple[PromptItem, ...], reason: str) -> "PromptPart":
        """The part with these items moved to the omitted ones."""
        gone = {id(item) for item in items}
        left = tuple(item for item in self.items if id(item) not in gone)
        out = tuple(OmittedItem(item, reason) for item in items)
        return self._replace(items=left, omitted=(*self.omitted, *out))
