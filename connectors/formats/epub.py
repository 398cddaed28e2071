"""E-books: the contents list names the sections, the reading order gives their text."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote, urldefrag

from lxml import etree, html

from agent.domain import BlockKind, ParsedDocument
from agent.errors import ParseError
from connectors.formats import titles
from connectors.formats.html.pieces import Piece, text_of
from connectors.formats.html.reader import page_pieces
from connectors.formats.raw.package import Package, resolved
from connectors.formats.sections import SectionBuilder

_CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}"
_OPF = "{http://www.idpf.org/2007/opf}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_NCX = "{http://www.daisy.org/z3986/2005/ncx/}"
_OPS_TYPE = "{http://www.idpf.org/2007/ops}type"
_XHTML = ("application/xhtml+xml", "text/html")


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of the contents list: where its section begins."""

    title: str
    level: int
    file: str
    fragment: str


@dataclass(frozen=True, slots=True)
class _Item:
    file: str
    media: str
    properties: str


def parse(data: bytes, name: str) -> ParsedDocument:
    """Sections of an EPUB; its title is that of its metadata."""
    package = Package(data)
    root_file = _root_file(package)
    root = package.xml(root_file)
    if root is None:
        raise ParseError("damaged", "the book has no list of its parts")
    folder = PurePosixPath(root_file).parent
    items = {
        item.get("id", ""): _Item(
            resolved(folder, item.get("href", "")),
            item.get("media-type", ""),
            item.get("properties", ""),
        )
        for item in root.iter(f"{_OPF}item")
    }
    entries = list(_contents(package, root, items))
    builder = SectionBuilder()
    links: list[str] = []
    for item in _spine(root, items):
        own = [entry for entry in entries if entry.file == item.file]
        links += _write(builder, package.read(item.file), own)
    title = root.find(f".//{_DC}title")
    return ParsedDocument(
        titles.first_meaningful([title.text or "" if title is not None else ""]),
        "epub",
        builder.outcome,
        builder.sections(),
        reason=builder.lost,
        links=tuple(dict.fromkeys(link for link in links if "://" in link)),
    )


def _root_file(package: Package) -> str:
    container = package.xml("META-INF/container.xml")
    root = None if container is None else container.find(f".//{_CONTAINER}rootfile")
    return "" if root is None else root.get("full-path", "")


def _spine(root: etree._Element, items: dict[str, _Item]) -> Iterator[_Item]:
    """The parts in reading order; the contents list itself is no text."""
    for reference in root.iter(f"{_OPF}itemref"):
        item = items.get(reference.get("idref", ""))
        if item and item.media in _XHTML and "nav" not in item.properties.split():
            yield item


def _contents(package: Package, root: etree._Element, items: dict[str, _Item]) -> Iterator[_Entry]:
    """The contents list: the navigation document, else the older NCX file."""
    nav = next((item for item in items.values() if "nav" in item.properties.split()), None)
    if nav is not None and (entries := list(_from_nav(package.read(nav.file), nav.file))):
        yield from entries
        return
    ncx = next((i for i in items.values() if i.media == "application/x-dtbncx+xml"), None)
    tree = None if ncx is None else package.xml(ncx.file)
    if ncx is not None and tree is not None:
        for point in tree.iterfind(f"{_NCX}navMap/{_NCX}navPoint"):
            yield from _from_point(point, ncx.file, 1)


def _from_nav(data: bytes, file: str) -> Iterator[_Entry]:
    if not data:
        return
    page = html.document_fromstring(data, html.HTMLParser(no_network=True, encoding="utf-8"))
    for nav in page.iter("nav"):
        if "toc" in (nav.get("epub:type") or nav.get(_OPS_TYPE) or nav.get("role") or ""):
            for link in nav.iter("a"):
                depth = sum(1 for each in link.iterancestors("ol"))
                yield _entry(text_of(link), depth, link.get("href", ""), file)
            return


def _from_point(point: etree._Element, file: str, level: int) -> Iterator[_Entry]:
    label = point.find(f"{_NCX}navLabel/{_NCX}text")
    content = point.find(f"{_NCX}content")
    if label is not None and content is not None:
        yield _entry(label.text or "", level, content.get("src", ""), file)
    for child in point.iterfind(f"{_NCX}navPoint"):
        yield from _from_point(child, file, level + 1)


def _entry(title: str, level: int, target: str, file: str) -> _Entry:
    path, fragment = urldefrag(target)
    folder = PurePosixPath(posixpath.dirname(file))
    return _Entry(" ".join(title.split()), max(level, 1), resolved(folder, path), unquote(fragment))


def _write(builder: SectionBuilder, data: bytes, entries: list[_Entry]) -> list[str]:
    """One part of the book, cut where the contents list says; gives its links."""
    if not data:
        return []
    by_fragment = {entry.fragment: entry for entry in entries if entry.fragment}
    pieces, links = page_pieces(data, frozenset(by_fragment), builder)
    level, fresh = 0, ""
    for entry in entries:
        if not entry.fragment:
            builder.heading(entry.title, entry.level)
            level, fresh = entry.level, entry.title
    for piece in pieces:
        if piece.mark:
            entry = by_fragment[piece.mark]
            builder.heading(entry.title, entry.level)
            level, fresh = entry.level, entry.title
        elif piece.level and fresh:
            _write_repeated(builder, piece, fresh, level)
            fresh = ""
        elif piece.level:
            builder.heading(piece.text, piece.level + (level if entries else 0))
        else:
            fresh = fresh if not piece.text else ""
            builder.add(piece.kind, piece.text)
    return links


def _write_repeated(builder: SectionBuilder, piece: Piece, title: str, level: int) -> None:
    """The heading below an entry of the contents list mostly says the same once more."""
    if titles.same(piece.text, title):
        return
    if titles.folded(piece.text).startswith(titles.folded(title)):
        builder.add(BlockKind.PARAGRAPH, piece.text)
    else:
        builder.heading(piece.text, level + 1)
