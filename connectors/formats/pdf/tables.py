"""Tables that the file tags or draws: their pieces of text become whole rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from connectors.formats.pdf.columns import columns_of, nearest
from connectors.formats.pdf.grids import Grid, grids
from connectors.formats.pdf.page import Cell, Line, Page, Slot
from connectors.formats.pdf.rows import Pieces, as_lines

_LONG_CELL = 350
_SHORT_PIECE = 30
_SAME_HEIGHT = 2.0
_MANY_LINES = 6
_SHARED = 0.6
_DIVIDED = 0.15


@dataclass(slots=True)
class _Table:
    """A table in the making: pieces by row and column; `first` is where it stands in the text."""

    first: int
    tagged: bool
    pieces: dict[tuple[int, int], list[Line]] = field(default_factory=dict)
    headers: set[int] = field(default_factory=set)
    lines: set[int] = field(default_factory=set)
    divided: int = 0

    def take(self, place: int, pieces: Sequence[tuple[Slot, Line]]) -> None:
        """The pieces of the line at `place`."""
        self.lines.add(place)
        self.divided += len({slot for slot, _ in pieces}) < len(pieces)
        for slot, piece in pieces:
            self.pieces.setdefault((slot.row, slot.column), []).append(piece)
            if slot.header:
                self.headers.add(slot.row)


def with_rows(page: Page, lines: Sequence[Line]) -> list[Line]:
    """The lines of a page with whole rows in place of the pieces of its tables."""
    drawn = grids(page) if page.uprights and page.levels else []
    tables = _tables(lines, drawn)
    kept: list[Line] = []
    starts = {table.first: table for table in tables}
    gone = {place for table in tables for place in table.lines}
    for place, line in enumerate(lines):
        if place in starts:
            kept += _rows(starts[place])
        if place not in gone:
            kept.append(line)
    return kept


def _tables(lines: Sequence[Line], drawn: Sequence[Grid]) -> list[_Table]:
    """Tables of at least two rows and columns, none of them a page in boxes."""
    found: dict[tuple[str, int], _Table] = {}
    for place, line in enumerate(lines):
        pieces = list(_pieces(line, drawn))
        keys = {key for key, _, _ in pieces}
        if len(keys) == 1:
            key = keys.pop()
            table = found.setdefault(key, _Table(place, key[0] == "tagged"))
            table.take(place, [(slot, piece) for _, slot, piece in pieces])
    return [table for table in found.values() if _is_table(table)]


def _pieces(line: Line, drawn: Sequence[Grid]) -> Iterator[tuple[tuple[str, int], Slot, Line]]:
    """The pieces of a line in tables, if all of it stands in one; nothing of another line."""
    if not line.upright:
        return
    cells = line.cells or (line.whole,)
    tagged = [cell.slot for cell in cells if cell.slot]
    slots = [cell.slot for cell in cells]
    kind = "tagged"
    if not tagged:
        kind = "drawn"
        slots = [_drawn_slot(cell, line, drawn) for cell in cells]
    if any(slot is None for slot in slots):
        return
    for cell, slot in zip(cells, slots, strict=True):
        if slot is not None:
            yield (kind, slot.table), slot, line.piece(cell)


def _drawn_slot(cell: Cell, line: Line, drawn: Sequence[Grid]) -> Slot | None:
    for grid in drawn:
        if slot := grid.slot(cell.x0 + 1, line.y - line.size / 3):
            return slot
    return None


def _is_table(table: _Table) -> bool:
    """Whether it is no page in boxes: prose, or lines that are divided within their cell."""
    rows = {row for row, _ in table.pieces}
    columns = {column for _, column in table.pieces}
    chars = [sum(len(piece.text) for piece in cell) for cell in table.pieces.values()]
    boxes = table.divided > max(1, _DIVIDED * len(table.lines))
    return len(rows) > 1 and len(columns) > 1 and median(chars) <= _LONG_CELL and not boxes


def _rows(table: _Table) -> list[Line]:
    numbers = sorted({row for row, _ in table.pieces})
    columns = sorted({column for _, column in table.pieces})
    rows: list[Pieces] = [
        [table.pieces.get((number, column), []) for column in columns] for number in numbers
    ]
    if table.tagged:
        rows = _by_place(rows)
    parts = [part for row in rows for part in _split(row)]
    return as_lines(parts, tagged=bool(table.headers & set(numbers[:1])))


def _by_place(rows: Sequence[Pieces]) -> list[Pieces]:
    """Rows with their cells where they stand: tags count cells, and leave out empty ones."""
    pieces = [piece for row in rows for cell in row for piece in cell]
    spans = [[_span(cell) for cell in row if cell] for row in rows]
    columns = columns_of(spans, median(piece.size for piece in pieces))
    result: list[Pieces] = []
    for row in rows:
        placed: list[list[Line]] = [[] for _ in columns]
        for cell in row:
            if cell:
                placed[nearest(_span(cell), columns)] += cell
        result.append(placed)
    return result


def _span(cell: Sequence[Line]) -> Cell:
    return Cell("", min(piece.x0 for piece in cell), max(piece.x1 for piece in cell))


def _split(cells: Pieces) -> Iterator[Pieces]:
    """A row as it is, or several where only the columns are ruled and their lines go together."""
    heights = [_heights(cell) for cell in cells if cell]
    lines = sorted(set().union(*heights))
    if not _go_together(heights, lines) or not _are_short(cells) or not _has_figures(cells):
        yield cells
        return
    for height in lines:
        yield [[piece for piece in cell if height in _heights([piece])] for cell in cells]


def _heights(cell: Sequence[Line]) -> set[int]:
    return {round(piece.y / _SAME_HEIGHT) for piece in cell}


def _go_together(heights: Sequence[set[int]], lines: Sequence[int]) -> bool:
    """Whether the lines of a row's cells stand beside each other, all or nearly all of them."""
    if len(heights) < 2 or len(lines) < 2:
        return False
    if all(len(each) == len(lines) for each in heights):
        return len(lines) > 2 or len(heights) > 2
    shared = sum(sum(line in each for each in heights) > 1 for line in lines)
    return len(lines) >= _MANY_LINES and shared >= _SHARED * len(lines)


def _are_short(cells: Pieces) -> bool:
    return median(len(piece.text) for cell in cells for piece in cell) <= _SHORT_PIECE


def _has_figures(cells: Pieces) -> bool:
    """Whether nearly each line of some column is a figure of its own."""
    for cell in cells:
        figures = sum(any(map(str.isdigit, piece.text)) for piece in cell)
        if len(cell) > 1 and figures >= 0.9 * len(cell):
            return True
    return False
