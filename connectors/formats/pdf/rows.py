"""Rows of tables: their text, and whether one is a header.

A cell that is empty leaves its place empty, or the figure of one column would be read under the
name of another.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from connectors.formats.pdf.page import Cell, Line, Row

_YEAR = re.compile(r"(?:FY|Q\d)?\s?['’]?(?:19|20)\d\d(?:\D|$)")
_HEADER_CELL = 60
_LONG_ALONE = 100
Pieces = Sequence[Sequence[Line]]
"""A row: for each column the pieces of text that stand in its cell."""


def is_header(rows: Sequence[Sequence[str]], bold: Sequence[bool]) -> bool:
    """Whether the first of some rows of cells names the columns.

    It does where it alone is bold, or says words or years where those below say figures.
    """
    first = [text for text in rows[0] if text]
    if len(first) < 2 or any(len(text) > _HEADER_CELL or text.endswith(":") for text in first):
        return False
    if bold[0] and not all(bold[1:]):
        return True
    years = all(_YEAR.match(text) for text in rows[0][1:] if text)
    if not years and sum(map(_is_figure, first)) > 0.2 * len(first):
        return False
    full = len(first) == max(len([text for text in row if text]) for row in rows)
    return _figures_below(rows) or (full and len(first) > 2)


def _figures_below(rows: Sequence[Sequence[str]]) -> bool:
    """Whether some column says figures below its first row."""
    for column in range(len(rows[0])):
        below = [row[column] for row in rows[1:] if row[column]]
        if below and sum(map(_is_figure, below)) >= 0.6 * len(below):
            return True
    return False


def _is_figure(text: str) -> bool:
    signs = [char for char in text if char.isalnum()]
    return bool(signs) and sum(char.isdigit() for char in signs) >= 0.5 * len(signs)


def is_bold(row: Pieces) -> bool:
    """Whether all of a row is bold."""
    return all(piece.bold for cell in row for piece in cell)


def texts(row: Pieces) -> list[str]:
    """The text of each cell."""
    return [_cell_text(cell) for cell in row]


def _cell_text(pieces: Sequence[Line]) -> str:
    text = ""
    for piece in pieces:
        glue = "" if not text or text.endswith("\u00ad") else " "
        text += glue + piece.text + ("\u00ad" if piece.broken else "")
    return text.replace("\u00ad", "")


def as_lines(rows: Sequence[Pieces], *, tagged: bool = False) -> list[Line]:
    """Rows as lines, the first with columns a header where it names them.

    Prose in boxes is no row: what fills its row alone and is long, or stands above the first row
    with columns, stays as it was.

    Args:
        rows: from the top.
        tagged: whether the file itself calls its first row a header.
    """
    filled = [[cell for cell in row if cell] for row in rows]
    first = next((n for n, cells in enumerate(filled) if len(cells) > 1), len(rows))
    header = first + 1 < len(rows) and (tagged or _heads(rows[first:]))
    result: list[Line] = []
    for place, row in enumerate(rows):
        if len(filled[place]) == 1 and (place < first or _is_prose(filled[place][0])):
            result += filled[place][0]
        elif filled[place]:
            result.append(_line(row, Row.HEADER if place == first and header else Row.BODY))
    return result


def _heads(rows: Sequence[Pieces]) -> bool:
    return is_header([texts(row) for row in rows], [is_bold(row) for row in rows])


def _is_prose(cell: Sequence[Line]) -> bool:
    return sum(len(piece.text) for piece in cell) > _LONG_ALONE


def _line(cells: Pieces, row: Row) -> Line:
    """A row of pieces as one line; cells that are empty keep their place, at the end none."""
    pieces = [piece for cell in cells for piece in cell]
    shown = texts(cells)
    while shown and not shown[-1]:
        shown.pop()
    first = pieces[0]
    return replace(
        first,
        text=" | ".join(shown),
        x0=min(piece.x0 for piece in pieces),
        x1=max(piece.x1 for piece in pieces),
        y=max(piece.y for piece in pieces),
        bold=is_bold(cells),
        broken=False,
        cells=tuple(Cell(piece.text, piece.x0, piece.x1) for piece in pieces),
        row=row,
    )
