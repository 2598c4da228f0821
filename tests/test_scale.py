"""The page about costs, and the fit of its exponents."""

import json

import pytest

from bench.scale.fit import Growth, fit
from bench.scale.page import page
from tests.source import ROOT

SIZES = (1_000, 10_000, 100_000, 300_000)


@pytest.mark.parametrize("exponent", [0.5, 1.0, 1.5, 2.0])
def test_the_exponent_of_an_exact_curve_is_found(exponent: float) -> None:
    costs = {size: 8 + 50 * (size / 300_000) ** exponent for size in SIZES}
    found = fit(costs)
    assert found is not None
    assert found.exponent == pytest.approx(exponent)
    assert found.at(30_000) == pytest.approx(8 + 50 * 0.1**exponent)


def test_a_cost_that_varies_by_less_than_a_quarter_is_flat() -> None:
    assert fit({1_000: 4.0, 10_000: 4.8, 100_000: 4.1}) == Growth(4.3, 0.0, 0.0)


def test_three_sizes_are_too_few_for_a_fit() -> None:
    assert fit({1_000: 4.0, 10_000: 40.0, 100_000: 50.0}) is None


def test_a_cost_that_falls_has_no_negative_slope() -> None:
    found = fit({1_000: 40.0, 10_000: 20.0, 100_000: 10.0, 300_000: 5.0})
    assert found is not None
    assert found.slope >= 0


def test_the_page_has_a_row_for_each_command_and_says_what_is_missing() -> None:
    run = {
        "machine": "Linux, 2 CPUs",
        "date": "2026-01-02",
        "memories": {
            "search": {"1000": [10.0, 40.0], "10000": [12.0, 45.5]},
            "reflect": {"1000": [140.0, 55.0]},
        },
        "rules": {},
        "projects": {},
        "disk": {"1000": {"files": 1.0, ".git": 0.5, ".toolmem": 2.0}},
    }
    lines = page(run).splitlines()
    assert "| command | 1,000 memories | 10,000 memories | grows by |" in lines
    assert "| search | 10.0 | 12.0 | – |" in lines
    assert "| reflect | 140 | – | – |" in lines
    assert "| search | 40.0 | 45.5 |" in lines
    assert "| 1,000 | 1.0 | 0.5 | 2.0 |" in lines
    assert "Not measured in this run." in lines


def test_the_committed_page_is_that_of_the_committed_run():
    run = json.loads((ROOT / "docs/scale.json").read_text())
    assert (ROOT / "docs/scale.md").read_text() == page(run)
