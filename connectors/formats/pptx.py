"""PowerPoint files: a slide is a section, under its title, with its tables and notes."""

from collections.abc import Iterator

from lxml import etree

from agent.domain import BlockKind, ParsedDocument, ParseOutcome
from agent.errors import ParseError
from connectors.formats import drawn, titles
from connectors.formats.raw.package import Package, Relation
from connectors.formats.raw.strict import usual
from connectors.formats.sections import SectionBuilder

_A = drawn.A
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_P14 = "{http://schemas.microsoft.com/office/powerpoint/2010/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_FURNITURE = ("ftr", "dt", "sldNum", "hdr", "sldImg")
_TITLES = ("title", "ctrTitle")
_PROPERTIES = (f"{_P}nvSpPr", f"{_P}nvGraphicFramePr", f"{_P}nvPicPr")
_LONGEST_HEADING = 120


def parse(data: bytes, name: str) -> ParsedDocument:
    """A section a slide, in the order they are shown; hidden slides are counted, not read."""
    package = Package(usual(data))
    main = package.main_part()
    presentation = package.xml(main)
    if presentation is None:
        raise ParseError("damaged", "the presentation names no slides")
    deck = _Deck(package)
    relations = package.relations(main)
    groups = _groups(presentation)
    for number, slide in enumerate(presentation.iterfind(f"{_P}sldIdLst/{_P}sldId"), start=1):
        deck.begin(groups.get(slide.get("id", ""), ""))
        relation = relations.get(slide.get(f"{_R}id", ""))
        if relation is not None:
            deck.read(relation.target, number)
    return deck.document(package.title())


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
        self._builder = SectionBuilder()
        self._links: list[str] = []
        self._title = ""
        self._slides = 0
        self._hidden_chars = 0
        self._package = package
        self._level = 1
        self._group = ""
        self._broken: list[int] = []
        self._says_something = False
        self._has_pictures = False

    def document(self, title: str) -> ParsedDocument:
        """What was read; `title` is that of the properties."""
        sections = self._builder.sections() if self._says_something else ()
        reason = ""
        if self._broken:
            numbers = ", ".join(map(str, self._broken))
            reason = f"damaged: what stands on slide {numbers} cannot be read"
        elif not sections and self._has_pictures:
            reason = "scanned: its slides are pictures without text"
        elif not sections and self._hidden_chars:
            reason = "empty: everything in it is hidden"
        return ParsedDocument(
            titles.first_meaningful((title, self._title)),
            "pptx",
            ParseOutcome.PARTIAL if reason else ParseOutcome.OK,
            sections,
            reason=reason,
            pages=self._slides,
            links=tuple(dict.fromkeys(self._links)),
            hidden_chars=self._hidden_chars,
        )

    def begin(self, group: str) -> None:
        """The PowerPoint section of the next slides, where one begins."""
        self._group = group or self._group

    def read(self, part: str, number: int) -> None:
        """Take one slide."""
        try:
            root = self._package.xml(part)
            if root is not None:
                self._slides += 1
                self._take(root, part, number)
        except ParseError:
            self._broken.append(number)

    def _take(self, root: etree._Element, part: str, number: int) -> None:
        relations = self._package.relations(part)
        self._hidden_chars += self._comment_chars(relations)
        if root.get("show") in ("0", "false"):
            beside = (text for each in relations.values() for _, text in self._beside(each))
            self._hidden_chars += sum(len(text.text or "") for text in root.iter(f"{_A}t"))
            self._hidden_chars += sum(map(len, beside))
            return
        if self._group:
            self._builder.heading(self._group, 1, page=number)
            self._level, self._group = 2, ""
        self._write(root, relations, number)

    def _write(self, root: etree._Element, relations: dict[str, Relation], number: int) -> None:
        self._links += [each.target for each in relations.values() if each.kind == "hyperlink"]
        self._has_pictures |= next(root.iter(f"{_P}pic"), None) is not None
        shapes = list(_shapes(root))
        heading, opens = _title(shapes)
        blocks = [block for shape in shapes for block in _blocks(shape)]
        if not heading:
            heading, blocks = _from_first_line(blocks)
        if opens and not self._title:
            self._title = heading
        blocks += [block for each in relations.values() for block in self._beside(each)]
        self._says_something |= bool(heading or blocks)
        self._builder.heading(heading or f"Slide {number}", self._level, page=number)
        for kind, text in blocks:
            self._builder.add(kind, text, page=number)

    def _beside(self, relation: Relation) -> list[drawn.Block]:
        """What stands in parts of their own: drawings, charts, notes."""
        if relation.external or relation.kind not in ("diagramData", "chart", "notesSlide"):
            return []
        root = self._package.xml(relation.target)
        if relation.kind == "diagramData":
            return drawn.diagram(root)
        if relation.kind == "chart":
            return drawn.chart(root)
        return [block for shape in _shapes(root) for block in _blocks(shape)]

    def _comment_chars(self, relations: dict[str, Relation]) -> int:
        """How much is written in comments, which show only to those who edit."""
        trees = [self._package.xml(r.target) for r in relations.values() if r.kind == "comments"]
        texts = [
            text for tree in trees if tree is not None for text in tree.iter("{*}text", "{*}t")
        ]
        return sum(len(text.text or "") for text in texts)


def _shapes(root: etree._Element | None) -> Iterator[etree._Element]:
    """Text shapes, frames and pictures of a slide, those in groups included, in their order."""
    if root is None:
        return
    for element in root.iter(f"{_P}sp", f"{_P}graphicFrame", f"{_P}pic"):
        if next(element.iterancestors(_FALLBACK), None) is None and not _is_hidden(element):
            yield element


def _is_hidden(shape: etree._Element) -> bool:
    properties = _own_properties(shape)
    return properties is not None and properties.get("hidden") in ("1", "true")


def _own_properties(shape: etree._Element) -> etree._Element | None:
    holders = (shape.find(f"{holder}/{_P}cNvPr") for holder in _PROPERTIES)
    return next((each for each in holders if each is not None), None)


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


def _from_first_line(blocks: list[drawn.Block]) -> tuple[str, list[drawn.Block]]:
    """A slide without a title goes by its first line."""
    if blocks and len(blocks[0][1]) <= _LONGEST_HEADING:
        return blocks[0][1].lstrip(" -"), blocks[1:]
    return "", blocks


def _blocks(shape: etree._Element) -> Iterator[drawn.Block]:
    if _role(shape) in (*_TITLES, *_FURNITURE):
        return
    yield from _paragraphs(shape)
    for table in shape.iter(f"{_A}tbl"):
        rows = list(table.iterfind(f"{_A}tr"))
        for place, row in enumerate(rows):
            header = place == 0 and len(rows) > 1
            yield BlockKind.HEADER_ROW if header else BlockKind.ROW, _row(row)
    if shape.tag == f"{_P}pic" and (said := drawn.description(_own_properties(shape))):
        yield BlockKind.PARAGRAPH, said


def _paragraphs(shape: etree._Element) -> Iterator[drawn.Block]:
    """Lines of a text shape; deeper levels and body lines are items."""
    body = shape.find(f"{_P}txBody")
    for paragraph in () if body is None else body.iterfind(f"{_A}p"):
        text = drawn.line_of(paragraph)
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
        cells.append("" if merged else " ".join(drawn.lines_of(cell)))
    while cells and not cells[-1]:
        cells.pop()
    return " | ".join(cells)
