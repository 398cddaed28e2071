"""Bookmarks, labels and title by PDFium, for files whose own tables are broken.

PDFium builds the tables of such a file again when it opens it, so that it finds each object at
once, where pypdf searches the whole file for it.
"""

from collections.abc import Iterator

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from connectors.formats.pdf.extras import Bookmark, Extras

_MOST_BOOKMARKS = 5_000
_TOP_AT = {raw.PDFDEST_VIEW_XYZ: 1, raw.PDFDEST_VIEW_FITH: 0, raw.PDFDEST_VIEW_FITBH: 0}
"""Which number of a destination is its height on the page."""


def read_extras(data: bytes) -> Extras:
    """What the file says of itself; nothing where PDFium cannot open it."""
    try:
        pdf = pdfium.PdfDocument(data, password="")
    except pdfium.PdfiumError:
        return Extras()
    try:
        marks = list(_marks(pdf))
        found = tuple(mark for mark in marks if mark is not None)
        title = str(pdf.get_metadata_value("Title"))
        return Extras(title, found, len(marks) - len(found), tuple(_labels(pdf)))
    finally:
        pdf.close()


def _marks(pdf: pdfium.PdfDocument) -> Iterator[Bookmark | None]:
    """The bookmarks in order; None for one that leads nowhere."""
    for number, entry in enumerate(pdf.get_toc()):
        if number >= _MOST_BOOKMARKS:
            return
        target, title = entry.get_dest(), " ".join(entry.get_title().split())
        page = target.get_index() if target else None
        if target is None or page is None or not title:
            yield None
        else:
            yield Bookmark(title, entry.level + 1, page + 1, _top(target))


def _top(target: pdfium.PdfDest) -> float | None:
    view, numbers = target.get_view()
    place = _TOP_AT.get(view)
    return float(numbers[place]) if place is not None and place < len(numbers) else None


def _labels(pdf: pdfium.PdfDocument) -> Iterator[tuple[int, str]]:
    for number in range(1, len(pdf) + 1):
        label = pdf.get_page_label(number - 1)
        if label and label != str(number):
            yield number, label
