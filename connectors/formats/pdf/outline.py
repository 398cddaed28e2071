"""Bookmarks as headings: each is found again on its page, so that sections are cut at its line."""

import re
from collections.abc import Sequence
from functools import lru_cache

from connectors.formats import guesses
from connectors.formats.pdf.extras import Bookmark, Extras
from connectors.formats.pdf.page import Heading, Line, Page

_LEAST = 3
_RESOLVED = 0.3
_A_PAGE = 20
_NOT_A_HEADING = re.compile(r"https?://|www\.|\S+\.(?:html?|dvi|pdf|docx?|tex|indd|xml)$", re.I)
_NUMBER = re.compile(r"\s*(\d+(?:[.–-]\d+)*)\b")
_DATED = re.compile(r"\(?\d{1,2}[-./]\d{1,2}[-./]\d{2,4}\)?")
_NO_WORD = re.compile(r"[\W_]+")
_LINES = 6
_SLACK_POINTS = 4.0


def usable(extras: Extras, title: str, pages: int) -> list[Bookmark]:
    """The bookmarks, if they are an outline: enough, not all alike, not just the file's name.

    A page cut out of a book may carry the bookmarks of all of it; those are none either.
    """
    kept = [mark for mark in extras.bookmarks if not _NOT_A_HEADING.match(mark.title)]
    names = {_folded(mark.title) for mark in kept}
    all_marks = len(extras.bookmarks) + extras.unresolved
    if len(kept) < _LEAST or len(kept) < _RESOLVED * all_marks:
        return []
    if len(kept) > _A_PAGE * (pages + 1):
        return []
    if len(names) < 2 or names <= {_folded(title)}:
        return []
    return _levelled(_without_root(kept, title))


def _without_root(marks: list[Bookmark], title: str) -> list[Bookmark]:
    """Without a single first bookmark that names the document and holds all others."""
    tops = [mark for mark in marks if mark.level == 1]
    if len(tops) == 1 and marks[0] is tops[0] and _folded(tops[0].title) == _folded(title):
        return [Bookmark(m.title, m.level - 1, m.page, m.top) for m in marks[1:]]
    return marks


def _levelled(marks: list[Bookmark]) -> list[Bookmark]:
    """Levels from the numbering, where all bookmarks stand at one level."""
    if len({mark.level for mark in marks}) > 1:
        return marks
    depths = [_depth(mark.title) for mark in marks]
    known = [depth for depth in depths if depth]
    if len(known) < 0.5 * len(marks):
        return marks
    least = min(known)
    return [
        Bookmark(mark.title, max(depth - least + 1, 1), mark.page, mark.top)
        for mark, depth in zip(marks, depths, strict=True)
    ]


def _depth(title: str) -> int:
    match = _NUMBER.match(title)
    if match:
        return len(re.findall(r"\d+", match[1]))
    return guesses.chapter_level(title) or guesses.number_level(title) or 0


def headings(
    marks: Sequence[Bookmark], pages: Sequence[Page], rows: Sequence[Line]
) -> list[Heading]:
    """The bookmarks at the lines they name, in reading order."""
    starts = _page_starts(rows, len(pages))
    used: set[int] = set()
    found: list[Heading] = []
    for mark in marks:
        if mark.page <= len(pages):
            span = (starts[mark.page], starts[mark.page + 1])
            found.append(_placed(mark, pages[mark.page - 1], rows, span, used))
            used.update(found[-1].taken)
    return sorted(found, key=lambda heading: heading.at)


def _page_starts(rows: Sequence[Line], pages: int) -> list[int]:
    """Index of the first line of each page, from page 1 at index 1; one more for the end."""
    starts = [len(rows)] * (pages + 2)
    for place in range(len(rows) - 1, -1, -1):
        starts[rows[place].page] = place
    for number in range(pages, -1, -1):
        starts[number] = min(starts[number], starts[number + 1])
    return starts


def _placed(
    mark: Bookmark, page: Page, rows: Sequence[Line], span: tuple[int, int], used: set[int]
) -> Heading:
    """A bookmark at the line that spells it and is nearest to where it leads."""
    height = None
    if mark.top and page.top is not None:
        height = page.top - mark.top - _SLACK_POINTS
    matches = [
        (place, taken)
        for place in range(*span)
        if place not in used and (taken := _match(mark.title, rows, place)) is not None
    ]
    if matches:
        far = [abs(rows[place].y - height) if height is not None else 0.0 for place, _ in matches]
        place, taken = matches[far.index(min(far))]
        return Heading(mark.title, mark.level, place, mark.page, taken)
    return Heading(mark.title, mark.level, _at_height(height, rows, span), mark.page)


def _at_height(height: float | None, rows: Sequence[Line], span: tuple[int, int]) -> int:
    """The first line at or below a height; the first of the page without one."""
    if height is None:
        return span[0]
    return next((place for place in range(*span) if rows[place].y >= height), span[1])


def _match(title: str, rows: Sequence[Line], place: int) -> tuple[int, ...] | None:
    """Indexes of the lines that spell a title from `place` on, or None.

    A line that only begins with the title (`Abstract. Recent …`) marks the place and is kept.
    """
    wanted, first = _folded(title), _folded(rows[place].text)
    if not first or not wanted:
        return None
    if first[0] != wanted[0] and not first[0].isdigit():
        return None
    if _folded(_NUMBER.sub("", rows[place].text, count=1)) == wanted:
        return (place,)
    if first.startswith(wanted):
        return (place,) if first == wanted else (() if _is_run_in(first, wanted) else None)
    if not wanted.startswith(first) or not _is_telling(first, wanted):
        return None
    return _over_lines(wanted[len(first) :], rows, place)


def _over_lines(rest: str, rows: Sequence[Line], place: int) -> tuple[int, ...] | None:
    """The lines from `place` on, if those after it spell the rest of a title."""
    taken = [place]
    for after in range(place + 1, min(place + _LINES, len(rows))):
        part = _folded(rows[after].text)
        if part and rest.startswith(part):
            taken.append(after)
            rest = rest[len(part) :]
        elif not _DATED.fullmatch(rows[after].text):
            break
        if not rest:
            return tuple(taken)
    return None


def _is_run_in(first: str, wanted: str) -> bool:
    return len(wanted) >= 8 and len(first) > len(wanted)


def _is_telling(first: str, wanted: str) -> bool:
    """Whether the beginning is long enough, or a number, to be no accident."""
    return len(first) >= min(8, len(wanted)) or first[0].isdigit()


@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    return _NO_WORD.sub("", text.casefold())
