"""Number of examples, places and pairs that property tests try."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import settings

_LEAST = 5
_WHOLE = 100
_Place = TypeVar("_Place")


def examples(full: int, **more: Any) -> settings:
    """Settings of a property test that tries ``full`` examples under ``make soak``.

    The number of examples of the profile that is loaded is the percentage of ``full``
    that is tried, so the profiles of ``tests/conftest.py`` scale every test.
    """
    share = settings.default.max_examples  # type: ignore[union-attr]
    return settings(max_examples=max(_LEAST, full * share // 100), **more)


def sample(
    places: Sequence[_Place], kind: Callable[[_Place], object], count: int
) -> list[_Place]:
    """Choose about ``count`` places: of each kind the last, the others spread evenly.

    Under ``make soak`` all of them; mark such a test with ``sampled``.
    """
    share = settings.default.max_examples  # type: ignore[union-attr]
    if share >= _WHOLE or len(places) <= count:
        return [*places]
    last = {kind(place): number for number, place in enumerate(places)}
    chosen = sorted(last.values())[:count]
    others = [number for number in range(len(places)) if number not in chosen]
    left = count - len(chosen)
    chosen += [others[at * len(others) // left] for at in range(left)]
    return [places[number] for number in sorted(chosen)]


def in_turn(places: Sequence[_Place], turn: int, count: int) -> list[_Place]:
    """Choose about ``count`` places, other ones for each number ``turn``.

    Under ``make soak`` all of them; mark such a test with ``sampled``.
    """
    share = settings.default.max_examples  # type: ignore[union-attr]
    if share >= _WHOLE or len(places) <= count:
        return [*places]
    step = len(places) // count
    return [*places[turn % step :: step]]


def pairs(rows: Mapping[str, object], columns: Sequence[str]) -> list[Any]:
    """Parameters: each row with one column in turn; under ``make soak`` with each.

    A row is what it is called and its value.
    """
    return [
        pytest.param(
            value,
            column,
            id=f"{name}-{column}",
            marks=[] if (at - turn) % len(columns) == 0 else [pytest.mark.soak],
        )
        for turn, (name, value) in enumerate(rows.items())
        for at, column in enumerate(columns)
    ]
