"""Charts as inline SVG: bars with their intervals, and lines. Nothing is fetched from anywhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

COLOURS = (
    "#2f6f9f", "#c8553d", "#588157", "#8e6c8a", "#b8860b", "#3aa0a0", "#7a4b2a", "#d17fa0",
    "#6b6b6b", "#9ab135",
)  # fmt: skip
_WIDTH = 720
_LEFT = 130
_RIGHT = 60
_BAR = 14
_GAP = 10
_PLOT = 260


@dataclass(frozen=True, slots=True)
class Bar:
    """A value from 0 to 1 with where it may really lie."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class BarGroup:
    """One kind and its bar for every series; None where a series has none."""

    label: str
    bars: Sequence[Bar | None]


@dataclass(frozen=True, slots=True)
class Line:
    """A series of points; x and y from 0 to 1."""

    label: str
    points: Sequence[tuple[float, float]]


def bars(title: str, groups: Sequence[BarGroup], series: Sequence[str]) -> str:
    """A chart of bars that lie, one group under the other, whiskers for the intervals."""
    parts: list[str] = []
    y = float(_GAP)
    for group in groups:
        middle = y + len(group.bars) * _BAR / 2 + 4
        parts.append(
            f'<text x="{_LEFT - 8}" y="{middle:.1f}" class="end">{escape(group.label)}</text>'
        )
        for at, bar in enumerate(group.bars):
            if bar is not None:
                parts.append(_bar(bar, y + at * _BAR, COLOURS[at % len(COLOURS)]))
        y += len(group.bars) * _BAR + _GAP
    parts += [_grid(0.25 * step, y) for step in range(5)]
    return _svg(title, _WIDTH, y + 24, parts) + _legend(series)


QUARTERS = tuple((step / 4, f"{step / 4:.2f}") for step in range(5))
"""Marks of an axis from 0 to 1."""


def lines(
    title: str,
    axes: tuple[str, str],
    series: Sequence[Line],
    marks: Sequence[tuple[float, str]] = QUARTERS,
) -> str:
    """A chart of lines in the unit square.

    Args:
        title: for those who cannot see it.
        axes: what x and y are.
        series: at most ten are told apart by colour.
        marks: what stands at the x axis, and where.
    """
    parts = [
        f'<line x1="{_x(0)}" y1="{_y(level)}" x2="{_x(1)}" y2="{_y(level)}" class="grid"/>'
        f'<text x="{_LEFT - 8}" y="{_y(level) + 4}" class="end">{level:.2f}</text>'
        for level in (0, 0.25, 0.5, 0.75, 1)
    ]
    parts += [
        f'<text x="{_x(at):.1f}" y="{_PLOT + 26}" class="middle">{escape(mark)}</text>'
        for at, mark in marks
    ]
    for at, line in enumerate(series):
        path = " ".join(f"{_x(x):.1f},{_y(y):.1f}" for x, y in line.points)
        colour = COLOURS[at % len(COLOURS)]
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{_x(x):.1f}" cy="{_y(y):.1f}" r="2.5" fill="{colour}"/>'
            for x, y in line.points
        ]
    x_name, y_name = axes
    parts.append(f'<text x="{_x(0.5)}" y="{_PLOT + 44}" class="middle">{escape(x_name)}</text>')
    parts.append(f'<text x="4" y="12">{escape(y_name)}</text>')
    return _svg(title, _WIDTH, _PLOT + 52, parts) + _legend([line.label for line in series])


def _bar(bar: Bar, y: float, colour: str) -> str:
    middle = y + _BAR / 2 - 1
    return (
        f'<rect x="{_LEFT}" y="{y:.1f}" width="{_x(bar.value) - _LEFT:.1f}" height="{_BAR - 2}" '
        f'fill="{colour}"/>'
        f'<line x1="{_x(bar.low):.1f}" y1="{middle:.1f}" x2="{_x(bar.high):.1f}" '
        f'y2="{middle:.1f}" class="whisker"/>'
        f'<text x="{_x(1) + 6:.1f}" y="{y + _BAR - 4:.1f}">{bar.value:.2f}</text>'
    )


def _grid(value: float, bottom: float) -> str:
    return (
        f'<line x1="{_x(value):.1f}" y1="0" x2="{_x(value):.1f}" y2="{bottom:.1f}" class="grid"/>'
        f'<text x="{_x(value):.1f}" y="{bottom + 14:.1f}" class="middle">{value:.2f}</text>'
    )


def _x(value: float) -> float:
    return _LEFT + value * (_WIDTH - _LEFT - _RIGHT)


def _y(value: float) -> float:
    return 10 + (1 - value) * _PLOT * 0.94


def _svg(title: str, width: float, height: float, parts: Sequence[str]) -> str:
    return (
        '<div class="chart">'
        f'<svg role="img" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg></div>"
    )


def _legend(names: Sequence[str]) -> str:
    items = "".join(
        f'<li><span style="background:{COLOURS[at % len(COLOURS)]}"></span>{escape(name)}</li>'
        for at, name in enumerate(names)
    )
    return f'<ul class="legend">{items}</ul>'
