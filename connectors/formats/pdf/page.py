"""What a page of a PDF is to the rest of the reader: visual lines, top to bottom."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class PageKind(StrEnum):
    """What can be read from a page."""

    TEXT = "text"
    BLANK = "blank"
    IMAGE = "image"
    GARBLED = "garbled"
    BROKEN = "broken"


class Row(StrEnum):
    """What a line is to the table that it is a row of."""

    HEADER = "header"
    BODY = "body"


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a table of a page; all counted from 0.

    Attributes:
        header: whether the file itself calls it a header cell.
    """

    table: int
    row: int
    column: int
    header: bool = False


@dataclass(frozen=True, slots=True)
class Tag:
    """What the file itself says that a piece of text is.

    Attributes:
        element: number of the tagged element on its page.
        level: of a heading, from 1; 0 is the title of the document; None is no heading.
        slot: its place, if it stands in a table.
        listed: whether it is an entry of a contents list.
    """

    element: int
    level: int | None = None
    slot: Slot | None = None
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A part of a line between gaps; edges in points from the left."""

    text: str
    x0: float
    x1: float
    slot: Slot | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One line as it stands on the page.

    Attributes:
        page: physical page, from 1.
        x0, x1: left and right edge, in points from the left edge of the page.
        y: baseline, in points from the top of the page.
        size: height of the type, in points.
        broken: whether its last word goes on in the next line, the hyphen left out.
        cells: its parts, where wide gaps, rules or tags divide it; else empty.
        parts: the same at narrower gaps, for tables whose columns stand close; else empty.
        row: set where the line is a whole row of a table.
        tag: what the file itself says of its first character.
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
    parts: tuple[Cell, ...] = ()
    row: Row | None = None
    tag: Tag | None = None

    @property
    def slot(self) -> Slot | None:
        """Its place in a table that the file tags."""
        return self.tag.slot if self.tag else None

    def piece(self, cell: Cell) -> "Line":
        """One of its parts as a line of its own."""
        return Line(
            cell.text, self.page, cell.x0, cell.x1, self.y, self.size, self.bold, self.upright,
            self.broken and cell.text == self.text,
        )  # fmt: skip

    @property
    def whole(self) -> Cell:
        """All of it as one cell."""
        return Cell(self.text, self.x0, self.x1, self.slot)


class Rule(NamedTuple):
    """A drawn line, in points from the left (upright) or top (level) edge of the page."""

    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Page:
    """One page.

    Attributes:
        number: physical, from 1.
        width, height: in points, as shown.
        top: height of its upper edge in the file's own points, where it is not turned.
        hidden_chars: characters kept out because no reader sees them.
        uprights, levels: the rules of its tables, where some are drawn.
    """

    number: int
    width: float
    height: float
    kind: PageKind
    lines: tuple[Line, ...] = ()
    links: tuple[str, ...] = ()
    hidden_chars: int = 0
    top: float | None = None
    uprights: tuple[Rule, ...] = ()
    levels: tuple[Rule, ...] = ()


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
