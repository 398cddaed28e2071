"""What is written on a page rather than in it: values of form fields, text boxes, comments.

A value filled into a form and a text box are read like the rest of the page, so they become
lines at their place. Comments are the talk about a document, not the document; they are counted.
"""

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from connectors.formats.pdf.page import Line
from connectors.formats.pdf.pdfium.probe import Frame

_MOST = 2_000
_MOST_CHARS = 20_000
_UNSEEN_FLAGS = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
_COMMENTS = frozenset(
    (
        raw.FPDF_ANNOT_TEXT, raw.FPDF_ANNOT_HIGHLIGHT, raw.FPDF_ANNOT_UNDERLINE,
        raw.FPDF_ANNOT_SQUIGGLY, raw.FPDF_ANNOT_STRIKEOUT, raw.FPDF_ANNOT_CARET,
    )
)  # fmt: skip
_WRITTEN = frozenset(
    (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX)
)
_TICKED = frozenset((raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON))
_TICK = "☒"
_PASSWORD_FLAG = 1 << 13
_LARGEST = 10.0


@dataclass(frozen=True, slots=True)
class _Written:
    """A text and the box that it fills: left, top, right, bottom, as shown."""

    text: str
    box: tuple[float, float, float, float]


class Fields:
    """Reads the fields and annotations of pages; made before the first page is loaded."""

    def __init__(self, pdf: pdfium.PdfDocument) -> None:
        if pdf.get_formtype() != raw.FORMTYPE_NONE:
            pdf.init_forms()
        self._form = pdf.formenv

    def added(
        self, page: pdfium.PdfPage, frame: Frame, lines: Sequence[Line], number: int
    ) -> tuple[list[Line], int]:
        """The lines with those written on the page among them, and how long its comments are."""
        found = list(lines)
        unseen = 0
        for kind, annotation in _annotations(page):
            if kind in _COMMENTS:
                unseen += len(_contents(annotation))
            elif text := self._text(kind, annotation):
                written = _Written(text, _box(annotation, frame))
                _insert(found, [line for line in _lines(written, number) if line.text])
        return found, unseen

    def _text(self, kind: int, annotation: Any) -> str:
        if raw.FPDFAnnot_GetFlags(annotation) & _UNSEEN_FLAGS:
            return ""
        if kind == raw.FPDF_ANNOT_FREETEXT:
            return _contents(annotation)
        return self._value(annotation) if kind == raw.FPDF_ANNOT_WIDGET and self._form else ""

    def _value(self, annotation: Any) -> str:
        kind = raw.FPDFAnnot_GetFormFieldType(self._form, annotation)
        if kind in _TICKED:
            return _TICK if raw.FPDFAnnot_IsChecked(self._form, annotation) else ""
        secret = raw.FPDFAnnot_GetFormFieldFlags(self._form, annotation) & _PASSWORD_FLAG
        if kind not in _WRITTEN or (secret and kind == raw.FPDF_FORMFIELD_TEXTFIELD):
            return ""
        return _read(
            lambda buffer, length: raw.FPDFAnnot_GetFormFieldValue(
                self._form, annotation, buffer, length
            )
        )


def _annotations(page: pdfium.PdfPage) -> Iterator[tuple[int, Any]]:
    for index in range(min(raw.FPDFPage_GetAnnotCount(page), _MOST)):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            yield raw.FPDFAnnot_GetSubtype(annotation), annotation
        finally:
            raw.FPDFPage_CloseAnnot(annotation)


def _contents(annotation: Any) -> str:
    return _read(
        lambda buffer, length: raw.FPDFAnnot_GetStringValue(annotation, b"Contents", buffer, length)
    )


def _read(ask: Any) -> str:
    """A string that PDFium writes into a buffer of 16-bit characters."""
    length = min(ask(None, 0), 2 * _MOST_CHARS)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    if ask(ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), length) > length:
        return ""
    return buffer.raw[: length - 2].decode("utf-16-le", "replace").strip()


def _box(annotation: Any, frame: Frame) -> tuple[float, float, float, float]:
    rect = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(annotation, rect)
    (x0, y0), (x1, y1) = frame.shown(rect.left, rect.bottom), frame.shown(rect.right, rect.top)
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _lines(written: _Written, number: int) -> Iterator[Line]:
    """The lines of a text in its box; the type is as high as they leave room for."""
    texts = written.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    left, top, right, bottom = written.box
    pitch = (bottom - top) / len(texts)
    size = round(min(max(0.7 * pitch, 2.0), _LARGEST), 1)
    for place, text in enumerate(texts):
        y = top + pitch * place + (pitch + 0.7 * size) / 2
        yield Line(text.strip(), number, left, max(min(right, left + size * len(text) / 2), left),
                   y, size)  # fmt: skip


def _insert(lines: list[Line], new: Sequence[Line]) -> None:
    """Put lines behind their label on the left, else before what stands below them."""
    if not new:
        return
    first = new[0]
    beside = [
        place
        for place, line in enumerate(lines)
        if abs(line.y - first.y) <= 0.6 * max(line.size, first.size) and line.x0 < first.x0
    ]
    if beside:
        at = max(beside, key=lambda place: lines[place].x0) + 1
    else:
        below = (place for place, line in enumerate(lines) if line.y > first.y)
        at = next(below, len(lines))
    lines[at:at] = new
