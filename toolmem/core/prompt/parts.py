"""Parts of a prompt block, each of whole items."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

NOTHING: Mapping[str, Any] = MappingProxyType({})
KINDS = ("role", "overrides", "rules", "facts", "guidance", "memories", "search")
"""Parts of a block in the order of printing."""
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
"""Order in which parts are shortened when the whole block is too long."""


class PromptItem(NamedTuple):
    """An item that is printed whole or not at all.

    ``text`` is markdown that is safe to print; ``name`` is for people; ``breadth`` is
    that of its scope (0 for system); ``rank`` grows from the best item of a part to the
    weakest; ``pinned`` items are never dropped; ``data`` is the item in JSON, with the
    text as it was written.
    """

    text: str
    name: str
    group: str = ""
    breadth: int = 0
    rank: int = 0
    pinned: bool = False
    data: Mapping[str, Any] = NOTHING


class OmittedItem(NamedTuple):
    """An item that was left out, and the reason."""

    item: PromptItem
    reason: str


class PromptPart(NamedTuple):
    """One part of the block: items in the order of printing, and omitted ones."""

    kind: str
    items: tuple[PromptItem, ...] = ()
    omitted: tuple[OmittedItem, ...] = ()

    @property
    def tier(self) -> str:
        """Tier ``L0`` to ``L3``; empty for overrides and rules."""
        return TIERS.get(self.kind, "")

    def without(self, items: tuple[PromptItem, ...], reason: str) -> "PromptPart":
        """Return the part with these items moved to the omitted ones."""
        gone = {id(item) for item in items}
        left = tuple(item for item in self.items if id(item) not in gone)
        out = tuple(OmittedItem(item, reason) for item in items)
        return self._replace(items=left, omitted=(*self.omitted, *out))
