"""A section's source text as a reader sees it: paragraphs, lists, tables, code, the quote marked.

Pure values for the templates. Offsets are those of the source text throughout, so that a mark
falls on the very characters that were quoted, across blocks and table cells.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from agent.domain import Block, BlockKind, Section

_CELL = " | "
_BULLET = re.compile(r"\s*(?:[-*•‣◦]|(?P<number>[\w一二三四五六七八九十]{1,4}[.)、]))\s+")
_INDENT = 2
_DEEPEST = 6

Mark = tuple[int, int] | None
"""Half-open offsets of the quote in the section's source text."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text, all of it marked or none."""

    text: str
    marked: bool


Pieces = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class ListItem:
    """One item: how deep it lies, from 0, its own number (empty for a bullet), its text."""

    depth: int
    number: str
    pieces: Pieces


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a table and whether it is a header."""

    header: bool
    cells: tuple[Pieces, ...]


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """What a template draws in one go.

    Attributes:
        kind: `paragraph`, `code`, `list` or `table`.
        page: physical page that begins here; None where none does.
    """

    kind: str
    page: int | None = None
    pieces: Pieces = ()
    items: tuple[ListItem, ...] = ()
    rows: tuple[TableRow, ...] = ()


def pieces(text: str, start: int, end: int, mark: Mark) -> Pieces:
    """`text[start:end]` cut where the mark begins and ends."""
    if mark is None or mark[1] <= start or mark[0] >= end:
        return (Piece(text[start:end], marked=False),) if end > start else ()
    first, last = max(start, mark[0]), min(end, mark[1])
    cut = ((start, first, False), (first, last, True), (last, end, False))
    return tuple(Piece(text[low:high], marked) for low, high, marked in cut if high > low)


def shown_blocks(
    section: Section, mark: Mark = None, within: tuple[int, int] | None = None
) -> tuple[ShownBlock, ...]:
    """The section's own text, block by block.

    Args:
        section: with the blocks its parser found.
        mark: the quote; None: nothing is marked.
        within: half-open offsets of the stretch to show; None: all of it.
    """
    blocks = section.blocks or _one_block(section)
    if within is not None:
        blocks = tuple(_clipped(blocks, *within))
    return tuple(_with_pages(section, _runs(section.text, blocks, mark)))


def blocks_of_lines(lines: Iterable[str], header: str = "") -> tuple[ShownBlock, ...]:
    """Quoted words, of which only the text is known, as the blocks they most likely were.

    Args:
        lines: of the quote.
        header: the column names over a quoted row; empty where there are none.
    """
    written = [line.rstrip() for line in lines if line.strip()]
    kinds = [_likely_kind(line) for line in written]
    if header and BlockKind.ROW in kinds:
        written, kinds = [header, *written], [BlockKind.HEADER_ROW, *kinds]
    text, blocks = "", []
    for line, kind in zip(written, kinds, strict=True):
        blocks.append(Block(kind, len(text), len(text) + len(line)))
        text += f"{line}\n"
    return tuple(shown for _, shown in _runs(text, tuple(blocks), None))


def _likely_kind(line: str) -> BlockKind:
    if _CELL in line:
        return BlockKind.ROW
    return BlockKind.ITEM if _BULLET.match(line) else BlockKind.PARAGRAPH


def _clipped(blocks: tuple[Block, ...], low: int, high: int) -> Iterator[Block]:
    for block in blocks:
        if block.end > low and block.start < high:
            yield Block(block.kind, max(block.start, low), min(block.end, high), block.page)


def _one_block(section: Section) -> tuple[Block, ...]:
    whole = Block(BlockKind.PARAGRAPH, 0, len(section.text), section.page_from)
    return (whole,) if section.text.strip() else ()


def _runs(text: str, blocks: tuple[Block, ...], mark: Mark) -> Iterator[tuple[Block, ShownBlock]]:
    for family, group in groupby(blocks, key=_family):
        run = tuple(group)
        match family:
            case "list":
                yield run[0], ShownBlock("list", items=tuple(_item(text, b, mark) for b in run))
            case "table":
                yield run[0], ShownBlock("table", rows=tuple(_row(text, b, mark) for b in run))
            case _:
                for block in run:
                    shown = pieces(text, block.start, block.end, mark)
                    yield block, ShownBlock(family, pieces=shown)


def _family(block: Block) -> str:
    match block.kind:
        case BlockKind.ITEM:
            return "list"
        case BlockKind.ROW | BlockKind.HEADER_ROW:
            return "table"
        case BlockKind.CODE:
            return "code"
        case _:
            return "paragraph"


def _with_pages(section: Section, runs: Iterator[tuple[Block, ShownBlock]]) -> Iterator[ShownBlock]:
    page = section.page_from
    for block, shown in runs:
        turned = block.page is not None and block.page != page
        page = block.page or page
        yield ShownBlock(
            shown.kind, page if turned else None, shown.pieces, shown.items, shown.rows
        )


def _item(text: str, block: Block, mark: Mark) -> ListItem:
    written = text[block.start : block.end]
    depth = (len(written) - len(written.lstrip(" "))) // _INDENT
    bullet = _BULLET.match(written)
    start = block.start + (bullet.end() if bullet else 0)
    number = (bullet["number"] or "") if bullet else ""
    return ListItem(min(depth, _DEEPEST), number, pieces(text, start, block.end, mark))


def _row(text: str, block: Block, mark: Mark) -> TableRow:
    cells: list[Pieces] = []
    start = block.start
    while True:
        end = text.find(_CELL, start, block.end)
        cells.append(pieces(text, start, block.end if end < 0 else end, mark))
        if end < 0:
            return TableRow(block.kind is BlockKind.HEADER_ROW, tuple(cells))
        start = end + len(_CELL)
