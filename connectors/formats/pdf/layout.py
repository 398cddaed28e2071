"""Lines of a page into the order in which a person reads them.

PDFium follows the order in which the page was written, which is nearly always the order of
reading. Put right here: raised marks that it takes for lines, columns that were written line by
line across the gutter, and pages that were written in no order at all.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from connectors.formats.pdf.columns import aligned
from connectors.formats.pdf.page import Cell, Line, Page, Rule
from connectors.formats.pdf.tables import with_rows

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
_WIDE, _NARROW = 1.6, 0.8
_PROSE_CHARS = 20
_LEAST_ROWS = 8


def rows(page: Page) -> list[Line]:
    """The rows of a page in reading order, their text cleaned."""
    merged = [line for line in map(_clean, _merged(page)) if line.text]
    merged = with_rows(page, merged)
    gutter = _gutter(merged)
    if gutter is not None:
        merged = _by_columns(merged, gutter)
    elif _is_disordered(merged):
        merged = sorted(merged, key=lambda line: (round(line.y / 3), line.x0))
    return aligned(merged)


def clean(text: str) -> str:
    """Text without control characters, ligatures and blanks between Chinese characters."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    text = _CONTROL.sub("", text.translate(_LIGATURES).replace("\t", " "))
    return " ".join(_CJK_BLANK.sub("", text).split())


def _clean(line: Line) -> Line:
    text = clean(line.text)
    if not line.cells and not line.parts:
        return line if text == line.text else replace(line, text=text)
    cells = tuple(replace(cell, text=clean(cell.text)) for cell in line.cells)
    parts = tuple(replace(cell, text=clean(cell.text)) for cell in line.parts)
    if len(cells) > 1 and (_MARKER if len(cells) > 2 else _NUMBER).fullmatch(cells[0].text):
        cells = _without_first_gap(cells)
    return replace(line, text=text, cells=cells, parts=parts)


def _without_first_gap(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """The gap after a bullet or heading number divides no cells."""
    first, second, *rest = cells
    if first.slot != second.slot:
        return cells
    glued = Cell(f"{first.text} {second.text}", first.x0, second.x1, second.slot)
    return (glued, *rest) if rest else ()


def _merged(page: Page) -> list[Line]:
    """Lines of one baseline as one row: raised marks glued, distant parts as cells."""
    result: list[Line] = []
    for line in page.lines:
        if result and _is_same_row(result[-1], line):
            result[-1] = _joined(result[-1], line, page.uprights)
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


def _joined(before: Line, line: Line, uprights: Sequence[Rule]) -> Line:
    gap, size = line.x0 - before.x1, max(before.size, line.size)
    glued = gap < 0.12 * size and not _is_note_mark(before, line)
    wide = gap > _WIDE * size or _is_divided(before, line, uprights)
    longer = before if len(before.text) >= len(line.text) else line
    return replace(
        longer,
        text=before.text + ("" if glued else " ") + line.text,
        x0=before.x0,
        x1=max(before.x1, line.x1),
        y=longer.y,
        bold=before.bold and line.bold,
        broken=line.broken,
        cells=_strung(before, line, apart=wide),
        parts=_strung(before, line, apart=wide or gap > _NARROW * size, narrow=True),
        tag=before.tag or line.tag,
    )


def _is_divided(before: Line, line: Line, uprights: Sequence[Rule]) -> bool:
    """Whether the file says that two pieces stand in different cells, or a rule is between."""
    if before.slot != line.slot:
        return True
    return any(
        before.x1 - 1 <= rule.at <= line.x0 + 1 and rule.start <= line.y - 2 <= rule.end
        for rule in uprights
    )


def _strung(before: Line, line: Line, *, apart: bool, narrow: bool = False) -> tuple[Cell, ...]:
    """The parts of two lines in a row; the two that meet are one unless they stand apart."""
    one, other = before.cells, line.cells
    if narrow:
        one, other = before.parts or one, line.parts or other
    first = one or (before.whole,)
    second = other or (line.whole,)
    if apart:
        return first + second
    if not one and not other:
        return ()
    end, start = first[-1], second[0]
    return (*first[:-1], Cell(f"{end.text} {start.text}", end.x0, start.x1, end.slot), *second[1:])


def _is_note_mark(before: Line, line: Line) -> bool:
    """Whether a small mark follows a whole word (`Shen 1`) and is no part of it (`CO2`)."""
    word = before.text.rsplit(" ", 1)[-1]
    return line.size < before.size and (len(word) > 2 or not line.text[:1].isdigit())


def _gutter(lines: Sequence[Line]) -> float | None:
    """Where the page is divided, if its rows run across two columns of prose."""
    pairs = [line.cells for line in lines if len(line.cells) == 2 and line.row is None]
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
        if _spans(line, gutter):
            first, second = line.cells
            left.append(replace(line, text=first.text, x1=first.x1, cells=(), parts=()))
            right.append(replace(line, text=second.text, x0=second.x0, cells=(), parts=()))
        elif line.x1 < gutter:
            left.append(line)
        elif line.x0 > gutter:
            right.append(line)
        else:
            result += [*left, *right, line]
            left, right = [], []
    return [*result, *left, *right]


def _spans(line: Line, gutter: float) -> bool:
    """Whether a line runs from one column of prose over to the other."""
    two = line.row is None and len(line.cells) == 2
    return two and line.cells[0].x1 < gutter < line.cells[1].x0


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
