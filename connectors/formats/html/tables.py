"""Tables of a page as rows, each cell once and in its column."""

from collections.abc import Iterator

from lxml import etree, html

from agent.domain import BlockKind
from connectors.formats.html.pieces import BLOCKS, HEADINGS, Piece

_WIDEST, _TALLEST = 100, 1_000


def table_of(row: html.HtmlElement) -> html.HtmlElement | None:
    """The innermost table that a row belongs to."""
    return next(row.iterancestors("table"), None)


def arranges(table: html.HtmlElement, rows: list[html.HtmlElement]) -> bool:
    """Whether a table only arranges the page: it holds tables, or has one column."""
    if table.get("role") == "presentation" or table.find(".//table") is not None:
        return True
    return all(len(_cells(row)) <= 1 for row in rows)


def row_pieces(rows: list[html.HtmlElement]) -> list[Piece]:
    """The rows that hold text; the first of several is the header where it has columns."""
    texts = [_joined(cells) for cells in _grid(rows)]
    filled = [place for place, text in enumerate(texts) if text]
    header = filled[0] if len(filled) > 1 and _is_header(rows[filled[0]]) else None
    return [
        Piece(text, BlockKind.HEADER_ROW if place == header else BlockKind.ROW)
        for place, text in enumerate(texts)
        if text
    ]


def _cells(row: html.HtmlElement) -> list[html.HtmlElement]:
    return [cell for cell in row if cell.tag in ("td", "th")]


def _is_header(row: html.HtmlElement) -> bool:
    cells = _cells(row)
    in_head = next(row.iterancestors("thead"), None) is not None
    return in_head or len(cells) > 1 or all(cell.tag == "th" for cell in cells)


def _grid(rows: list[html.HtmlElement]) -> Iterator[list[str]]:
    """Texts by column; a cell over several columns or rows stands in its first."""
    hanging: dict[int, int] = {}
    for row in rows:
        texts: list[str] = []
        for cell in _cells(row):
            _fill(texts, hanging)
            down = _span(cell, "rowspan", _TALLEST) - 1
            text = _cell_text(cell)
            for _ in range(_span(cell, "colspan", _WIDEST)):
                hanging[len(texts)] = down
                texts.append(text)
                text = ""
        _fill(texts, hanging)
        yield texts


def _fill(texts: list[str], hanging: dict[int, int]) -> None:
    """Leave the columns empty that a cell from above still covers."""
    while hanging.get(len(texts), 0) > 0:
        hanging[len(texts)] -= 1
        texts.append("")


def _span(cell: html.HtmlElement, name: str, most: int) -> int:
    stated = cell.get(name, "1").strip()
    return min(max(int(stated), 1), most) if stated.isdecimal() else 1


def _cell_text(cell: html.HtmlElement) -> str:
    """A cell on one line; its paragraphs and breaks become blanks."""
    parts: list[str] = []
    for event, element in etree.iterwalk(cell, events=("start", "end")):
        if event == "start":
            parts.append(element.text or "")
            if element.tag == "img":
                parts.append(element.get("alt") or "")
        if element is not cell:
            blank = " " if element.tag in BLOCKS or element.tag in ("br", *HEADINGS) else ""
            parts.append(blank)
            if event == "end":
                parts.append(element.tail or "")
    return " ".join("".join(parts).split())


def _joined(cells: list[str]) -> str:
    """Cells joined; empty ones at the end dropped, the others keep their column."""
    while cells and not cells[-1]:
        cells = cells[:-1]
    return " | ".join(cells)
