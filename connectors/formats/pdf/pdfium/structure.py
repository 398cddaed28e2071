"""Tags: what a file says that its pieces of text are, by the number of their marked content.

Word processors write them for screen readers. Names of their own styles go through the file's
role map; where that says no more than "paragraph", the name itself may still say "Heading 2".
"""

import ctypes
import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from connectors.formats.pdf.page import Slot, Tag

_DEEPEST = 60
_MOST = 20_000
_NAME_BYTES = 256
_LEVEL = re.compile(r"h([1-6])", re.IGNORECASE)
_NAMED_LEVEL = re.compile(
    r"(?:heading|überschrift|titre|t[ií]tulo|titolo|rubrik|kop|标题|見出し|제목)\D{0,12}([1-6])",
    re.IGNORECASE,
)
_LETTERED_LEVEL = re.compile(r"(?:^|[^a-z])([a-d])[ _-]?head(?:ing)?s?$", re.IGNORECASE)
_TITLE = re.compile(r"(?:document|book|doc)?[ _-]?titel?e?", re.IGNORECASE)
_NEVER = frozenset(
    (
        "Table", "TR", "TD", "TH", "THead", "TBody", "L", "LI", "LBody", "Lbl", "Span", "Link",
        "Figure", "TOC", "TOCI", "Note", "Document", "Part",
    )
)  # fmt: skip
_NO_HEADING = re.compile(r"table|box|contents|toc|figure|running|caption|header|foot", re.I)


@dataclass(slots=True)
class _Walk:
    """One walk over the tags of a page."""

    tags: dict[int, Tag] = field(default_factory=dict)
    elements: int = 0
    tables: int = 0
    rows: int = 0
    buffer: Any = field(default_factory=lambda: ctypes.create_string_buffer(_NAME_BYTES))

    def text(self, read: Any, element: Any) -> str:
        """A name of an element; empty where it has none or a very long one."""
        length = read(element, self.buffer, _NAME_BYTES)
        if not 2 < length <= _NAME_BYTES:
            return ""
        return ctypes.string_at(self.buffer, length - 2).decode("utf-16-le", "replace")


class _Place(NamedTuple):
    """What the elements above say of those below."""

    depth: int = 0
    level: int | None = None
    table: int | None = None
    slot: Slot | None = None
    listed: bool = False
    element: int = 0


def read_tags(page: pdfium.PdfPage) -> dict[int, Tag]:
    """Tags by the number of marked content; empty where the page has none."""
    tree = raw.FPDF_StructTree_GetForPage(page)
    if not tree:
        return {}
    walk = _Walk()
    try:
        for index in range(min(raw.FPDF_StructTree_CountChildren(tree), _MOST)):
            if child := raw.FPDF_StructTree_GetChildAtIndex(tree, index):
                _visit(child, _Place(), 0, walk)
    finally:
        raw.FPDF_StructTree_Close(tree)
    return walk.tags


def _visit(element: Any, above: _Place, index: int, walk: _Walk) -> None:
    walk.elements += 1
    if above.depth > _DEEPEST or walk.elements > _MOST:
        return
    place = _placed(element, above, index, walk)
    child_at = raw.FPDF_StructElement_GetChildAtIndex
    for number in range(min(raw.FPDF_StructElement_CountChildren(element), _MOST)):
        if child := child_at(element, number):
            _visit(child, place, number, walk)
    contents = raw.FPDF_StructElement_GetMarkedContentIdCount(element)
    if contents <= 0:
        return
    tag = Tag(place.element, place.level, place.slot, place.listed)
    for number in range(min(contents, _MOST)):
        content = raw.FPDF_StructElement_GetMarkedContentIdAtIndex(element, number)
        if content >= 0:
            walk.tags.setdefault(content, tag)


def _placed(element: Any, above: _Place, index: int, walk: _Walk) -> _Place:
    """What an element adds to those above it; nothing inside a cell or a heading."""
    if above.slot is not None or above.level is not None:
        return above._replace(depth=above.depth + 1)
    kind = walk.text(raw.FPDF_StructElement_GetType, element)
    table, slot = above.table, None
    if kind == "Table" and table is None:
        table, walk.tables = walk.tables, walk.tables + 1
    elif kind == "TR":
        walk.rows += 1
    elif kind in ("TD", "TH") and table is not None:
        slot = Slot(table, walk.rows, index, kind == "TH")
    level = None if kind in _NEVER else _heading_level(kind, walk.text(_raw_type, element))
    listed = above.listed or kind in ("TOCI", "TOC")
    return _Place(above.depth + 1, level, table, slot, listed, walk.elements)


def _heading_level(kind: str, name: str) -> int | None:
    if kind == "Title" or _TITLE.fullmatch(name.strip("_.0123456789 ")):
        return 0
    if match := _LEVEL.fullmatch(kind):
        return int(match[1])
    return 1 if kind == "H" else _level_of_name(name)


def _level_of_name(name: str) -> int | None:
    """`Heading_-_Level_2` and `_2._Bhead` are second levels, `Table_Heading_1` is none."""
    if _NO_HEADING.search(name):
        return None
    if match := _NAMED_LEVEL.search(name):
        return int(match[1])
    if match := _LETTERED_LEVEL.search(name):
        return "abcd".index(match[1].lower()) + 1
    return None


def _raw_type(element: Any, buffer: Any, length: int) -> int:
    cast = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
    return int(raw.FPDF_StructElement_GetRawType(element, cast, length))
