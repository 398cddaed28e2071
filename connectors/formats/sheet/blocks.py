"""Rows of cells to blocks: title rows, a header, the rows below it; blank rows stand between."""

import re
from collections.abc import Iterable, Iterator, Sequence

from agent.domain import BlockKind
from connectors.formats.sections import SectionBuilder

MOST_ROWS = 50_000
"""Rows of a sheet that are read."""
MOST_CHARS = 20_000_000
"""Characters of a workbook that are read; one string may be shown by every cell."""
_EMPTY_ROWS = 10_000
"""Blank rows in a row after which the rest is not looked at."""
_NUMBER = re.compile(r"[-+(]?\s?(?:[$€£¥]|[A-Z]{3}\s)?\s?\d[\d.,' ]*\s?(?:%|[€$]|[A-Z]{3})?\)?")
_YEAR = re.compile(r"(?:19|20)\d\d")


class Rows:
    """Rows of texts, blank ones as empty lists; stops where only blank ones follow."""

    def __init__(
        self,
        source: Iterable[Sequence[str]],
        rows: frozenset[int] = frozenset(),
        columns: frozenset[int] = frozenset(),
        most_chars: int = MOST_CHARS,
    ) -> None:
        """Nothing is read yet.

        Args:
            source: the cells of each row, as they are shown.
            rows: numbers of the rows that are hidden, from 1.
            columns: numbers of the columns that are, from 1.
            most_chars: that are read.
        """
        self.chars = 0
        self._most_chars = most_chars
        self._source = source
        self._rows = rows
        self._columns = columns
        self.hidden_chars = 0
        self.is_cut = False

    def __iter__(self) -> Iterator[list[str]]:
        empty = 0
        for number, row in enumerate(self._source, start=1):
            texts = self._visible([" ".join(cell.split()) for cell in row])
            empty = 0 if texts else empty + 1
            if empty > _EMPTY_ROWS:
                return
            self.chars += sum(map(len, texts))
            if number > MOST_ROWS or self.chars > self._most_chars:
                self.is_cut = True
                return
            if number in self._rows:
                self.hidden_chars += len("".join(texts))
            else:
                yield texts

    def _visible(self, texts: list[str]) -> list[str]:
        if self._columns:
            pairs = list(enumerate(texts, start=1))
            self.hidden_chars += sum(len(text) for place, text in pairs if place in self._columns)
            texts = [text for place, text in pairs if place not in self._columns]
        while texts and not texts[-1]:
            texts.pop()
        return texts


def write(builder: SectionBuilder, rows: Iterable[list[str]]) -> None:
    """All rows of a sheet, block by block."""
    block: list[list[str]] = []
    for row in rows:
        if row:
            block.append(row)
        elif block:
            _write_block(builder, block)
            block = []
    if block:
        _write_block(builder, block)


def _write_block(builder: SectionBuilder, block: Sequence[list[str]]) -> None:
    block = _without_margin(block)
    place = 0
    wide = max(len(row) for row in block) > 1
    while wide and place < len(block) - 1 and sum(map(bool, block[place])) == 1:
        builder.add(BlockKind.PARAGRAPH, " ".join(block[place]).strip())
        place += 1
    if len(block) == 1 and sum(map(bool, block[0])) == 1:
        builder.add(BlockKind.PARAGRAPH, "".join(block[0]))
        return
    headed = wide and len(block) - place > 1 and _names_columns(block[place])
    for row in block[place:]:
        header = headed and row is block[place]
        builder.add(BlockKind.HEADER_ROW if header else BlockKind.ROW, " | ".join(row))


def _without_margin(block: Sequence[list[str]]) -> list[list[str]]:
    """The rows without the columns at their left that are blank in all of them."""
    margin = min(next(place for place, cell in enumerate(row) if cell) for row in block)
    return [row[margin:] for row in block]


def _names_columns(row: Sequence[str]) -> bool:
    """Whether a row is a header: words, or years, but not mostly numbers."""
    cells = [cell for cell in row if cell]
    numbers = sum(bool(_NUMBER.fullmatch(cell)) and not _YEAR.fullmatch(cell) for cell in cells)
    return 2 * numbers <= len(cells)
