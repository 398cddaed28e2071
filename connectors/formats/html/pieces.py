"""Walks an HTML tree into pieces: headings, paragraphs, items, rows and code, in reading order."""

import re
from dataclasses import dataclass, field, replace

from lxml import etree, html

from agent.domain import BlockKind
from connectors.formats import guesses

HIDDEN_TAGS = frozenset(
    [
        "script",
        "style",
        "noscript",
        "template",
        "iframe",
        "object",
        "embed",
        "svg",
        "canvas",
        "audio",
        "video",
        "select",
        "button",
        "datalist",
        "textarea",
        "head",
        "meta",
        "link",
        "title",
        "map",
    ]
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    [
        "p",
        "div",
        "section",
        "article",
        "main",
        "header",
        "footer",
        "blockquote",
        "dl",
        "dt",
        "dd",
        "figure",
        "figcaption",
        "address",
        "center",
        "ul",
        "ol",
        "li",
        "body",
        "html",
        "form",
        "fieldset",
        "details",
        "summary",
        "hgroup",
        "td",
        "th",
        "caption",
        "tr",
        "tbody",
    ]
)
_BOLD = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_CENTRED = re.compile(r"text-align\s*:\s*center", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_BLANKS = re.compile(r"[ \t\n\r\f\v\xa0\u200b\ufeff]+")
_STRONG = 0.95


def is_hidden(element: html.HtmlElement) -> bool:
    """Whether a browser would not show the element."""
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    style = element.get("style")
    return style is not None and _HIDDEN.search(style) is not None


def text_of(element: html.HtmlElement) -> str:
    """All text in an element, blanks folded; scripts and styles left out."""
    parts: list[str] = element.xpath(
        ".//text()[not(ancestor::script or ancestor::style or ancestor::noscript)]"
    )
    return _BLANKS.sub(" ", "".join(parts)).strip()


@dataclass(frozen=True, slots=True)
class Piece:
    """A block of the page; `level` > 0 marks a heading.

    `mark` makes it no text but the place of an element with that id.
    """

    text: str
    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0
    anchor: str = ""
    bold: bool = False
    centred: bool = False
    mark: str = ""

    @property
    def looks_like_heading(self) -> bool:
        """Short and bold, or centred in capitals, on a line of its own."""
        text = self.text
        return (
            self.kind is BlockKind.PARAGRAPH
            and 3 <= len(text) <= guesses.MAX_HEADING_CHARS
            and "\n" not in text
            and (self.bold or (self.centred and guesses.is_upper(text)))
            and any(char.isalpha() for char in text)
            and not guesses.ends_like_a_sentence(text)
            and not guesses.is_caption(text)
        )

    def as_heading(self) -> "Piece":
        """The same text as a heading; centred lines and chapters stand above bold ones."""
        level = guesses.chapter_level(self.text) or (1 if self.centred else 2)
        return replace(self, level=level)


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
        joined = _BLANKS.sub(" ", "".join(self.parts))
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
        if tag in _HEADINGS:
            self._heading(element, around)
        elif tag == "table":
            self._table(element, around)
        elif tag == "pre":
            self._code(element, around)
        elif tag in _BLOCKS:
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

    def _heading(self, element: html.HtmlElement, around: _Around) -> None:
        self._flush(around)
        for link in element.iter("a"):
            self._link(link)
        anchor = _anchor(element)
        text = text_of(element).removesuffix("[edit]").removesuffix("¶").strip()
        self.pieces.append(Piece(text, level=_HEADINGS[element.tag], anchor=anchor))

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
        rows = [row for row in table.iter("tr") if _table_of(row) is table]
        if _arranges(table, rows):
            self._children(table, around)
            self._flush(around)
            return
        for link in table.iter("a"):
            self._link(link)
        for caption in table.iterchildren("caption"):
            self.pieces.append(Piece(text_of(caption)))
        self.pieces += _row_pieces(rows)


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


def _table_of(row: html.HtmlElement) -> html.HtmlElement | None:
    return next(row.iterancestors("table"), None)


def _arranges(table: html.HtmlElement, rows: list[html.HtmlElement]) -> bool:
    if table.get("role") == "presentation" or table.find(".//table") is not None:
        return True
    return all(len(_cells(row)) <= 1 for row in rows)


def _cells(row: html.HtmlElement) -> list[html.HtmlElement]:
    return [cell for cell in row if cell.tag in ("td", "th")]


def _row_pieces(rows: list[html.HtmlElement]) -> list[Piece]:
    grid = [[_cell_text(cell) for cell in _cells(row)] for row in rows]
    texts = [_row_text(cells) for cells in grid]
    header = _header_place(rows, texts)
    return [
        Piece(text, BlockKind.HEADER_ROW if place == header else BlockKind.ROW)
        for place, text in enumerate(texts)
        if text
    ]


def _header_place(rows: list[html.HtmlElement], texts: list[str]) -> int | None:
    """The first row with text, where a table has more than one and it is marked or bold."""
    filled = [place for place, text in enumerate(texts) if text]
    if len(filled) < 2:
        return None
    first = rows[filled[0]]
    cells = _cells(first)
    in_head = next(first.iterancestors("thead"), None) is not None
    marked = in_head or all(cell.tag == "th" or _all_bold(cell) for cell in cells)
    return filled[0] if marked or len(cells) > 1 else None


def _all_bold(cell: html.HtmlElement) -> bool:
    walk = Walk()
    walk.read(cell)
    return all(piece.bold for piece in walk.pieces)


def _cell_text(cell: html.HtmlElement) -> str:
    """A cell on one line; its paragraphs and breaks become blanks."""
    parts: list[str] = []
    for event, element in etree.iterwalk(cell, events=("start", "end")):
        if event == "start":
            parts.append(element.text or "")
            if element.tag == "img":
                parts.append(element.get("alt") or "")
        if element is not cell:
            blank = " " if element.tag in _BLOCKS or element.tag in ("br", *_HEADINGS) else ""
            parts.append(blank)
            if event == "end":
                parts.append(element.tail or "")
    return " ".join("".join(parts).split())


def _row_text(cells: list[str]) -> str:
    """Cells joined; empty ones at the end dropped, the others keep their column."""
    while cells and not cells[-1]:
        cells = cells[:-1]
    return " | ".join(cells)
