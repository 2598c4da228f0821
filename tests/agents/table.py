"""Scenarios as rows of a table: what is tried, with which agents, and how it went."""

import json
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from tests.agents.packages import Package
from tests.agents.world import World

TRIED = Path(__file__).with_name("tried.json")
AGENTS = ("claude", "codex", "gemini", "opencode", "copilot", "qwen")
"""Agents of a scenario that names none."""
LIMITED = ("droid", "cline", "continue")
"""Agents that do less, or of which less was tried: scenarios name them."""
ALL = (*AGENTS, *LIMITED)
_WORKERS = 3
"""Agents wait for hooks that hang and for models that died: two cores do for three."""


@dataclass(frozen=True)
class Scenario:
    """Something that must hold with real agents.

    ``setup`` are the keyword arguments of ``World``.
    """

    name: str
    play: Callable[[World], None]
    agents: Sequence[str]
    setup: dict[str, bool]


@dataclass(frozen=True)
class Row:
    """The result of one scenario with one agent."""

    scenario: str
    package: Package
    result: str
    """``ok``, ``FAILED``, ``not installed`` or ``not run``."""
    reason: str
    seconds: float


SCENARIOS: list[Scenario] = []


def scenario(
    name: str, *, agents: Sequence[str] = AGENTS, **setup: bool
) -> Callable[[Callable[[World], None]], Callable[[World], None]]:
    """Register a function as a scenario."""

    def register(play: Callable[[World], None]) -> Callable[[World], None]:
        SCENARIOS.append(Scenario(name, play, agents, setup))
        return play

    return register


def play_all(
    scenarios: Sequence[Scenario],
    packages: Sequence[Package],
    missing: Mapping[Package, str],
    seconds: float = float("inf"),
    workers: int = _WORKERS,
) -> Iterator[Row]:
    """Play scenarios, a few at a time; yield each row as it is known.

    No scenario begins after the ``seconds``.
    """
    deadline = monotonic() + seconds
    pairs = [(s, one) for s in scenarios for one in packages if one.agent in s.agents]
    with ThreadPoolExecutor(workers) as pool:
        waiting = []
        for played, package in pairs:
            if package in missing:
                reason = missing[package]
                yield Row(played.name, package, "not installed", reason, 0.0)
            else:
                waiting.append(pool.submit(_play_in_time, played, package, deadline))
        for future in as_completed(waiting):
            yield future.result()


def _play_in_time(played: Scenario, package: Package, deadline: float) -> Row:
    if monotonic() > deadline:
        return Row(played.name, package, "not run", "the time was up", 0.0)
    return play_one(played, package)


def play_one(one: Scenario, package: Package) -> Row:
    """Play a scenario with an agent, in a world of its own."""
    begun = monotonic()
    folder = "".join(c if c.isalnum() else "-" for c in one.name)[:50]
    result, reason = "ok", ""
    try:
        with World(folder, package.agent, package=package, **one.setup) as world:
            one.play(world)
    except AssertionError as error:
        result, reason = "FAILED", _reason(error)
    except Exception as error:  # a fault of the rig is a failed row, too
        result, reason = "FAILED", f"{type(error).__name__}: {_reason(error)}"
    return Row(one.name, package, result, reason, monotonic() - begun)


def _reason(error: BaseException) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{str(error) or frame.line} (line {frame.lineno})"


def render(rows: Sequence[Row]) -> str:
    """Render one line a scenario, one column a version of an agent."""
    names = list(dict.fromkeys(row.scenario for row in rows))
    packages = _packages(rows)
    by_place = {(row.scenario, row.package): row for row in rows}
    width = max(map(len, names), default=0)
    lines = [f"{'':{width}} " + " ".join(f"{one.agent:>9}" for one in packages)]
    lines.append(f"{'':{width}} " + " ".join(f"{one.version:>9}" for one in packages))
    for name in names:
        cells = (_cell(by_place.get((name, package))) for package in packages)
        lines.append(f"{name:{width}} " + " ".join(f"{cell:>9}" for cell in cells))
    return "\n".join(lines)


def _packages(rows: Sequence[Row]) -> list[Package]:
    played = dict.fromkeys(row.package for row in rows)
    return sorted(played, key=lambda one: ALL.index(one.agent))


def differing(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the scenarios that two versions of an agent played differently."""
    results: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        versions = results.setdefault((row.package.agent, row.scenario), {})
        versions[row.package.version] = row.result
    for (agent, name), versions in results.items():
        if len(set(versions.values())) > 1:
            said = ", ".join(map(" ".join, versions.items()))
            yield f"{agent}: {name}: {said}"


def save(rows: Sequence[Row]) -> None:
    """Keep which agents each scenario held for; the manual page says so.

    Rows of other agents and scenarios stay as they were.
    """
    document = json.loads(TRIED.read_text(encoding="utf-8"))
    document["versions"] |= {one.agent: one.version for one in _packages(rows)}
    held: dict[str, list[str]] = document["held"]
    for row in rows:
        agents = held.setdefault(row.scenario, [])
        if row.package.agent in agents:
            agents.remove(row.package.agent)
        if row.result == "ok":
            agents.append(row.package.agent)
    names = [one.name for one in SCENARIOS]
    document["held"] = {
        name: sorted(held[name], key=ALL.index) for name in names if held.get(name)
    }
    TRIED.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def _cell(row: Row | None) -> str:
    if row is None:
        return "-"
    return {"not installed": "missing"}.get(row.result, row.result)
