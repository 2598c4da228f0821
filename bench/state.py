"""Measure reads of full local state in a warm process.

Three agents: each has 100 active and 200 closed entries on its scratch page, 1,000
messages and 100 values in working memory; the trace is full, and each agent is in the
middle of a turn. The targets in milliseconds are those of the specification for a whole
query, of which filtering, ranking and packing are another part. They are compared with
CPU, which a busy machine affects less; wall time, and CPU as a multiple of opening an
SQLite database, are printed as well.
"""

import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.measure import Line, report
from toolmem.core import limits
from toolmem.core.access.dialogue import TTL, Message
from toolmem.core.access.item import AccessItem
from toolmem.core.access.kinds import CONVERSATION, SCRATCH_PAGE, WORKING
from toolmem.core.access.scratch_page import read_entry
from toolmem.core.access.working_memory import TTL_OF_SESSION, WorkingValue
from toolmem.ops.access.kept_items import kept_items
from toolmem.store.journal import journal
from toolmem.store.state import conversation, scratch, trace, working
from toolmem.store.state.database import open_state
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault

NOW = datetime(2026, 4, 20, 12, 0, tzinfo=UTC)
AGENTS = 3
READS = 200
TEXT = "the user prefers a dry Burgundy of a good year, and no more than fifty euros "
MOST_MS = {"scratch": 50.0, "conversation": 50.0, "working": 10.0}


def main() -> int:
    """Measure and print the table; 1 where a figure was missed."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.joinpath("toolmem.toml").write_text("schema = 1\n", encoding="utf-8")
        vault = Vault.open(find_vault({"vault": folder}, root), NOW)
        for number in range(AGENTS):
            fill(vault, f"agent-{number}")
        fill_trace(vault)
        return report(list(_lines(vault)))


def fill(vault: Vault, agent: str) -> None:
    """Give an agent as much of everything as it can have."""
    with open_state(vault.root) as state:
        conversation.add_in(state, _messages(agent), NOW)
        working.put_in(state, _values(agent), NOW)
    for status, count in (("resolved", 200), ("active", limits.SCRATCH_ACTIVE)):
        for number in range(count):
            document: dict[str, Any] = {
                "content": f"{TEXT * 3}{number}",
                "status": status,
            }
            document |= {
                "tags": ["wine", f"tag-{number}"],
                "context": {"goal_id": agent},
            }
            scratch.add(
                vault, read_entry(document, NOW, source="bench")[0], agent=agent
            )
    for number in range(50):
        line = {"session": agent, "agent": agent, "call": {"name": "x", "args": {}}}
        if number == 0:
            line |= {"prompt": f"0:0:{agent}@18a", "said": TEXT}
        journal.append(vault.root, agent, line)


def fill_trace(vault: Vault) -> None:
    """As many lines as are kept."""
    line = trace.TraceLine(NOW, "request", "query", "wine_recommender", reason=TEXT)
    trace.add(vault, *(line for _ in range(limits.TRACE_LINES)))


def _messages(agent: str) -> Iterator[Message]:
    for number in range(limits.CONVERSATION_MESSAGES):
        at = NOW - timedelta(minutes=number)
        role = "user" if number % 2 else "assistant"
        place = (f"s-{number // 50}-{agent}", number // 2 % 25)
        name = f"{place[0]}/{place[1]}/{role}"
        yield Message(
            name,
            role,
            f"{TEXT * 4}{number}",
            at,
            at + TTL,
            agent=agent,
            session=place[0],
            turn=place[1],
        )


def _values(agent: str) -> Iterator[WorkingValue]:
    for number in range(limits.WORKING_VALUES):
        yield WorkingValue(
            f"value-{number}", f"{TEXT}{number}", NOW, NOW + TTL_OF_SESSION, agent=agent
        )


def _lines(vault: Vault) -> Iterator[Line]:
    base = statistics.median(cpu for cpu, _ in _times(lambda: _nothing(vault.root)))
    reads: dict[str, Callable[[], list[AccessItem]]] = {
        "scratch": lambda: kept_items(
            vault._replace(now=NOW), SCRATCH_PAGE, agent="agent-1"
        ),
        "conversation": lambda: kept_items(
            vault._replace(now=NOW), CONVERSATION, agent="agent-1"
        ),
        "working": lambda: kept_items(
            vault._replace(now=NOW), WORKING, agent="agent-1"
        ),
    }
    for name, read in reads.items():
        title = f"{name}, {len(read())} items"
        yield from _measured(title, _times(read), base, MOST_MS[name])
    line = trace.TraceLine(NOW, "request")
    yield from _measured(
        "a line of the trace", _times(lambda: trace.add(vault, line)), base
    )


def _measured(
    title: str, taken: list[tuple[float, float]], base: float, most: float | None = None
) -> Iterator[Line]:
    """The 99th percentile of CPU, and the figures printed with it."""
    cpu, clock = (sorted(times) for times in zip(*taken, strict=True))
    worst = cpu[len(cpu) * 99 // 100] * 1000
    target = "-" if most is None else f"<= {most:g} ms"
    ok = most is None or worst <= most
    yield Line(f"{title}: 99th percentile", f"{worst:.1f} ms", target, ok)
    by_clock = clock[len(clock) * 99 // 100] * 1000
    yield Line("  by the clock", f"{by_clock:.1f} ms", "-", ok=True)
    middle = statistics.median(cpu)
    yield Line("  median", f"{middle * 1000:.1f} ms", "-", ok=True)
    yield Line("  median, of an empty read", f"{middle / base:.1f} x", "-", ok=True)


def _nothing(root: Path) -> None:
    connection = sqlite3.connect(root / ".toolmem/state.db")
    connection.execute("PRAGMA user_version").fetchone()
    connection.close()


def _times(act: Callable[[], object]) -> list[tuple[float, float]]:
    """Seconds of CPU and by the clock of each of many goes, after one that warms up."""
    act()
    found = []
    for _ in range(READS):
        cpu, clock = time.process_time(), time.perf_counter()
        act()
        found.append((time.process_time() - cpu, time.perf_counter() - clock))
    return found


if __name__ == "__main__":
    sys.exit(main())
