"""Excel and CSV files: a sheet is a section, its rows follow their header.

A sheet may claim a million rows and hold seven; rows are read one by one and a long stretch of
empty ones ends the sheet. The only file that knows openpyxl.
"""

import datetime
import io
from collections.abc import Iterator, Sequence
from typing import Any
from zipfile import BadZipFile

from lxml import etree
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from agent.domain import ParsedDocument, ParseOutcome
from agent.errors import ParseError
from connectors.formats import titles
from connectors.formats.raw.encoding import decode
from connectors.formats.raw.package import Package
from connectors.formats.raw.strict import usual
from connectors.formats.sections import SectionBuilder
from connectors.formats.sheet import blocks, dates, delimited, formats, seen

_BROKEN = (
    InvalidFileException, BadZipFile, KeyError, ValueError, TypeError, AttributeError, IndexError,
    etree.XMLSyntaxError, SyntaxError,
)  # fmt: skip
"""What openpyxl raises of a broken workbook; SyntaxError is that of its XML."""
_CELL_CHARS = 32_767
"""What a cell can hold at most."""


def parse(data: bytes, name: str) -> ParsedDocument:
    """Sections of a workbook or of a file of delimited lines."""
    return _Workbook(data).document() if data.startswith(b"PK") else _delimited(decode(data))


class _Workbook:
    """Reads one sheet after the other; what is hidden is counted, not read."""

    def __init__(self, data: bytes) -> None:
        data = usual(data)
        self._book = _opened(data)
        self._package = Package(data)
        self._hidden_sheets = frozenset(
            sheet.title for sheet in self._book.worksheets if sheet.sheet_state != "visible"
        )
        self._builder = SectionBuilder()
        self._hidden_chars = 0
        self._left = blocks.MOST_CHARS
        self._cut: list[str] = []
        self._broken: list[str] = []

    def document(self) -> ParsedDocument:
        """All of it."""
        for sheet in self._book.worksheets:
            try:
                self._read(sheet)
            except _BROKEN:
                self._broken.append(sheet.title)
        reason = _reason(self._cut, self._broken)
        sections = self._builder.sections()
        filled = any(section.blocks for section in sections)
        if not filled and not reason and self._hidden_chars:
            reason = "empty: everything in it is hidden"
        return ParsedDocument(
            titles.first_meaningful([self._book.properties.title or ""]),
            "xlsx",
            ParseOutcome.PARTIAL if reason else ParseOutcome.OK,
            sections if filled else (),
            reason=reason,
            hidden_chars=self._hidden_chars,
        )

    def _read(self, sheet: Any) -> None:
        part = str(getattr(sheet, "_worksheet_path", "")).lstrip("/")
        unseen = seen.unseen_of(self._package, part)
        rows = blocks.Rows(self._cells(sheet), unseen.rows, unseen.columns, self._left)
        if sheet.sheet_state != "visible":
            self._hidden_chars += sum(len("".join(row)) for row in rows) + rows.hidden_chars
            self._left -= rows.chars
            return
        self._builder.heading(sheet.title, 1)
        blocks.write(self._builder, rows)
        for kind, line in seen.drawn_blocks(self._package, part, self._hidden_sheets):
            self._builder.add(kind, line)
        self._hidden_chars += rows.hidden_chars + seen.comment_chars(self._package, part)
        self._left -= rows.chars
        if rows.is_cut:
            self._cut.append(sheet.title)

    def _cells(self, sheet: Any) -> Iterator[list[str]]:
        """The rows as they are shown; the size that the sheet claims is often wrong."""
        sheet.reset_dimensions()
        for row in sheet.iter_rows():
            yield [self._cell(each) for each in row]

    def _cell(self, cell: Any) -> str:
        value = cell.value
        if value is None:
            return ""
        shown = _shown(value, getattr(cell, "number_format", None) or "General")
        if not shown.strip():
            self._hidden_chars += len(str(value).strip())
        return shown


def _opened(data: bytes) -> Any:
    try:
        return load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    except _BROKEN as error:
        raise ParseError("damaged", f"the workbook cannot be opened ({error})") from error


def _shown(value: object, form: str) -> str:
    """A value as its cell shows it."""
    match value:
        case bool():
            return str(value).upper()
        case datetime.datetime() | datetime.date() | datetime.time():
            return dates.moment(value, form)
        case datetime.timedelta():
            return dates.span(value, form)
        case int() | float():
            return formats.number(value, form)
        case _:
            return formats.text(str(value)[:_CELL_CHARS], form)


def _delimited(text: str) -> ParsedDocument:
    builder = SectionBuilder()
    rows = blocks.Rows(delimited.cells(text))
    blocks.write(builder, rows)
    reason = _reason(["the file"] if rows.is_cut else [], [])
    return ParsedDocument(
        "",
        "csv",
        ParseOutcome.PARTIAL if reason else ParseOutcome.OK,
        builder.sections(),
        reason=reason,
    )


def _reason(cut: Sequence[str], broken: Sequence[str]) -> str:
    """Why some of it is missing; empty where nothing is."""
    if broken:
        return f"damaged: {', '.join(broken)} cannot be read to the end"
    if cut:
        return f"too_large: only the beginning of {', '.join(cut)} is read"
    return ""
