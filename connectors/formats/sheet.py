"""Excel and CSV files: a sheet is a section, its rows follow their header.

A sheet may claim a million rows and hold seven; rows are read one by one and a long stretch of
empty ones ends the sheet. The only file that knows openpyxl.
"""

import csv
import datetime
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from zipfile import BadZipFile

from lxml import etree
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from agent.domain import BlockKind, ParsedDocument, ParseOutcome
from agent.errors import ParseError
from connectors.formats import titles
from connectors.formats.raw.encoding import decode
from connectors.formats.raw.package import Package
from connectors.formats.sections import SectionBuilder

_EMPTY_ROWS = 1_000
_MOST_ROWS = 50_000
_DELIMITERS = ",;\t|"
_SNIFFED_LINES = 20
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def parse(data: bytes, name: str) -> ParsedDocument:
    """Sections of a workbook or of a file of delimited lines."""
    return _workbook(data) if data.startswith(b"PK") else _delimited(decode(data))


def _workbook(data: bytes) -> ParsedDocument:
    """A section for every visible sheet; what is hidden is counted, not read."""
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    except (InvalidFileException, BadZipFile, KeyError, ValueError, TypeError) as error:
        raise ParseError("damaged", f"the workbook cannot be opened ({error})") from error
    package = Package(data)
    builder = SectionBuilder()
    hidden_chars, cut = 0, []
    for sheet in book.worksheets:
        part = getattr(sheet, "_worksheet_path", "")
        rows = _Rows(_cells(sheet), _hidden_rows(package, part))
        if sheet.sheet_state != "visible":
            hidden_chars += sum(len("".join(row)) for row in rows)
            continue
        builder.heading(sheet.title, 1)
        _write(builder, rows)
        hidden_chars += rows.hidden_chars
        if rows.is_cut:
            cut.append(sheet.title)
    return ParsedDocument(
        titles.first_meaningful([book.properties.title or ""]),
        "xlsx",
        ParseOutcome.PARTIAL if cut else ParseOutcome.OK,
        builder.sections(),
        reason=_cut_reason(cut),
        hidden_chars=hidden_chars,
    )


def _delimited(text: str) -> ParsedDocument:
    delimiter = _delimiter(text.split("\n")[:_SNIFFED_LINES])
    builder = SectionBuilder()
    try:
        rows = _Rows(csv.reader(io.StringIO(text), delimiter=delimiter), frozenset())
        _write(builder, rows)
    except csv.Error as error:
        raise ParseError("damaged", f"its lines are no table ({error})") from error
    return ParsedDocument(
        "",
        "csv",
        ParseOutcome.PARTIAL if rows.is_cut else ParseOutcome.OK,
        builder.sections(),
        reason=_cut_reason(["the file"] if rows.is_cut else []),
    )


def _cut_reason(sheets: Sequence[str]) -> str:
    if not sheets:
        return ""
    return f"too_large: only the first {_MOST_ROWS:,} rows of {', '.join(sheets)} are read"


class _Rows:
    """Rows of texts, blank ones as empty lists; stops where only blank ones follow."""

    def __init__(self, source: Iterable[Sequence[str]], hidden: frozenset[int]) -> None:
        self._source = source
        self._hidden = hidden
        self.hidden_chars = 0
        self.is_cut = False

    def __iter__(self) -> Iterator[list[str]]:
        empty = 0
        for number, row in enumerate(self._source, start=1):
            texts = [" ".join(cell.split()) for cell in row]
            while texts and not texts[-1]:
                texts.pop()
            empty = 0 if texts else empty + 1
            if empty > _EMPTY_ROWS:
                return
            if number > _MOST_ROWS:
                self.is_cut = True
                return
            if number in self._hidden:
                self.hidden_chars += len("".join(texts))
            else:
                yield texts


def _write(builder: SectionBuilder, rows: Iterable[list[str]]) -> None:
    """Blocks between blank rows: title rows, a header, the rows below it."""
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
    place = 0
    wide = max(len(row) for row in block) > 1
    while wide and place < len(block) - 1 and sum(map(bool, block[place])) == 1:
        builder.add(BlockKind.PARAGRAPH, " ".join(block[place]).strip())
        place += 1
    if len(block) == 1 and sum(map(bool, block[0])) == 1:
        builder.add(BlockKind.PARAGRAPH, "".join(block[0]))
        return
    for row in block[place:]:
        header = row is block[place] and wide and len(block) - place > 1
        builder.add(BlockKind.HEADER_ROW if header else BlockKind.ROW, " | ".join(row))


def _cells(sheet: Any) -> Iterator[list[str]]:
    for row in sheet.iter_rows():
        yield [_shown(cell.value, getattr(cell, "number_format", "General")) for cell in row]


def _shown(value: object, form: str) -> str:
    """A value as its cell shows it, as far as the common formats go."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).upper()
        case datetime.datetime():
            midnight = value.time() == datetime.time(0)
            return value.date().isoformat() if midnight else value.isoformat(" ", "minutes")
        case int() | float():
            return _number(value, form)
        case _:
            return str(value)


def _number(value: float, form: str) -> str:
    pattern = form.split(";")[0]
    decimals = (
        len(pattern.split(".")[1]) - len(pattern.split(".")[1].lstrip("0")) if "." in pattern else 0
    )
    if "%" in pattern:
        return f"{value * 100:.{decimals}f}%"
    if "#,##0" in pattern:
        return f"{value:,.{decimals}f}"
    if decimals and set(pattern) <= set("0."):
        return f"{value:.{decimals}f}"
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else f"{value:.15g}"


def _hidden_rows(package: Package, part: str) -> frozenset[int]:
    """Numbers of the rows a sheet hides, read before openpyxl, which does not tell."""
    data = package.read(part.lstrip("/"))
    if b"hidden=" not in data:
        return frozenset()
    rows = etree.iterparse(
        io.BytesIO(data), tag=f"{_MAIN}row", resolve_entities=False, no_network=True
    )
    hidden = set()
    for count, (_, row) in enumerate(rows, start=1):
        if row.get("hidden") in ("1", "true"):
            hidden.add(int(row.get("r") or count))
        row.clear()
    return frozenset(hidden)


def _delimiter(lines: Sequence[str]) -> str:
    """The mark that divides most lines into the same number of parts."""
    scores = {}
    for mark in _DELIMITERS:
        counts = Counter(line.count(mark) for line in lines if line.strip())
        count, times = max(counts.items(), key=lambda item: (item[0] > 0, item[1]), default=(0, 0))
        scores[mark] = times * min(count, 50) if count else 0
    return max(_DELIMITERS, key=lambda mark: scores[mark])
