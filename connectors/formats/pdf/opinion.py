"""A second opinion on what PDFium cannot open or make sense of: plain text, without its place.

Some damaged files open with pypdf, and some fonts that mean nothing to PDFium mean something to
it. Its lines carry no type, so only bookmarks and numbers can head sections among them.
"""

from collections.abc import Sequence
from dataclasses import replace

from connectors.formats.pdf.page import Line, Page, PageKind
from connectors.formats.pdf.pdfium.file import is_garbled
from connectors.formats.pdf.second import read_texts

_ASKED = (PageKind.GARBLED, PageKind.BROKEN)
_MOST_PAGES = 100
_LEAST_CHARS = 20
_SOME_S, _ALL_S = 4.0, 6.0
"""Seconds of CPU time for single pages and for a whole file; what is left then stays unread."""
_WIDTH, _HEIGHT = 612.0, 792.0
_SIZE, _PITCH, _MARGIN = 10.0, 12.0, 108.0


def with_second_opinion(data: bytes, pages: Sequence[Page]) -> list[Page]:
    """The pages, with readable text on those that were garbled or broken where pypdf has it."""
    asked = [page.number for page in pages if page.kind in _ASKED][:_MOST_PAGES]
    texts = read_texts(data, _SOME_S, asked) if asked else {}
    return [
        replace(page, kind=PageKind.TEXT, lines=_lines(text, page.number))
        if _is_readable(text := texts.get(page.number) or "")
        else page
        for page in pages
    ]


def pages_of_text(data: bytes) -> list[Page]:
    """All pages as pypdf finds them."""
    pages: list[Page] = []
    for number, text in read_texts(data, _ALL_S).items():
        lines = _lines(text or "", number)
        kind = PageKind.TEXT if lines else PageKind.BLANK
        if text is None:
            kind = PageKind.BROKEN
        elif is_garbled(text):
            kind, lines = PageKind.GARBLED, ()
        pages.append(Page(number, _WIDTH, _HEIGHT, kind, lines))
    return pages


def _is_readable(text: str) -> bool:
    return len(text.strip()) >= _LEAST_CHARS and not is_garbled(text)


def _lines(text: str, number: int) -> tuple[Line, ...]:
    """Lines one below the other, away from the edges where running heads stand."""
    return tuple(
        Line(line.strip(), number, _MARGIN, _WIDTH - _MARGIN, _MARGIN + _PITCH * place, _SIZE)
        for place, line in enumerate(text.split("\n"))
        if line.strip()
    )
