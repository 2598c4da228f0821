"""Says at the end of ``make test`` which tests were left out, and how to run them."""

import pytest

_LEFT_OUT = pytest.StashKey[int]()


def pytest_deselected(items):
    """Count what the marker expression of ``make test`` leaves out."""
    if items:
        stash = items[0].config.stash
        stash[_LEFT_OUT] = stash.get(_LEFT_OUT, 0) + len(items)


def pytest_terminal_summary(terminalreporter, config):
    """One line above the summary; skipped tests tell their own reasons."""
    left_out = config.stash.get(_LEFT_OUT, 0)
    if left_out:
        terminalreporter.write_line(
            f"left out: {left_out} soak tests, which take many minutes: `make soak`"
        )
    terminalreporter.write_line(
        "left out: measurements of speed and size: `make bench`"
    )
