"""Drawn tables: from the rules of a page to the place of each piece of text in its table.

Only rules that meet form a table; a box with prose in it, an underline or the frame of a page
is none. A cell reaches from one rule to the next that runs below its own column, so text in a
cell over several rows stays together.
"""

import itertools
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from connectors.formats.pdf.page import Page, Rule, Slot

_TOUCH = 3.0
_SAME = 2.5
_MOST_COLUMNS = 60


@dataclass(frozen=True, slots=True)
class Grid:
    """One drawn table.

    Attributes:
        columns: where its upright rules stand, from the left.
        tops: by column, the heights of the rules that cross it, from the top.
        rows: all heights at which a rule runs.
    """

    number: int
    columns: tuple[float, ...]
    tops: tuple[tuple[float, ...], ...]
    rows: tuple[float, ...]

    def slot(self, x: float, y: float) -> Slot | None:
        """The cell around a point; None outside."""
        column = bisect_right(self.columns, x + 1) - 1
        if not 0 <= column < len(self.tops):
            return None
        tops = self.tops[column]
        place = bisect_right(tops, y) - 1
        if not 0 <= place < len(tops) - 1:
            return None
        return Slot(self.number, self.rows.index(tops[place]), column)


def grids(page: Page) -> list[Grid]:
    """The drawn tables of a page with at least two columns and two rows."""
    uprights, levels = _joined(page.uprights), _joined(page.levels)
    found: list[Grid] = []
    for group in _groups(uprights, levels):
        grid = _grid(len(found), *group)
        if grid is not None:
            found.append(grid)
    return found


def _joined(rules: Iterable[Rule]) -> list[Rule]:
    """Rules of one line that touch or overlap as one."""
    result: list[Rule] = []
    for rule in sorted(rules, key=lambda each: (round(each.at / _SAME), each.start)):
        last = result[-1] if result else None
        if last and abs(last.at - rule.at) <= _SAME and rule.start <= last.end + _TOUCH:
            result[-1] = Rule(last.at, last.start, max(last.end, rule.end))
        else:
            result.append(rule)
    return result


def _groups(
    uprights: Sequence[Rule], levels: Sequence[Rule]
) -> list[tuple[list[Rule], list[Rule]]]:
    """Rules that meet, directly or over others."""
    parent = list(range(len(uprights) + len(levels)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    for one, upright in enumerate(uprights):
        for other, level in enumerate(levels):
            if _meet(upright, level):
                parent[root(one)] = root(len(uprights) + other)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for place, rule in enumerate([*uprights, *levels]):
        pair = groups.setdefault(root(place), ([], []))
        pair[0 if place < len(uprights) else 1].append(rule)
    return [pair for pair in groups.values() if len(pair[0]) > 1 and len(pair[1]) > 1]


def _meet(upright: Rule, level: Rule) -> bool:
    return (
        level.start - _TOUCH <= upright.at <= level.end + _TOUCH
        and upright.start - _TOUCH <= level.at <= upright.end + _TOUCH
    )


def _grid(number: int, uprights: Sequence[Rule], levels: Sequence[Rule]) -> Grid | None:
    columns = _distinct(rule.at for rule in uprights)
    rows = _distinct(rule.at for rule in levels)
    if not 3 <= len(columns) <= _MOST_COLUMNS or len(rows) < 3:
        columns = _with_open_sides(columns, levels)
        if not 3 <= len(columns) <= _MOST_COLUMNS or len(rows) < 3:
            return None
    tops = tuple(
        tuple(
            row
            for row in rows
            if any(
                abs(rule.at - row) <= _SAME and rule.start - 1 <= (left + right) / 2 <= rule.end + 1
                for rule in levels
            )
        )
        for left, right in itertools.pairwise(columns)
    )
    return Grid(number, tuple(columns), tops, tuple(rows))


def _with_open_sides(columns: list[float], levels: Sequence[Rule]) -> list[float]:
    """Columns of a table that is drawn without its left and right edge."""
    left, right = min(rule.start for rule in levels), max(rule.end for rule in levels)
    return _distinct([left, *columns, right])


def _distinct(places: Iterable[float]) -> list[float]:
    result: list[float] = []
    for place in sorted(places):
        if not result or place - result[-1] > _SAME:
            result.append(place)
    return result
