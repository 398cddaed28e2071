"""The pieces an HTML page consists of, and what a browser does not show of it."""

import re
from dataclasses import dataclass, replace

from lxml import html

from agent.domain import BlockKind
from connectors.formats import guesses

HIDDEN_TAGS = frozenset(
    (
        "script", "style", "noscript", "template", "iframe", "object", "embed", "svg", "canvas",
        "audio", "video", "select", "button", "datalist", "textarea", "head", "meta", "link",
        "title", "map",
    )
)  # fmt: skip
HEADINGS = {f"h{level}": level for level in range(1, 7)}
BLOCKS = frozenset(
    (
        "p", "div", "section", "article", "main", "header", "footer", "blockquote", "dl", "dt",
        "dd", "figure", "figcaption", "address", "center", "ul", "ol", "li", "body", "html",
        "form", "fieldset", "details", "summary", "hgroup", "td", "th", "caption", "tr", "tbody",
    )
)  # fmt: skip
_HIDDEN = re.compile(
    r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0*\.?0+(?:%|\s|;|!|$)"
    r"|font-size\s*:\s*(?:0*\.\d+|0|1(?:\.\d+)?)(?:px|pt)?\s*(?:;|!|$)"
    r"|(?:left|top|text-indent)\s*:\s*-\d{4,})",
    re.IGNORECASE,
)
_WHITE = re.compile(
    r"(?:^|[;\s])color\s*:\s*(?:white\b|#fff(?:fff)?\b|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))",
    re.IGNORECASE,
)
_GROUND = re.compile(
    r"background(?:-color)?\s*:\s*(?!\s*(?:white\b|#fff(?:fff)?\b|none\b|transparent\b))",
    re.IGNORECASE,
)
BLANKS = re.compile(r"[ \t\n\r\f\v\xa0]+")


def is_hidden(element: html.HtmlElement) -> bool:
    """Whether a browser would not show the element."""
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    style = element.get("style")
    if not style:
        return False
    if _HIDDEN.search(style) is not None:
        return True
    return _WHITE.search(style) is not None and not _has_ground(element)


def _has_ground(element: html.HtmlElement) -> bool:
    """Whether white letters may stand on something: a ground of their own, or one by a class."""
    return any(
        each.get("bgcolor") or each.get("background") or each.get("class") or each.get("id")
        or _GROUND.search(each.get("style") or "")
        for each in (element, *element.iterancestors())
    )  # fmt: skip


def heading_level(element: html.HtmlElement) -> int:
    """The level of a heading, by its name or by the role that its author gave it; 0 for others."""
    if element.get("role") == "heading":
        stated = element.get("aria-level") or ""
        return int(stated) if stated in ("1", "2", "3", "4", "5", "6") else 2
    return HEADINGS.get(element.tag, 0)


def text_of(element: html.HtmlElement) -> str:
    """All text in an element, blanks folded; scripts and styles left out."""
    parts: list[str] = element.xpath(
        ".//text()[not(ancestor::script or ancestor::style or ancestor::noscript)]"
    )
    return BLANKS.sub(" ", "".join(parts)).strip()


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
