"""Summarise many changed files: how many of each kind and scope."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from toolmem.core.changes.message import quantity
from toolmem.core.changes.model import KINDS, Change, ChangeCount
from toolmem.core.model import Scope

_SHOWN = 12
"""Counts that are shown."""
_SIGNS = {"added": "+", "deleted": "-"}

Counted = tuple[str, str, Scope | None]
"""Action, kind and scope of a file."""


def counted(change: Change) -> Counted:
    """Return by what a change is counted."""
    both = change.before is not None and change.after is not None
    alone = "deleted" if change.after is None else "added"
    return "changed" if both else alone, change.item.kind, change.item.scope


def summary(files: Iterable[Counted]) -> tuple[ChangeCount, ...]:
    """Count files, the most frequent first."""
    counts = [ChangeCount(*what, number) for what, number in Counter(files).items()]
    return tuple(sorted(counts, key=_order))


def _order(one: ChangeCount) -> tuple[int, str, int, str]:
    return -one.files, one.action, KINDS.index(one.kind), str(one.scope)


def lines(counts: Sequence[ChangeCount]) -> Iterator[str]:
    """Yield a line for each count, up to a limit, and one for the rest."""
    for one in counts[:_SHOWN]:
        scope = f" in {one.scope}" if one.scope else ""
        sign = _SIGNS.get(one.action, "~")
        yield f"{sign}  {one.action}  {_files(one)}{scope}"
    rest = counts[_SHOWN:]
    if rest:
        files = sum(one.files for one in rest)
        yield f"and {files} more in {len(rest)} further kinds and scopes"


def _files(one: ChangeCount) -> str:
    if one.kind != "fact":
        return quantity(one.files, one.kind)
    return f"{one.files} file{'s' * (one.files > 1)} of facts"
