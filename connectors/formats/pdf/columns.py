"""Tables that nothing draws: columns are where the pieces of several lines stand below each other.

Only lines with wide gaps begin such a table. Its columns come from all of them together, so that
a row with empty cells keeps its figures under the right names, and a header whose names stand
close to each other is divided where the columns below it are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from connectors.formats.pdf.page import Cell, Line
from connectors.formats.pdf.rows import as_lines

_NEXT_ROW = 3.5
_NEXT_LINE = 1.5
_LOOK_AHEAD = 2
_MERGED = 4.0
_MOST_WIDTH = 0.6


@dataclass(slots=True)
class Column:
    """A column of a table; edges in points from the left."""

    x0: float
    x1: float

    def touches(self, cell: Cell) -> bool:
        """Whether a cell reaches into it."""
        return self.x0 < cell.x1 and cell.x0 < self.x1

    def overlap(self, cell: Cell) -> float:
        """How far a cell reaches into it, in points; negative where it stands beside."""
        return min(self.x1, cell.x1) - max(self.x0, cell.x0)


def aligned(lines: Sequence[Line]) -> list[Line]:
    """The lines of a page with whole rows in place of those that stand in columns."""
    result: list[Line] = []
    place = 0
    while place < len(lines):
        end = _end(lines, place)
        if end == place:
            result.append(lines[place])
            place += 1
            continue
        group = list(lines[place:end])
        if result and _heads(result[-1], group[0]):
            group.insert(0, result.pop())
        result += _table(group)
        place = end
    return result


def _is_row(line: Line) -> bool:
    return bool(line.cells) and line.upright and line.row is None


def _heads(line: Line, first: Line) -> bool:
    """Whether a line with narrow gaps right above a table may hold the names of its columns."""
    close = 0 < first.y - line.y <= _NEXT_ROW * first.size
    return close and line.upright and line.row is None and len(line.parts) > 1


def _end(lines: Sequence[Line], start: int) -> int:
    """Where the table that begins at `start` ends; `start` itself where none does."""
    if not _is_row(lines[start]):
        return start
    end, rows = start + 1, 1
    width = max(lines[start].x1 - lines[start].x0, 1.0)
    while end < len(lines):
        step = _step(lines, end, width)
        if step == 0:
            break
        end += step
        rows += 1
    while rows > 1 and end < len(lines) and _continues(lines[end - 1], lines[end]):
        end += 1
    return end if rows > 1 else start


def _step(lines: Sequence[Line], place: int, width: float) -> int:
    """How many lines from `place` on lead to the next row with cells; 0 where there is none."""
    for ahead in range(_LOOK_AHEAD + 1):
        if place + ahead >= len(lines):
            return 0
        line = lines[place + ahead]
        if not _follows(lines[place + ahead - 1], line):
            return 0
        if _is_row(line):
            return ahead + 1
        if line.x1 - line.x0 > _MOST_WIDTH * width:
            return 0
    return 0


def _follows(before: Line, line: Line) -> bool:
    distance = line.y - before.y
    return (
        line.upright
        and line.row is None
        and 0 < distance <= _NEXT_ROW * max(line.size, before.size)
        and 0.7 <= line.size / max(before.size, 0.1) <= 1.4
    )


def _continues(before: Line, line: Line) -> bool:
    """Whether a single piece goes on a cell of the row right above, other than its first."""
    return (
        _follows(before, line)
        and not line.cells
        and line.y - before.y <= _NEXT_LINE * line.size
        and bool(before.cells)
        and line.x0 > before.cells[0].x1
    )


def _table(group: Sequence[Line]) -> list[Line]:
    size = median(line.size for line in group)
    columns = columns_of([line.cells for line in group if line.cells], size)
    rows: list[list[list[Line]]] = []
    for line in group:
        placed = list(_placed(line, columns))
        filled = [column for column, cell in enumerate(placed) if cell]
        if rows and filled != [0] and len(filled) == 1 and _is_under(rows[-1], placed[filled[0]]):
            rows[-1][filled[0]] += placed[filled[0]]
        else:
            rows.append(placed)
    return as_lines(rows)


def _is_under(row: list[list[Line]], pieces: list[Line]) -> bool:
    """Whether a single piece stands so close below a row that it goes on one of its cells."""
    lowest = max(piece.y for cell in row for piece in cell)
    return len(pieces) == 1 and pieces[0].y - lowest <= _NEXT_LINE * pieces[0].size


def columns_of(rows: Sequence[Sequence[Cell]], size: float) -> list[Column]:
    """The columns of a table from the left; narrow cells tell them, wide ones may span them.

    Args:
        rows: the cells of each row.
        size: height of the type, in points.
    """
    columns: list[Column] = []
    for cell in sorted((cell for row in rows for cell in row), key=lambda c: c.x1 - c.x0):
        hits = [column for column in columns if column.touches(cell)]
        if not hits:
            columns.append(Column(cell.x0, cell.x1))
        elif len(hits) == 1:
            hits[0].x0, hits[0].x1 = min(hits[0].x0, cell.x0), max(hits[0].x1, cell.x1)
    columns.sort(key=lambda column: column.x0)
    return _without_halves(columns, rows, size)


def _without_halves(
    columns: list[Column], rows: Sequence[Sequence[Cell]], size: float
) -> list[Column]:
    """Columns of which no row fills both are one: a name on its left, figures on its right."""
    filled = [{_closest(cell, columns) for cell in row} for row in rows]
    kept, members = columns[:1], {0}
    for number, column in enumerate(columns[1:], start=1):
        apart = column.x0 - kept[-1].x1 > _MERGED * size
        if apart or any(number in row and row & members for row in filled):
            kept.append(column)
            members = {number}
        else:
            kept[-1] = Column(kept[-1].x0, max(kept[-1].x1, column.x1))
            members.add(number)
    return kept


def _placed(line: Line, columns: Sequence[Column]) -> Iterator[list[Line]]:
    """The pieces of a line by column."""
    row: list[list[Line]] = [[] for _ in columns]
    for cell in line.cells or (line.whole,):
        for part in _parts(cell, line, columns):
            row[nearest(part, columns)].append(line.piece(part))
    yield from row


def _parts(cell: Cell, line: Line, columns: Sequence[Column]) -> Sequence[Cell]:
    """A cell over several columns in parts, if each stands in one of its own."""
    if sum(column.touches(cell) for column in columns) < 2:
        return (cell,)
    parts = [
        part
        for part in line.parts or line.cells
        if cell.x0 - 1 <= part.x0 and part.x1 <= cell.x1 + 1
    ]
    places = [nearest(part, columns) for part in parts]
    return parts if len(set(places)) == len(places) > 1 else (cell,)


def nearest(cell: Cell, columns: Sequence[Column]) -> int:
    """The first column that a cell reaches into, else the closest one."""
    for number, column in enumerate(columns):
        if column.touches(cell):
            return number
    return _closest(cell, columns)


def _closest(cell: Cell, columns: Sequence[Column]) -> int:
    overlaps = [column.overlap(cell) for column in columns]
    return overlaps.index(max(overlaps))
