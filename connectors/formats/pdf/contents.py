"""Contents pages: left out of the text, and headings where a file has no bookmarks.

A page of press-release bullets that end in years looks like a contents page. So its numbers must
not fall, and its titles must stand on the pages they name once the usual offset between printed
and physical pages is taken off.
"""

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from connectors.formats import guesses
from connectors.formats.pdf.page import Heading, Line

_ENTRY = re.compile(r"(?P<title>.*?\S)[\s.…·_]*[\s.…·_](?P<page>\d{1,4})\s*")
_NAME = re.compile(
    r"(?:table\s+of\s+)?contents|inhalt(?:sverzeichnis)?|sommaire|table\s+des\s+mati[èe]res"
    r"|[íi]ndice|indice|目\s*[录錄次]|list\s+of\s+(?:figures|tables)",
    re.IGNORECASE,
)
_NO_WORD = re.compile(r"[\W_]+")
_LEAST = 5
_SHARE = 0.35
_CHECKED = 0.6
_FIRST_PAGES = 30


@dataclass(frozen=True, slots=True)
class _Entry:
    title: str
    number: int
    x0: float


@dataclass(frozen=True, slots=True)
class Contents:
    """What the contents pages of a document say.

    Attributes:
        lines: indexes of their lines, which are no text of any section.
        headings: its entries, found again on the pages they name; empty where they are not.
    """

    lines: frozenset[int] = frozenset()
    headings: tuple[Heading, ...] = ()


def read_contents(rows: Sequence[Line], pages: int) -> Contents:
    """Look for contents pages among the first thirty."""
    by_page: dict[int, list[int]] = {}
    for place, line in enumerate(rows):
        if line.page <= _FIRST_PAGES:
            by_page.setdefault(line.page, []).append(place)
    lines: set[int] = set()
    entries: list[_Entry] = []
    goes_on = False
    for places in by_page.values():
        found = _entries(rows, places)
        goes_on = _is_contents([rows[place] for place in places], found, goes_on=goes_on)
        if goes_on:
            lines.update(places)
            entries += found
    if not lines:
        return Contents()
    return Contents(frozenset(lines), _headings(entries, rows, frozenset(lines)))


def _entries(rows: Sequence[Line], places: Sequence[int]) -> list[_Entry]:
    found: list[_Entry] = []
    for place in places:
        match = _ENTRY.fullmatch(rows[place].text)
        if match and any(char.isalpha() for char in match["title"]):
            title = match["title"].rstrip(" .…·_")
            found.append(_Entry(title, int(match["page"]), rows[place].x0))
    return found


def _is_contents(lines: Sequence[Line], entries: Sequence[_Entry], *, goes_on: bool) -> bool:
    """Enough entries with numbers that do not fall, under a heading that says so or dotted."""
    if len(entries) < _LEAST or len(entries) < _SHARE * len(lines):
        return False
    falls = sum(b.number < a.number for a, b in itertools.pairwise(entries))
    if falls > 0.1 * len(entries):
        return False
    named = any(_NAME.fullmatch(line.text.strip()) for line in lines[:6])
    dotted = sum(guesses.is_contents_line(line.text) for line in lines)
    return named or goes_on or dotted >= _LEAST


def _headings(
    entries: Sequence[_Entry], rows: Sequence[Line], skipped: frozenset[int]
) -> tuple[Heading, ...]:
    """The entries at the lines they name, if six in ten are found with one offset."""
    starts: dict[str, list[int]] = {}
    for place, line in enumerate(rows):
        if place not in skipped:
            starts.setdefault(_folded(line.text), []).append(place)
    votes = Counter(
        rows[place].page - entry.number
        for entry in entries
        for place in starts.get(_folded(entry.title), ())
    )
    if not votes:
        return ()
    offset = votes.most_common(1)[0][0]
    found: list[Heading] = []
    levels = _levels(entries)
    for entry, level in zip(entries, levels, strict=True):
        page = entry.number + offset
        places = [p for p in starts.get(_folded(entry.title), ()) if rows[p].page == page]
        if places:
            at = places[0]
            found.append(Heading(rows[at].text, level, at, page, (at,)))
    return tuple(found) if len(found) >= _CHECKED * len(entries) else ()


def _levels(entries: Sequence[_Entry]) -> list[int]:
    """From the numbering where most entries have one, else from the indents."""
    numbered = [guesses.chapter_level(e.title) or guesses.number_level(e.title) for e in entries]
    if sum(level is not None for level in numbered) >= 0.5 * len(entries):
        return [level or 1 for level in numbered]
    indents = sorted({round(entry.x0 / 8) for entry in entries})[:4]
    return [
        indents.index(round(entry.x0 / 8)) + 1 if round(entry.x0 / 8) in indents else len(indents)
        for entry in entries
    ]


def _folded(text: str) -> str:
    return _NO_WORD.sub("", text.casefold())
