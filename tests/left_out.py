"""Says at the end of ``make test`` which tests were left out, and how to run them."""

import pytest

from tests.cli.browser import AXE, BROWSER, PICTURE
from tests.extra import INSTALLED

_LEFT_OUT = pytest.StashKey[int]()


def pytest_deselected(items):
    """Count what the marker expression of ``make test`` leaves out."""
    if items:
        stash = items[0].config.stash
        stash[_LEFT_OUT] = stash.get(_LEFT_OUT, 0) + len(items)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    """Every worker has left out the same ones: what one says is enough."""
    stash = node.config.stash
    stash[_LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", 0)


def pytest_sessionfinish(session):
    """Send the count from a worker to the process that prints."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left_out"] = session.config.stash.get(_LEFT_OUT, 0)


def pytest_terminal_summary(terminalreporter, config):
    """Report the cases that this run did not try, except skipped tests."""
    soak = config.stash.get(_LEFT_OUT, 0)
    terminalreporter.section("left out")
    if soak:
        terminalreporter.write_line(f"`make soak`: {soak} tests that take minutes")
    if BROWSER is None:
        terminalreporter.write_line(
            "chromium is not installed: the report in a browser"
        )
    elif PICTURE.exists():
        terminalreporter.write_line(f"screenshot of the report: {PICTURE}")
    if not AXE.is_file():
        terminalreporter.write_line("axe-core is not installed: how accessible it is")
    if not INSTALLED:
        terminalreporter.write_line("`make semantic`: searching by meaning")
    terminalreporter.write_line("`make bench`: speed and size beside their targets")
