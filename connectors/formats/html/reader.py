"""HTML as a browser shows it: its main part, headings, lists and tables; nothing is fetched.

Pages made by word processors have no heading elements; there, short bold or centred lines serve
as headings. Lawyers' filings of two megabytes are read this way in a tenth of a second.
"""

import re
from collections.abc import Iterable

from lxml import etree, html

from agent.domain import ParsedDocument, ParsedSection
from agent.errors import ParseError
from connectors.formats import titles
from connectors.formats.html.pieces import HIDDEN_TAGS, Piece, is_hidden, text_of
from connectors.formats.html.walk import Walk
from connectors.formats.raw.encoding import decode
from connectors.formats.sections import TOO_DEEP, SectionBuilder, without_title

_CHARSET = re.compile(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{2,40})|^<\?xml[^>]*encoding=["']([\w-]+)""",
    re.IGNORECASE,
)
_PAGE_PARTS = ("nav", "aside")
_FURNITURE_CLASSES = frozenset(
    (
        "breadcrumb", "breadcrumbs", "interlanguage-link", "mw-editsection", "navbar", "navbox",
        "noprint", "skip-link", "sr-only", "visually-hidden",
    )
)  # fmt: skip
_FRAME_PARTS = ("header", "footer")
_MOST = 0.5
_NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\ufffe\uffff]")
"""Characters that a tree refuses in what is written into it."""
_BY_NUMBER = re.compile(r"&#(?:x([0-9a-f]{1,8})|(\d{1,8}));?", re.IGNORECASE)


def parse(data: bytes, name: str) -> ParsedDocument:
    """Sections of a web page; its title is the page's, or its single h1 where that is shorter."""
    source = decode(data, _declared_charset(data))
    page, lost = _page(source)
    named = titles.tidy(_first_text(page, "//head//title | //title"))
    head_line = _frame_heading(page)
    walk, hidden = _walked(page)
    if not walk.pieces:  # all its text stands where other pages have only their frame
        walk, hidden = _walked(_page(source)[0], framed=True)
    builder = SectionBuilder()
    builder.lost = lost
    marked = any(piece.level for piece in walk.pieces)
    fill(builder, walk.pieces if marked else _with_headings(walk.pieces))
    title, sections = _titled(builder.sections(), named, head_line, marked=marked)
    return ParsedDocument(
        title,
        "html",
        builder.outcome,
        sections,
        reason=builder.lost,
        links=tuple(dict.fromkeys(walk.links)),
        hidden_chars=hidden,
    )


def read_fragment(source: str, builder: SectionBuilder) -> list[str]:
    """Add the visible pieces of raw HTML inside another format; gives its link targets."""
    if "<" not in re.sub(r"<!--.*?(?:-->|\Z)", "", source, flags=re.DOTALL):
        return []
    page, lost = _page(f"<div>{source}</div>")
    builder.lost = builder.lost or lost
    _strip(page)
    walk = Walk()
    walk.read(page)
    fill(builder, walk.pieces)
    return walk.links


def page_pieces(
    data: bytes, wanted: frozenset[str], builder: SectionBuilder
) -> tuple[list[Piece], list[str]]:
    """The visible pieces of a page with marks at the `wanted` ids, and its link targets.

    The builder learns whether some of the page could not be read.
    """
    page, lost = _page(decode(data, _declared_charset(data)))
    builder.lost = builder.lost or lost
    _strip(page)
    walk = Walk(wanted)
    walk.read(next(page.iter("body"), page))
    return walk.pieces, walk.links


def fill(builder: SectionBuilder, pieces: Iterable[Piece]) -> None:
    """Hand pieces over as headings and blocks."""
    for piece in pieces:
        if piece.level:
            builder.heading(piece.text, piece.level, anchor=piece.anchor)
        else:
            builder.add(piece.kind, piece.text)


def _walked(page: html.HtmlElement, *, framed: bool = False) -> tuple[Walk, int]:
    """What a page holds, its frame only if `framed`, and the number of hidden characters."""
    hidden = _strip(page, framed=framed)
    walk = Walk()
    walk.read(next(page.iter("body"), page) if framed else _main_part(page))
    return walk, hidden


def _page(source: str) -> tuple[html.HtmlElement, str]:
    """The tree, and the reason why some of the source is not in it; mostly empty."""
    parser = html.HTMLParser(
        no_network=True, huge_tree=False, remove_comments=True, remove_pis=True, encoding="utf-8"
    )
    try:
        page = html.document_fromstring(_text_alone(source).encode(errors="replace"), parser)
    except etree.LxmlError as error:
        raise ParseError("damaged", f"the HTML cannot be read ({error})") from error
    deep = any(each.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for each in parser.error_log)
    return page, TOO_DEEP if deep else ""


def _text_alone(source: str) -> str:
    """The source without control characters, written out or named by their numbers."""
    return _BY_NUMBER.sub(_if_text, _NO_TEXT.sub("", source.replace("\f", " ")))


def _if_text(match: re.Match[str]) -> str:
    code = int(match[1], 16) if match[1] else int(match[2])
    known = code < 0x110000 and not 0xD800 <= code < 0xE000
    return match[0] if known and code != 12 and not _NO_TEXT.match(chr(code)) else " "


def _declared_charset(data: bytes) -> str:
    match = _CHARSET.search(data[:4_096])
    return (match[1] or match[2]).decode("ascii") if match else ""


def _first_text(page: html.HtmlElement, path: str) -> str:
    return next((text_of(each) for each in page.xpath(path)), "")


def _frame_heading(page: html.HtmlElement) -> str:
    """The page's only h1, which may stand in a header that is dropped below."""
    found = [
        text_of(each)
        for each in page.iter("h1")
        if not is_hidden(each) and next(each.iterancestors("td", "th"), None) is None
    ]
    return titles.tidy(found[0]) if len(found) == 1 else ""


def _strip(page: html.HtmlElement, *, framed: bool = False) -> int:
    """Take out what a reader does not see or need; the number of hidden characters."""
    hidden = 0
    total = max(len(text_of(page)), 1)
    for element in list(page.iter(etree.Element)):
        if is_hidden(element) and element.getparent() is not None:
            hidden += len(text_of(element))
            element.drop_tree()
        elif not framed and _is_furniture(element, total):
            element.drop_tree()
    return hidden


def _is_furniture(element: html.HtmlElement, total: int) -> bool:
    if element.getparent() is None:
        return False
    if element.tag in HIDDEN_TAGS or element.tag in _PAGE_PARTS:
        return True
    if not _FURNITURE_CLASSES.isdisjoint((element.get("class") or "").split()):
        return True
    if element.get("role") in ("navigation", "banner", "contentinfo", "search"):
        return True
    if element.tag in _FRAME_PARTS:
        inside = any(each.tag in ("main", "article") for each in element.iterancestors())
        return not inside and not _heads_the_text(element)
    return element.tag == "form" and len(text_of(element)) < _MOST * total


def _heads_the_text(header: html.HtmlElement) -> bool:
    """Whether a header is that of the text (heading, date, author) and not of the site."""
    return (
        header.tag == "header"
        and next(header.iter("h1"), None) is not None
        and next(header.iter("nav", "a", "ul", "form"), None) is None
    )


def _main_part(page: html.HtmlElement) -> html.HtmlElement:
    """`main`, or a single `article` that holds most of the text, or everything."""
    body = next(page.iter("body"), page)
    for path in ("//main | //*[@role='main']", "//article"):
        found = body.xpath(path)
        if len(found) == 1 and len(text_of(found[0])) >= _MOST * len(text_of(body)):
            part: html.HtmlElement = found[0]
            return part
    return body


def _with_headings(pieces: list[Piece]) -> list[Piece]:
    """Short bold or centred lines become headings where the page marks none itself."""
    last = len(pieces) - 1
    return [
        piece.as_heading() if piece.looks_like_heading and place < last else piece
        for place, piece in enumerate(pieces)
    ]


def _titled(
    sections: tuple[ParsedSection, ...], named: str, head_line: str, *, marked: bool
) -> tuple[str, tuple[ParsedSection, ...]]:
    """The title, and the sections without the single h1 that repeats it."""
    tops = [place for place, each in enumerate(sections) if each.heading and each.level == 1]
    single = sections[tops[0]].heading if marked and len(tops) == 1 else ""
    title = titles.first_meaningful((named, head_line, single))
    if single and (title == single or single in named):
        return titles.tidy(single), without_title(sections, tops[0])
    return title, sections
