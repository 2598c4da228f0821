"""P1: killed at any point, every file is old or new, and reported writes stay."""

import pytest

from tests.faults import kill, order
from tests.faults.vaults import case

pytestmark = pytest.mark.skipif(not kill.has_strace(), reason=kill.MISSING)


@pytest.mark.sampled
@pytest.mark.parametrize("verb", ["create", "replace", "delete", "move"])
def test_a_writer_killed_at_any_call_leaves_old_or_new(verb, tmp_path):
    assert kill.sweep(case("driver.py", verb), tmp_path / "vault") == []


@pytest.mark.soak
@pytest.mark.parametrize("verb", ["create", "replace", "delete", "move"])
def test_nor_does_it_when_killed_where_nothing_changes(verb, tmp_path):
    case_ = case("driver.py", verb)
    assert kill.sweep(case_, tmp_path / "vault", every=True) == []


@pytest.mark.parametrize(
    ("verb", "calls", "problem"),
    [
        ("in_place", ["write"], "is neither old nor new"),
        ("unlink_first", ["rename"], "is neither old nor new"),
        ("told_too_early", ["fsync"], "it said it was done"),
    ],
)
def test_the_harness_catches_a_writer_that(verb, calls, problem, tmp_path):
    broken = case("broken_writers.py", verb)
    found = kill.sweep(broken, tmp_path / "vault", calls=calls)
    assert [line for line in found if problem in line] != []


@pytest.mark.parametrize("verb", ["create", "replace", "delete", "move"])
def test_everything_is_flushed_before_it_is_named_and_told(verb, tmp_path):
    lines = kill.trace(case("driver.py", verb), tmp_path / "vault")
    assert order.unflushed(lines, tmp_path / "vault") == []


@pytest.mark.parametrize(
    ("verb", "problems"),
    [
        (
            "unflushed",
            [
                "never-push-7b1e0c52.toml named before it was flushed",
                "told before shell was flushed",
            ],
        ),
        ("unflushed_folder", ["told before shell was flushed"]),
    ],
)
def test_the_order_of_calls_shows_a_flush_that_is_missing(verb, problems, tmp_path):
    lines = kill.trace(case("broken_writers.py", verb), tmp_path / "vault")
    assert order.unflushed(lines, tmp_path / "vault") == problems
