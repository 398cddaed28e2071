"""Markdown as a reader sees it: links by their text, no marks, tables as rows.

markdown-it-py decides what is a heading, a fence or a table; this module only turns its tokens
into sections. Raw HTML in a Markdown file goes through the HTML reader, so that a centred
`<h1>` of a README is a heading and a comment is nothing.
"""

import functools
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from agent.domain import BlockKind, ParsedDocument, TextBlock
from connectors.formats import titles
from connectors.formats.raw.encoding import decode
from connectors.formats.sections import SectionBuilder, without_title
from connectors.formats.unseen import (
    nested_without_limit,
    split_heading,
    unseen_plugin,
    without_shortcodes,
)

_TOML = re.compile(r"\A\ufeff?\+\+\+[ \t]*\n(.*?\n)\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL)
_YAML_TITLE = re.compile(r"^title\s*:\s*(.+?)\s*$", re.MULTILINE | re.IGNORECASE)
_INLINE_TAG = re.compile(r"</?[a-zA-Z][^>]*>|<!--.*?-->", re.DOTALL)
_LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_LINK_TARGET = re.compile(r"""(?:href|src)\s*=\s*["']([^"']+)["']""", re.IGNORECASE)
_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
_SLUG_DROPPED = re.compile(r"[^\w\- ]")


def parse(data: bytes, name: str) -> ParsedDocument:
    """Sections of a Markdown file; its title is the front matter's, else its single top heading."""
    return parse_text(decode(data))


def parse_text(text: str) -> ParsedDocument:
    """Like `parse`, for text that is decoded already."""
    front, body = _toml_front_matter(text.replace("\0", ""))
    reader = _Reader()
    reader.read(_engine().parse(body))
    title = front or reader.title
    sections = reader.builder.sections()
    place = _title_place(reader.builder, title)
    if place is not None:
        offset = 1 if reader.builder.text_before_headings else 0
        title = title or sections[place + offset].heading
        sections = without_title(sections, place + offset)
    return ParsedDocument(
        titles.tidy(title),
        "markdown",
        reader.builder.outcome,
        sections,
        reason=reader.builder.lost,
        links=tuple(reader.links),
    )


@functools.cache
def _engine() -> MarkdownIt:
    engine = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    engine.use(front_matter_plugin).use(footnote_plugin, inline=False)
    return engine.use(unseen_plugin).use(nested_without_limit)


def _toml_front_matter(text: str) -> tuple[str, str]:
    """(title, text after it) of `+++` front matter; ("", text) where there is none."""
    match = _TOML.match(text)
    if match is None:
        return "", text
    try:
        title = tomllib.loads(match[1]).get("title", "")
    except tomllib.TOMLDecodeError:
        title = ""
    return str(title), text[match.end() :]


def _yaml_title(front_matter: str) -> str:
    match = _YAML_TITLE.search(front_matter)
    if match is None or match[1][0] in "|>[{&*":
        return ""
    value = match[1]
    if value[0] in "\"'" and value[-1] == value[0] and len(value) > 1:
        return value[1:-1].replace("''", "'").replace('\\"', '"')
    return value.split(" #")[0].strip()


def _title_place(builder: SectionBuilder, title: str) -> int | None:
    """Which heading is the title of the document itself, counted from 0, or None.

    The single h1; or the single top heading of another level where nothing stands before it.
    A front matter title takes only a heading that repeats it.
    """
    headings = builder.headings()
    if not headings:
        return None
    top = min(level for level, _ in headings)
    places = [place for place, (level, _) in enumerate(headings) if level == top]
    if len(places) > 1 or (top > 1 and (places[0] > 0 or builder.text_before_headings)):
        return None
    if title and _folded(title) != _folded(headings[places[0]][1]):
        return None
    return places[0]


def _folded(title: str) -> str:
    return re.sub(r"[\W_]+", "", title).casefold()


@dataclass(slots=True)
class _Reader:
    """Walks the tokens once, keeping which list, quote and footnote is open."""

    builder: SectionBuilder = field(default_factory=SectionBuilder)
    title: str = ""
    links: list[str] = field(default_factory=list)
    _slugs: dict[str, int] = field(default_factory=dict)
    _markers: list[str] = field(default_factory=list)
    _bullet: str = ""
    _footnotes: dict[str, int] = field(default_factory=dict)
    _note: str = ""

    def read(self, tokens: Sequence[Token]) -> None:
        """Take all tokens of a document."""
        place = 0
        while place < len(tokens):
            token = tokens[place]
            match token.type:
                case "heading_open":
                    self._heading(token, tokens[place + 1])
                    place += 2
                case "table_open":
                    place = self._table(tokens, place)
                case _:
                    self._take(token)
            place += 1

    def _take(self, token: Token) -> None:
        match token.type:
            case "inline":
                self._paragraph(self._inline(token))
            case "fence" | "code_block":
                self._add(BlockKind.CODE, token.content.rstrip("\n"))
            case "html_block":
                self._html(token.content)
            case "front_matter":
                self.title = _yaml_title(token.content)
            case _:
                self._nesting(token)

    def _nesting(self, token: Token) -> None:
        match token.type:
            case "list_item_open":
                number = f"{token.info}{token.markup}" if token.info else token.markup
                self._markers.append(number)
                self._bullet = number
            case "list_item_close":
                self._bullet = ""
                self._markers.pop()
            case "footnote_open":
                self._note = str(token.meta.get("label", token.meta.get("id", "")))
                self._bullet = f"[^{self._note}]"
            case "footnote_close":
                self._note = self._bullet = ""
            case _:
                pass

    def _heading(self, token: Token, inline: Token) -> None:
        text, anchor = split_heading(" ".join(self._inline(inline).split()))
        self._bullet = ""
        anchor = f"#{anchor or self._slug(text)}"
        self.builder.heading(text, int(token.tag[1]), anchor=anchor if len(anchor) > 1 else "")

    def _slug(self, heading: str) -> str:
        """The anchor that drives and viewers give a heading, numbered where it repeats."""
        slug = _SLUG_DROPPED.sub("", heading.lower()).strip().replace(" ", "-")
        count = self._slugs.get(slug, 0)
        self._slugs[slug] = count + 1
        return f"{slug}-{count}" if count else slug

    def _paragraph(self, text: str) -> None:
        if not text:
            return
        if self._bullet:
            depth = max(len(self._markers) - 1, 0)
            text, kind = f"{'  ' * depth}{self._bullet} {text}", BlockKind.ITEM
            self._bullet = ""
        else:
            kind = BlockKind.PARAGRAPH
        self._add(kind, text)

    def _add(self, kind: BlockKind, text: str) -> None:
        if self._note in self._footnotes:
            self.builder.add_to(self._footnotes[self._note], TextBlock(kind, text.rstrip()))
        else:
            self.builder.add(kind, text)

    def _table(self, tokens: Sequence[Token], place: int) -> int:
        """Add the rows of the table that opens at `place`; give the place of its end."""
        cells: list[str] = []
        header = True
        while tokens[place].type != "table_close":
            token = tokens[place]
            if token.type == "inline":
                cells.append(" ".join(self._inline(token).split()))
            elif token.type == "tr_close":
                kind = BlockKind.HEADER_ROW if header else BlockKind.ROW
                self._add(kind, " | ".join(cells).rstrip(" |") if any(cells) else "")
                cells = []
            elif token.type == "thead_close":
                header = False
            place += 1
        return place

    def _html(self, source: str) -> None:
        from connectors.formats.html.reader import read_fragment  # lxml only where a file needs it

        self.links += read_fragment(without_shortcodes(source), self.builder)

    def _inline(self, token: Token) -> str:
        parts = list(self._parts(token.children or ()))
        return _joined("".join(parts)).strip()

    def _parts(self, tokens: Sequence[Token]) -> Iterator[str]:
        for token in tokens:
            match token.type:
                case "text" | "code_inline":
                    yield token.content
                case "softbreak" | "hardbreak":
                    yield "\0" if token.type == "softbreak" else "\n"
                case "image":
                    yield from self._parts(token.children or ())
                case _:
                    yield self._mark(token)

    def _mark(self, token: Token) -> str:
        match token.type:
            case "html_inline":
                return self._tag(token.content)
            case "footnote_ref":
                return self._footnote_mark(token)
            case "link_open":
                self._link(str(token.attrs.get("href", "")))
        return ""

    def _tag(self, tag: str) -> str:
        for target in _LINK_TARGET.findall(tag):
            self._link(target)
        return "\n" if _LINE_BREAK.fullmatch(tag) else _INLINE_TAG.sub("", tag)

    def _footnote_mark(self, token: Token) -> str:
        label = str(token.meta.get("label", token.meta.get("id", "")))
        self._footnotes.setdefault(label, len(self.builder) - 1)
        return f"[^{label}]"

    def _link(self, target: str) -> None:
        if target and not target.startswith("#") and target not in self.links:
            self.links.append(target)


def _joined(text: str) -> str:
    """Soft line breaks as a browser shows them; none between two Chinese characters."""
    if "\0" not in text:
        return text
    pieces = text.split("\0")
    result = pieces[0]
    for piece in pieces[1:]:
        between = result[-1:] + piece[:1]
        glued = len(between) == 2 and all(_CJK.match(char) for char in between)
        result += piece if glued else f" {piece}"
    return result
