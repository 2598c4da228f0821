"""Render a report as one HTML page: no script, no network, every text escaped."""

import html
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from toolmem.core.shown import show

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --bar: #3b82c4; --soft: #8882;
  --critical: #c4453b; --high: #c98a1b; --normal: #3b82c4; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem;
  padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2.2rem 0 .5rem; }
p.about { color: #888; margin: .2rem 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .5rem;
  text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 600; } td.n, th.n { text-align: right; white-space: nowrap; }
td.bar { width: 40%; } .track { display: flex; height: .8rem; margin-top: .35rem; }
.track span { display: block; height: 100%; background: var(--bar); }
.critical { background: var(--critical) !important; }
.high { background: var(--high) !important; }
.role { background: #8a6bbf !important; } .overrides { background: #b05a8c !important; }
.rules { background: var(--critical) !important; }
.facts { background: #5a9a4a !important; } .search { background: #888 !important; }
.memories { background: var(--high) !important; }
.tiles { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1rem 0; }
.tile { background: var(--soft); border-radius: .4rem; padding: .5rem .9rem; }
.tile b { display: block; font-size: 1.3rem; }
svg { width: 100%; height: auto; } svg text { fill: currentColor; font-size: 11px; }
.none { color: #888; }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"
_COLOURS = ("#3b82c4", "#c98a1b", "#5a9a4a", "#8a6bbf")
_WIDTH, _HEIGHT, _EDGE = 800, 220, 34


class Bar(NamedTuple):
    """One row: a name, numbers that make up a bar with their classes, and a remark."""

    name: str
    pieces: tuple[tuple[int, str], ...]
    label: str = ""

    @property
    def total(self) -> int:
        """Sum of the pieces."""
        return sum(number for number, _ in self.pieces)


class ChartLine(NamedTuple):
    """One curve of a chart: its name and a value for each moment."""

    name: str
    values: tuple[int, ...]


def text(value: object) -> str:
    """Escape a text of the vault on one line."""
    return html.escape(show(value), quote=True)


def page(title: str, about: str, sections: Iterable[str]) -> str:
    """Render the whole page."""
    body = "\n".join(sections)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{text(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f'<h1>{text(title)}</h1>\n<p class="about">{text(about)}</p>\n{body}\n'
        "</body>\n</html>\n"
    )


def tiles(numbers: Iterable[tuple[str, int]]) -> str:
    """Render a few numbers next to each other."""
    found = "".join(
        f'<div class="tile"><b>{number}</b>{text(name)}</div>'
        for name, number in numbers
    )
    return f'<div class="tiles">{found}</div>'


def section(title: str, about: str, content: str) -> str:
    """Render a part of the page under a heading."""
    return f'<h2>{text(title)}</h2>\n<p class="about">{text(about)}</p>\n{content}'


def bars(heads: Sequence[str], rows: Sequence[Bar], none: str) -> str:
    """Render a table of bars, or the text ``none`` without rows."""
    if not rows:
        return f'<p class="none">{text(none)}</p>'
    most = max(row.total for row in rows) or 1
    head = _row([(heads[0], ""), (heads[1], "n"), ("", ""), (heads[2], "")], "th")
    return f"<table>{head}{''.join(_bar(row, most) for row in rows)}</table>"


def _bar(row: Bar, most: int) -> str:
    spans = "".join(
        f'<span class="{kind}" style="width:{100 * number / most:.2f}%"></span>'
        for number, kind in row.pieces
        if number
    )
    return (
        f'<tr><td>{text(row.name)}</td><td class="n">{row.total}</td>'
        f'<td class="bar"><div class="track">{spans}</div></td>'
        f"<td>{text(row.label)}</td></tr>"
    )


def table(heads: Sequence[str], rows: Sequence[Sequence[object]], none: str) -> str:
    """Render a table of texts, with numbers in the last column."""
    if not rows:
        return f'<p class="none">{text(none)}</p>'
    kinds = [""] * (len(heads) - 1) + ["n"]
    head = _row(list(zip(heads, kinds, strict=True)), "th")
    body = "".join(_row(list(zip(row, kinds, strict=True)), "td") for row in rows)
    return f"<table>{head}{body}</table>"


def _row(cells: Sequence[tuple[object, str]], tag: str) -> str:
    made = (
        f"<{tag}{f' class={kind}' if kind else ''}>{text(cell)}</{tag}>"
        for cell, kind in cells
    )
    return f"<tr>{''.join(made)}</tr>"


def chart(moments: Sequence[datetime], lines: Sequence[ChartLine], none: str) -> str:
    """Render curves over time as a picture, with a table of its numbers."""
    if len(moments) < 2:
        return f'<p class="none">{text(none)}</p>'
    most = max((max(line.values) for line in lines), default=0) or 1
    first, last = (moments[n].date().isoformat() for n in (0, -1))
    places = _places(moments)
    curves = "".join(_curve(n, line, places, most) for n, line in enumerate(lines))
    ends = (
        f'<text x="{_EDGE}" y="{_HEIGHT - 8}">{first}</text>'
        f'<text x="{_WIDTH - _EDGE}" y="{_HEIGHT - 8}" text-anchor="end">{last}</text>'
        f'<text x="{_EDGE - 6}" y="{_EDGE}" text-anchor="end">{most}</text>'
        f'<text x="{_EDGE - 6}" y="{_HEIGHT - _EDGE}" text-anchor="end">0</text>'
    )
    summary = ", ".join(f"{line.name} {line.values[-1]}" for line in lines)
    label = text(f"from {first} to {last}: {summary}")
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">'
        f"{ends}{curves}</svg>"
    )


def _places(moments: Sequence[datetime]) -> list[float]:
    """Scale moments between the first and the last to 0..1; clocks may go back."""
    seconds = [moment.timestamp() for moment in moments]
    span = seconds[-1] - seconds[0]
    if span <= 0:
        return [n / (len(moments) - 1) for n in range(len(moments))]
    return [min(1.0, max(0.0, (one - seconds[0]) / span)) for one in seconds]


def _curve(number: int, line: ChartLine, places: Sequence[float], most: int) -> str:
    wide, high = _WIDTH - 2 * _EDGE, _HEIGHT - 2 * _EDGE
    points = " ".join(
        f"{_EDGE + wide * place:.1f},{_HEIGHT - _EDGE - high * value / most:.1f}"
        for place, value in zip(places, line.values, strict=True)
    )
    colour = _COLOURS[number % len(_COLOURS)]
    x = _EDGE + 110 * number
    return (
        f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{points}"/>'
        f'<rect x="{x}" y="8" width="10" height="10" fill="{colour}"/>'
        f'<text x="{x + 15}" y="17">{text(line.name)}: {line.values[-1]}</text>'
    )
