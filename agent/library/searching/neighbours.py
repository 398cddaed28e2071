"""A tiny section is shown with its neighbours: alone it often says only half.

How-to answers gain most (13 of 15 against 15 of 15 in the first windows); larger sections gain
nothing and would only cost room.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from agent.domain import Document, Section, Window
from agent.library.searching.choosing import Place, Texts

TINY_CHARS = 400
GROWN_CHARS = 800
_AFTER = (1, 2, 3)
_BEFORE = (-1,)


def with_neighbours(
    chosen: Sequence[tuple[Place, Window]], read: Callable[[Iterable[Place]], Texts]
) -> list[Window]:
    """The windows, after each tiny one those of its neighbours up to about 800 characters.

    Args:
        chosen: windows with the place of their section, best first.
        read: brings sections with their documents, as far as they exist in the scope.
    """
    wanted = [
        (place[0], place[1] + step)
        for place, window in chosen
        if _is_tiny(window.section)
        for step in (*_AFTER, *_BEFORE)
    ]
    if not wanted:
        return [window for _, window in chosen]
    texts = read(wanted)
    taken = {place for place, _ in chosen}
    grown: list[Window] = []
    for place, window in chosen:
        grown.append(window)
        if _is_tiny(window.section):
            for near, neighbour in _neighbours(place, window, texts):
                if near not in taken:
                    taken.add(near)
                    grown.append(neighbour)
    return grown


def _is_tiny(section: Section) -> bool:
    return len(section.text) < TINY_CHARS


def _neighbours(
    place: Place, window: Window, texts: Mapping[Place, tuple[Document, Section]]
) -> Iterator[tuple[Place, Window]]:
    """What follows it, then what stands before, while it fits and belongs to the same chapter."""
    room = GROWN_CHARS - len(window.section.text)
    for step in (*_AFTER, *_BEFORE):
        near = (place[0], place[1] + step)
        if near not in texts:
            continue
        document, section = texts[near]
        size = len(section.text)
        if not size or size > room or not _related(window.section, section):
            continue
        room -= size
        yield near, Window(document, section, 0, size, window.score)


def _related(one: Section, other: Section) -> bool:
    """Whether two sections have a heading in common, or stand at the top of one document."""
    return one.headings[:1] == other.headings[:1] or min(one.level, other.level) <= 1
