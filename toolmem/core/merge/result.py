"""Result of a merge: a text and its conflicts."""

from typing import Any, NamedTuple

DELETED = "deleted"
"""Key that names the side which deleted a file that the other one changed."""
MOVED = "moved"
"""Key for the paths to which the sides moved a file, ours first."""


class Conflict(NamedTuple):
    """A difference that both sides changed in different ways.

    ``key`` names a key, a fact or a piece of text. Until it is settled, ``ours`` is in
    effect, or for a rule the stricter of the two.
    """

    key: str
    ours: Any
    theirs: Any
    line: int = 0


class MergeResult(NamedTuple):
    """A merged text, which is valid, and the conflicts in it."""

    text: str
    conflicts: tuple[Conflict, ...] = ()
