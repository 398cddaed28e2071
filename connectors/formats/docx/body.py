"""Walks the body of a Word file into paragraphs and rows, in reading order, nothing twice."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from agent.domain import BlockKind
from connectors.formats.docx.grounds import Grounds
from connectors.formats.docx.names import MC, R, W, is_on, value
from connectors.formats.docx.numbering import Numbering, list_place
from connectors.formats.docx.package import WordParts
from connectors.formats.docx.runs import RunReader, Words
from connectors.formats.docx.styles import Look, Styles, outline_level

_WRAPPERS = frozenset(
    (
        f"{W}sdt", f"{W}sdtContent", f"{W}ins", f"{W}moveTo", f"{W}customXml", f"{W}smartTag",
        f"{MC}AlternateContent", f"{MC}Choice", f"{W}body", f"{W}txbxContent", f"{W}tc",
        f"{W}footnote", f"{W}endnote",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """A paragraph, row or embedded part of the body.

    Attributes:
        text: with single blanks; rows as cells joined by ` | `.
        raw: with tabs, for telling contents lines.
        level: heading level that its style states; None for text.
        notes: footnotes it refers to.
        flow: False inside a table or text box, where no heading may cut.
    """

    text: str
    kind: BlockKind = BlockKind.PARAGRAPH
    raw: str = ""
    level: int | None = None
    bold: bool = False
    centred: bool = False
    size: int = 0
    is_title: bool = False
    is_contents: bool = False
    notes: tuple[tuple[str, str], ...] = ()
    flow: bool = True
    chunk: str = ""


@dataclass(slots=True)
class BodyReader:
    """Reads the lines of one document; counts what it keeps out."""

    parts: WordParts
    styles: Styles
    numbering: Numbering
    runs: RunReader
    hidden_chars: int = 0
    links: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, parts: WordParts) -> "BodyReader":
        """A reader for these parts."""
        styles = Styles(parts.styles)
        runs = RunReader(styles, parts.links, {}, Grounds(parts.body, styles))
        return cls(parts, styles, Numbering.of(parts.numbering), runs)

    def lines(self, element: etree._Element, *, flow: bool = True) -> Iterator[Line]:
        """All lines below an element, in reading order."""
        for child in element:
            if child.tag == f"{W}p":
                yield from self._paragraph(child, flow=flow)
            elif child.tag == f"{W}tbl":
                yield from self._table(child, flow=flow)
            elif child.tag == f"{W}altChunk":
                yield Line("", chunk=child.get(f"{R}id", ""))
            elif child.tag in _WRAPPERS and not _is_contents_control(child):
                yield from self.lines(child, flow=flow)

    def _paragraph(self, paragraph: etree._Element, *, flow: bool) -> Iterator[Line]:
        properties = paragraph.find(f"{W}pPr")
        look = self.styles.look(value(properties, f"{W}pStyle"))
        words = self.runs.read(paragraph, bold=look.bold, hidden=look.hidden)
        self.hidden_chars += words.hidden_chars
        self.links += words.links
        if words.text:
            yield self._line(words, look, properties, flow=flow)
        for box in words.boxes:
            yield from self.lines(box, flow=False)

    def _line(
        self, words: Words, look: Look, properties: etree._Element | None, *, flow: bool
    ) -> Line:
        stated = outline_level(properties)
        level = look.level if stated is None else stated or None
        marker = self._marker(look, properties)
        if not flow:
            level = None
        is_item = bool(marker) and level is None
        return Line(
            f"{marker} {words.text}" if is_item else words.text,
            BlockKind.ITEM if is_item else BlockKind.PARAGRAPH,
            raw=words.raw,
            level=level,
            bold=words.bold,
            centred=look.centred or value(properties, f"{W}jc") == "center",
            size=words.largest,
            is_title=look.is_title and flow,
            is_contents=look.is_contents,
            notes=tuple(words.notes),
            flow=flow,
        )

    def _marker(self, look: Look, properties: etree._Element | None) -> str:
        place = list_place(properties)
        if place is None and look.listed is not None:
            number, depth = look.listed
            place = (number, int(depth) if depth.isdecimal() else 0)
        if place is None or place[0] == "0":
            return ""
        mark = self.numbering.marker(*place)
        return f"{'  ' * place[1]}{mark}" if mark else ""

    def _table(self, table: etree._Element, *, flow: bool) -> Iterator[Line]:
        """Rows, each cell once; a table of one column only frames what is in it."""
        rows = list(_rows(table))
        if all(len(cells) <= 1 for _, cells in rows):
            for _, cells in rows:
                for cell in cells:
                    yield from self.lines(cell, flow=flow)
            return
        for place, (properties, cells) in enumerate(rows):
            inner: list[Line] = []
            texts = [self._cell(cell, inner) for cell in cells]
            head = place == 0 and len(rows) > 1
            head = head or is_on(properties, f"{W}tblHeader") is True
            notes = tuple(note for line in inner for note in line.notes)
            yield Line(
                _joined(texts), BlockKind.HEADER_ROW if head else BlockKind.ROW, notes=notes,
                flow=False,
            )  # fmt: skip
            yield from (
                line for line in inner if line.kind in (BlockKind.ROW, BlockKind.HEADER_ROW)
            )

    def _cell(self, cell: etree._Element, inner: list[Line]) -> str:
        """A cell on one line, with blanks for columns it spans; its own tables go to `inner`."""
        properties = cell.find(f"{W}tcPr")
        merged = None if properties is None else properties.find(f"{W}vMerge")
        span = value(properties, f"{W}gridSpan") or "1"
        empty = "\0" * (min(int(span), 64) - 1 if span.isdecimal() and span != "0" else 0)
        if merged is not None and merged.get(f"{W}val") != "restart":
            return empty
        lines = list(self.lines(cell, flow=False))
        inner += lines
        own = (line for line in lines if line.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM))
        return " ".join(" ".join(line.text.split()) for line in own) + empty


def _rows(table: etree._Element) -> Iterator[tuple[etree._Element | None, list[etree._Element]]]:
    """(row properties, cells) of a table, those in content controls and insertions included."""
    for row in _through(table, f"{W}tr"):
        yield row.find(f"{W}trPr"), list(_through(row, f"{W}tc"))


def _through(element: etree._Element, tag: str) -> Iterator[etree._Element]:
    for child in element:
        if child.tag == tag:
            if not _is_deleted(child):
                yield child
        elif child.tag in _WRAPPERS:
            yield from _through(child, tag)


def _is_deleted(row: etree._Element) -> bool:
    return row.find(f"{W}trPr/{W}del") is not None


def _joined(texts: list[str]) -> str:
    cells = "\0".join(texts).split("\0")
    while cells and not cells[-1]:
        cells.pop()
    return " | ".join(cells)


def _is_contents_control(element: etree._Element) -> bool:
    """Whether a content control holds a table of contents that Word made."""
    gallery = value(element, f"{W}sdtPr/{W}docPartObj/{W}docPartGallery")
    return gallery is not None and "content" in gallery.lower()
