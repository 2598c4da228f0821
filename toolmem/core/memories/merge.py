"""Unite memories: lists of their headers, and the text that contains the others."""

from collections.abc import Iterable, Sequence

from toolmem.core.comparison.same import contains, repeats_part
from toolmem.core.comparison.statements import read_statements


def united(*lists: Iterable[str]) -> tuple[str, ...]:
    """Return the items of all lists in order, without duplicates."""
    return tuple(dict.fromkeys(item for items in lists for item in items))


def containing(texts: Sequence[str]) -> str:
    """Return the first text that has every statement of all; empty if none has.

    Nor may it have a statement next to a part of itself: which of them is meant is
    for a person to decide.
    """
    read = [read_statements(text) for text in texts]
    for text, mine in zip(texts, read, strict=True):
        if not repeats_part(mine) and all(
            contains(mine, statement) for statement in read
        ):
            return text
    return ""
