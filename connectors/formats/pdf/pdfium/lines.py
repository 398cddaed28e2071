"""The visible lines of a page, each with its place, type, tag and the gaps that divide it."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from connectors.formats.pdf.page import Cell, Line, Slot, Tag
from connectors.formats.pdf.pdfium.drawn import Drawn
from connectors.formats.pdf.pdfium.probe import TINY_POINTS, Frame, Probe

_WIDE = 1.6
_NARROW = 0.8
_LINE_END = re.compile(r"\r\n|\r|\n|\ufffe")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_ALEF_LAM = re.compile("[\u0627\u0622\u0623\u0625\u0671]\u0644")
_TURNED = 0.8
_INVISIBLE = 3
_WHITE = (255, 255, 255)
_Box = tuple[float, float, float, float]


class _Cut(NamedTuple):
    """A gap in a line: its place in the text, its edges in points, whether it surely divides."""

    start: int
    end: int
    left: float
    right: float
    sure: bool = False


class Lines:
    """Reads one page.

    Attributes:
        text: all its characters, as PDFium gives them.
        hidden: how many of them no reader sees; known after `read`.
    """

    def __init__(
        self,
        textpage: pdfium.PdfTextPage,
        frame: Frame,
        drawn: Drawn,
        tags: Mapping[int, Tag],
        number: int,
    ) -> None:
        self._textpage, self._frame, self._drawn, self._tags = textpage, frame, drawn, tags
        self._probe = Probe(textpage)
        self._size, self._pictured = frame.size, drawn.has_image
        self._divided = any(tag.slot for tag in tags.values())
        self.text = _units(textpage.get_text_range())
        self._exact = len(self.text) == textpage.count_chars()
        self.number = number
        self.hidden = 0
        self._directions: Counter[int] = Counter()

    @property
    def turn(self) -> int:
        """Degrees clockwise by which the page must be turned to be read; mostly 0."""
        direction, chars = self._directions.most_common(1)[0] if self._directions else (0, 0)
        return direction if chars >= _TURNED * self._directions.total() else 0

    def read(self) -> list[Line]:
        """The lines in PDFium's order."""
        lines: list[Line] = []
        for start, end, broken in _spans(self.text):
            first = self._index(start)
            if first < 0:
                continue
            text = self._logical(self.text[start:end], first)
            line = self._line(text, first, broken=broken)
            if self._is_hidden(line, first):
                self.hidden += len(line.text)
            else:
                lines.append(line)
        return lines

    def _index(self, place: int) -> int:
        if self._exact:
            return place
        return int(raw.FPDFText_GetCharIndexFromTextIndex(self._textpage, place))

    def _logical(self, text: str, first: int) -> str:
        """Arabic lam-alef, which is one glyph, in the order of reading; PDFium turns it round."""
        for match in _ALEF_LAM.finditer(text):
            at = match.start()
            if self._probe.box(first + at) == self._probe.box(first + at + 1):
                text = f"{text[:at]}{text[at + 1]}{text[at]}{text[at + 2 :]}"
        return text

    def _line(self, text: str, first: int, *, broken: bool) -> Line:
        probe, frame = self._probe, self._frame
        last = first + len(text) - 1
        middle = _solid(text, len(text) // 2) + first
        _, y = frame.shown(*probe.origin(first))
        x0, x1 = frame.edges(probe.box(first))[0], frame.edges(probe.box(last))[1]
        direction = probe.direction(first, frame)
        size = round(probe.size(first, last), 1)
        self._directions[direction] += len(text)
        upright = direction == 0
        cuts = self._cuts(text, first, (size, y)) if upright else []
        wide = [cut for cut in cuts if cut.sure or cut.right - cut.left > _WIDE * size]
        return Line(
            _joined(text),
            self.number,
            min(x0, x1),
            max(x0, x1),
            y,
            size,
            bold=all(probe.bold(index) for index in (first, middle, last)),
            upright=upright,
            broken=broken,
            cells=self._cells(text, first, (x0, x1), wide),
            parts=self._cells(text, first, (x0, x1), cuts) if len(wide) < len(cuts) > 1 else (),
            tag=self._tags.get(probe.marked(first)) if self._tags else None,
        )

    def _cuts(self, text: str, first: int, place: tuple[float, float]) -> list[_Cut]:
        """The gaps that may divide cells: wider than a blank, with a rule in them, or tagged."""
        size, y = place
        narrow = _NARROW * size
        rules = self._rules_at(y - size / 3)
        gaps = self._probe.gaps(text, first, self._frame)
        if not rules and not self._divided:
            return [_Cut(*gap) for gap in gaps if gap[3] - gap[2] > narrow]
        cuts: list[_Cut] = []
        for left, right, end, start in gaps:
            ruled = any(end - 1 <= at <= start + 1 for at in rules)
            sure = ruled or (self._divided and self._changes_slot(first + left - 1, first + right))
            if sure or start - end > narrow:
                cuts.append(_Cut(left, right, end, start, sure))
        return cuts

    def _rules_at(self, height: float) -> list[float]:
        """Where upright rules cross a height."""
        rules = self._drawn.uprights
        return [each.at for each in rules if each.start <= height <= each.end] if rules else []

    def _changes_slot(self, before: int, after: int) -> bool:
        return self._slot(before) != self._slot(after)

    def _slot(self, index: int) -> Slot | None:
        tag = self._tags.get(self._probe.marked(index))
        return tag.slot if tag else None

    def _cells(
        self, text: str, first: int, edges: tuple[float, float], cuts: Sequence[_Cut]
    ) -> tuple[Cell, ...]:
        """The parts of a line between gaps; a line in one piece has none, a tagged one has one."""
        if not cuts and not self._divided:
            return ()
        starts = [(0, edges[0]), *((cut.end, cut.right) for cut in cuts)]
        ends = [*((cut.start, cut.left) for cut in cuts), (len(text), edges[1])]
        cells = tuple(
            Cell(
                _joined(text[start:end]), x0, x1,
                self._slot(first + start) if self._divided else None,
            )
            for (start, x0), (end, x1) in zip(starts, ends, strict=True)
        )  # fmt: skip
        return cells if len(cells) > 1 or cells[0].slot else ()

    def _is_hidden(self, line: Line, first: int) -> bool:
        """Text that no reader sees: off the page, tiny, unpainted, in the colour of its ground."""
        width, height = self._size
        if line.x1 < 0 or line.x0 > width or line.y < 0 or line.y - line.size > height:
            return True
        if line.size < TINY_POINTS:
            return True
        if not self._pictured and self._probe.render_mode(first) == _INVISIBLE:
            return True
        return self._is_camouflaged(first, first + len(line.text) - 1)

    def _is_camouflaged(self, first: int, last: int) -> bool:
        if not self._drawn.grounds and not self._drawn.only_text:
            return False
        colour = self._probe.colour(first)
        if colour != _WHITE and not self._drawn.grounds:
            return False
        left, right, bottom, top = self._probe.box(first)
        ground = self._drawn.ground((left + right) / 2, (bottom + top) / 2)
        if ground is None:
            return colour == _WHITE and self._drawn.only_text
        left, right, bottom, top = self._probe.box(last)
        return ground.colour == colour and ground.holds((left + right) / 2, (bottom + top) / 2)


def _units(text: str) -> str:
    """A text with one character for each that PDFium counts: it counts in UTF-16."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(map(chr, memoryview(data).cast("H")))


def _joined(text: str) -> str:
    """The reverse of `_units`."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def _spans(text: str) -> Iterator[tuple[int, int, bool]]:
    """(start, end, word goes on) of each line without the blanks around it."""
    start = 0
    for match in [*_LINE_END.finditer(text), None]:
        end = len(text) if match is None else match.start()
        part = text[start:end]
        if part.strip():
            left = len(part) - len(part.lstrip())
            yield (
                start + left,
                start + len(part.rstrip()),
                match is not None and match[0] == "\ufffe",
            )
        start = end if match is None else match.end()


def _solid(text: str, place: int) -> int:
    """The nearest place from `place` on that holds no blank."""
    while place + 1 < len(text) and text[place].isspace():
        place += 1
    return place
