"""Asks PDFium about single characters: where they stand, how large, how bold, whether painted."""

import ctypes
import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

TINY_POINTS = 2.0
"""Type below this height is not read by anybody."""

HUGE_POINTS = 200.0
_INKED = 24
_INK_TO_TYPE = 1.4

_BOLD_NAME = re.compile(
    r"bold|black|heavy|demi|(?:^|\+)(?:cm|sf|lm|ec)\w{0,5}bx|sfsx|[-,]bd\b|-b$", re.IGNORECASE
)
_BOLD_WEIGHT = 600
_NAME_BYTES = 128
_BLANKS = re.compile(r"\s+")
Gap = tuple[int, int, float, float]
"""Start and end of a blank in its line, and its edges in points as shown."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Turns a point of the file into one of the page as shown."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int

    def shown(self, x: float, y: float) -> tuple[float, float]:
        """(from the left, from the top), in points."""
        match self.rotation:
            case 90:
                return y - self.bottom, x - self.left
            case 180:
                return self.right - x, y - self.bottom
            case 270:
                return self.top - y, self.right - x
            case _:
                return x - self.left, self.top - y

    def turned(self, degrees: int) -> "Frame":
        """The page turned clockwise, for text that runs up or down it."""
        rotation = (self.rotation + degrees) % 360
        return Frame(self.left, self.bottom, self.right, self.top, rotation)

    def edges(self, box: tuple[float, float, float, float]) -> tuple[float, float]:
        """(left, right) as shown of a box of the file: left, right, bottom, top."""
        left, right, bottom, top = box
        if self.rotation == 0:
            return left - self.left, right - self.left
        x0, x1 = self.shown(left, bottom)[0], self.shown(right, top)[0]
        return min(x0, x1), max(x0, x1)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height as shown."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if self.rotation in (90, 270) else (width, height)


@lru_cache(maxsize=512)
def _is_bold_name(name: bytes) -> bool:
    return _BOLD_NAME.search(name.decode("utf-8", "replace")) is not None


class Probe:
    """Asks PDFium about single characters, with buffers that are made once."""

    def __init__(self, textpage: pdfium.PdfTextPage) -> None:
        self._page = textpage.raw
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._box = [ctypes.c_double() for _ in range(4)]
        self._matrix = raw.FS_MATRIX()
        self._matrix_of = -1
        self._name = ctypes.create_string_buffer(_NAME_BYTES)
        self._flags = ctypes.c_int()
        self._colour = [ctypes.c_uint() for _ in range(4)]

    def origin(self, index: int) -> tuple[float, float]:
        """Start of the baseline of a character."""
        raw.FPDFText_GetCharOrigin(self._page, index, self._x, self._y)
        return self._x.value, self._y.value

    def box(self, index: int) -> tuple[float, float, float, float]:
        """Left, right, bottom, top of the ink of a character."""
        raw.FPDFText_GetCharBox(self._page, index, *self._box)
        return (
            self._box[0].value, self._box[1].value, self._box[2].value, self._box[3].value
        )  # fmt: skip

    def gaps(self, text: str, first: int, frame: Frame) -> list[Gap]:
        """The blanks of a line with the edges of the ink around them.

        A page has thousands of them, so they are asked for in one place without further calls.

        Args:
            text: of the line.
            first: number of its first character.
            frame: of the page.
        """
        if frame.rotation:
            return self._turned_gaps(text, first, frame)
        ask, page, box, origin = raw.FPDFText_GetCharBox, self._page, self._box, frame.left
        left, right, bottom, top = box
        found: list[Gap] = []
        for match in _BLANKS.finditer(text):
            start, end = match.span()
            ask(page, first + start - 1, left, right, bottom, top)
            before = right.value - origin
            ask(page, first + end, left, right, bottom, top)
            found.append((start, end, before, left.value - origin))
        return found

    def _turned_gaps(self, text: str, first: int, frame: Frame) -> list[Gap]:
        spans = (match.span() for match in _BLANKS.finditer(text))
        return [
            (
                start,
                end,
                frame.edges(self.box(first + start - 1))[1],
                frame.edges(self.box(first + end))[0],
            )
            for start, end in spans
        ]

    def size(self, first: int, last: int) -> float:
        """Height of the type of a line in points; the ink tells where a font claims nonsense."""
        sizes = [self._claimed(first), self._claimed((first + last) // 2)]
        if sizes[0] is None or sizes[0] != sizes[1]:
            sizes.append(self._claimed(last))
        claimed = sorted(size for size in sizes if size is not None)
        if claimed and TINY_POINTS <= claimed[len(claimed) // 2] <= HUGE_POINTS:
            return claimed[len(claimed) // 2]
        step = max((last - first) // _INKED, 1)
        heights = [self._height(index) for index in range(first, last + 1, step)]
        return max(heights) * _INK_TO_TYPE

    def _claimed(self, index: int) -> float | None:
        """What the font says of its size; None for a blank that PDFium put in."""
        claimed = float(raw.FPDFText_GetFontSize(self._page, index))
        if claimed == 1.0 and raw.FPDFText_IsGenerated(self._page, index) == 1:
            return None
        matrix = self._asked_matrix(index)
        return claimed * math.sqrt(abs(float(matrix.a * matrix.d - matrix.b * matrix.c)))

    def _asked_matrix(self, index: int) -> Any:
        """How the type of a character is turned and stretched; the last answer is kept."""
        if index != self._matrix_of:
            raw.FPDFText_GetMatrix(self._page, index, self._matrix)
            self._matrix_of = index
        return self._matrix

    def _height(self, index: int) -> float:
        _, _, bottom, top = self.box(index)
        return top - bottom

    def marked(self, index: int) -> int:
        """Number of the marked content that a character belongs to; -1 for none."""
        item = raw.FPDFText_GetTextObject(self._page, index)
        return int(raw.FPDFPageObj_GetMarkedContentID(item)) if item else -1

    def direction(self, index: int, frame: Frame) -> int:
        """Where text runs on the page as shown, in degrees: 0 to the right, 90 up."""
        matrix = self._asked_matrix(index)
        if abs(matrix.b) > abs(matrix.a):
            degrees = 90 if matrix.b > 0 else 270
        else:
            degrees = 180 if matrix.a < 0 and matrix.d < 0 else 0
        return (degrees - frame.rotation) % 360

    def bold(self, index: int) -> bool:
        """Whether a character is set in a bold font."""
        if raw.FPDFText_GetFontWeight(self._page, index) >= _BOLD_WEIGHT:
            return True
        raw.FPDFText_GetFontInfo(self._page, index, self._name, _NAME_BYTES, self._flags)
        return _is_bold_name(self._name.value)

    def render_mode(self, index: int) -> int:
        """How a character is painted; 3 is not at all."""
        return int(raw.FPDFTextObj_GetTextRenderMode(raw.FPDFText_GetTextObject(self._page, index)))

    def colour(self, index: int) -> tuple[int, ...]:
        """Red, green, blue of a character."""
        raw.FPDFText_GetFillColor(self._page, index, *self._colour)
        return tuple(part.value for part in self._colour[:3])
