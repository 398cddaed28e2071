"""From what a parser found to what the library keeps: title, sections, outline, summary.

Sections get their identity here: slug paths with ordinals, which survive edits elsewhere in
the document. Source text is joined here too, so every offset in the system starts from it.
"""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from agent.domain import (
    Block,
    BlockKind,
    DocumentFacts,
    ParsedDocument,
    ParsedSection,
    Section,
    SectionPath,
    TextBlock,
)
from agent.map.describing import first_sentence, summary_of
from agent.map.seealso import see_also
from agent.map.stating import Stated, stated
from agent.map.titles import title_of
from agent.text.words import Language, language_of

LEAD = SectionPath("lead")
"""Path of the text before the first heading."""
_SLUG_CHARS = 60
_LANGUAGE_SAMPLE_CHARS = 4_000
_NUMBERING = re.compile(r"^\s*(?:\d+(?:\.\d+)*[.)、:]?\s+|[一二三四五六七八九十]+、\s*)(?=\S)")
_NOT_SLUG = re.compile(r"[^\w]+|_")
_TIGHT = {BlockKind.ITEM, BlockKind.ROW, BlockKind.HEADER_ROW}
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class BuiltDocument:
    """What the map and the library keep of a parsed document.

    Attributes:
        sections: in reading order; a lead section first where there is text before the headings.
        first_sentences: one a section, empty where it has none.
        stated: dates and version that it states itself.
        see_also: for each section the others that its text names.
    """

    title: str
    summary: str
    language: Language
    sections: tuple[Section, ...]
    first_sentences: tuple[str, ...]
    stated: Stated
    see_also: tuple[tuple[SectionPath, ...], ...]


def build_document(facts: DocumentFacts, parsed: ParsedDocument) -> BuiltDocument:
    """Title, sections with paths and numbers, first sentences and a one-line summary."""
    title = title_of(parsed, facts.doc)
    found = _merged_lead(_without_title_heading(parsed.sections, title))
    outline = _Outline(facts)
    sections = tuple(outline.place(section) for section in found)
    firsts = tuple(first_sentence(section) for section in sections)
    return BuiltDocument(
        title=storable(title),
        summary=storable(summary_of(sections, firsts)),
        language=language_of(_sample(sections)),
        sections=sections,
        first_sentences=firsts,
        stated=stated(title, sections),
        see_also=tuple(see_also(sections)),
    )


def slug(heading: str) -> str:
    """`3.1 Parental leave` → `parental-leave`; letters of every script are kept."""
    text = _NUMBERING.sub("", unicodedata.normalize("NFKC", heading)).casefold()
    return _NOT_SLUG.sub("-", text).strip("-")[:_SLUG_CHARS].rstrip("-") or "section"


def join_blocks(blocks: Iterable[TextBlock]) -> tuple[str, tuple[Block, ...]]:
    """Source text of a section and the place of each block in it.

    Items and rows follow each other on the next line, everything else after a blank line.
    """
    pieces: list[str] = []
    placed: list[Block] = []
    length = 0
    before: BlockKind | None = None
    for block in blocks:
        text = storable(block.text).rstrip()
        if not text.strip():
            continue
        if before is not None:
            joint = "\n" if before in _TIGHT and block.kind in _TIGHT else "\n\n"
            pieces.append(joint)
            length += len(joint)
        pieces.append(text)
        end = length + len(text)
        placed.append(Block(block.kind, length, end, block.page, block.recognised))
        length = end
        before = block.kind
    return "".join(pieces), tuple(placed)


@dataclass(slots=True)
class _Place:
    level: int
    section: Section
    children: int = 0
    slugs: Counter[str] = field(default_factory=Counter)


class _Outline:
    """Gives each section its path, number and chain of headings, in reading order."""

    def __init__(self, facts: DocumentFacts) -> None:
        self._facts = facts
        root = Section(facts.doc_id, SectionPath(""), "", (), 0, "")
        self._chain = [_Place(0, root, slugs=Counter({str(LEAD): 1}))]

    def place(self, found: ParsedSection) -> Section:
        text, blocks = join_blocks(found.blocks)
        if not found.heading.strip():
            return self._section(found, text, blocks, self._chain[0].section)
        while len(self._chain) > 1 and self._chain[-1].level >= found.level:
            self._chain.pop()
        parent = self._chain[-1]
        parent.children += 1
        section = self._section(found, text, blocks, self._head(parent, found.heading))
        self._chain.append(_Place(found.level, section))
        return section

    def _head(self, parent: _Place, heading: str) -> Section:
        name = slug(heading)
        parent.slugs[name] += 1
        ordinal = f"~{parent.slugs[name]}" if parent.slugs[name] > 1 else ""
        above = parent.section
        return replace(
            above,
            path=SectionPath(f"{above.path}/{name}{ordinal}".lstrip("/")),
            number=f"{above.number}.{parent.children}".lstrip("."),
            headings=(*above.headings, storable(" ".join(heading.split()))),
            level=above.level + 1,
        )

    def _section(
        self, found: ParsedSection, text: str, blocks: tuple[Block, ...], head: Section
    ) -> Section:
        is_lead = not head.headings
        return replace(
            head,
            path=LEAD if is_lead else head.path,
            number="0" if is_lead else head.number,
            text=text,
            blocks=blocks,
            page_from=found.page_from,
            page_to=found.page_to,
            page_label=storable(found.page_label),
            anchor=storable(found.anchor),
            content_hash=hashlib.sha256(text.encode()).hexdigest()[:16],
        )


def _without_title_heading(
    sections: Sequence[ParsedSection], title: str
) -> tuple[ParsedSection, ...]:
    """A single h1 that opens the document is its title: its own text is the lead."""
    headed = [section for section in sections if section.heading.strip()]
    if not headed:
        return tuple(sections)
    top = min(section.level for section in headed)
    first = headed[0]
    alone = sum(section.level == top for section in headed) == 1
    if first.level != top or not alone or not _same_words(first.heading, title):
        return tuple(sections)
    if len(headed) == 1 and not any(each.blocks for each in sections):
        return (_as_text(first),)
    return tuple(replace(each, heading="") if each is first else each for each in sections)


def _as_text(section: ParsedSection) -> ParsedSection:
    """A document that is a title alone holds that one line."""
    line = TextBlock(BlockKind.PARAGRAPH, section.heading)
    return replace(section, heading="", level=1, blocks=(line,))


def _merged_lead(sections: Sequence[ParsedSection]) -> tuple[ParsedSection, ...]:
    """All text without a heading as one section at the front, none if there is no text."""
    leads = [section for section in sections if not section.heading.strip()]
    headed = [section for section in sections if section.heading.strip()]
    blocks = tuple(block for lead in leads for block in lead.blocks if block.text.strip())
    if not blocks:
        return tuple(headed)
    pages = [p for lead in leads for p in (lead.page_from, lead.page_to) if p is not None]
    lead = replace(
        leads[0],
        heading="",
        level=1,
        blocks=blocks,
        page_from=min(pages, default=None),
        page_to=max(pages, default=None),
    )
    return (lead, *headed)


def _same_words(one: str, other: str) -> bool:
    return _NOT_SLUG.sub("", one.casefold()) == _NOT_SLUG.sub("", other.casefold())


def storable(text: str) -> str:
    """Without characters that a database refuses."""
    return _UNSTORABLE.sub("\ufffd", text) if _UNSTORABLE.search(text) else text


def _sample(sections: Sequence[Section]) -> str:
    pieces: list[str] = []
    left = _LANGUAGE_SAMPLE_CHARS
    for section in sections:
        pieces.append(" ".join(section.headings[-1:]) + " " + section.text[:left])
        left -= len(section.text)
        if left <= 0:
            break
    return "\n".join(pieces)
