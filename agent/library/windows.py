"""Cuts sections into windows, the stretch that is read at once.

Windows overlap so that a thought on a border is whole in one of them. Borders lie between
sentences, items or rows; tables and code stay whole up to twice the window.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby

from agent.domain import Block, Section
from agent.library.passages import units, whole_group
from agent.text.sentences import Span

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
        start = _step_back(pieces, start, stop, int(size * overlap))


def window_around(section: Section, start: int, end: int, size: int) -> Span:
    """The window around a passage: whole units before and after it, about `size` characters.

    A section that fits is taken whole.
    """
    if len(section.text) <= size:
        return _trimmed(section.text)
    near = _near(section.blocks, start - size, end + size)
    pieces = _pieces(section.text, near, size)
    first = max(0, bisect_right(pieces, start, key=lambda piece: piece[0]) - 1)
    last = max(first, bisect_left(pieces, end, key=lambda piece: piece[1]))
    last = min(last, len(pieces) - 1)
    return _grown(pieces, first, last, size)


def _grown(pieces: Sequence[_Piece], first: int, last: int, size: int) -> Span:
    """One piece more after, one before, in turn, while they fit; what follows matters more."""
    after = before = True
    while after or before:
        after = last + 1 < len(pieces) and pieces[last + 1][1] - pieces[first][0] <= size
        last += after
        before = first > 0 and pieces[last][1] - pieces[first - 1][0] <= size
        first -= before
    return pieces[first][0], pieces[last][1]


def _near(blocks: Sequence[Block], start: int, end: int) -> Sequence[Block]:
    """Blocks that touch a range: a section may be a whole book."""
    first = bisect_right(blocks, start, key=lambda block: block.end)
    last = bisect_left(blocks, end, key=lambda block: block.start)
    return blocks[first:last]


def _pieces(text: str, blocks: Sequence[Block], size: int) -> list[_Piece]:
    """All that is never cut."""
    found: list[_Piece] = []
    for group, run in groupby(blocks, key=whole_group):
        members = list(run)
        start, end = members[0].start, members[-1].end
        if group and end - start <= 2 * size:
            found.append((start, end, True))
        else:
            found += [(s, e, bool(group)) for block in members for s, e in units(text, block)]
    return found


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


def _trimmed(text: str) -> Span:
    return len(text) - len(text.lstrip()), len(text.rstrip())
