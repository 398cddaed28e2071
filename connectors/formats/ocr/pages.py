"""What runs inside a parser process: which pages hold no text, and what one of them says."""

from dataclasses import dataclass
from pathlib import Path

from agent.errors import ParseError
from config.settings import OcrSettings
from connectors.formats.ocr.hocr import read_hocr
from connectors.formats.ocr.tesseract import OcrError, Tesseract
from connectors.formats.pdf.page import Page, PageKind

_MOST_PIXELS = 30_000_000
_LARGEST_IMAGE = 300_000_000
"""Dots of a picture on a page, beyond which unpacking it is not begun; A0 in 400 dpi has fewer."""
_POINTS = 72


@dataclass(frozen=True, slots=True)
class Recognised:
    """One page after the attempt; without a page, the problem says why."""

    page: Page | None
    problem: str = ""


def pages_without_text(path: str) -> tuple[int, ...]:
    """Numbers of the pages that are pictures or whose text layer makes no sense.

    Args:
        path: a PDF that was read before.
    """
    from connectors.formats.pdf.opinion import with_second_opinion
    from connectors.formats.pdf.pdfium.file import PdfiumFile

    data = Path(path).read_bytes()
    file = PdfiumFile(data)
    try:
        pages = with_second_opinion(data, list(file.pages()))
        kinds = (PageKind.IMAGE, PageKind.GARBLED)
        return tuple(page.number for page in pages if page.kind in kinds)
    except ParseError:
        return ()
    finally:
        file.close()


def recognise(path: str, number: int, settings: OcrSettings) -> Recognised:
    """Look at one page as a picture and read it.

    A page on which nothing at all is seen is blank; one of whose words all are in doubt stays
    unread.
    """
    try:
        picture, (width, height), dpi = draw(path, number, settings.dpi)
        hocr = Tesseract.of(settings).read(picture, round(dpi))
    except OcrError as error:
        return Recognised(None, error.problem)
    found = read_hocr(hocr, number, dpi=dpi, confidence=settings.confidence)
    if not found.lines and found.doubtful:
        return Recognised(None, f"Tesseract was not sure of a single word on page {number}.")
    kind = PageKind.TEXT if found.lines else PageKind.BLANK
    return Recognised(Page(number, width, height, kind, found.lines))


def draw(path: str, number: int, dpi: int) -> tuple[bytes, tuple[float, float], float]:
    """A page as a grey PNM picture of at most 30 million dots.

    Returns:
        The picture, the size of the page in points, the dots per inch it came to.

    Raises:
        OcrError: something on the page is too large to be drawn.
    """
    import pypdfium2 as pdfium

    with pdfium.PdfDocument(path, password="") as pdf:
        page = pdf[number - 1]
        if any(_dots(image) > _LARGEST_IMAGE for image in page.get_objects(max_depth=3)):
            raise OcrError(f"A picture on page {number} is too large to be looked at.")
        width, height = page.get_size()
        scale = min(dpi / _POINTS, (_MOST_PIXELS / max(width * height, 1)) ** 0.5)
        bitmap = page.render(scale=scale, grayscale=True)
        return _pnm(bitmap), (width, height), scale * _POINTS


def _dots(thing: object) -> int:
    """Width times height of an image on a page; 0 for anything else."""
    import pypdfium2 as pdfium

    if not isinstance(thing, pdfium.PdfImage):
        return 0
    width, height = thing.get_px_size()
    return int(width * height)


def _pnm(bitmap: object) -> bytes:
    width, height, stride = bitmap.width, bitmap.height, bitmap.stride  # type: ignore[attr-defined]
    data = memoryview(bitmap.buffer).cast("B")  # type: ignore[attr-defined]
    rows = (data[row * stride : row * stride + width] for row in range(height))
    return b"P5 %d %d 255\n" % (width, height) + b"".join(rows)
