"""Charts of the report page: inline SVG with axes, in a wide and a narrow form.

The style sheet shows one of both, so that the labels keep their size on a small screen.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from toolmem.core.report.html import Html, legend, nothing, text

_WIDE, _NARROW, _HEIGHT = 760, 340, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 14, 12, 28
_LABEL = 76
"""The width of a date."""
_DAYS, _WEEKS, _MONTHS = 35, 30, 36
"""The most bars of each kind; a longer time is shown by the next, or cut."""


class Series(NamedTuple):
    """A named row of numbers, one for each moment, in a colour."""

    name: str
    colour: str
    values: tuple[int, ...]


class _Frame(NamedTuple):
    """The plot area of a chart: its width and the number at its top."""

    kind: str
    width: int
    most: int

    def y(self, value: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * value / self.most

    def x(self, share: float) -> float:
        return _LEFT + (self.width - _LEFT - _RIGHT) * share


def line_chart(moments: Sequence[datetime], lines: Sequence[Series], none: str) -> Html:
    """Curves over time; ``none`` is shown for fewer than two moments."""
    if len(moments) < 2:
        return nothing(none)
    shares = _shares(moments)
    ends = f"from {moments[0].date()} to {moments[-1].date()}"
    label = f"{ends}: {', '.join(f'{s.name} {s.values[-1]}' for s in lines)}"
    ticks = _time_ticks(moments)

    def draw(frame: _Frame) -> Iterable[Html]:
        for line in lines:
            points = " ".join(
                f"{frame.x(share):.1f},{frame.y(value):.1f}"
                for share, value in zip(shares, line.values, strict=True)
            )
            yield f'<polyline class="{line.colour}" points="{points}"/>'

    keys = legend((f"{line.name}: {line.values[-1]}", line.colour) for line in lines)
    most = max(max(line.values) for line in lines)
    return keys + _both(most, label, ticks, draw)


def day_chart(days: Sequence[date], bands: Sequence[Series], none: str) -> Html:
    """Stacked bars of what happened on days, by day, week or month.

    ``days`` are in order and may repeat; ``none`` is shown without any.
    """
    if not days:
        return nothing(none)
    starts, unit = _periods(days[0], days[-1])
    place = {start: n for n, start in enumerate(starts)}
    sums = [[0] * len(starts) for _ in bands]
    for n, day in enumerate(days):
        at = place.get(_start(day, unit))
        for stack, band in zip(sums, bands, strict=True):
            if at is not None:
                stack[at] += band.values[n]
    label = f"by {unit} from {starts[0]} to {starts[-1]}: " + ", ".join(
        f"{band.name} {sum(stack)}" for band, stack in zip(bands, sums, strict=True)
    )
    share = 1 / len(starts)

    def draw(frame: _Frame) -> Iterable[Html]:
        bar = max(1.0, min((frame.width - _LEFT - _RIGHT) * share - 2, 40))
        for n, start in enumerate(starts):
            left, base = frame.x((n + 0.5) * share) - bar / 2, 0
            for band, stack in zip(bands, sums, strict=True):
                if stack[n]:
                    name = f"{start}: {stack[n]} {band.name}"
                    yield _bar(frame, band.colour, (left, bar), (base, stack[n]), name)
                    base += stack[n]

    ticks = [((n + 0.5) * share, str(starts[n])) for n in _spread(len(starts), 5)]
    keys = legend(
        (f"{band.name}: {sum(stack)}", band.colour)
        for band, stack in zip(bands, sums, strict=True)
        if sum(stack)
    )
    most = max(map(sum, zip(*sums, strict=True)))
    return keys + _both(most, label, ticks, draw)


def _bar(
    frame: _Frame,
    colour: str,
    place: tuple[float, float],
    piece: tuple[int, int],
    name: str,
) -> Html:
    """A piece of a bar: (left, width), (number below it, its own number)."""
    (left, width), (base, size) = place, piece
    top, bottom = frame.y(base + size), frame.y(base)
    return (
        f'<rect class="{colour}" x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" '
        f'height="{bottom - top:.1f}"><title>{text(name)}</title></rect>'
    )


def _both(
    most: int,
    label: str,
    ticks: Sequence[tuple[float, str]],
    draw: Callable[[_Frame], Iterable[Html]],
) -> Html:
    top = _round_up(most)
    made = []
    for kind, width in (("wide", _WIDE), ("narrow", _NARROW)):
        frame = _Frame(kind, width, top)
        shown = ticks if kind == "wide" else [ticks[n] for n in _spread(len(ticks), 3)]
        made.append(
            f'<svg class="{kind}" viewBox="0 0 {width} {_HEIGHT}" role="img" '
            f'aria-label="{text(label)}">{_axes(frame, shown)}{"".join(draw(frame))}'
            "</svg>"
        )
    return "".join(made)


def _axes(frame: _Frame, ticks: Sequence[tuple[float, str]]) -> Html:
    made = []
    steps = 4 if frame.most % 4 == 0 else 2 if frame.most % 2 == 0 else 1
    for step in range(steps + 1):
        value = frame.most * step // steps
        y = frame.y(value)
        made.append(
            f'<line class="grid" x1="{_LEFT}" x2="{frame.width - _RIGHT}" '
            f'y1="{y:.1f}" y2="{y:.1f}"/><text x="{_LEFT - 8}" y="{y + 4:.1f}" '
            f'text-anchor="end">{value:,}</text>'
        )
    for share, name in ticks:
        x = frame.x(share)
        right = x > frame.width - _LABEL / 2
        anchor = "end" if right else "start" if x < _LABEL / 2 else "middle"
        made.append(
            f'<text x="{x:.1f}" y="{_HEIGHT - 8}" '
            f'text-anchor="{anchor}">{text(name)}</text>'
        )
    return "".join(made)


def _round_up(most: int) -> int:
    """The next number that divides into round steps."""
    size = 1
    while True:
        for factor in (1, 2, 4, 6, 8):
            if factor * size >= most:
                return factor * size
        size *= 10


def _shares(moments: Sequence[datetime]) -> list[float]:
    """Places between the first and the last moment (0 to 1); clocks may go back."""
    seconds = [moment.timestamp() for moment in moments]
    span = seconds[-1] - seconds[0]
    if span <= 0:
        return [n / (len(moments) - 1) for n in range(len(moments))]
    return [min(1.0, max(0.0, (second - seconds[0]) / span)) for second in seconds]


def _time_ticks(moments: Sequence[datetime]) -> list[tuple[float, str]]:
    """Dates at even distances; of less than four days, only the ends."""
    first, last = moments[0].timestamp(), moments[-1].timestamp()
    many = 5 if last - first > 4 * 86_400 else 2
    shares = [n / (many - 1) for n in range(many)]
    days = (datetime.fromtimestamp(first + s * (last - first), UTC) for s in shares)
    return [(share, str(day.date())) for share, day in zip(shares, days, strict=True)]


def _spread(count: int, most: int) -> list[int]:
    """Some of so many places, evenly spaced, with the first and the last."""
    if count <= most:
        return list(range(count))
    return [round(n * (count - 1) / (most - 1)) for n in range(most)]


def _periods(first: date, last: date) -> tuple[list[date], str]:
    """The starts of all periods between two days, and their length."""
    days = (last - first).days + 1
    unit = "day" if days <= _DAYS else "week" if days <= 7 * _WEEKS else "month"
    periods, at = [], _start(first, unit)
    while at <= last:
        periods.append(at)
        length = {"day": 1, "week": 7, "month": 32}[unit]
        at = _start(at + timedelta(days=length), unit)
    return periods[-_MONTHS:], unit


def _start(day: date, unit: str) -> date:
    if unit == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if unit == "month" else day
