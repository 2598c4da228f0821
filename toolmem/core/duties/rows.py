"""Steps of a session as values of JSON, and the ones that are worth keeping."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from toolmem.core.duties.steps import (
    CommandEnd,
    DutyNote,
    GitCommit,
    PathChange,
    Step,
    TurnStart,
)

_MOST = 2_000
_KINDS: dict[str, Callable[..., Step]] = {
    "change": PathChange,
    "ran": CommandEnd,
    "committed": GitCommit,
    "turn": TurnStart,
    "noted": DutyNote,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def rows_of(steps: Iterable[Step]) -> list[list[Any]]:
    """Return the rows of steps."""
    return [[_NAMES[type(step)], *step] for step in steps]


def steps_in(rows: Iterable[Sequence[Any]]) -> Iterator[Step]:
    """Yield the steps of rows; an unknown kind is skipped."""
    for name, *values in rows:
        kind = _KINDS.get(name)
        if kind is not None:
            fields = [tuple(v) if isinstance(v, list) else v for v in values]
            yield kind(*fields)


def worth_keeping(steps: Sequence[Step]) -> list[Step]:
    """Return the steps that may still decide: the last of equal ones, and a bounded
    number of the newest."""
    newest = {(type(step), step): step for step in reversed(steps)}
    return list(newest.values())[:_MOST][::-1]
