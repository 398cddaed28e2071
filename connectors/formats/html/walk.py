"""Walks an HTML tree into pieces: headings, paragraphs, items, rows and code, in reading order."""

import re
from dataclasses import dataclass, field

from lxml import html

from agent.domain import BlockKind
from connectors.formats.html.pieces import (
    BLANKS,
    BLOCKS,
    HIDDEN_TAGS,
    Piece,
    heading_level,
    text_of,
)
from connectors.formats.html.tables import arranges, row_pieces, table_of

_BOLD = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_CENTRED = re.compile(r"text-align\s*:\s*center", re.IGNORECASE)
_STRONG = 0.95


@dataclass(slots=True)
class _Line:
    """Inline text that has not met the end of its block yet."""

    parts: list[str] = field(default_factory=list)
    bold_chars: int = 0
    chars: int = 0

    def add(self, text: str | None, *, bold: bool) -> None:
        if text:
            self.parts.append(text)
            count = len(text.strip())
            self.chars += count
            self.bold_chars += count if bold else 0

    def text(self) -> str:
        joined = BLANKS.sub(" ", "".join(self.parts))
        return "\n".join(line.strip() for line in joined.split("\0")).strip()

    @property
    def bold(self) -> bool:
        return self.chars > 0 and self.bold_chars >= _STRONG * self.chars


@dataclass(frozen=True, slots=True)
class _Around:
    """What the elements above say about the text below them."""

    bold: bool = False
    centred: bool = False
    depth: int = 0


class Walk:
    """One pass over a tree; `pieces` and `links` hold what was found, `wanted` ids are marked."""

    def __init__(self, wanted: frozenset[str] = frozenset()) -> None:
        self._wanted = wanted
        self.pieces: list[Piece] = []
        self.links: list[str] = []
        self._line = _Line()
        self._marker = ""

    def read(self, element: html.HtmlElement) -> None:
        """Take an element with all below it."""
        self._element(element, _Around())
        self._flush(_Around())

    def _element(self, element: html.HtmlElement, around: _Around) -> None:
        tag = element.tag
        if tag in HIDDEN_TAGS or not isinstance(tag, str):
            return
        if self._wanted and element.get("id") in self._wanted:
            self._flush(around)
            self.pieces.append(Piece("", mark=element.get("id") or ""))
        around = _inside(element, around)
        if level := heading_level(element):
            self._heading(element, level, around)
        elif tag == "table":
            self._table(element, around)
        elif tag == "pre":
            self._code(element, around)
        elif tag in BLOCKS:
            self._block(element, around)
        else:
            self._inline(element, around)

    def _children(self, element: html.HtmlElement, around: _Around) -> None:
        self._line.add(element.text, bold=around.bold)
        for child in element:
            self._element(child, around)
            self._line.add(child.tail, bold=around.bold)

    def _block(self, element: html.HtmlElement, around: _Around) -> None:
        self._flush(around)
        if element.tag == "li":
            self._marker = "  " * max(around.depth - 1, 0) + _marker(element)
        self._children(element, around)
        self._flush(around)
        if element.tag == "li":
            self._marker = ""

    def _inline(self, element: html.HtmlElement, around: _Around) -> None:
        match element.tag:
            case "br":
                self._line.add("\0", bold=around.bold)
            case "hr":
                self._flush(around)
            case "img":
                self._line.add(element.get("alt"), bold=around.bold)
            case _:
                self._link(element)
                self._children(element, around)

    def _link(self, element: html.HtmlElement) -> None:
        target = (element.get("href") or "").strip()
        if element.tag == "a" and target and not target.startswith(("#", "javascript:")):
            self.links.append(target)

    def _heading(self, element: html.HtmlElement, level: int, around: _Around) -> None:
        self._flush(around)
        for link in element.iter("a"):
            self._link(link)
        anchor = _anchor(element)
        text = text_of(element).removesuffix("[edit]").removesuffix("¶").strip()
        self.pieces.append(Piece(text, level=level, anchor=anchor))

    def _code(self, element: html.HtmlElement, around: _Around) -> None:
        self._flush(around)
        text = element.text_content().strip("\n")
        self.pieces.append(Piece(text, BlockKind.CODE))

    def _flush(self, around: _Around) -> None:
        text, bold = self._line.text(), self._line.bold
        self._line = _Line()
        if not text:
            return
        if self._marker:
            self.pieces.append(Piece(f"{self._marker} {text}", BlockKind.ITEM))
            self._marker = ""
        else:
            self.pieces.append(Piece(text, bold=bold, centred=around.centred))

    def _table(self, table: html.HtmlElement, around: _Around) -> None:
        """Rows of cells; a table that only arranges the page is read like any block."""
        self._flush(around)
        rows = [row for row in table.iter("tr") if table_of(row) is table]
        if arranges(table, rows):
            self._children(table, around)
            self._flush(around)
            return
        for link in table.iter("a"):
            self._link(link)
        for caption in table.iterchildren("caption"):
            self.pieces.append(Piece(text_of(caption)))
        self.pieces += row_pieces(rows)


def _inside(element: html.HtmlElement, around: _Around) -> _Around:
    style = element.get("style") or ""
    tag = element.tag
    bold = around.bold or tag in ("b", "strong") or _BOLD.search(style) is not None
    centred = around.centred or tag == "center" or element.get("align") == "center"
    if style and not centred:
        centred = _CENTRED.search(style) is not None
    return _Around(bold, centred, around.depth + (tag in ("ul", "ol")))


def _marker(item: html.HtmlElement) -> str:
    """The item's own number in a numbered list, else a dash."""
    listing = item.getparent()
    if listing is None or listing.tag != "ol":
        return "-"
    start = listing.get("start", "1")
    first = int(start) if start.isdecimal() else 1
    before = sum(1 for _ in item.itersiblings("li", preceding=True))
    value = item.get("value", "")
    return f"{value if value.isdecimal() else first + before}."


def _anchor(heading: html.HtmlElement) -> str:
    own = heading.get("id") or next(
        (each.get("id") or each.get("name") for each in heading.iter("a", "span")), None
    )
    return f"#{own}" if own else ""
