"""``make acceptance``: run the book and print it; ``--write`` only writes its table."""

import sys

import pytest

from tests.acceptance import book


class _Results:
    """The worst outcome of each test."""

    def __init__(self) -> None:
        self.of: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name = report.nodeid.rpartition("::")[2].partition("[")[0]
        if report.when == "call" or report.outcome != "passed":
            worse = self.of.get(name, "passed") != "passed"
            self.of[name] = self.of[name] if worse else report.outcome


def main() -> int:
    """Run every demand; the exit code is that of the tests."""
    if "--write" in sys.argv[1:]:
        book.TABLE.parent.mkdir(exist_ok=True)
        book.TABLE.write_text(book.table(book.demands()), encoding="utf-8")
        return 0
    results = _Results()
    code = pytest.main(["-q", "--no-header", str(book.FOLDER)], plugins=[results])
    sys.stdout.write(book.table(book.demands(), results.of))
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
