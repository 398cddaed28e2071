"""Lines of a page into the order in which a person reads them.

PDFium follows the order in which the page was written, which is nearly always the order of
reading. Put right here: raised marks that it takes for lines, columns that were written line by
line across the gutter, and pages that were written in no order at all.
"""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import median

from connectors.formats.pdf.page import Cell, Line, Page

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\ufeff\u200b]")
_CJK = r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
_CJK_BLANK = re.compile(f"(?<={_CJK})[ \u3000](?={_CJK})")
_LIGATURES = str.maketrans(
    {
        "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl",
        "\ufb05": "st", "\ufb06": "st", "\u00a0": " ", "\u00ad": "",
    }
)  # fmt: skip
_MARKER = re.compile(
    r"[•●○◦▪■□‣·∙–—*-]|[\uf0a7\uf0b7\uf0d8]|\(?[\da-zA-Z]{1,3}[.)]|[ivxIVX]{1,5}[.)]"
)
_NUMBER = re.compile(f"{_MARKER.pattern}|\\d{{1,2}}(?:\\.\\d{{1,3}}){{0,4}}\\.?|[A-Z]")
_PROSE_CHARS = 20
_LEAST_ROWS = 8


def rows(page: Page) -> list[Line]:
    """The rows of a page in reading order, their text cleaned."""
    merged = _merged(page.lines)
    gutter = _gutter(merged)
    if gutter is not None:
        merged = _by_columns(merged, gutter)
    elif _is_disordered(merged):
        merged = sorted(merged, key=lambda line: (round(line.y / 3), line.x0))
    return [line for line in map(_clean, merged) if line.text]


def clean(text: str) -> str:
    """Text without control characters, ligatures and blanks between Chinese characters."""
    text = _CONTROL.sub("", text.translate(_LIGATURES).replace("\t", " "))
    return " ".join(_CJK_BLANK.sub("", text).split())


def _clean(line: Line) -> Line:
    cells = tuple(replace(cell, text=clean(cell.text)) for cell in line.cells)
    if cells and (_MARKER if len(cells) > 2 else _NUMBER).fullmatch(cells[0].text):
        cells = _without_first_gap(cells)
    return replace(line, text=clean(line.text), cells=cells)


def _without_first_gap(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """The gap after a bullet or heading number divides no cells."""
    first, second, *rest = cells
    glued = Cell(f"{first.text} {second.text}", first.x0, second.x1)
    return (glued, *rest) if rest else ()


def _merged(lines: Iterable[Line]) -> list[Line]:
    """Lines of one baseline as one row: raised marks glued, distant parts as cells."""
    result: list[Line] = []
    for line in lines:
        if result and _is_same_row(result[-1], line):
            result[-1] = _joined(result[-1], line)
        else:
            result.append(line)
    return result


def _is_same_row(before: Line, line: Line) -> bool:
    size = max(before.size, line.size)
    raised = abs(before.size - line.size) > 0.15 * size
    return (
        before.upright
        and line.upright
        and not before.broken
        and abs(before.y - line.y) <= (0.55 if raised else 0.2) * size
        and -0.3 * size <= line.x0 - before.x1
        and (not raised or line.x0 - before.x1 <= 0.6 * size)
    )


def _joined(before: Line, line: Line) -> Line:
    gap, size = line.x0 - before.x1, max(before.size, line.size)
    wide = gap > 1.6 * size
    glued = gap < 0.12 * size and not _is_note_mark(before, line)
    text = before.text + ("" if glued else " ") + line.text
    cells: tuple[Cell, ...] = ()
    if wide:
        cells = _cells(before) + _cells(line)
    elif before.cells or line.cells:
        glue = Cell(
            f"{_cells(before)[-1].text} {_cells(line)[0].text}",
            _cells(before)[-1].x0,
            _cells(line)[0].x1,
        )
        cells = (*_cells(before)[:-1], glue, *_cells(line)[1:])
    longer = before if len(before.text) >= len(line.text) else line
    return replace(
        longer,
        text=text,
        x0=before.x0,
        x1=max(before.x1, line.x1),
        y=longer.y,
        bold=before.bold and line.bold,
        broken=line.broken,
        cells=cells,
    )


def _is_note_mark(before: Line, line: Line) -> bool:
    """Whether a small mark follows a whole word (`Shen 1`) and is no part of it (`CO2`)."""
    word = before.text.rsplit(" ", 1)[-1]
    return line.size < before.size and (len(word) > 2 or not line.text[:1].isdigit())


def _cells(line: Line) -> tuple[Cell, ...]:
    return line.cells or (Cell(line.text, line.x0, line.x1),)


def _gutter(lines: Sequence[Line]) -> float | None:
    """Where the page is divided, if its rows run across two columns of prose."""
    pairs = [line.cells for line in lines if len(line.cells) == 2]
    prose = [cells for cells in pairs if all(len(cell.text) >= _PROSE_CHARS for cell in cells)]
    if len(prose) < _LEAST_ROWS or len(prose) < 0.5 * len(lines):
        return None
    left_end = max(cells[0].x1 for cells in prose)
    right_start = min(cells[1].x0 for cells in prose)
    return (left_end + right_start) / 2 if left_end < right_start else None


def _by_columns(lines: Sequence[Line], gutter: float) -> list[Line]:
    """Left column before right, a row across both ending the pair."""
    result: list[Line] = []
    left: list[Line] = []
    right: list[Line] = []
    for line in lines:
        if len(line.cells) == 2 and line.cells[0].x1 < gutter < line.cells[1].x0:
            first, second = line.cells
            left.append(replace(line, text=first.text, x1=first.x1, cells=()))
            right.append(replace(line, text=second.text, x0=second.x0, cells=()))
        elif line.x1 < gutter:
            left.append(line)
        elif line.x0 > gutter:
            right.append(line)
        else:
            result += [*left, *right, line]
            left, right = [], []
    return [*result, *left, *right]


def _is_disordered(lines: Sequence[Line]) -> bool:
    """Whether the written order jumps up the page again and again without a new column."""
    if len(lines) < 4:
        return False
    size = median(line.size for line in lines)
    jumps = sum(
        after.y < before.y - 2 * size and after.x0 < before.x1
        for before, after in itertools.pairwise(lines)
    )
    return jumps > 0.25 * len(lines)
