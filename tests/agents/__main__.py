"""Run the scenarios: ``python -m tests.agents [--agent NAME] [--only TEXT]``."""

import argparse
import os
import signal
import sys
from time import monotonic

from tests.agents import scenarios
from tests.agents.packages import PACKAGES, install, newest
from tests.agents.table import ALL, SCENARIOS, differing, play_all, render, save
from tests.agents.world import end_all

scenarios.load()


def main() -> int:
    """Install the agents, run every scenario, print the table; 1 if a row failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.agents")
    parser.add_argument("--agent", action="append", choices=ALL, metavar="NAME")
    parser.add_argument("--only", default="", help="scenarios with this in the name")
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="begin nothing later"
    )
    parser.add_argument(
        "--save", action="store_true", help="keep the results for the manual page"
    )
    parser.add_argument(
        "--versions",
        choices=("both", "last"),
        default="both",
        metavar="WHICH",
        help="last: only the last version known to work, not the newest",
    )
    parser.add_argument("--workers", type=int, default=3, help="agents at a time")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, _end)
    begun = monotonic()
    asked = [one for one in PACKAGES if one.agent in (options.agent or ALL)]
    if options.versions == "both":
        asked = list(dict.fromkeys(v for one in asked for v in (one, newest(one))))
    missing = {}
    for package in asked:
        if reason := install(package):
            missing[package] = reason
            print(f"{package.name}@{package.version}: not installed: {reason}")
    chosen = [one for one in SCENARIOS if options.only in one.name]
    rows = []
    for row in play_all(chosen, asked, missing, options.seconds, options.workers):
        rows.append(row)
        tail = f": {row.reason}" if row.reason else ""
        who = f"{row.package.agent} {row.package.version}"
        print(f"{row.result:8} {row.seconds:5.1f} s  {who}: {row.scenario}{tail}")
        sys.stdout.flush()
    print("\n" + render(rows))
    for line in differing(rows):
        print(f"differs: {line}")
    if options.save:
        save(rows)
    failed = sum(row.result != "ok" for row in rows)
    print(
        f"\n{len(rows) - failed} passed, {failed} failed, {monotonic() - begun:.0f} s"
    )
    return 1 if failed or not rows else 0


def _end(number: int, _frame: object) -> None:
    """End at once, with every agent that runs."""
    end_all()
    os._exit(128 + number)


if __name__ == "__main__":
    sys.exit(main())
