"""Actions for a call that a rule applies to."""

from enum import StrEnum


class Action(StrEnum):
    """Action for a call, mildest first."""

    ALLOW = "allow"
    WARN = "warn"
    ASK = "ask"
    DENY = "deny"

    @property
    def rank(self) -> int:
        """Return 0 for allow to 3 for deny."""
        return _RANK[self]


_RANK = {action: rank for rank, action in enumerate(Action)}
