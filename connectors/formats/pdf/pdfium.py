"""Reads pages with PDFium; beside `probe.py` the only file that knows pypdfium2.

PDFium gives the characters of a page in reading order at hundreds of pages a second. Each line
is probed at a few characters for place, size and weight; asking for every character would cost
as much again as the whole reading.
"""

import ctypes
import re
from collections.abc import Iterator

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from agent.errors import ParseError
from connectors.formats.pdf.page import Cell, Line, Page, PageKind
from connectors.formats.pdf.probe import TINY_POINTS, Frame, Probe

MAX_PAGES = 20_000
_PASSWORD = raw.FPDF_ERR_PASSWORD
_GAP = 1.6
_LINE_END = re.compile(r"\r\n|\r|\n|\ufffe")
_GARBLED = re.compile(r"((?:/g\d+ ?|\(cid:\d+\) ?){3,})")
_BLANK = re.compile(r"\s")
_ODD = re.compile(r"[\x00-\x08\x0e-\x1f\ue000-\uf8ff\ufffd]")
_LATIN_MARK = re.compile(r"[\u00a1-\u00bf]")
_INVISIBLE = 3
_WHITE = (255, 255, 255)


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

    def __len__(self) -> int:
        return len(self._pdf)

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
                yield _read(self._pdf, page, index + 1)
            finally:
                page.close()


def _read(pdf: pdfium.PdfDocument, page: pdfium.PdfPage, number: int) -> Page:
    left, bottom, right, top = page.get_bbox()
    frame = Frame(left, bottom, right, top, page.get_rotation())
    textpage = page.get_textpage()
    try:
        text = textpage.get_text_range()
        painted = _painted(page)
        lines, hidden = _lines(textpage, text, frame, painted, number)
    finally:
        textpage.close()
    width, height = frame.size
    kind = _kind(text, painted, any(line.text for line in lines))
    kept = tuple(lines) if kind is PageKind.TEXT else ()
    return Page(
        number,
        width,
        height,
        kind,
        kept,
        tuple(_links(pdf, page)),
        hidden,
        frame.top if frame.rotation == 0 else None,
    )


def _painted(page: pdfium.PdfPage) -> frozenset[int]:
    """Kinds of the objects on a page."""
    count = raw.FPDFPage_CountObjects(page)
    kinds = set()
    for index in range(min(count, 5_000)):
        kinds.add(raw.FPDFPageObj_GetType(raw.FPDFPage_GetObject(page, index)))
    return frozenset(kinds)


def _kind(text: str, painted: frozenset[int], has_lines: bool) -> PageKind:
    if not has_lines:
        drawn = painted - {raw.FPDF_PAGEOBJ_TEXT}
        return PageKind.IMAGE if drawn else PageKind.BLANK
    return PageKind.GARBLED if _is_garbled(text) else PageKind.TEXT


def _is_garbled(text: str) -> bool:
    """Whether characters that no text has, or names of glyphs, make up much of it."""
    most = len(text) - len(_BLANK.findall(text))
    if most < 20:
        return False
    odd, latin = len(_ODD.findall(text)), len(_LATIN_MARK.findall(text))
    runs = sum(len(match) for match in _GARBLED.findall(text))
    return odd > 0.2 * most or latin > 0.25 * most or runs > 0.2 * most


def _lines(
    textpage: pdfium.PdfTextPage,
    text: str,
    frame: Frame,
    painted: frozenset[int],
    number: int,
) -> tuple[list[Line], int]:
    """The visible lines of a page in PDFium's order, and how many characters are not."""
    probe = Probe(textpage)
    exact = len(text) == textpage.count_chars()
    lines: list[Line] = []
    hidden = 0
    for start, end, broken in _spans(text):
        first = start if exact else raw.FPDFText_GetCharIndexFromTextIndex(textpage, start)
        if first < 0:
            continue
        line = _line(probe, text[start:end], first, frame, (number, broken))
        if _is_hidden(probe, line, first, frame, painted):
            hidden += len(line.text)
        else:
            lines.append(line)
    return lines, hidden


def _spans(text: str) -> Iterator[tuple[int, int, bool]]:
    """(start, end, word goes on) of each line without the blanks around it."""
    start = 0
    for match in [*_LINE_END.finditer(text), None]:
        end = len(text) if match is None else match.start()
        part = text[start:end]
        if part.strip():
            left = len(part) - len(part.lstrip())
            yield (
                start + left,
                start + len(part.rstrip()),
                match is not None and match[0] == "\ufffe",
            )
        start = end if match is None else match.end()


def _line(probe: Probe, text: str, first: int, frame: Frame, place: tuple[int, bool]) -> Line:
    last = first + len(text) - 1
    middle = _solid(text, len(text) // 2) + first
    x, y = probe.origin(first)
    _, right, bottom, _ = probe.box(last)
    x0, y0 = frame.shown(x, y)
    x1, _ = frame.shown(right, bottom)
    sizes = sorted(probe.size(index) for index in (first, middle, last))
    return Line(
        text,
        place[0],
        x0,
        max(x1, x0),
        y0,
        round(sizes[1], 1),
        bold=all(probe.bold(index) for index in (first, middle, last)),
        upright=probe.upright(first, frame.rotation),
        broken=place[1],
        cells=_cells(probe, text, first, frame, _GAP * sizes[1]) if frame.rotation == 0 else (),
    )


def _solid(text: str, place: int) -> int:
    """The nearest place from `place` on that holds no blank."""
    while place + 1 < len(text) and text[place].isspace():
        place += 1
    return place


def _cells(probe: Probe, text: str, first: int, frame: Frame, widest: float) -> tuple[Cell, ...]:
    """The parts of a line between gaps wider than `widest` points; empty where it is one."""
    cuts: list[tuple[int, int]] = []
    for match in re.finditer(r"\s+", text):
        _, right, _, _ = probe.box(first + match.start() - 1)
        left, _, _, _ = probe.box(first + match.end())
        if left - right > widest:
            cuts.append(match.span())
    if not cuts:
        return ()
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(text)]
    return tuple(
        Cell(
            text[start:end],
            frame.shown(probe.box(first + start)[0], 0)[0],
            frame.shown(probe.box(first + end - 1)[1], 0)[0],
        )
        for start, end in zip(starts, ends, strict=True)
    )


def _is_hidden(probe: Probe, line: Line, first: int, frame: Frame, painted: frozenset[int]) -> bool:
    """Text that no reader sees: unpainted with no image behind, tiny, white, off the page."""
    width, height = frame.size
    if line.x1 < 0 or line.x0 > width or line.y < 0 or line.y - line.size > height:
        return True
    if line.size < TINY_POINTS:
        return True
    only_text = not painted - {raw.FPDF_PAGEOBJ_TEXT}
    if only_text and probe.colour(first) == _WHITE:
        return True
    no_image = raw.FPDF_PAGEOBJ_IMAGE not in painted and raw.FPDF_PAGEOBJ_FORM not in painted
    return no_image and probe.render_mode(first) == _INVISIBLE


def _links(pdf: pdfium.PdfDocument, page: pdfium.PdfPage) -> Iterator[str]:
    """Addresses that the page links to."""
    position = ctypes.c_int(0)
    link = raw.FPDF_LINK()
    while raw.FPDFLink_Enumerate(page, position, link):
        action = raw.FPDFLink_GetAction(link)
        if (
            action
            and raw.FPDFAction_GetType(action)
            in (
                raw.PDFACTION_URI,
                raw.PDFACTION_REMOTEGOTO,
            )
            and (target := _target(pdf, action))
        ):
            yield target


def _target(pdf: pdfium.PdfDocument, action: raw.FPDF_ACTION) -> str:
    if raw.FPDFAction_GetType(action) == raw.PDFACTION_REMOTEGOTO:
        read = raw.FPDFAction_GetFilePath
        length = read(action, None, 0)
        buffer = ctypes.create_string_buffer(length)
        read(action, buffer, length)
    else:
        length = raw.FPDFAction_GetURIPath(pdf, action, None, 0)
        buffer = ctypes.create_string_buffer(length)
        raw.FPDFAction_GetURIPath(pdf, action, buffer, length)
    return buffer.value.decode("utf-8", "replace")
