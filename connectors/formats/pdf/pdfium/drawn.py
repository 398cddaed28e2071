"""What is drawn on a page beside its text: kinds of objects, rules of tables, coloured grounds."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from connectors.formats.pdf.page import Rule
from connectors.formats.pdf.pdfium.probe import Frame

_MOST_OBJECTS = 5_000
_MOST_RULES = 400
_MOST_SEGMENTS = 1_500
_MOST_GROUNDS = 500
_THIN = 3.0
_SHORT = 7.0
_OPAQUE = 250
_TEXT, _PATH = raw.FPDF_PAGEOBJ_TEXT, raw.FPDF_PAGEOBJ_PATH
Colour = tuple[int, ...]
Box = tuple[float, float, float, float]


class Ground(NamedTuple):
    """A filled area, in points of the file; no colour where it is a picture."""

    box: Box
    colour: Colour | None

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies in it."""
        left, bottom, right, top = self.box
        return left <= x <= right and bottom <= y <= top


@dataclass(slots=True)
class Drawn:
    """The objects of a page.

    Attributes:
        kinds: numbers of PDFium's kinds.
        uprights, levels: rules, as shown.
        grounds: filled areas in the order in which they were painted.
    """

    kinds: set[int] = field(default_factory=set)
    uprights: list[Rule] = field(default_factory=list)
    levels: list[Rule] = field(default_factory=list)
    grounds: list[Ground] = field(default_factory=list)

    @property
    def only_text(self) -> bool:
        """Whether nothing but text is painted."""
        return not self.kinds - {raw.FPDF_PAGEOBJ_TEXT}

    @property
    def has_image(self) -> bool:
        """Whether a picture may stand behind the text."""
        return bool(self.kinds & {raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_FORM})

    def ground(self, x: float, y: float) -> Ground | None:
        """The uppermost filled area around a point."""
        return next((each for each in reversed(self.grounds) if each.holds(x, y)), None)


class Drawing:
    """Reads the objects of pages, with buffers that are made once."""

    def __init__(self) -> None:
        self._box = [ctypes.c_float() for _ in range(4)]
        self._colour = [ctypes.c_uint() for _ in range(4)]
        self._matrix = raw.FS_MATRIX()
        self._fill, self._stroke = ctypes.c_int(), ctypes.c_int()
        self._point = ctypes.c_float(), ctypes.c_float()

    def read(self, page: pdfium.PdfPage, frame: Frame) -> Drawn:
        """The objects of one page, at most some thousands; many hundreds of rules are no table."""
        drawn = Drawn()
        segments = _MOST_SEGMENTS
        get, kind_of, pointer = raw.FPDFPage_GetObject, raw.FPDFPageObj_GetType, page.raw
        for index in range(min(raw.FPDFPage_CountObjects(page), _MOST_OBJECTS)):
            item = get(pointer, index)
            kind = kind_of(item)
            drawn.kinds.add(kind)
            if kind == _PATH:
                segments -= 1 + self._path(item, drawn, frame, segments)
            elif kind != _TEXT and len(drawn.grounds) < _MOST_GROUNDS:
                drawn.grounds.append(Ground(self._bounds(item), None))
        if len(drawn.uprights) + len(drawn.levels) >= _MOST_RULES:
            drawn.uprights, drawn.levels = [], []
        return drawn

    def _bounds(self, item: Any) -> Box:
        raw.FPDFPageObj_GetBounds(item, *self._box)
        left, bottom, right, top = (each.value for each in self._box)
        return left, bottom, right, top

    def _path(self, item: Any, drawn: Drawn, frame: Frame, left: int) -> int:
        """Take the rules and the ground of a path; how many of its segments were looked at."""
        if left <= 0:
            return 0
        box = self._bounds(item)
        width, height = box[2] - box[0], box[3] - box[1]
        if width <= _THIN or height <= _THIN:
            if width > _SHORT or height > _SHORT:
                self._rule(box, drawn, frame)
            return 0
        raw.FPDFPath_GetDrawMode(item, self._fill, self._stroke)
        count = raw.FPDFPath_CountSegments(item)
        if self._fill.value and 4 <= count <= 5 and len(drawn.grounds) < _MOST_GROUNDS:
            self._ground(item, box, drawn)
        if not self._stroke.value or count > left:
            return 0
        edges = list(self._edges(item, count))
        for edge in edges:
            self._rule(edge, drawn, frame)
        return len(edges) + 1

    def _ground(self, item: Any, box: Box, drawn: Drawn) -> None:
        segment = raw.FPDFPath_GetPathSegment(item, 1)
        if raw.FPDFPathSegment_GetType(segment) != raw.FPDF_SEGMENT_LINETO:
            return
        raw.FPDFPageObj_GetFillColor(item, *self._colour)
        *colour, alpha = (each.value for each in self._colour)
        if alpha >= _OPAQUE:
            drawn.grounds.append(Ground(box, tuple(colour)))

    def _edges(self, item: Any, count: int) -> Iterator[Box]:
        """The edges of a path up to the first that is no rule, in points of the page."""
        raw.FPDFPageObj_GetMatrix(item, self._matrix)
        start = last = (0.0, 0.0)
        for index in range(count):
            segment = raw.FPDFPath_GetPathSegment(item, index)
            point = self._placed(segment)
            kind = raw.FPDFPathSegment_GetType(segment)
            if kind == raw.FPDF_SEGMENT_MOVETO:
                start = point
            elif kind == raw.FPDF_SEGMENT_LINETO and _is_straight(last, point):
                yield _box(last, point)
            else:
                return
            last = point
            if raw.FPDFPathSegment_GetClose(segment):
                yield _box(point, start)

    def _placed(self, segment: Any) -> tuple[float, float]:
        raw.FPDFPathSegment_GetPoint(segment, *self._point)
        x, y, m = self._point[0].value, self._point[1].value, self._matrix
        return m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f

    def _rule(self, box: Box, drawn: Drawn, frame: Frame) -> None:
        if len(drawn.uprights) + len(drawn.levels) >= _MOST_RULES:
            return
        (x0, y0), (x1, y1) = frame.shown(box[0], box[1]), frame.shown(box[2], box[3])
        x0, x1, y0, y1 = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
        if x1 - x0 <= _THIN and y1 - y0 > _SHORT:
            drawn.uprights.append(Rule((x0 + x1) / 2, y0, y1))
        elif y1 - y0 <= _THIN and x1 - x0 > _SHORT:
            drawn.levels.append(Rule((y0 + y1) / 2, x0, x1))


def _is_straight(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return abs(one[0] - other[0]) <= _THIN or abs(one[1] - other[1]) <= _THIN


def _box(one: tuple[float, float], other: tuple[float, float]) -> Box:
    return (
        min(one[0], other[0]),
        min(one[1], other[1]),
        max(one[0], other[0]),
        max(one[1], other[1]),
    )
