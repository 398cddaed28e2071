"""Which headings a PDF has: the best of what it says of itself, else of how it is set.

Bookmarks are believed before tags, tags before a contents page, that before numbers and type.
Where nothing marks a heading, blocks of pages keep a long file in parts that can be cited. What
a map cannot hold is cut: first the crowds below one heading, then the deepest level.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from connectors.formats.pdf import contents, outline, tagged, typography
from connectors.formats.pdf.extras import Extras
from connectors.formats.pdf.page import Heading, Line, Page

_LONG_PAGES = 10
_LONG_CHARS = 20_000
_BLOCK_PAGES = 5
_LEAST = 3
_MOST_CHILDREN = 40
_MOST_HEADINGS = 300


@dataclass(frozen=True, slots=True)
class Known:
    """What was found before the headings: the title, its lines, the contents pages."""

    title: str
    title_lines: tuple[int, ...]
    listed: contents.Contents


def headings(
    pages: Sequence[Page], lines: Sequence[Line], extras: Extras, known: Known
) -> list[Heading]:
    """The headings in reading order, at most three hundred.

    Args:
        pages: all pages.
        lines: their lines, in one row.
        extras: bookmarks and the like.
        known: what is no heading.
    """
    skipped = known.listed.lines | frozenset(known.title_lines)
    typed = typography.headings(lines, len(pages), skipped)
    said = _said(pages, lines, extras, known)
    if said:
        return _refined(_capped(said), typed, lines)
    if typed:
        return _capped(typed)
    return list(_blocks(lines, 0, len(lines), 1)) if len(pages) > _LONG_PAGES else []


def _said(
    pages: Sequence[Page], lines: Sequence[Line], extras: Extras, known: Known
) -> list[Heading]:
    """The headings that the file names itself; empty where it names none that can be believed."""
    if marks := outline.usable(extras, known.title, len(pages)):
        return outline.headings(marks, pages, lines)
    skipped = known.listed.lines | frozenset(known.title_lines)
    if marked := tagged.headings(lines, skipped):
        return marked
    listed = sorted(known.listed.headings, key=lambda heading: heading.at)
    return listed if len(listed) >= _LEAST else []


def _refined(
    found: list[Heading], typed: Sequence[Heading], lines: Sequence[Line]
) -> list[Heading]:
    """Long sections get a second level from the type of their own lines, else blocks of pages."""
    result: list[Heading] = []
    taken = {place for heading in found for place in heading.taken}
    for heading, after in zip(found, [*found[1:], None], strict=True):
        result.append(heading)
        end = len(lines) if after is None else after.at
        if not _is_long(lines[heading.at : end]):
            continue
        inner = [
            each
            for each in typed
            if heading.at < each.at < end and not taken.intersection(each.taken)
        ]
        if 2 <= len(inner) <= _MOST_CHILDREN:
            result += _below(heading, inner)
        else:
            result += list(_blocks(lines, heading.at, end, heading.level + 1))[1:]
    return result if len(result) <= _MOST_HEADINGS else found


def _below(heading: Heading, inner: Sequence[Heading]) -> list[Heading]:
    """Headings at the levels right below one."""
    depths = sorted({each.level for each in inner})
    return [replace(each, level=heading.level + 1 + depths.index(each.level)) for each in inner]


def _is_long(lines: Sequence[Line]) -> bool:
    if not lines:
        return False
    chars = sum(len(line.text) for line in lines)
    return chars > _LONG_CHARS or lines[-1].page - lines[0].page >= _LONG_PAGES


def _blocks(lines: Sequence[Line], start: int, end: int, level: int) -> Iterator[Heading]:
    """Five pages a heading."""
    first, last = (lines[start].page, lines[end - 1].page) if start < end else (0, 0)
    shown = 0
    for place in range(start, end):
        page = lines[place].page
        from_page = first + (page - first) // _BLOCK_PAGES * _BLOCK_PAGES
        if from_page != shown:
            shown = from_page
            to_page = min(from_page + _BLOCK_PAGES - 1, last)
            pages = f"Pages {from_page}–{to_page}" if to_page > from_page else f"Page {from_page}"
            yield Heading(pages, level, place, page)


def _capped(found: list[Heading]) -> list[Heading]:
    """At most three hundred, without crowds of more than forty below one heading if need be."""
    if len(found) <= _MOST_HEADINGS:
        return found
    parents = list(_parents(found))
    counts = Counter(parent for parent in parents if parent >= 0)
    crowded = {parent for parent, count in counts.items() if count > _MOST_CHILDREN}
    gone = _with_descendants(parents, crowded)
    kept = [each for place, each in enumerate(found) if place not in gone]
    while len(kept) > _MOST_HEADINGS and len({each.level for each in kept}) > 1:
        deepest = max(each.level for each in kept)
        kept = [each for each in kept if each.level < deepest]
    return kept[:_MOST_HEADINGS]


def _with_descendants(parents: Sequence[int], crowded: set[int]) -> set[int]:
    """Places of the headings anywhere below those that are crowded."""
    gone: set[int] = set()
    for place, parent in enumerate(parents):
        if parent in crowded or parent in gone:
            gone.add(place)
    return gone


def _parents(found: Sequence[Heading]) -> Iterator[int]:
    """Place of the heading right above each; -1 for those at the top."""
    above: list[int] = []
    for place, heading in enumerate(found):
        while above and found[above[-1]].level >= heading.level:
            above.pop()
        yield above[-1] if above else -1
        above.append(place)
