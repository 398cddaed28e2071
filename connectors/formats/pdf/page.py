"""What a page of a PDF is to the rest of the reader: visual lines, top to bottom."""

from dataclasses import dataclass
from enum import StrEnum


class PageKind(StrEnum):
    """What can be read from a page."""

    TEXT = "text"
    BLANK = "blank"
    IMAGE = "image"
    GARBLED = "garbled"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Cell:
    """A part of a line between wide gaps; edges in points from the left."""

    text: str
    x0: float
    x1: float


@dataclass(frozen=True, slots=True)
class Line:
    """One line as it stands on the page.

    Attributes:
        page: physical page, from 1.
        x0, x1: left and right edge, in points from the left edge of the page.
        y: baseline, in points from the top of the page.
        size: height of the type, in points.
        broken: whether its last word goes on in the next line, the hyphen left out.
        cells: its parts, where wide gaps divide it; else empty.
    """

    text: str
    page: int
    x0: float
    x1: float
    y: float
    size: float
    bold: bool = False
    upright: bool = True
    broken: bool = False
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """One page.

    Attributes:
        number: physical, from 1.
        width, height: in points, as shown.
        top: height of its upper edge in the file's own points, where it is not turned.
        hidden_chars: characters kept out because no reader sees them.
    """

    number: int
    width: float
    height: float
    kind: PageKind
    lines: tuple[Line, ...] = ()
    links: tuple[str, ...] = ()
    hidden_chars: int = 0
    top: float | None = None


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading and where its section begins.

    Attributes:
        level: from 1.
        at: index of the first line of its section among all lines of the document.
        taken: indexes of the lines that are the heading itself and no text.
    """

    text: str
    level: int
    at: int
    page: int
    taken: tuple[int, ...] = ()
