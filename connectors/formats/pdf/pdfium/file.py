"""Opens a PDF with PDFium and reads its pages.

PDFium gives the characters of a page in reading order at hundreds of pages a second. Each line
is probed at a few characters for place, size and weight; asking for every character would cost
as much again as the whole reading.
"""

import ctypes
import re
from collections.abc import Iterator
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from agent.errors import ParseError
from connectors.formats.pdf.page import Line, Page, PageKind
from connectors.formats.pdf.pdfium.drawn import Drawing, Drawn
from connectors.formats.pdf.pdfium.fields import Fields
from connectors.formats.pdf.pdfium.lines import Lines
from connectors.formats.pdf.pdfium.probe import Frame
from connectors.formats.pdf.pdfium.structure import read_tags

MAX_PAGES = 20_000
_PASSWORD = raw.FPDF_ERR_PASSWORD
_GARBLED = re.compile(r"((?:/g\d+ ?|\(cid:\d+\) ?){3,})")
_ODD = re.compile(r"[\x00-\x08\x0e-\x1f\ue000-\uf8ff\ufffd]")
_LATIN_MARK = re.compile(r"[\u00a1-\u00bf]")


class PdfiumFile:
    """An open PDF; close it, as its memory is not Python's."""

    def __init__(self, data: bytes) -> None:
        try:
            self._pdf = pdfium.PdfDocument(data, password="")
        except pdfium.PdfiumError as error:
            if getattr(error, "err_code", None) == _PASSWORD:
                raise ParseError("password", "the file is protected with a password") from error
            raise ParseError("damaged", f"the PDF cannot be opened ({error})") from error
        if len(self._pdf) > MAX_PAGES:
            raise ParseError("too_large", f"the PDF claims {len(self._pdf):,} pages")
        self._tagged = bool(raw.FPDFCatalog_IsTagged(self._pdf))
        self._fields = Fields(self._pdf)
        self._drawing = Drawing()

    def __len__(self) -> int:
        return len(self._pdf)

    @property
    def is_whole(self) -> bool:
        """Whether its table of objects is as it was written, and was not built again."""
        return bool(raw.FPDF_DocumentHasValidCrossReferenceTable(self._pdf))

    def close(self) -> None:
        """Give the memory back."""
        self._pdf.close()

    def pages(self) -> Iterator[Page]:
        """All pages in order; one that cannot be loaded is `BROKEN`."""
        for index in range(len(self._pdf)):
            try:
                page = self._pdf[index]
            except pdfium.PdfiumError:
                yield Page(index + 1, 0, 0, PageKind.BROKEN)
                continue
            try:
                yield self._read(page, index + 1)
            except pdfium.PdfiumError:
                yield Page(index + 1, 0, 0, PageKind.BROKEN)
            finally:
                page.close()

    def _read(self, page: pdfium.PdfPage, number: int) -> Page:
        left, bottom, right, top = page.get_bbox()
        frame = Frame(left, bottom, right, top, page.get_rotation())
        drawn = self._drawing.read(page, frame)
        tags = read_tags(page) if self._tagged else {}
        textpage = page.get_textpage()
        try:
            reading = Lines(textpage, frame, drawn, tags, number)
            lines = reading.read()
            if lines and reading.turn:
                frame = frame.turned(reading.turn)
                drawn = self._drawing.read(page, frame)
                reading = Lines(textpage, frame, drawn, tags, number)
                lines = reading.read()
        finally:
            textpage.close()
        lines, unseen = self._fields.added(page, frame, lines, number)
        return _page(reading, lines, (drawn, frame), tuple(_links(self._pdf, page)), unseen)


def _page(
    reading: Lines,
    lines: list[Line],
    shown: tuple[Drawn, Frame],
    links: tuple[str, ...],
    unseen: int,
) -> Page:
    drawn, frame = shown
    kind = _kind(reading.text, drawn, any(line.text.strip() for line in lines))
    return Page(
        reading.number,
        *frame.size,
        kind,
        tuple(lines) if kind is PageKind.TEXT else (),
        links,
        reading.hidden + unseen,
        frame.top if frame.rotation == 0 else None,
        tuple(drawn.uprights),
        tuple(drawn.levels),
    )


def _kind(text: str, drawn: Drawn, has_lines: bool) -> PageKind:
    if not has_lines:
        return PageKind.BLANK if drawn.only_text else PageKind.IMAGE
    return PageKind.GARBLED if is_garbled(text) else PageKind.TEXT


def is_garbled(text: str) -> bool:
    """Whether characters that no text has, or names of glyphs, make up much of it."""
    solid = "".join(text.split())
    most = len(solid)
    if most < 20:
        return False
    plain = solid.isprintable() and "\ufffd" not in solid
    odd = 0 if plain else len(_ODD.findall(text))
    latin = 0 if text.isascii() else len(_LATIN_MARK.findall(text))
    named = "/g" in text or "(cid:" in text
    runs = sum(len(match) for match in _GARBLED.findall(text)) if named else 0
    return odd > 0.2 * most or latin > 0.25 * most or runs > 0.2 * most


def _links(pdf: pdfium.PdfDocument, page: pdfium.PdfPage) -> Iterator[str]:
    """Addresses that the page links to."""
    position = ctypes.c_int(0)
    link = raw.FPDF_LINK()
    while raw.FPDFLink_Enumerate(page, position, link):
        action = raw.FPDFLink_GetAction(link)
        if action and (target := _target(pdf, action)):
            yield target


def _target(pdf: pdfium.PdfDocument, action: Any) -> str:
    kind = raw.FPDFAction_GetType(action)
    if kind == raw.PDFACTION_REMOTEGOTO:
        length = raw.FPDFAction_GetFilePath(action, None, 0)
        buffer = ctypes.create_string_buffer(length)
        raw.FPDFAction_GetFilePath(action, buffer, length)
    elif kind == raw.PDFACTION_URI:
        length = raw.FPDFAction_GetURIPath(pdf, action, None, 0)
        buffer = ctypes.create_string_buffer(length)
        raw.FPDFAction_GetURIPath(pdf, action, buffer, length)
    else:
        return ""
    return buffer.value.decode("utf-8", "replace")
