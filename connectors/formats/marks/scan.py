"""Cuts Markdown into pieces, line by line: most need no parser, the rest names its lines.

A file of five megabytes takes a parser ten seconds and this scanner half of one. It reads what
stands at the left margin and is plain: headings, paragraphs, fences, lists without paragraphs
inside, tables. Wherever a rule of Markdown could read a line differently, the whole group of
lines up to a place where any block must end becomes a `Rest`, and the parser decides.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from connectors.formats.marks import lines as marks


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1 to 6; `source` is inline Markdown, as in all pieces."""

    level: int
    source: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; of an item where `marker` is not empty, indented by its depth."""

    source: str
    marker: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """Lines of code as they stand."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, the header first."""

    rows: list[list[str]]


@dataclass(frozen=True, slots=True)
class Rest:
    """Lines for the parser; `note` is the label where they define a footnote."""

    source: str
    note: str = ""
    defines: bool = False


Piece = Heading | Paragraph | Code | Table | Rest


class Scanner:
    """Goes through the lines of one text once."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._at = 0

    def pieces(self) -> Iterator[Piece]:
        """All pieces in reading order."""
        if front := self._front_matter():
            yield front
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line or line.isspace():
                self._at += 1
            elif (piece := self._piece(line)) is not None:
                yield from piece

    def _piece(self, line: str) -> list[Piece] | None:
        first = line[0]
        if first in "#`~ -*_+0123456789" and (found := self._marked(line)) is not None:
            return found
        if first == "<":
            return [self._html()]
        if first in " \t>{" or line.startswith(("[TOC", "[[", "[toc")):
            return [self._rest(self._group_end())]
        if first == "[" and (found := self._definition(line)) is not None:
            return found
        return self._paragraph()

    def _marked(self, line: str) -> list[Piece] | None:
        """A heading, fence, rule or list; None where the line begins none of them."""
        if heading := marks.ATX.match(line):
            self._at += 1
            return [Heading(len(heading[1]), heading[2] or "")]
        if fence := marks.FENCE.match(line):
            return [self._fence(len(fence[1]), fence[2])]
        if marks.RULE.match(line):
            self._at += 1
            return []
        if marks.ITEM.match(line):
            return self._list()
        if line[0] in "-*+0123456789" and marks.ODD_START.match(line):
            return [self._rest(self._list_end())]
        return None

    def _front_matter(self) -> Rest | None:
        if not self._lines[0].startswith("---"):
            return None
        for place, line in enumerate(self._lines[1:], 1):
            if marks.FRONT_END.match(line):
                return self._rest(place + 1)
        return None

    def _fence(self, indent: int, mark: str) -> Code:
        start = self._at + 1
        end = start
        while end < len(self._lines) and not _closes(self._lines[end], mark):
            end += 1
        self._at = end + 1
        body = self._lines[start:end]
        if indent:
            body = [line[_leading(line, indent) :] for line in body]
        return Code("\n".join(body))

    def _html(self) -> Rest:
        end = marks.html_end(self._lines, self._at, inside=False)
        return self._rest(self._group_end() if end is None else end + 1)

    def _definition(self, line: str) -> list[Piece] | None:
        if note := marks.NOTE.match(line):
            return [self._rest(self._list_end(), note=note[1])]
        if marks.DEFINITION.match(line):
            return [self._rest(self._group_end(), defines=True)]
        return None

    def _paragraph(self) -> list[Piece]:
        """Lines up to a blank one or to one that surely begins something else."""
        start = place = self._at
        while place < len(self._lines):
            line = self._lines[place].lstrip(" ")
            if not line or line.isspace():
                break
            if place > start and marks.ODD_START.match(line):
                return self._interrupted(place)
            place += 1
        return self._plain(place)

    def _plain(self, end: int) -> list[Piece]:
        source = _joined(self._lines[self._at : end])
        self._at = end
        return [Paragraph(source)]

    def _interrupted(self, place: int) -> list[Piece]:
        line = self._lines[place]
        if underline := marks.SETEXT.match(line):
            source = _joined(self._lines[self._at : place])
            self._at = place + 1
            return [Heading(1 if underline[1][0] == "=" else 2, source)]
        if marks.ATX.match(line) or marks.FENCE.match(line):
            return self._plain(place)
        item = marks.ITEM.match(line)
        if item and len(item[1]) < 4 and item[3] in (None, "1") and not marks.RULE.match(line):
            return self._plain(place)
        if place == self._at + 1 and marks.DELIMITER.match(line) and "|" in line:
            return self._table()
        return [self._rest(self._group_end())]

    def _table(self) -> list[Piece]:
        end = self._at + 2
        lines = self._lines
        while end < len(lines) and lines[end] and not lines[end].isspace():
            if lines[end].startswith("    ") or not lines[end].lstrip().startswith("|"):
                return [self._rest(self._group_end())]
            end += 1
        group = lines[self._at : end]
        header = marks.cells(group[0])
        odd = any("\\\\" in line or "\t" in line for line in group)
        if odd or len(header) != len(marks.cells(group[1])):
            return [self._rest(self._group_end())]
        self._at = end
        rows = [header, *((marks.cells(row) + [""] * len(header)) for row in group[2:])]
        return [Table([row[: len(header)] for row in rows])]

    def _list(self) -> list[Piece]:
        """Items with nothing but text in them; otherwise the whole list is left to the parser."""
        pieces: list[Piece] = []
        offsets: list[int] = []
        place = self._at
        while place < len(self._lines):
            line = self._lines[place]
            if not line or line.isspace() or (line[0] != " " and marks.STOP.match(line)):
                break
            item = marks.ITEM.match(line)
            end = self._item_end(place) if item and _nests(item, offsets) else 0
            if item is None or not end:
                return [self._rest(self._list_end())]
            body = [line[item.end() :], *self._lines[place + 1 : end]]
            pieces.append(Paragraph(_joined(body), "  " * (len(offsets) - 1) + item[2]))
            place = end
        if self._goes_on(place):
            return [self._rest(self._list_end())]
        self._at = place
        return pieces

    def _item_end(self, start: int) -> int:
        """The line after an item's text; 0 where it may hold more than a paragraph."""
        match = marks.ITEM.match(self._lines[start])
        text = self._lines[start][match.end() if match else 0 :]
        if marks.ODD_START.match(text) or "\t" in text[:1]:
            return 0
        place = start + 1
        while place < len(self._lines):
            line = self._lines[place].lstrip(" ")
            if not line or line.isspace() or marks.ITEM.match(line):
                return place
            if marks.ODD_START.match(line) or line[0] == "\t":
                return place if marks.STOP.match(self._lines[place]) else 0
            place += 1
        return place

    def _goes_on(self, place: int) -> bool:
        """Whether indented lines stand behind blank ones: they may belong to what is above."""
        while place < len(self._lines) and not self._lines[place].strip():
            place += 1
        return place < len(self._lines) and self._lines[place][0] in " \t"

    def _list_end(self) -> int:
        """The line after a list: one at the margin behind a blank line, or a block of its own."""
        place, blank = self._at + 1, False
        while place < len(self._lines):
            line = self._lines[place]
            if not line or line.isspace():
                blank = True
            elif line[0] not in " \t" and (blank or marks.STOP.match(line)):
                break
            else:
                blank = False
            place += 1
        return place

    def _group_end(self) -> int:
        """The line after a paragraph or quote; raw HTML in it may reach over blank lines."""
        place = self._at + 1
        while place < len(self._lines):
            line = self._lines[place]
            if not line or line.isspace():
                if not self._goes_on(place):
                    break
            elif marks.FENCE.match(line):
                break
            else:
                place = marks.html_end(self._lines, place, inside=True) or place
            place += 1
        return place

    def _rest(self, end: int, *, note: str = "", defines: bool = False) -> Rest:
        source = "\n".join(self._lines[self._at : end])
        self._at = end
        return Rest(source, note, defines)


def _closes(line: str, mark: str) -> bool:
    bare = line.strip(" \t")
    if not bare.startswith(mark) or bare.strip(mark[0]):
        return False
    return len(line) - len(line.lstrip(" ")) < 4


def _leading(line: str, most: int) -> int:
    return min(len(line) - len(line.lstrip(" ")), most)


def _joined(group: list[str]) -> str:
    if len(group) == 1:
        return group[0].strip(" \t")
    text = "\n".join([line.lstrip(" \t") for line in group])
    return text.strip(" \t\n")


def _nests(item: re.Match[str], offsets: list[int]) -> bool:
    """Take an item into the stack of open ones; False where its place is doubtful."""
    indent = len(item[1])
    while offsets and indent < offsets[-1]:
        offsets.pop()
    nested = bool(offsets)
    if indent - (offsets[-1] if nested else 0) > 3:
        return False
    offsets.append(item.end())
    return True
