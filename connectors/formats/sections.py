"""Collects headings and blocks in reading order into the sections of one document.

Every format hands its pieces over here, so that a section means the same in all of them: a
heading with its own text, up to the next heading of any level.
"""

from dataclasses import dataclass, field, replace

from agent.domain import BlockKind, ParsedSection, ParseOutcome, TextBlock

TOO_DEEP = "damaged: nested too deeply; what stands inside or below that was not read"
"""Reason of a document of which only the start could be read."""


@dataclass(slots=True)
class _Open:
    heading: str = ""
    level: int = 1
    anchor: str = ""
    page: int | None = None
    blocks: list[TextBlock] = field(default_factory=list)


class SectionBuilder:
    """Takes pieces in reading order; `sections()` gives what came together.

    `lost` is the reason why some of the source is missing; empty where all of it was read.
    """

    def __init__(self) -> None:
        self._all = [_Open()]
        self.lost = ""

    def __len__(self) -> int:
        return len(self._all)

    def heading(self, text: str, level: int, *, page: int | None = None, anchor: str = "") -> None:
        """Start a section; `level` counts from 1. An empty heading starts none."""
        if text.strip():
            self._all.append(_Open(text.strip(), max(level, 1), anchor, page))

    def add(self, kind: BlockKind, text: str, *, page: int | None = None) -> None:
        """A block of the section that is open; blank text is dropped."""
        self.add_to(len(self._all) - 1, TextBlock(kind, text.rstrip(), page))

    def add_to(self, place: int, block: TextBlock) -> None:
        """A block for an earlier section, counted from 0 (the lead): footnotes come late."""
        if block.text.strip():
            self._all[place].blocks.append(block)

    @property
    def outcome(self) -> ParseOutcome:
        """Whether all of the source was read."""
        return ParseOutcome.PARTIAL if self.lost else ParseOutcome.OK

    @property
    def text_before_headings(self) -> bool:
        """Whether the lead section holds anything."""
        return bool(self._all[0].blocks)

    def headings(self) -> list[tuple[int, str]]:
        """(level, text) of every heading so far."""
        return [(each.level, each.heading) for each in self._all[1:]]

    def sections(self) -> tuple[ParsedSection, ...]:
        """The sections in reading order; the lead only if it holds text."""
        kept = self._all if self.text_before_headings else self._all[1:]
        return tuple(_closed(each) for each in kept)


def _closed(section: _Open) -> ParsedSection:
    pages = [block.page for block in section.blocks if block.page is not None]
    if section.page is not None:
        pages.append(section.page)
    return ParsedSection(
        heading=section.heading,
        level=section.level,
        blocks=tuple(section.blocks),
        page_from=min(pages, default=None),
        page_to=max(pages, default=None),
        anchor=section.anchor,
    )


def without_title(sections: tuple[ParsedSection, ...], place: int) -> tuple[ParsedSection, ...]:
    """The sections after the heading at `place` was taken as the document's title.

    Its own text becomes lead text, together with what stood before it; it would otherwise be
    a section that repeats the title and holds the whole document below it. A heading that is
    all the text there is stays, and so does one that other headings stand before.
    """
    if any(section.heading for section in sections[:place]):
        return sections
    before = [block for section in sections[:place] for block in section.blocks]
    own = sections[place]
    lead = replace(own, heading="", level=1, blocks=(*before, *own.blocks))
    return (((lead,) if lead.blocks else ()) + sections[place + 1 :]) or sections
