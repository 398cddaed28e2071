"""What PDFium is not asked for: bookmarks, printed page numbers, the title, a second try.

With `sparing` the only file that knows pypdf. Its text is slower and rougher than PDFium's, but
it opens some damaged files that PDFium refuses.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Any, TypeVar

from pypdf import PasswordType
from pypdf.errors import DeprecationError, PyPdfError
from pypdf.generic import Destination

from connectors.formats.pdf.extras import Bookmark, Extras
from connectors.formats.pdf.sparing import SparingReader, TimedReader

_Reader = TypeVar("_Reader", bound=TimedReader)
_MOST_BOOKMARKS = 5_000
_EXTRAS_S = 3.0
"""Seconds of CPU time for what a file says of itself; a manual of 600 pages takes half of one."""
_HOSTILE = (
    PyPdfError, DeprecationError, ValueError, KeyError, TypeError, AttributeError, IndexError,
    RecursionError, OverflowError, ArithmeticError, AssertionError, OSError,
    NotImplementedError,  # pypdf's word for filters and encryptions it does not know
)  # fmt: skip
"""What pypdf raises on broken files; each means that this file does not have what we ask for."""


def read_extras(data: bytes, pages: int) -> Extras | None:
    """Bookmarks, labels and title; what a broken file does not give is left out.

    Args:
        data: the whole file.
        pages: how many it has.

    Returns:
        None where pypdf cannot open the file, or takes too long over it.
    """
    reader = _opened(lambda: SparingReader(data, _EXTRAS_S, pages))
    if reader is None:
        return None
    bookmarks, unresolved = _bookmarks(reader)
    extras = Extras(_title(reader), bookmarks, unresolved, _labels(reader))
    return None if reader.is_late() else extras


def read_texts(
    data: bytes, seconds: float, numbers: Collection[int] | None = None
) -> dict[int, str | None]:
    """Plain text by page number from 1; empty where pypdf cannot open the file either.

    Args:
        data: the file.
        seconds: of CPU time that it may take.
        numbers: the pages that are wanted; None for all.

    Returns:
        None in place of a text that there was no time for.
    """
    reader = _opened(lambda: TimedReader(data, seconds))
    if reader is None:
        return {}
    try:
        count = len(reader.pages)
    except _HOSTILE:
        return {}
    wanted = range(1, count + 1) if numbers is None else sorted(numbers)
    return {number: _page_text(reader, number - 1) for number in wanted if number <= count}


def _opened(make: Callable[[], _Reader]) -> _Reader | None:
    try:
        reader = make()
        if reader.is_encrypted and reader.decrypt("") is PasswordType.NOT_DECRYPTED:
            return None
    except _HOSTILE:
        return None
    return reader


def _page_text(reader: TimedReader, index: int) -> str | None:
    if reader.is_late():
        return None
    try:
        return reader.pages[index].extract_text() or ""
    except _HOSTILE:
        return None if reader.is_late() else ""


def _title(reader: TimedReader) -> str:
    try:
        return str((reader.metadata and reader.metadata.title) or "")
    except _HOSTILE:
        return ""


def _labels(reader: TimedReader) -> tuple[tuple[int, str], ...]:
    try:
        if "/PageLabels" not in reader.root_object:
            return ()
        labels = reader.page_labels
    except _HOSTILE:
        return ()
    return tuple(
        (number, label) for number, label in enumerate(labels, start=1) if label != str(number)
    )


def _bookmarks(reader: TimedReader) -> tuple[tuple[Bookmark, ...], int]:
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


def _bookmark(reader: TimedReader, entry: Destination, level: int) -> Bookmark | None:
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
