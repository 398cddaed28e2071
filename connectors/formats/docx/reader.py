"""A Word file into sections: styled headings, or the bold lines that stand in for them."""

from dataclasses import replace
from itertools import pairwise

from lxml import etree

from agent.domain import BlockKind, ParsedDocument, ParseOutcome
from connectors.formats import guesses, titles
from connectors.formats.docx.body import BodyReader, Line
from connectors.formats.docx.contents import without_contents
from connectors.formats.docx.names import W
from connectors.formats.docx.package import WordParts, open_parts
from connectors.formats.raw.encoding import decode
from connectors.formats.sections import SectionBuilder

_ENOUGH_STYLED = 2
_REAL_NOTES = (None, "normal")


def parse(data: bytes, name: str) -> ParsedDocument:
    """Sections of a Word file; its title is the paragraph in the title style, else a property."""
    parts = open_parts(data)
    body = BodyReader.of(parts)
    lines = without_contents(list(body.lines(parts.body)))
    title, rest = _take_title(lines, parts.title)
    lines = rest if any(line.text for line in rest) else lines
    if sum(line.level is not None for line in lines) < _ENOUGH_STYLED:
        lines = _with_fake_headings(lines)
    writer = _Writer(parts, body)
    for line in lines:
        writer.take(line)
    writer.write_notes()
    sections = writer.builder.sections()
    pictures = not sections and _has_pictures(parts)
    return ParsedDocument(
        title,
        "docx",
        ParseOutcome.PARTIAL if pictures else ParseOutcome.OK,
        sections,
        reason="scanned: its pages are pictures without text" if pictures else "",
        links=tuple(dict.fromkeys(body.links + writer.links)),
        hidden_chars=body.hidden_chars,
    )


def _has_pictures(parts: WordParts) -> bool:
    """Whether it shows pictures; a chart or a shape is none."""
    return next(parts.body.iter("{*}blip", "{*}imagedata"), None) is not None


def _take_title(lines: list[Line], stated: str) -> tuple[str, list[Line]]:
    """The document's title, and the lines without it: it is no text of a section."""
    marked = [line for line in lines if line.is_title]
    if len(marked) == 1 and titles.means_something(marked[0].text):
        return titles.tidy(marked[0].text), [line for line in lines if line is not marked[0]]
    title = titles.first_meaningful([stated])
    first = next((line for line in lines if line.text), None)
    if first is None or first.level is not None or not first.flow:
        return title, lines
    if _folded(first.text) == _folded(title) or (not title and _is_title_line(first, lines)):
        return titles.tidy(first.text), [line for line in lines if line is not first]
    return title, lines


def _folded(title: str) -> str:
    return "".join(char for char in title.casefold() if char.isalnum())


def _is_title_line(first: Line, lines: list[Line]) -> bool:
    """A first line set larger than all text after it, or bold in the middle of the page."""
    rest = max((line.size for line in lines if line is not first and line.flow), default=0)
    return (
        len(first.text) <= guesses.MAX_HEADING_CHARS
        and not guesses.ends_like_a_sentence(first.text)
        and guesses.chapter_level(first.text) is None
        and guesses.number_level(first.text) is None
        and (first.size > rest or (first.bold and first.centred))
    )


def _with_fake_headings(lines: list[Line]) -> list[Line]:
    """Lines typed to look like headings, where the file has no styled ones.

    One that is followed at once by another of its level or above heads nothing: the lines of a
    title page, of an address.
    """
    levels = [_fake_level(lines, place) for place in range(len(lines))]
    for place, (level, after) in enumerate(pairwise([*levels, None])):
        if level and after and after <= level and lines[place].level is None:
            levels[place] = None
    return [replace(line, level=level) for line, level in zip(lines, levels, strict=True)]


def _fake_level(lines: list[Line], place: int) -> int | None:
    line = lines[place]
    if line.level is not None:
        return line.level
    text = line.text
    if not line.flow or line.kind is not BlockKind.PARAGRAPH or not _could_head(lines, place):
        return None
    if (chapter := guesses.chapter_level(text)) is not None:
        return chapter
    upper, numbered = guesses.is_upper(text), guesses.number_level(text)
    if upper and (guesses.is_lettered(text) or numbered):
        return numbered or 2
    if line.bold:
        return numbered or (1 if line.centred else 2)
    return None


def _could_head(lines: list[Line], place: int) -> bool:
    """Short, no sentence, no caption, and text follows it."""
    text = lines[place].text
    followed = place + 1 < len(lines) and not _is_same_kind(lines[place], lines[place + 1])
    return (
        followed
        and len(text) <= guesses.MAX_HEADING_CHARS
        and "\n" not in text
        and any(char.isalpha() for char in text)
        and not guesses.ends_like_a_sentence(text)
        and not guesses.is_caption(text)
    )


def _is_same_kind(line: Line, other: Line) -> bool:
    """Whether the next line is one more short bold line, as in an address block."""
    return line.bold and other.bold and other.flow and len(other.text) <= len(line.text)


class _Writer:
    """Hands lines to the section builder and appends footnotes where they are referred to."""

    def __init__(self, parts: WordParts, body: BodyReader) -> None:
        self.builder = SectionBuilder()
        self.links: list[str] = []
        self._parts = parts
        self._body = body
        self._notes = {
            "footnote": _by_id(parts.footnotes, "footnote"),
            "endnote": _by_id(parts.endnotes, "endnote"),
        }
        self._waiting: list[tuple[str, str]] = []

    def take(self, line: Line) -> None:
        """Add one line."""
        if line.chunk:
            self._embedded(line.chunk)
        elif line.level is not None and line.flow:
            self.write_notes()
            self.builder.heading(line.text.replace("\n", " "), line.level)
        else:
            self.builder.add(line.kind, line.text)
        self._waiting += line.notes

    def write_notes(self) -> None:
        """The notes that the open section refers to, at its end."""
        for kind, key in self._waiting:
            note = self._notes[kind].get(key)
            mark = self._body.runs.note_marks.get((kind, key), key)
            if note is not None:
                text = " ".join(line.text for line in self._body.lines(note, flow=False))
                self.builder.add(BlockKind.ITEM, f"[^{mark}] {text}" if text else "")
        self._waiting = []

    def _embedded(self, key: str) -> None:
        """A document inside the document: HTML, text or Word."""
        kind, data = self._parts.chunks.get(key, ("", b""))
        if "html" in kind:
            from connectors.formats.html.reader import read_fragment

            self.links += read_fragment(decode(data), self.builder)
        elif "wordprocessingml" in kind:
            for section in parse(data, "").sections:
                self.builder.heading(section.heading, section.level)
                for block in section.blocks:
                    self.builder.add(block.kind, block.text)
        elif kind.startswith("text/"):
            self.builder.add(BlockKind.PARAGRAPH, decode(data))


def _by_id(part: etree._Element | None, kind: str) -> dict[str, etree._Element]:
    found = () if part is None else part.iterfind(f"{W}{kind}")
    return {note.get(f"{W}id", ""): note for note in found if note.get(f"{W}type") in _REAL_NOTES}
