"""Fit how a cost grows with the size of a vault."""

from collections.abc import Mapping
from math import exp, log
from typing import NamedTuple

_STEPS = 51
_FLAT = 1.25
"""Ratio of the largest to the smallest cost below which it does not grow."""


class Growth(NamedTuple):
    """cost = base + slope * size ** exponent; a flat cost has exponent 0."""

    base: float
    slope: float
    exponent: float

    def at(self, size: int) -> float:
        """Return the cost that the fit predicts."""
        return self.base + self.slope * _power(size, self.exponent)


def fit(costs: Mapping[int, float]) -> Growth | None:
    """Fit the costs by size; None for too few sizes: a curve of three numbers fits any
    three costs.

    Exponents from 0 to 2.5 are tried; base and slope are the least squares of relative
    errors, and not negative.
    """
    if len(costs) >= 3 and max(costs.values()) < _FLAT * min(costs.values()):
        return Growth(sum(costs.values()) / len(costs), 0.0, 0.0)
    if len(costs) < 4:
        return None
    tried = [_line(costs, 0.05 * step) for step in range(1, _STEPS)]
    return min(tried, key=lambda growth: _error(costs, growth))


def _power(size: int, exponent: float) -> float:
    return exp(exponent * log(size))


def _line(costs: Mapping[int, float], exponent: float) -> Growth:
    """Return the best base and slope for an exponent."""
    rows = [
        (pow(float(size), exponent), cost, 1 / (cost * cost))
        for size, cost in costs.items()
    ]
    weight = sum(w for _, _, w in rows)
    mean_x = sum(x * w for x, _, w in rows) / weight
    mean_y = sum(y * w for _, y, w in rows) / weight
    spread = sum(w * (x - mean_x) ** 2 for x, _, w in rows)
    slope = sum(w * (x - mean_x) * (y - mean_y) for x, y, w in rows) / spread
    base = mean_y - slope * mean_x
    if base < 0:
        slope = sum(w * x * y for x, y, w in rows) / sum(w * x * x for x, _, w in rows)
        base = 0.0
    return Growth(base, max(slope, 0.0), exponent)


def _error(costs: Mapping[int, float], growth: Growth) -> float:
    return sum((growth.at(size) / cost - 1) ** 2 for size, cost in costs.items())
