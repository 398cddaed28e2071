"""Headings that the file itself tags as such, for screen readers."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from connectors.formats.pdf.page import Heading, Line

_LEAST = 3
_LONGEST = 200
_MOST_SHARE = 0.4
_REPEATED = 3


def headings(rows: Sequence[Line], skipped: frozenset[int]) -> list[Heading]:
    """The tagged headings in reading order; none where too few or too much is tagged.

    Args:
        rows: all lines of the document.
        skipped: indexes of lines that are none: the title, contents lists.
    """
    found = [each for each in _tagged(rows, skipped) if each.level > 0]
    counts = Counter(each.text for each in found)
    found = [each for each in found if counts[each.text] <= _REPEATED]
    chars = sum(len(each.text) for each in found)
    total = sum(len(line.text) for line in rows)
    return found if len(found) >= _LEAST and chars <= _MOST_SHARE * total else []


def title_lines(rows: Sequence[Line]) -> tuple[int, ...]:
    """Indexes of the lines that are tagged as the title; empty where none are, or more than one."""
    titles = [each for each in _tagged(rows, frozenset()) if each.level == 0]
    return titles[0].taken if len(titles) == 1 else ()


def _tagged(rows: Sequence[Line], skipped: frozenset[int]) -> Iterator[Heading]:
    """Each tagged element with its lines, as they follow each other."""
    places = range(len(rows))
    for (page, element, level), group in groupby(places, key=lambda place: _key(rows[place])):
        taken = tuple(place for place in group if place not in skipped)
        text = " ".join(rows[place].text for place in taken)
        if element >= 0 and any(map(str.isalnum, text)) and len(text) <= _LONGEST:
            yield Heading(text, level, taken[0], page, taken)


def _key(line: Line) -> tuple[int, int, int]:
    """(page, element, level) of a heading's line; the element is negative on any other."""
    if line.tag is None or line.tag.level is None or line.row is not None:
        return line.page, -1, 0
    return line.page, line.tag.element, line.tag.level
