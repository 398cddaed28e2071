"""Asks PDFium about single characters: where they stand, how large, how bold, whether painted."""

import ctypes
import re
from dataclasses import dataclass

import pypdfium2 as pdfium
import pypdfium2.raw as raw

TINY_POINTS = 2.0
"""Type below this height is not read by anybody."""

_BOLD_NAME = re.compile(
    r"bold|black|heavy|demi|(?:^|\+)(?:cm|sf|lm|ec)\w{0,5}bx|sfsx|[-,]bd\b|-b$", re.IGNORECASE
)
_BOLD_WEIGHT = 600
_NAME_BYTES = 128


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

    @property
    def size(self) -> tuple[float, float]:
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if self.rotation in (90, 270) else (width, height)


class Probe:
    """Asks PDFium about single characters, with buffers that are made once."""

    def __init__(self, textpage: pdfium.PdfTextPage) -> None:
        self._page = textpage
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._box = [ctypes.c_double() for _ in range(4)]
        self._matrix = raw.FS_MATRIX()
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

    def size(self, index: int) -> float:
        """Height of the type in points; the box tells where a font claims nonsense."""
        matrix = self._matrix
        raw.FPDFText_GetMatrix(self._page, index, matrix)
        scale = abs(matrix.a * matrix.d - matrix.b * matrix.c) ** 0.5
        size = float(raw.FPDFText_GetFontSize(self._page, index) * scale)
        if TINY_POINTS <= size <= 200:
            return size
        _, _, bottom, top = self.box(index)
        return (top - bottom) * 1.4

    def upright(self, index: int, rotation: int) -> bool:
        """Whether a character stands upright on the page as shown."""
        matrix = self._matrix
        raw.FPDFText_GetMatrix(self._page, index, matrix)
        across = abs(matrix.b) > abs(matrix.a)
        return bool(across == (rotation in (90, 270)))

    def bold(self, index: int) -> bool:
        """Whether a character is set in a bold font."""
        if raw.FPDFText_GetFontWeight(self._page, index) >= _BOLD_WEIGHT:
            return True
        raw.FPDFText_GetFontInfo(self._page, index, self._name, _NAME_BYTES, self._flags)
        return _BOLD_NAME.search(self._name.value.decode("utf-8", "replace")) is not None

    def render_mode(self, index: int) -> int:
        """How a character is painted; 3 is not at all."""
        return int(raw.FPDFTextObj_GetTextRenderMode(raw.FPDFText_GetTextObject(self._page, index)))

    def colour(self, index: int) -> tuple[int, ...]:
        """Red, green, blue of a character."""
        raw.FPDFText_GetFillColor(self._page, index, *self._colour)
        return tuple(part.value for part in self._colour[:3])
