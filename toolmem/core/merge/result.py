"""What a merge comes to: a text, and what two sides could not agree on in it."""

from typing import Any, NamedTuple

DELETED = "deleted"
"""The key under which it stands which side deleted a file that the other changed."""


class Conflict(NamedTuple):
    """One thing that both sides changed in different ways.

    ``key`` names a key, a fact or a stretch of text; what is in effect until it is
    settled is ``ours``, but of a rule the stricter of the two.
    """

    key: str
    ours: Any
    theirs: Any
    line: int = 0


class MergeResult(NamedTuple):
    """A merged text, which is valid, and the conflicts that stand in it."""

    text: str
    conflicts: tuple[Conflict, ...] = ()
