"""Cuts sections into windows, the stretch that is read at once.

Windows overlap so that a thought on a border is whole in one of them. Borders lie between
sentences, items or rows; tables and code stay whole up to twice the window.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from agent.domain import Block, Section
from agent.library.passages import TABLE, units, whole_group
from agent.text.sentences import Span

_REACH = 0.6
"""How far around a passage is looked for what fits, as a share of the size."""
_Piece = tuple[int, int, bool]
"""Start, end, and whether it belongs to a table or to code."""


def cut_windows(section: Section, size: int, overlap: float) -> Iterator[Span]:
    """The windows of a section in reading order; together they cover all its text.

    Args:
        section: may be without text, then there is none.
        size: about so many characters a window; only a table or code block is longer, up to
            twice as much.
        overlap: share of `size` repeated at the start of the next window; never a table or code.

    Yields:
        Half-open offsets in the section's source text.
    """
    pieces = _pieces(section.text, section.blocks, size)
    start = 0
    while start < len(pieces):
        stop = _fill(pieces, start, size)
        yield pieces[start][0], pieces[stop - 1][1]
        if stop == len(pieces):
            return
        back = _step_back(pieces, start, stop, int(size * overlap))
        start = _with_room(pieces, back, stop, size)


def window_around(section: Section, start: int, end: int, size: int, reach: float = _REACH) -> Span:
    """The window around a passage: whole units before and after it, about `size` characters.

    A section that fits is taken whole; a table or code around the passage up to twice the size.

    Args:
        section: that the passage stands in.
        start: where the passage begins in the section's source text.
        end: where it ends, half-open.
        size: about so many characters.
        reach: how far to either side is looked for what fits, as a share of the size; with 1 a
            window at an end of the section is as long as any.
    """
    if len(section.text) <= size:
        return 0, len(section.text)
    far = int(reach * size)
    low, high = start - far, end + far
    near = _near(section.blocks, low, high, 2 * size)
    spans = [piece[:2] for piece in _pieces(section.text, near, size, (low, high))]
    return _grown(spans, start, end, size)


def _grown(spans: Sequence[Span], start: int, end: int, size: int) -> Span:
    """Grown from what the passage touches, one after, one before, while they fit."""
    if not spans:
        return start, end
    first = max(0, bisect_right(spans, start, key=lambda span: span[0]) - 1)
    last = min(len(spans) - 1, max(first, bisect_left(spans, end, key=lambda span: span[1])))
    begin, stop = min(start, spans[first][0]), max(end, spans[last][1])
    after = before = stop - begin <= size
    while after or before:
        after = last + 1 < len(spans) and spans[last + 1][1] - begin <= size
        last += after
        stop = max(stop, spans[last][1])
        before = first > 0 and stop - spans[first - 1][0] <= size
        first -= before
        begin = min(begin, spans[first][0])
    return begin, stop


def _near(blocks: Sequence[Block], low: int, high: int, most: int) -> Sequence[Block]:
    """Blocks that touch a range, and the rest of a table that does, as far as `most` characters.

    A section may be a whole book, so not all its blocks are looked at.
    """
    first = bisect_right(blocks, low, key=lambda block: block.end)
    last = bisect_left(blocks, high, key=lambda block: block.start)
    while first > 0 and _same_table(blocks, first) and blocks[first].start > low - most:
        first -= 1
    while 0 < last < len(blocks) and _same_table(blocks, last) and blocks[last].end < high + most:
        last += 1
    return blocks[first:last]


def _same_table(blocks: Sequence[Block], place: int) -> bool:
    """Whether the blocks before and at a place belong to one table."""
    return place < len(blocks) and (
        whole_group(blocks[place - 1]) == whole_group(blocks[place]) == TABLE
    )


def _pieces(
    text: str, blocks: Sequence[Block], size: int, within: Span | None = None
) -> list[_Piece]:
    """All that is never cut: tables and code up to twice the size, else units.

    Args:
        text: of the section.
        blocks: the blocks to take.
        size: of a window.
        within: units outside are left out, so that a long block is not cut for nothing.
    """
    found: list[_Piece] = []
    for group, run in groupby(blocks, key=whole_group):
        members = list(run)
        start, end = members[0].start, members[-1].end
        if group and end - start <= 2 * size:
            found.append((start, end, True))
        else:
            for block in members:
                found += [(s, e, bool(group)) for s, e in _units(text, block, within)]
    return found


def _units(text: str, block: Block, within: Span | None) -> list[Span]:
    if within is None:
        return units(text, block)
    clipped = replace(block, start=max(block.start, within[0]), end=min(block.end, within[1]))
    found = units(text, clipped) if clipped.start < clipped.end else []
    # What was cut through at the ends is no whole unit.
    first = 1 if clipped.start > block.start else 0
    last = len(found) - 1 if clipped.end < block.end else len(found)
    return found[first:last]


def _fill(pieces: Sequence[_Piece], start: int, size: int) -> int:
    stop = start + 1
    while stop < len(pieces) and pieces[stop][1] - pieces[start][0] <= size:
        stop += 1
    return stop


def _step_back(pieces: Sequence[_Piece], start: int, stop: int, overlap: int) -> int:
    end = pieces[stop - 1][1]
    while stop - 1 > start and not pieces[stop - 1][2] and end - pieces[stop - 1][0] <= overlap:
        stop -= 1
    return stop


def _with_room(pieces: Sequence[_Piece], start: int, stop: int, size: int) -> int:
    """So much less overlap that the next piece fits: else a window would hold nothing new."""
    while start < stop and pieces[stop][1] - pieces[start][0] > size:
        start += 1
    return start
