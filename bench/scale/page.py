"""Render ``docs/scale.md`` from the figures of one run."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

from bench.scale.fit import Growth, fit

_TEMPLATE = Path(__file__).with_name("page.md")


def page(run: Mapping[str, Any]) -> str:
    """Return the page; ``run`` is what ``python -m bench.scale`` saves."""
    memories = run["memories"]
    return Template(_TEMPLATE.read_text()).substitute(
        machine=run["machine"],
        date=run["date"],
        memories=_costs(memories, "memories"),
        peaks=_peaks(memories),
        disk=_disk(run["disk"]),
        rules=_costs(run["rules"], "rules"),
        projects=_costs(run["projects"], "projects"),
        million=_million(run.get("million")),
    )


def _costs(found: Mapping[str, Mapping[str, Sequence[float]]], what: str) -> str:
    """Return a table of costs by size, and how they grow."""
    sizes = _sizes(found)
    head = ["command", *(f"{size:,} {what}" for size in sizes), "grows by"]
    rows = []
    for name, costs in found.items():
        by_size = {int(size): cost[0] for size, cost in costs.items()}
        cells = (_number(by_size.get(size)) for size in sizes)
        rows.append([name, *cells, _growth(fit(by_size))])
    return _table(head, rows)


def _peaks(found: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """Return a table of the largest peaks of memory."""
    sizes = _sizes(found)
    last = str(sizes[-1])
    largest = sorted(found, key=lambda name: -found[name].get(last, [0, 0])[1])[:6]
    rows = [
        [name, *(_number(found[name].get(str(size), [0, None])[1]) for size in sizes)]
        for name in largest
    ]
    return _table(["command", *(f"{size:,}, MB" for size in sizes)], rows)


def _disk(found: Mapping[str, Mapping[str, float]]) -> str:
    rows = [
        [f"{int(size):,}", *(_number(part) for part in parts.values())]
        for size, parts in found.items()
    ]
    return _table(["memories", "files, MB", "`.git`, MB", "`.toolmem`, MB"], rows)


def _million(found: Mapping[str, Mapping[str, Any]] | None) -> str:
    if found is None:
        return "Not measured in this run."
    rows = [
        [name, _number(cost["times"]), f"{cost['cpu']:.1f}", _number(cost["peak"])]
        for name, cost in found["costs"].items()
    ]
    table = _table(["command", "× `python -c pass`", "s of CPU", "peak, MB"], rows)
    parts = ", ".join(f"{name} {size:,.0f} MB" for name, size in found["disk"].items())
    return f"{table}\n\nDisk: {parts}."


def _sizes(found: Mapping[str, Mapping[str, Any]]) -> list[int]:
    return sorted({int(size) for costs in found.values() for size in costs})


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def _growth(growth: Growth | None) -> str:
    if growth is None:
        return "–"
    return "flat" if not growth.exponent else f"n^{growth.exponent:.2f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])
