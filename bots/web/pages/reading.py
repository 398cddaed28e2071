"""Opens a document for a reader: its outline, the section asked for, the quote in its place.

A long document is never shown whole: the section with its neighbours, the rest one click away.
Whoever comes with a signed link sees the quoted window and its neighbours, without outline.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from agent.domain import (
    DocId,
    Document,
    MapEntry,
    OutlineEntry,
    Scope,
    Section,
    SectionPath,
)
from agent.errors import DocumentNotFound, SectionNotFound
from agent.ports import Library
from bots.links import Place
from bots.web.pages.shown import Mark, ShownBlock, shown_blocks

PAGE_CHARS = 40_000
"""Text shown at once, in characters; a shorter document is shown whole."""
PAGE_SECTIONS = 150
WINDOW_CHARS = 2_000
"""A reading window; a signed link opens the quote's and one on either side."""


class Permits(Protocol):
    """Opens single sections for people who hold a permit, whatever their scope."""

    async def open_section(self, doc_id: DocId, path: SectionPath) -> tuple[Document, Section]:
        """A section of a document that can still be answered from.

        Raises:
            DocumentNotFound: it is gone, hidden or forgotten.
            SectionNotFound: the path is no longer in its outline.
        """
        ...


class QuoteState(StrEnum):
    """What became of the quote that an address names."""

    NONE = "none"
    MARKED = "marked"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class OutlineLine:
    """A line of the outline beside the text."""

    path: SectionPath
    number: str
    heading: str
    depth: int
    page: int | None
    current: bool


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A section on the page.

    Attributes:
        depth: of its heading, from 1, at most 6.
        quoted: holds the quote.
        former: paths it had under earlier headings, which old links name.
    """

    path: SectionPath
    number: str
    headings: tuple[str, ...]
    depth: int
    page: int | None
    page_label: str
    blocks: tuple[ShownBlock, ...]
    quoted: bool = False
    former: tuple[SectionPath, ...] = ()

    @property
    def heading(self) -> str:
        """Its own heading; empty for text before the first heading."""
        return self.headings[-1] if self.headings else ""


@dataclass(frozen=True, slots=True)
class SourcePage:
    """What the viewer shows of a document.

    Attributes:
        before, after: where reading goes on, for a long document; None: nothing is left out there.
        windowed: only a stretch of one section is shown, by a signed link.
    """

    document: Document
    outline: tuple[OutlineLine, ...]
    sections: tuple[ShownSection, ...]
    quote: QuoteState
    before: SectionPath | None = None
    after: SectionPath | None = None
    windowed: bool = False


async def read_source(library: Library, scope: Scope, place: Place) -> SourcePage:
    """The document around a place.

    Args:
        library: what is read from.
        scope: of the reader.
        place: what to open; an empty path means the beginning.

    Raises:
        DocumentNotFound: no such document in this scope.
        SectionNotFound: the path is not in its outline.
    """
    entries = await library.read_map(scope, [place.doc_id])
    if not entries:
        raise DocumentNotFound(
            "There is no such document here.", hint="It may be gone, or not be yours to read."
        )
    entry = entries[0]
    chosen = _index(entry, place)
    first, last = _stretch(entry.outline, chosen)
    texts = await _read(library, scope, entry, range(first, last))
    outline = entry.outline
    here = replace(place, path=outline[chosen].path) if outline else place
    shown, state = _marked(texts, here)
    former = {each.path: each.former for each in outline}
    shown = tuple(replace(each, former=former[each.path]) for each in shown)
    return SourcePage(
        document=entry.document,
        outline=tuple(_line(each, index == chosen) for index, each in enumerate(outline)),
        sections=shown,
        quote=state,
        before=outline[_stretch_start_before(outline, first)].path if first else None,
        after=outline[last].path if last < len(outline) else None,
    )


async def read_permitted(permits: Permits, place: Place) -> SourcePage:
    """The quoted window and its neighbours, for whoever holds a signed link.

    Raises:
        DocumentNotFound: the document is gone, hidden or forgotten.
        SectionNotFound: the section is no longer there.
    """
    document, section = await permits.open_section(place.doc_id, place.path)
    mark = place.find_in(section.text)
    start, end = mark or (min(place.start, len(section.text)), min(place.end, len(section.text)))
    reach = WINDOW_CHARS + WINDOW_CHARS // 2
    state = QuoteState.MARKED if mark else QuoteState.GONE
    shown = _shown(section, mark, (start - reach, end + reach))
    if section.path != place.path:
        shown = replace(shown, former=(place.path,))
    return SourcePage(document, (), (shown,), state, windowed=True)


def _index(entry: MapEntry, place: Place) -> int:
    if not place.path:
        return 0
    for index, each in enumerate(entry.outline):
        if each.is_at(place.path):
            return index
    raise SectionNotFound(
        "That section is not in the document.", hint="Choose one from its outline."
    )


def _stretch(outline: Sequence[OutlineEntry], chosen: int) -> tuple[int, int]:
    """Half-open range of sections to show: all, or the chosen one grown on both sides."""
    if sum(each.chars for each in outline) <= PAGE_CHARS and len(outline) <= PAGE_SECTIONS:
        return 0, len(outline)
    first, last = chosen, min(chosen + 1, len(outline))
    left = PAGE_CHARS - sum(each.chars for each in outline[first:last])
    while last < len(outline) and outline[last].chars <= left and last - first < PAGE_SECTIONS:
        left -= outline[last].chars
        last += 1
        # One section before for every one after, so that the quote does not stand at the edge.
        if first and outline[first - 1].chars <= left:
            first -= 1
            left -= outline[first].chars
    return first, last


def _stretch_start_before(outline: Sequence[OutlineEntry], first: int) -> int:
    left, start = PAGE_CHARS // 2, first - 1
    while start and outline[start - 1].chars <= left and first - start < PAGE_SECTIONS // 2:
        start -= 1
        left -= outline[start].chars
    return start


async def _read(library: Library, scope: Scope, entry: MapEntry, wanted: range) -> list[Section]:
    """The sections of a range, by whole subtrees where these lie inside it."""
    doc_id, outline = entry.document.doc_id, entry.outline
    found: dict[SectionPath, Section] = {}
    for index in wanted:
        path = outline[index].path
        if path in found:
            continue
        if _end_of_subtree(outline, index) <= wanted.stop:
            below = await library.read_subtree(scope, doc_id, path)
            found |= {section.path: section for section in below}
        else:
            found[path] = await library.read_section(scope, doc_id, path)
    return [found[outline[index].path] for index in wanted if outline[index].path in found]


def _end_of_subtree(outline: Sequence[OutlineEntry], index: int) -> int:
    headings = outline[index].headings
    end = index + 1
    while headings and end < len(outline) and outline[end].headings[: len(headings)] == headings:
        if len(outline[end].headings) == len(headings):
            break
        end += 1
    return end


def _marked(
    sections: Sequence[Section], place: Place
) -> tuple[tuple[ShownSection, ...], QuoteState]:
    shown: list[ShownSection] = []
    state = QuoteState.GONE if place.digest else QuoteState.NONE
    for section in sections:
        mark = place.find_in(section.text) if section.path == place.path else None
        state = QuoteState.MARKED if mark else state
        shown.append(_shown(section, mark))
    return tuple(shown), state


def _shown(section: Section, mark: Mark, within: tuple[int, int] | None = None) -> ShownSection:
    return ShownSection(
        path=section.path,
        number=section.number,
        headings=section.headings,
        depth=max(1, min(len(section.headings), 6)),
        page=section.page_from,
        page_label=section.page_label,
        blocks=shown_blocks(section, mark, within),
        quoted=mark is not None,
    )


def _line(entry: OutlineEntry, current: bool) -> OutlineLine:
    return OutlineLine(
        path=entry.path,
        number=entry.number,
        heading=entry.headings[-1] if entry.headings else "",
        depth=max(0, min(len(entry.headings) - 1, 5)),
        page=entry.page_from,
        current=current,
    )
