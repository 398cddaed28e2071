"""What of a workbook its reader sees beside the cells, and what he does not see.

Read from the parts themselves, as the library for cells does not tell.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from agent.domain import BlockKind
from connectors.formats import drawn
from connectors.formats.raw.package import Package

_XDR = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_TRUE = ("1", "true")
_MOST_COLUMNS = 16_384


@dataclass(frozen=True, slots=True)
class Unseen:
    """Rows and columns of a sheet that are hidden, by number from 1."""

    rows: frozenset[int] = frozenset()
    columns: frozenset[int] = frozenset()


def unseen_of(package: Package, part: str) -> Unseen:
    """What a sheet hides."""
    data = package.read(part)
    if b"hidden=" not in data:
        return Unseen()
    rows: set[int] = set()
    columns: set[int] = set()
    count = 0
    for _, element in etree.iterparse(
        io.BytesIO(data), tag=("{*}row", "{*}col"), resolve_entities=False, no_network=True
    ):
        hidden = element.get("hidden") in _TRUE
        if element.tag.endswith("}row"):
            count = int(element.get("r") or count + 1)
            rows |= {count} if hidden else set()
        elif hidden:
            columns |= set(_span(element))
        element.clear()
    return Unseen(frozenset(rows), frozenset(columns))


def _span(column: etree._Element) -> range:
    first, last = int(column.get("min", "0")), int(column.get("max", "0"))
    return range(first, min(last, _MOST_COLUMNS) + 1)


def comment_chars(package: Package, part: str) -> int:
    """How much is written in the comments of a sheet, which show only when pointed at."""
    found = (
        each.target
        for each in package.relations(part).values()
        if each.kind in ("comments", "threadedComment")
    )
    trees = (package.xml(target) for target in found)
    texts = (text for tree in trees if tree is not None for text in tree.iter("{*}t", "{*}text"))
    return sum(len(text.text or "") for text in texts)


def drawn_blocks(
    package: Package, part: str, hidden_sheets: frozenset[str]
) -> Iterator[drawn.Block]:
    """The lines of boxes drawn on a sheet, and its charts.

    A chart shows what the cells say already, so its title is enough, unless its cells stand on
    a hidden sheet.
    """
    for relation in package.relations(part).values():
        drawing = package.xml(relation.target) if relation.kind == "drawing" else None
        if drawing is None:
            continue
        for body in drawing.iter(f"{_XDR}txBody"):
            if next(body.iterancestors(_FALLBACK), None) is None:
                yield from ((BlockKind.PARAGRAPH, line) for line in drawn.lines_of(body))
        for each in package.relations(relation.target).values():
            chart = package.xml(each.target) if each.kind == "chart" else None
            if chart is not None:
                yield from _chart(chart, hidden_sheets)


def _chart(chart: etree._Element, hidden_sheets: frozenset[str]) -> Iterator[drawn.Block]:
    sources = drawn.sources_of(chart).replace("'", "")
    blocks = drawn.chart(chart)
    whole = not sources or any(f"{name}!" in sources for name in hidden_sheets)
    yield from blocks if whole else (b for b in blocks if b[0] is BlockKind.PARAGRAPH)
