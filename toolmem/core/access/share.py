"""Share the tokens of a request among its queries.

All results are known beforehand. First every query gets the tokens of its cheapest
result, the cheapest of all first; then the queries, in order, get what they asked for,
as far as they have results for it. The next queries get the rest. The order is fixed,
so a larger pool never means fewer tokens for a query.
"""

from collections.abc import Sequence
from typing import NamedTuple


class TokenDemand(NamedTuple):
    """Token costs of a query's results, best first, and its maximum."""

    costs: tuple[int, ...]
    most: int

    @property
    def entry(self) -> int:
        """Tokens of the cheapest result within the maximum; 0 without one."""
        return min((cost for cost in self.costs if cost <= self.most), default=0)

    @property
    def whole(self) -> int:
        """Tokens of all results, capped at the maximum."""
        return min(sum(self.costs), self.most)


def share_tokens(demands: Sequence[TokenDemand], pool: int) -> tuple[int, ...]:
    """Return the tokens that each query gets; their sum is at most the pool."""
    shares = [0] * len(demands)
    left = pool
    order = sorted(range(len(demands)), key=lambda number: demands[number].entry)
    for number in order:
        entry = demands[number].entry
        if entry > left:
            # Reserved: with a larger pool another query would get fewer tokens.
            return tuple(shares)
        shares[number] = entry
        left -= entry
    for number, demand in enumerate(demands):
        more = min(demand.whole - shares[number], left)
        shares[number] += more
        left -= more
    return tuple(shares)
