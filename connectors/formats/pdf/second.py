"""What PDFium is not asked for: bookmarks, printed page numbers, the title, a second try.

The only file that knows pypdf. Its text is slower and rougher than PDFium's, but it opens some
damaged files that PDFium refuses.
"""

import io
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from pypdf import PdfReader
from pypdf.errors import DeprecationError, PyPdfError
from pypdf.generic import Destination

_MOST_BOOKMARKS = 5_000
_HOSTILE = (
    PyPdfError, DeprecationError, ValueError, KeyError, TypeError, AttributeError, IndexError,
    RecursionError, NotImplementedError, OverflowError, ArithmeticError, AssertionError, OSError,
)  # fmt: skip
"""What pypdf raises on broken files; each means that this file does not have what we ask for."""


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the outline.

    Attributes:
        level: from 1.
        page: physical page, from 1.
        top: height on the page in the file's own points; None where it names none.
    """

    title: str
    level: int
    page: int
    top: float | None


@dataclass(frozen=True, slots=True)
class Extras:
    """What a PDF says of itself beside its text.

    Attributes:
        labels: printed page numbers by physical page from 1, where they differ.
        unresolved: bookmarks that lead nowhere.
    """

    title: str = ""
    bookmarks: tuple[Bookmark, ...] = ()
    unresolved: int = 0
    labels: tuple[tuple[int, str], ...] = ()


def read_extras(data: bytes) -> Extras:
    """Bookmarks, labels and title; what a broken file does not give is left out."""
    reader = _opened(data)
    if reader is None:
        return Extras()
    bookmarks, unresolved = _bookmarks(reader)
    return Extras(_title(reader), bookmarks, unresolved, _labels(reader))


def read_texts(data: bytes, numbers: Collection[int] | None = None) -> dict[int, str]:
    """Plain text by page number from 1; empty where pypdf cannot open the file either.

    Args:
        data: the file.
        numbers: the pages that are wanted; None for all.
    """
    reader = _opened(data)
    if reader is None:
        return {}
    try:
        count = len(reader.pages)
    except _HOSTILE:
        return {}
    wanted = range(1, count + 1) if numbers is None else sorted(numbers)
    return {number: _page_text(reader, number - 1) for number in wanted if number <= count}


def _opened(data: bytes) -> PdfReader | None:
    try:
        reader = PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            return None
    except _HOSTILE:
        return None
    return reader


def _page_text(reader: PdfReader, index: int) -> str:
    try:
        return reader.pages[index].extract_text() or ""
    except _HOSTILE:
        return ""


def _title(reader: PdfReader) -> str:
    try:
        return str((reader.metadata and reader.metadata.title) or "")
    except _HOSTILE:
        return ""


def _labels(reader: PdfReader) -> tuple[tuple[int, str], ...]:
    try:
        labels = reader.page_labels
    except _HOSTILE:
        return ()
    return tuple(
        (number, label) for number, label in enumerate(labels, start=1) if label != str(number)
    )


def _bookmarks(reader: PdfReader) -> tuple[tuple[Bookmark, ...], int]:
    found: list[Bookmark] = []
    unresolved = 0
    try:
        for entry, level in _flat(reader.outline, 1):
            bookmark = _bookmark(reader, entry, level)
            if bookmark is None:
                unresolved += 1
            else:
                found.append(bookmark)
            if len(found) + unresolved >= _MOST_BOOKMARKS:
                break
    except _HOSTILE:
        return (), 0
    return tuple(found), unresolved


def _flat(outline: list[Any], level: int) -> Iterator[tuple[Destination, int]]:
    for entry in outline:
        if isinstance(entry, list):
            yield from _flat(entry, level + 1)
        else:
            yield entry, level


def _bookmark(reader: PdfReader, entry: Destination, level: int) -> Bookmark | None:
    try:
        page = reader.get_destination_page_number(entry)
        title = " ".join(str(entry.title).split())
    except _HOSTILE:
        return None
    if page is None or page < 0 or not title:
        return None
    return Bookmark(title, level, page + 1, _top(entry))


def _top(entry: Destination) -> float | None:
    try:
        return float(entry.top) if entry.top is not None else None
    except _HOSTILE:
        return None
