"""Summarise many changed files: how many of each kind and scope."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from toolmem.core.changes import message
from toolmem.core.changes.compare import SortKey, order
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


class Tally:
    """Numbers of changes, which are not kept themselves."""

    def __init__(self) -> None:
        self._files: set[tuple[str, Counted]] = set()
        self._verbs: dict[tuple[str, str], tuple[int, SortKey]] = {}
        self._first: Change | None = None

    def add(self, change: Change) -> None:
        """Count a change, as one of its file."""
        self._first = self._first or change
        self._files.add((change.item.path, counted(change)))
        verb, place = message.counted(change), order(change)
        number, first = self._verbs.get(verb, (0, place))
        self._verbs[verb] = number + 1, min(first, place)

    def subject(self) -> str:
        """Summarise the changes in one line, as ``message.subject``; "" of none."""
        if self._first and sum(number for number, _ in self._verbs.values()) == 1:
            return message.subject([self._first])
        # The order in which sorted changes have them.
        verbs = sorted(self._verbs.items(), key=lambda item: item[1][1])
        return message.counted_subject({verb: number for verb, (number, _) in verbs})

    def counts(self) -> tuple[ChangeCount, ...]:
        """Return the numbers of changed files, the most frequent first."""
        return summary(what for _, what in self._files)


def summary(files: Iterable[Counted]) -> tuple[ChangeCount, ...]:
    """Count files, the most frequent first."""
    counts = [ChangeCount(*what, number) for what, number in Counter(files).items()]
    return tuple(sorted(counts, key=_order))


def _order(count: ChangeCount) -> tuple[int, str, int, str]:
    return -count.files, count.action, KINDS.index(count.kind), str(count.scope)


def lines(counts: Sequence[ChangeCount]) -> Iterator[str]:
    """Yield a line for each count, up to a limit, and one for the rest."""
    for count in counts[:_SHOWN]:
        scope = f" in {count.scope}" if count.scope else ""
        sign = _SIGNS.get(count.action, "~")
        yield f"{sign}  {count.action}  {_files(count)}{scope}"
    rest = counts[_SHOWN:]
    if rest:
        files = sum(count.files for count in rest)
        yield f"and {files} more in {len(rest)} further kinds and scopes"


def _files(count: ChangeCount) -> str:
    if count.kind != "fact":
        return quantity(count.files, count.kind)
    return f"{count.files} file{'s' * (count.files > 1)} of facts"
