"""pypdf, asked for no more than is needed and for no longer than it may take.

pypdf reads every named destination before it gives the first bookmark, and every page before it
numbers one; in a damaged file it searches the whole file for each object that it misses. Here
names are looked up when a bookmark asks for them, pages are numbered from the tree above them,
and once its time is up, every further object is refused.
"""

import io
import time
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

from pypdf import PdfReader
from pypdf.errors import PyPdfError
from pypdf.generic import (
    ArrayObject,
    Destination,
    DictionaryObject,
    IndirectObject,
    PdfObject,
    TextStringObject,
)

_DEEPEST = 60


class OutOfTimeError(PyPdfError):
    """pypdf took longer than it may."""


class TimedReader(PdfReader):
    """pypdf's reader with an end."""

    def __init__(self, data: bytes, seconds: float) -> None:
        """Open a file.

        Args:
            data: the whole file.
            seconds: of CPU time that everything asked of it may take together.

        Raises:
            PyPdfError: it cannot be opened, or not in time.
        """
        self._until = time.thread_time() + seconds
        super().__init__(io.BytesIO(data), strict=False)

    def is_late(self) -> bool:
        """Whether its time is up."""
        return time.thread_time() > self._until

    def get_object(self, indirect_reference: int | IndirectObject) -> PdfObject | None:
        """An object of the file; raises OutOfTimeError when the time is up."""
        self._check_time()
        return super().get_object(indirect_reference)

    def read_object_header(self, stream: Any) -> tuple[int, int]:
        """The start of an object, of all of them where a broken table is built again."""
        self._check_time()
        return super().read_object_header(stream)

    def _check_time(self) -> None:
        if self.is_late():
            raise OutOfTimeError("reading what the file says of itself takes too long")


class SparingReader(TimedReader):
    """Bookmarks, labels and properties at little cost."""

    def __init__(self, data: bytes, seconds: float, pages: int) -> None:
        """Open a file; `pages` is how many it has, as another reader counted them."""
        self._count = pages
        self._order: dict[int, int] | None = None
        super().__init__(data, seconds)

    def get_num_pages(self) -> int:
        """How many pages there are, as was said."""
        return self._count

    def _get_page_number_by_indirect(self, indirect_reference: Any) -> int | None:
        if not isinstance(indirect_reference, IndirectObject):
            number = super()._get_page_number_by_indirect(indirect_reference)
            return None if number is None else int(number)
        if self._order is None:
            self._order = {number: place for place, number in enumerate(self._page_ids())}
        return self._order.get(indirect_reference.idnum)

    def _page_ids(self) -> Iterator[int]:
        """Numbers of the objects of all pages; pages of one node are taken without a look."""
        tree = self.root_object["/Pages"]
        yield from self._ids_below(tree, 0) if isinstance(tree, DictionaryObject) else ()

    def _ids_below(self, node: DictionaryObject, depth: int) -> Iterator[int]:
        kids = node.get("/Kids", ArrayObject()).get_object()
        if depth > _DEEPEST or not isinstance(kids, ArrayObject) or not kids:
            return
        first = kids[0]
        only_pages = node.get("/Count") == len(kids) and not _is_node(first)
        for kid in kids:
            inner = None if only_pages else kid.get_object()
            if isinstance(inner, DictionaryObject) and "/Kids" in inner:
                yield from self._ids_below(inner, depth + 1)
            elif isinstance(kid, IndirectObject):
                yield kid.idnum

    def _get_named_destinations(self, **nested: Any) -> dict[str, Destination]:
        if nested:
            return super()._get_named_destinations(**nested)
        return _Names(self)

    def all_named(self) -> dict[str, Destination]:
        """All named destinations at once, as pypdf reads them."""
        return super()._get_named_destinations()

    def named(self, name: str) -> Destination | None:
        """One named destination from its place in the sorted tree; None if it is not there."""
        names = self.root_object.get("/Names")
        tree = names.get_object().get("/Dests") if names else None
        if tree is None or "/Dests" in self.root_object:
            return None
        wanted = _bytes(name)
        node = tree.get_object()
        for _ in range(_DEEPEST):
            if "/Kids" not in node:
                break
            kids = node["/Kids"]
            place = bisect_left(kids, wanted, key=_last_name)
            if place == len(kids):
                return None
            node = kids[place].get_object()
        return self._among(node["/Names"], wanted, name)

    def _among(self, names: Any, wanted: bytes, name: str) -> Destination | None:
        place = 2 * bisect_left(
            range(len(names) // 2), wanted, key=lambda at: _bytes(names[2 * at])
        )
        if place >= len(names) or _bytes(names[place]) != wanted:
            return None
        value = names[place + 1].get_object()
        if isinstance(value, DictionaryObject):
            value = value["/D"]
        return self._build_destination(name, value)


class _Names(dict[str, Destination]):
    """Named destinations that are looked up when they are asked for."""

    def __init__(self, reader: SparingReader) -> None:
        super().__init__()
        self._reader = reader
        self._all: dict[str, Destination] | None = None

    def __missing__(self, name: str) -> Destination:
        found = self._looked_up(name)
        if found is None:
            if self._all is None:
                self._all = self._reader.all_named()
            found = self._all[name]
        self[name] = found
        return found

    def _looked_up(self, name: str) -> Destination | None:
        try:
            return self._reader.named(name)
        except (KeyError, TypeError, AttributeError, IndexError):  # a tree that is no tree
            return None


def _is_node(kid: Any) -> bool:
    inner = kid.get_object()
    return isinstance(inner, DictionaryObject) and "/Kids" in inner


def _last_name(kid: Any) -> bytes:
    return _bytes(kid.get_object()["/Limits"][1])


def _bytes(name: Any) -> bytes:
    """A name as the file sorts it."""
    name = name.get_object() if isinstance(name, IndirectObject) else name
    if isinstance(name, TextStringObject):
        return bytes(name.original_bytes)
    return name.encode("utf-8") if isinstance(name, str) else bytes(name)
