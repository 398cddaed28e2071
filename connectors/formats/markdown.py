"""Markdown as a reader sees it: links by their text, no marks, tables as rows.

`marks` reads what is plain line by line; markdown-it-py decides about everything else, and this
module turns the pieces and tokens of both into sections. Raw HTML in a Markdown file goes through
the HTML reader, so that a centred `<h1>` of a README is a heading and a comment is nothing.
"""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from agent.domain import BlockKind, ParsedDocument, TextBlock
from connectors.formats import titles
from connectors.formats.marks.front import title_place, toml_front_matter, yaml_title
from connectors.formats.marks.inline import rendered
from connectors.formats.marks.scan import Code, Heading, Paragraph, Piece, Rest, Scanner, Table
from connectors.formats.marks.spoken import joined, spoken
from connectors.formats.raw.encoding import decode
from connectors.formats.sections import SectionBuilder, without_title
from connectors.formats.unseen import (
    nested_without_limit,
    split_heading,
    unseen_plugin,
    without_shortcodes,
)

_NESTED_NOTE = re.compile(r"^[ \t>*+\d.)-]+\[\^[^\]]+\]:", re.MULTILINE)
_NOTE_MARK = re.compile(r"\[\^([^\]\s]+)\]")
_SLUG_DROPPED = re.compile(r"[^\w\- ]")


def parse(data: bytes, name: str) -> ParsedDocument:
    """Sections of a Markdown file; its title is the front matter's, else its single top heading."""
    return parse_text(decode(data))


def parse_text(text: str) -> ParsedDocument:
    """Like `parse`, for text that is decoded already."""
    front, body = toml_front_matter(text.replace("\0", ""))
    reader = _Reader()
    reader.take(body.replace("\r\n", "\n").replace("\r", "\n"))
    title = front or reader.title
    sections = reader.builder.sections()
    place = title_place(reader.builder, title)
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
    _known: dict[str, Any] = field(default_factory=dict)
    _labels: frozenset[str] = frozenset()

    def take(self, text: str) -> None:
        """Read a whole document."""
        if _NESTED_NOTE.search(text):
            self.read(_engine().parse(text))
            return
        pieces = list(Scanner(text).pieces())
        rest = [piece for piece in pieces if isinstance(piece, Rest)]
        _engine().parse("\n\n".join(each.source for each in rest if each.defines), self._known)
        self._labels = frozenset(each.note for each in rest if each.note)
        for piece in pieces:
            self._piece(piece)
        self._write_notes("\n\n".join(each.source for each in rest if each.note))

    def _piece(self, piece: Piece) -> None:
        match piece:
            case Paragraph(source, marker):
                self._bullet = ""
                text = self._rendered(source)
                kind = BlockKind.ITEM if marker else BlockKind.PARAGRAPH
                self._add(kind, f"{marker} {text}" if marker and text else text)
            case Heading(level, source):
                self._open(self._rendered(source), level)
            case Code(text):
                self._add(BlockKind.CODE, text.rstrip("\n"))
            case Table(rows):
                for place, row in enumerate(rows):
                    self._row([self._rendered(cell) for cell in row], header=place == 0)
            case Rest(source, note):
                self.read(() if note else _engine().parse(source, self._known))

    def _write_notes(self, definitions: str) -> None:
        """The footnotes that the text refers to, each where it does so first."""
        if not self._footnotes:
            return
        marks = " ".join(f"[^{label}]" for label in self._footnotes)
        tokens = _engine().parse(f"{marks}\n\n{definitions}", self._known)
        self.read([token for place, token in enumerate(tokens) if place > 2])

    def _rendered(self, source: str) -> str:
        """Inline Markdown as text; the parser reads what is not plain."""
        found: list[str] = []
        text = rendered(source, found, references=bool(self._known.get("references")))
        if text is None:
            return self._parsed(source)
        for target in found:
            self._link(target)
        return self._noted(joined(text).strip())

    def _parsed(self, source: str) -> str:
        children: list[Token] = []
        engine = _engine()
        engine.inline.parse(source, engine, self._known, children)
        return self._inline(Token("inline", "", 0, children=children))

    def _noted(self, text: str) -> str:
        if self._labels and "[^" in text:
            for label in _NOTE_MARK.findall(text):
                if label in self._labels:
                    self._refer(label)
        return text

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
                self.title = yaml_title(token.content)
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
        self._open(self._inline(inline), int(token.tag[1]))

    def _open(self, heading: str, level: int) -> None:
        text, anchor = split_heading(" ".join(heading.split()))
        self._bullet = ""
        anchor = f"#{anchor or self._slug(text)}"
        self.builder.heading(text, level, anchor=anchor if len(anchor) > 1 else "")

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
                cells.append(self._inline(token))
            elif token.type == "tr_close":
                self._row(cells, header=header)
                cells = []
            elif token.type == "thead_close":
                header = False
            place += 1
        return place

    def _row(self, cells: list[str], *, header: bool) -> None:
        line = " | ".join(" ".join(cell.split()) for cell in cells).rstrip(" |")
        self._add(BlockKind.HEADER_ROW if header else BlockKind.ROW, line)

    def _html(self, source: str) -> None:
        from connectors.formats.html.reader import read_fragment  # lxml only where a file needs it

        self.links += read_fragment(without_shortcodes(source), self.builder)

    def _inline(self, token: Token) -> str:
        return self._noted(spoken(token.children or (), self._link, self._refer))

    def _refer(self, label: str) -> None:
        """A footnote belongs to the section that refers to it first."""
        self._footnotes.setdefault(label, len(self.builder) - 1)

    def _link(self, target: str) -> None:
        if target and not target.startswith("#") and target not in self.links:
            self.links.append(target)
