"""Tables in a fixed width, Chinese characters counted as two columns."""

import unicodedata
from collections.abc import Sequence

_WIDEST_CELL = 40
_WIDE = ("W", "F")


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Rows as lines with their columns one below the other; long cells are left unaligned."""
    columns = max(len(row) for row in rows)
    widths = [
        min(_WIDEST_CELL, max(_width(row[column]) for row in rows if column < len(row)))
        for column in range(columns)
    ]
    return "\n".join(_line(row, widths) for row in rows)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        cell + " " * max(0, width - _width(cell)) for cell, width in zip(row, widths, strict=False)
    ]
    return " | ".join(cells).rstrip()


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in _WIDE else 1 for char in text)
