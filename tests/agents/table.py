"""Scenarios as rows of a table: what is tried, with which agents, and how it went."""

import json
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from tests.agents.world import World

TRIED = Path(__file__).with_name("tried.json")
AGENTS = ("claude", "codex", "gemini", "opencode", "copilot", "qwen")
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
    agent: str
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
    agents: Sequence[str],
    missing: dict[str, str],
    seconds: float = float("inf"),
) -> Iterator[Row]:
    """Play scenarios, a few at a time; yield each row as it is known.

    No scenario begins after the ``seconds``.
    """
    deadline = monotonic() + seconds
    pairs = [(s, agent) for s in scenarios for agent in s.agents if agent in agents]
    with ThreadPoolExecutor(_WORKERS) as pool:
        waiting = []
        for one, agent in pairs:
            if agent in missing:
                yield Row(one.name, agent, "not installed", missing[agent], 0.0)
            else:
                waiting.append(pool.submit(_play_in_time, one, agent, deadline))
        for future in as_completed(waiting):
            yield future.result()


def _play_in_time(one: Scenario, agent: str, deadline: float) -> Row:
    if monotonic() > deadline:
        return Row(one.name, agent, "not run", "the time was up", 0.0)
    return play_one(one, agent)


def play_one(one: Scenario, agent: str) -> Row:
    """Play a scenario with an agent, in a world of its own."""
    begun = monotonic()
    folder = "".join(c if c.isalnum() else "-" for c in one.name)[:50]
    result, reason = "ok", ""
    try:
        with World(folder, agent, **one.setup) as world:
            one.play(world)
    except AssertionError as error:
        result, reason = "FAILED", _reason(error)
    except Exception as error:  # a fault of the rig is a failed row, too
        result, reason = "FAILED", f"{type(error).__name__}: {_reason(error)}"
    return Row(one.name, agent, result, reason, monotonic() - begun)


def _reason(error: BaseException) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{str(error) or frame.line} (line {frame.lineno})"


def render(rows: Sequence[Row], versions: dict[str, str]) -> str:
    """Render one line a scenario, one column an agent."""
    names = list(dict.fromkeys(row.scenario for row in rows))
    agents = [agent for agent in AGENTS if any(row.agent == agent for row in rows)]
    found = {(row.scenario, row.agent): row for row in rows}
    width = max(map(len, names), default=0)
    head = " ".join(f"{agent:>9}" for agent in agents)
    lines = [f"{'':{width}} {head}"]
    lines.append(f"{'':{width}} " + " ".join(f"{versions[a]:>9}" for a in agents))
    for name in names:
        cells = []
        for agent in agents:
            row = found.get((name, agent))
            cells.append(f"{_cell(row):>9}")
        lines.append(f"{name:{width}} " + " ".join(cells))
    return "\n".join(lines)


def save(rows: Sequence[Row], versions: dict[str, str]) -> None:
    """Keep which agents each scenario held for; the manual page says so."""
    held: dict[str, list[str]] = {row.scenario: [] for row in rows}
    for row in rows:
        if row.result == "ok":
            held[row.scenario].append(row.agent)
    order = {one.name: number for number, one in enumerate(SCENARIOS)}
    document = {
        "versions": versions,
        "held": {
            name: sorted(held[name], key=AGENTS.index)
            for name in sorted(held, key=lambda name: order[name])
        },
    }
    TRIED.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def _cell(row: Row | None) -> str:
    if row is None:
        return "-"
    return {"not installed": "missing"}.get(row.result, row.result)
