"""Run the scenarios: ``python -m tests.agents [--agent NAME] [--only TEXT]``."""

import argparse
import os
import signal
import sys
from time import monotonic

from tests.agents import scenarios
from tests.agents.packages import PACKAGES, install
from tests.agents.table import AGENTS, SCENARIOS, play_all, render, save
from tests.agents.world import end_all

scenarios.load()


def main() -> int:
    """Install the agents, run every scenario, print the table; 1 if a row failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.agents")
    parser.add_argument("--agent", action="append", choices=AGENTS, metavar="NAME")
    parser.add_argument("--only", default="", help="scenarios with this in the name")
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="begin nothing later"
    )
    parser.add_argument(
        "--save", action="store_true", help="keep the results for the manual page"
    )
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, _end)
    agents = options.agent or AGENTS
    begun = monotonic()
    missing = {}
    for package in PACKAGES:
        if package.agent in agents and (reason := install(package)):
            missing[package.agent] = reason
            print(f"{package.name}@{package.version}: not installed: {reason}")
    chosen = [one for one in SCENARIOS if options.only in one.name]
    rows = []
    for row in play_all(chosen, agents, missing, options.seconds):
        rows.append(row)
        tail = f": {row.reason}" if row.reason else ""
        print(f"{row.result:8} {row.seconds:5.1f} s  {row.agent}: {row.scenario}{tail}")
        sys.stdout.flush()
    versions = {package.agent: package.version for package in PACKAGES}
    print("\n" + render(rows, versions))
    if options.save:
        save(rows, versions)
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
