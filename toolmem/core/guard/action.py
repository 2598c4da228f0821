"""What is to be done with a call that a rule speaks of."""

from enum import StrEnum


class Action(StrEnum):
    """What is to be done with a call, mildest first."""

    ALLOW = "allow"
    WARN = "warn"
    ASK = "ask"
    DENY = "deny"

    @property
    def rank(self) -> int:
        """0 for allow to 3 for deny."""
        return _RANK[self]


_RANK = {action: rank for rank, action in enumerate(Action)}
