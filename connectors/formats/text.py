"""Plain text: paragraphs, lists and the headings that people type without any marks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.domain import BlockKind, ParsedDocument, ParseOutcome
from connectors.formats import guesses, titles
from connectors.formats.raw.encoding import decode
from connectors.formats.sections import SectionBuilder

_UNDERLINE = re.compile(r"\s*([=\-~*#^])\1{2,}\s*")
_ITEM = re.compile(r"\s*(?:[-*•·‣◦▪●○]|\d{1,3}[.)]|[a-z][.)]|[（(]\d{1,2}[)）])\s+\S")
_BULLET = re.compile(r"\s*[-*•·‣◦▪●○]\s")
_CHINESE_INDENT = re.compile(r"[ \t]*\u3000{2,}")
_RULE = re.compile(r"\s*([-=_*~#.])(?:\s*\1){2,}\s*")
_LINE_NUMBER = re.compile(r"\d{1,3} {3,}\S")
"""As in the margin of transcripts; a heading stands close to its number."""
_LONGEST_PARAGRAPH = 20_000


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """Lines between blank ones; `alone` when it is one line."""

    lines: tuple[str, ...]

    @property
    def alone(self) -> bool:
        return len(self.lines) == 1


def parse(data: bytes, name: str) -> ParsedDocument:
    """Sections of a plain text file; its first line is its title where it looks like one."""
    paragraphs = list(_paragraphs(decode(data).replace("\0", "")))
    title, rest = _title(paragraphs)
    if not rest:  # the title is all the text there is
        title, rest = "", paragraphs
    builder = SectionBuilder()
    levels = [_weak_level(paragraph) for paragraph in rest]
    for place, paragraph in enumerate(rest):
        _take(builder, paragraph, None if _is_listed(levels, place) else levels[place])
    return ParsedDocument(title, "text", ParseOutcome.OK, builder.sections())


def blocks(text: str) -> Iterator[tuple[BlockKind, str]]:
    """Paragraphs and items of a text in which no line is a heading."""
    for paragraph in _paragraphs(text.replace("\0", "")):
        yield from _blocks(paragraph.lines)


def _paragraphs(text: str) -> Iterator[_Paragraph]:
    lines: list[str] = []
    text = text.replace("\f", "\n\n")
    if "\u3000" in text:
        text = _CHINESE_INDENT.sub("\n\n", text)
    for line in text.split("\n"):
        if line.strip():
            lines.append(line.rstrip())
        elif lines:
            yield _Paragraph(tuple(lines))
            lines = []
    if lines:
        yield _Paragraph(tuple(lines))


def _title(paragraphs: list[_Paragraph]) -> tuple[str, list[_Paragraph]]:
    """The first line where it is one: alone or underlined, short, no sentence, no chapter."""
    if len(paragraphs) < 2 and not (paragraphs and _underlined(paragraphs[0])):
        return "", paragraphs
    first, rest = paragraphs[0], paragraphs[1:]
    line = first.lines[0].strip()
    if not (first.alone or _underlined(first)) or not _could_be_title(line):
        return "", paragraphs
    left = first.lines[2:] if _underlined(first) else ()
    return titles.tidy(line.lstrip("# ")), ([_Paragraph(left)] if left else []) + rest


def _could_be_title(line: str) -> bool:
    return (
        len(line) <= guesses.MAX_HEADING_CHARS
        and not guesses.ends_like_a_sentence(line)
        and guesses.chapter_level(line) is None
        and guesses.number_level(line) is None
        and not _ITEM.match(line)
        and titles.means_something(line)
    )


def _underlined(paragraph: _Paragraph) -> bool:
    lines = paragraph.lines
    return (
        len(lines) >= 2
        and _UNDERLINE.fullmatch(lines[1]) is not None
        and len(lines[0].strip()) <= guesses.MAX_HEADING_CHARS
        and _UNDERLINE.fullmatch(lines[0]) is None
    )


def _take(builder: SectionBuilder, paragraph: _Paragraph, weak_level: int | None) -> None:
    """A chapter line may have its text right below; weaker signs need a line of their own."""
    lines = paragraph.lines
    chapter = guesses.chapter_level(lines[0])
    level = weak_level if chapter is None else chapter
    if _underlined(paragraph):
        builder.heading(lines[0], 1 if "=" in lines[1] else 2)
        lines = lines[2:]
    elif level is not None:
        builder.heading(lines[0], level)
        lines = lines[1:]
    for kind, text in _blocks(lines):
        builder.add(kind, text)


def _weak_level(paragraph: _Paragraph) -> int | None:
    """Level of a line that stands alone and is numbered or in capitals."""
    line = paragraph.lines[0].strip()
    if not paragraph.alone or len(line) > 80 or _BULLET.match(line):
        return None
    if guesses.ends_like_a_sentence(line) or guesses.is_contents_line(line):
        return None
    if _LINE_NUMBER.match(line):
        return None
    if (numbered := guesses.number_level(line)) is not None:
        return numbered
    return 2 if guesses.is_upper(line) else None


def _is_listed(levels: list[int | None], place: int) -> bool:
    """Whether the line has no text of its own: the last one, or a neighbour of its like."""
    if place + 1 == len(levels):
        return True
    beside = [levels[place + 1], levels[place - 1] if place else None]
    return levels[place] is not None and levels[place] in beside


def _blocks(lines: tuple[str, ...]) -> Iterator[tuple[BlockKind, str]]:
    """Lines joined to paragraphs; an item or an indented new line begins another."""
    kind, current = BlockKind.PARAGRAPH, ""
    for line in lines:
        starts_item = _ITEM.match(line) is not None
        if current and (starts_item or len(current) > _LONGEST_PARAGRAPH):
            yield kind, current
            current = ""
        if _RULE.fullmatch(line):
            continue
        if not current:
            kind = BlockKind.ITEM if starts_item else BlockKind.PARAGRAPH
            current = line.rstrip() if starts_item else line.strip()
        else:
            current = f"{current}\n{line.strip()}"
    if current:
        yield kind, current
