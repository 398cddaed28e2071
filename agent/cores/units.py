"""What the extractive core can quote: sentences, list items, table rows, lines of code.

A unit is cut by offsets out of one section, so whatever is joined stays contiguous and a quote
stands in its source as it is. One that cannot be understood alone, because it is short or opens
with a pronoun, is completed by its neighbour.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from agent.domain import Block, BlockKind, Section, Window
from agent.ports import ShownWindow
from agent.text.sentences import Span, sentences

_SHORT_CHARS = 35
_SHORT_CHARS_CJK = 14
_BULLET = re.compile(r"\s*[-*+•‣◦▪·–—]\s+")
_NUMBERED = re.compile(r"\s*\(?\d{1,3}[.)、]\s")
_LONG_ITEM_CHARS = 320
"""A longer list item is quoted by sentences."""
_LEANING = re.compile(
    r"(?:it|its|this|that|these|those|they|them|their|he|she|his|her|there|such|otherwise|however|"
    r"also|then|instead|in this case|if so|if not|yes|no|but|and|or)\b"
    r"|它|其|这|那|该|此|他|她|但|而|因此|所以|否则|然后|另外|此外|同时|并且|即|是的",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\s*(?:#+(?!!)|//|--|;|REM\b)\s*\S")
_CJK = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Unit:
    """The smallest thing that is quoted.

    Attributes:
        start, end: half-open offsets in the section's source text.
        number: place among the units of its window, from 0.
    """

    shown: ShownWindow
    start: int
    end: int
    kind: BlockKind
    number: int

    @property
    def section(self) -> Section:
        """The section it stands in."""
        return self.shown.window.section

    @property
    def text(self) -> str:
        """The unit as it stands."""
        return self.section.text[self.start : self.end]

    @property
    def leans(self) -> bool:
        """Whether it opens with a word that points to the sentence before."""
        return _LEANING.match(self.text.lstrip("*_-•– ")) is not None

    @property
    def short(self) -> bool:
        """Whether it is too short to say much by itself; a table row has its columns."""
        limit = _SHORT_CHARS_CJK if _CJK.search(self.text) else _SHORT_CHARS
        return self.kind is not BlockKind.ROW and self.end - self.start < limit

    @property
    def comments(self) -> bool:
        """Whether it is a line of code that says what the next ones do."""
        return self.kind is BlockKind.CODE and _COMMENT.match(self.text) is not None

    @property
    def leads_in(self) -> bool:
        """Whether it announces what follows it."""
        return self.comments or self.text.rstrip().endswith((":", "："))

    @property
    def asks(self) -> bool:
        """Whether it is a question, as in lists of frequent ones."""
        return self.text.rstrip().endswith(("?", "？"))


def cut(shown: ShownWindow) -> list[Unit]:
    """The units of a window in reading order; header rows are context, not units."""
    spans = [each for each in _spans(shown.window) if each[0] is not BlockKind.HEADER_ROW]
    return [
        Unit(shown, start, end, kind, number) for number, (kind, start, end) in enumerate(spans)
    ]


def stretch(units: Sequence[Unit], first: int, last: int) -> Span:
    """The contiguous stretch from one unit of a window to another, both included."""
    return units[first].start, units[last].end


def contiguous(units: Sequence[Unit], first: int, last: int) -> bool:
    """Whether a run of units stands in its source without a break.

    Behind a blank line something may have been left out of the text, a fence or a picture: only
    a list behind the line that leads into it is never parted from it.
    """
    for one, other in pairwise(units[first : last + 1]):
        blank = "\n\n" in one.section.text[one.end : other.start]
        list_follows = one.leads_in and _listed(other)
        code = BlockKind.CODE in (one.kind, other.kind) and one.kind is not other.kind
        if code or (blank and not list_follows):
            return False
    return True


def list_around(units: Sequence[Unit], number: int, most_chars: int) -> tuple[int, int]:
    """The run of list items around a unit, with the sentence that leads into it.

    Returns:
        Numbers of the first and last unit of the run, both included; at most `most_chars`
        characters, cut at the end; the unit alone where it stands in no list.
    """
    first = last = number
    if units[number].kind is BlockKind.CODE:
        return number, _last_of_code(units, number, most_chars)
    if not _listed(units[number]):
        if number + 1 < len(units) and units[number].leads_in and _listed(units[number + 1]):
            last = number + 1
        else:
            return number, number
    while first > 0 and _listed(units[first - 1]) and _listed(units[first]):
        first -= 1
    if first > 0 and units[first - 1].leads_in:
        first -= 1
    while last + 1 < len(units) and _listed(units[last + 1]):
        last += 1
    return _trimmed(units, (first, last), number, most_chars)


def _last_of_code(units: Sequence[Unit], number: int, most_chars: int) -> int:
    """The last line that a comment in code speaks of; a line that comments nothing stands alone."""
    last = number
    if not units[number].comments:
        return last
    while last + 1 < len(units) and units[last + 1].kind is BlockKind.CODE:
        grown = units[last + 1].end - units[number].start
        if grown > most_chars or (units[last + 1].comments and last > number):
            break
        last += 1
    return last


def _trimmed(
    units: Sequence[Unit], run: tuple[int, int], number: int, most_chars: int
) -> tuple[int, int]:
    first, last = run
    while last > number and units[last].end - units[first].start > most_chars:
        last -= 1
    while first < number and units[last].end - units[first].start > most_chars:
        first += 1
    return first, last


def _listed(unit: Unit) -> bool:
    return unit.kind is BlockKind.ITEM or _NUMBERED.match(unit.text) is not None


def _spans(window: Window) -> Iterator[tuple[BlockKind, int, int]]:
    """What of a window is quoted by itself; a section may be a book, so only its blocks are cut."""
    text = window.section.text
    for block in window.section.blocks or (Block(BlockKind.PARAGRAPH, 0, len(text)),):
        if block.end <= window.start or window.end <= block.start:
            continue
        inside = replace(
            block, start=max(block.start, window.start), end=min(block.end, window.end)
        )
        for start, end in _within(text, inside):
            yield block.kind, start, end


def _within(text: str, block: Block) -> Iterator[Span]:
    """What of a block is quoted by itself."""
    match block.kind:
        case BlockKind.CODE:
            yield from _lines(text, block)
        case BlockKind.ITEM:
            bullet = _BULLET.match(text, block.start, block.end)
            start = bullet.end() if bullet else block.start
            if block.end - start > _LONG_ITEM_CHARS:
                yield from sentences(text, start, block.end)
            else:
                yield start, block.end
        case BlockKind.PARAGRAPH:
            yield from sentences(text, block.start, block.end)
        case _:
            yield block.start, block.end


def _lines(text: str, block: Block) -> Iterator[Span]:
    start = block.start
    for line in text[block.start : block.end].splitlines(keepends=True):
        if line.strip():
            yield start, start + len(line.rstrip("\r\n"))
        start += len(line)
