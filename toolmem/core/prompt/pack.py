"""Fit whole items into the budget of a part, and of the whole block."""

from collections.abc import Callable, Sequence

from toolmem.core.prompt.parts import DROP_ORDER, PromptItem, PromptPart
from toolmem.core.text.tokens import estimate_tokens


def keep_within(part: PromptPart, tokens: int) -> PromptPart:
    """Return the part within its own budget; items of the narrowest scope come first.

    An item too large for the rest of the budget is skipped, so that short ones after it
    still fit.
    """
    tokens_left = tokens
    dropped = []
    narrowest_first = sorted(
        enumerate(part.items), key=lambda pair: (-pair[1].breadth, pair[0])
    )
    for _, item in narrowest_first:
        cost = estimate_tokens(item.text)
        if cost <= tokens_left:
            tokens_left -= cost
        else:
            dropped.append(item)
    gone = {id(item) for item in dropped}
    in_order = tuple(item for item in part.items if id(item) in gone)
    return part.without(in_order, f"over the {tokens} tokens of {part.kind}")


def shrink(
    parts: Sequence[PromptPart],
    measure: Callable[[Sequence[PromptPart]], int],
    cost: Callable[[str], int],
    limit: int,
    reason: str,
    *,
    hard: bool = False,
) -> tuple[tuple[PromptPart, ...], bool]:
    """Drop items until the whole block measures at most ``limit``.

    Returns the parts and True if they fit; otherwise only pinned items are left. With
    ``hard`` these are dropped last, the oldest first: for an agent that would cut the
    block itself.
    """
    current = tuple(parts)
    while True:
        excess = measure(current) - limit
        if excess <= 0:
            return current, True
        smaller = _drop(current, cost, excess, reason)
        if smaller == current and hard:
            smaller = _drop(current, cost, excess, reason, pinned=True)
        if smaller == current:
            return current, False
        current = smaller


def _drop(
    parts: tuple[PromptPart, ...],
    cost: Callable[[str], int],
    excess: int,
    reason: str,
    *,
    pinned: bool = False,
) -> tuple[PromptPart, ...]:
    """Drop about as much as is over the limit, in ``DROP_ORDER``."""
    for kind in DROP_ORDER:
        at = next((n for n, part in enumerate(parts) if part.kind == kind), None)
        if at is None:
            continue
        going: list[PromptItem] = []
        for item in _weakest_first(parts[at], pinned):
            if excess <= 0:
                break
            going.append(item)
            excess -= cost(item.text)
        if going:
            smaller = parts[at].without(tuple(going), reason)
            return (*parts[:at], smaller, *parts[at + 1 :])
    return parts


def _weakest_first(part: PromptPart, pinned: bool) -> list[PromptItem]:
    free = [item for item in part.items if pinned or not item.pinned]
    if part.kind in ("memories", "rules"):
        return sorted(free, key=lambda item: -item.rank)
    return sorted(free, key=lambda item: (item.breadth, -item.rank))
