"""PowerPoint files: a slide is a section, under its title, with its tables and notes."""

from collections.abc import Iterator
from itertools import zip_longest

from lxml import etree

from agent.domain import BlockKind, ParsedDocument, ParseOutcome
from agent.errors import ParseError
from connectors.formats import titles
from connectors.formats.raw.package import Package
from connectors.formats.sections import SectionBuilder

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_P14 = "{http://schemas.microsoft.com/office/powerpoint/2010/main}"
_D = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_FURNITURE = ("ftr", "dt", "sldNum", "hdr", "sldImg")
_TITLES = ("title", "ctrTitle")
_LONGEST_HEADING = 120


def parse(data: bytes, name: str) -> ParsedDocument:
    """A section a slide, in the order they are shown; hidden slides are counted, not read."""
    package = Package(data)
    main = package.main_part()
    presentation = package.xml(main)
    if presentation is None:
        raise ParseError("damaged", "the presentation names no slides")
    deck = _Deck(package)
    relations = package.relations(main)
    groups = _groups(presentation)
    for number, slide in enumerate(presentation.iterfind(f"{_P}sldIdLst/{_P}sldId"), start=1):
        relation = relations.get(slide.get(f"{_R}id", ""))
        if relation is not None:
            deck.read(relation.target, number, groups.get(slide.get("id", ""), ""))
    title = titles.first_meaningful((package.title(), deck.title))
    return ParsedDocument(
        title,
        "pptx",
        ParseOutcome.OK,
        deck.builder.sections(),
        pages=deck.slides,
        links=tuple(dict.fromkeys(deck.links)),
        hidden_chars=deck.hidden_chars,
    )


def _groups(presentation: etree._Element) -> dict[str, str]:
    """Name of the section that a slide begins, by slide id."""
    begun = {}
    for section in presentation.iter(f"{_P14}section"):
        first = section.find(f"{_P14}sldIdLst/{_P14}sldId")
        if first is not None:
            begun[first.get("id", "")] = section.get("name", "")
    return begun if len(begun) > 1 else {}


class _Deck:
    """Reads slides one after the other."""

    def __init__(self, package: Package) -> None:
        self.builder = SectionBuilder()
        self.links: list[str] = []
        self.title = ""
        self.slides = 0
        self.hidden_chars = 0
        self._package = package
        self._level = 1

    def read(self, part: str, number: int, group: str) -> None:
        """Take one slide; `group` names the PowerPoint section that begins with it."""
        root = self._package.xml(part)
        if root is None:
            return
        self.slides += 1
        if root.get("show") in ("0", "false"):
            self.hidden_chars += sum(len(text.text or "") for text in root.iter(f"{_A}t"))
            return
        if group:
            self.builder.heading(group, 1, page=number)
            self._level = 2
        self._write(root, part, number)

    def _write(self, root: etree._Element, part: str, number: int) -> None:
        relations = self._package.relations(part)
        self.links += [each.target for each in relations.values() if _is_link(each.kind)]
        shapes = list(_shapes(root))
        heading, opens = _title(shapes)
        blocks = [block for shape in shapes for block in _blocks(shape)]
        if not heading:
            heading, blocks = _from_first_line(blocks, number)
        if opens and not self.title:
            self.title = heading
        self.builder.heading(heading, self._level, page=number)
        for relation in relations.values():
            if relation.kind == "diagramData":
                blocks += _diagram(self._package.xml(relation.target))
            elif relation.kind == "chart":
                blocks += _chart(self._package.xml(relation.target))
            elif relation.kind == "notesSlide":
                notes = self._package.xml(relation.target)
                blocks += [b for shape in _shapes(notes) for b in _blocks(shape)]
        for kind, text in blocks:
            self.builder.add(kind, text, page=number)


def _is_link(kind: str) -> bool:
    return kind == "hyperlink"


def _shapes(root: etree._Element | None) -> Iterator[etree._Element]:
    """Text shapes and frames of a slide, those in groups included, in their order."""
    if root is None:
        return
    for element in root.iter(f"{_P}sp", f"{_P}graphicFrame"):
        if next(element.iterancestors(_FALLBACK), None) is None:
            yield element


def _role(shape: etree._Element) -> str:
    place = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
    return "" if place is None else place.get("type", "body")


def _title(shapes: list[etree._Element]) -> tuple[str, bool]:
    """(title of the slide, whether it is a title slide)."""
    for shape in shapes:
        if _role(shape) in _TITLES:
            text = " ".join(line for _, line in _paragraphs(shape))
            if text:
                return text, _role(shape) == "ctrTitle"
    return "", False


def _from_first_line(
    blocks: list[tuple[BlockKind, str]], number: int
) -> tuple[str, list[tuple[BlockKind, str]]]:
    """A slide without a title goes by its first line, else by its number."""
    if blocks and len(blocks[0][1]) <= _LONGEST_HEADING:
        return blocks[0][1].lstrip(" -"), blocks[1:]
    return f"Slide {number}", blocks


def _blocks(shape: etree._Element) -> Iterator[tuple[BlockKind, str]]:
    if _role(shape) in (*_TITLES, *_FURNITURE):
        return
    yield from _paragraphs(shape)
    for table in shape.iter(f"{_A}tbl"):
        rows = list(table.iterfind(f"{_A}tr"))
        for place, row in enumerate(rows):
            header = place == 0 and len(rows) > 1
            yield BlockKind.HEADER_ROW if header else BlockKind.ROW, _row(row)


def _paragraphs(shape: etree._Element) -> Iterator[tuple[BlockKind, str]]:
    """Lines of a text shape; deeper levels and body lines are items."""
    body = shape.find(f"{_P}txBody")
    for paragraph in () if body is None else body.iterfind(f"{_A}p"):
        text = _text(paragraph)
        if not text:
            continue
        properties = paragraph.find(f"{_A}pPr")
        depth = 0 if properties is None else int(properties.get("lvl", "0") or 0)
        if depth or _has_bullet(properties):
            yield BlockKind.ITEM, f"{'  ' * depth}- {text}"
        else:
            yield BlockKind.PARAGRAPH, text


def _has_bullet(properties: etree._Element | None) -> bool:
    if properties is None:
        return False
    return any(properties.find(f"{_A}{mark}") is not None for mark in ("buChar", "buAutoNum"))


def _row(row: etree._Element) -> str:
    cells = []
    for cell in row.iterfind(f"{_A}tc"):
        merged = cell.get("hMerge") in ("1", "true") or cell.get("vMerge") in ("1", "true")
        lines = () if merged else (_text(each) for each in cell.iter(f"{_A}p"))
        cells.append(" ".join(line for line in lines if line))
    while cells and not cells[-1]:
        cells.pop()
    return " | ".join(cells)


def _text(paragraph: etree._Element) -> str:
    parts = []
    for element in paragraph.iter(f"{_A}t", f"{_A}br", f"{_A}tab"):
        parts.append(" " if element.tag != f"{_A}t" else element.text or "")
    return " ".join("".join(parts).split())


def _diagram(root: etree._Element | None) -> list[tuple[BlockKind, str]]:
    """The words of a SmartArt drawing, which stand in a part of their own."""
    points = () if root is None else root.iter(f"{_D}pt")
    lines = (_text(each) for point in points for each in point.iter(f"{_A}p"))
    return [(BlockKind.PARAGRAPH, line) for line in lines if line]


def _chart(root: etree._Element | None) -> list[tuple[BlockKind, str]]:
    """A chart as the table behind it: a row for each category, a column for each series."""
    series = [] if root is None else list(root.iter(f"{_C}ser"))
    if root is None or not series:
        return []
    title = root.find(f"{_C}chart/{_C}title")
    lines = [] if title is None else [_text(each) for each in title.iter(f"{_A}p")]
    names = [" ".join(_points(each.find(f"{_C}tx"))) for each in series]
    columns = [_points(series[0].find(f"{_C}cat"))]
    columns += [_points(each.find(f"{_C}val")) for each in series]
    rows = [" | ".join(row) for row in zip_longest(*columns, fillvalue="")]
    blocks = [(BlockKind.PARAGRAPH, line) for line in lines if line]
    blocks.append((BlockKind.HEADER_ROW, " | ".join(["", *names]).strip(" |")))
    return blocks + [(BlockKind.ROW, row) for row in rows]


def _points(holder: etree._Element | None) -> list[str]:
    return [] if holder is None else [value.text or "" for value in holder.iter(f"{_C}v")]
