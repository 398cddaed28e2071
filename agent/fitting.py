"""Fits what was found into the room that a round has for text.

More windows show more evidence than longer ones: the passage that was found is what speaks of the
question, and each of six has its neighbourhood. So a long window is first cut to its share of the
room; what is left over makes the windows longer again, best first. Tiny sections leave room for
further ones, and nothing that is too long keeps what is shorter out.
"""

from collections.abc import Sequence
from dataclasses import replace

from agent.domain import Passage, Term, Window
from agent.library.searching.scoring import share_found
from agent.library.windows import window_around
from agent.ports import TextSize


def fitted(
    windows: Sequence[Window], passages: Sequence[Passage], size: TextSize
) -> tuple[Window, ...]:
    """As many of the windows as fit, each around the best passage in it.

    Args:
        windows: best first, as they were found.
        passages: scored ones, best first; a window is cut around the first that stands in it.
        size: the room; a share is what each of `size.windows` would get.

    Returns:
        At least one window if there is any, in the order given.
    """
    share = max(1, size.chars // max(1, size.windows))
    left, kept = size.chars, list[tuple[Window, Window]]()
    for window in windows:
        short = _cut(window, passages, share)
        room = share if size.spare and len(kept) >= size.windows else 0
        if max(room, _chars(short)) <= left or not kept:
            kept.append((window, short))
            left -= _chars(short)
    return tuple(_grown(kept, passages, left))


def within(windows: Sequence[Window], chars: int, terms: Sequence[Term] = ()) -> list[Window]:
    """The windows up to this many characters in all, at least one, in the order given.

    Args:
        windows: in reading order.
        chars: the room.
        terms: of the question; where not all windows fit, those with most of it are taken.
    """
    order = list(windows)
    if terms and sum(map(_chars, windows)) > chars:
        order.sort(key=lambda window: -share_found(terms, window.text))
    kept: list[Window] = []
    for window in order:
        chars -= _chars(window)
        if chars < 0 and kept:
            break
        kept.append(window)
    return [window for window in windows if window in kept]


def _grown(
    kept: Sequence[tuple[Window, Window]], passages: Sequence[Passage], left: int
) -> list[Window]:
    """The windows, made longer again while there is room."""
    grown: list[Window] = []
    for whole, short in kept:
        longer = _cut(whole, passages, _chars(short) + max(0, left))
        more = _chars(longer) - _chars(short)
        chosen = longer if 0 < more <= left else short
        left -= _chars(chosen) - _chars(short)
        grown.append(chosen)
    return grown


def _cut(window: Window, passages: Sequence[Passage], chars: int) -> Window:
    """The window, about this long; never longer than it was found."""
    if _chars(window) <= chars:
        return window
    start, end = _core(window, passages)
    around = window_around(window.section, start, end, chars, reach=1.0)
    start, end = max(window.start, around[0]), min(window.end, around[1])
    return replace(window, start=start, end=end) if start < end else window


def _core(window: Window, passages: Sequence[Passage]) -> tuple[int, int]:
    """The passage a window stands around; where none is known, its beginning."""
    for passage in passages:
        section = passage.section
        ours = (section.doc_id, section.path) == (window.section.doc_id, window.section.path)
        if ours and window.start <= passage.start and passage.end <= window.end:
            return passage.start, passage.end
    return window.start, window.start + 1


def _chars(window: Window) -> int:
    return window.end - window.start
