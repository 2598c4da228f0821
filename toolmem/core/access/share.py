"""How the queries of a request share its tokens: by what their results use.

All results are known before anything is shared. First every query gets room for its
cheapest result, the cheapest of all first; then the queries, in their order, get what
they asked for, as far as they have results for it. What one does not use the next ones
get. More tokens for all never mean fewer for one: each step fills in a fixed order.
"""

from collections.abc import Sequence
from typing import NamedTuple


class TokenDemand(NamedTuple):
    """The tokens of a query's results, best first, and the most that it may use."""

    costs: tuple[int, ...]
    most: int

    @property
    def entry(self) -> int:
        """The tokens of the cheapest result that it may use; 0 if there is none."""
        return min((cost for cost in self.costs if cost <= self.most), default=0)

    @property
    def whole(self) -> int:
        """The tokens of all its results, at most what it may use."""
        return min(sum(self.costs), self.most)


def share_tokens(demands: Sequence[TokenDemand], pool: int) -> tuple[int, ...]:
    """Return the tokens that each query gets; their sum is at most the pool."""
    shares = [0] * len(demands)
    left = pool
    order = sorted(range(len(demands)), key=lambda number: demands[number].entry)
    for number in order:
        entry = demands[number].entry
        if entry > left:
            # Kept for it: a larger pool would take them back from another query.
            return tuple(shares)
        shares[number] = entry
        left -= entry
    for number, demand in enumerate(demands):
        more = min(demand.whole - shares[number], left)
        shares[number] += more
        left -= more
    return tuple(shares)
