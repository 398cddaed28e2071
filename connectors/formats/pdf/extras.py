"""What a PDF says of itself beside its text, whichever library read it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the outline.

    Attributes:
        level: from 1.
        page: physical page, from 1.
        top: height on the page in the file's own points; None where it names none.
    """

    title: str
    level: int
    page: int
    top: float | None


@dataclass(frozen=True, slots=True)
class Extras:
    """What a PDF says of itself beside its text.

    Attributes:
        labels: printed page numbers by physical page from 1, where they differ.
        unresolved: bookmarks that lead nowhere.
    """

    title: str = ""
    bookmarks: tuple[Bookmark, ...] = ()
    unresolved: int = 0
    labels: tuple[tuple[int, str], ...] = ()
