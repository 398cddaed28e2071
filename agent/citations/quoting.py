"""From words somebody believes to stand in a section to citations that do stand there.

A quote is looked for in the text that was shown, replaced by the source's own characters and
widened to what a reader needs to judge it: its whole sentence, list item or table row. Every
citation is one unbroken stretch of one section's source text.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from agent.citations.versions import mark_of
from agent.domain import Block, BlockKind, Citation, Quote, Section, Window
from agent.phrases import phrase
from agent.text.folding import find, find_parts
from agent.text.sentences import sentences

Span = tuple[int, int]
"""Half-open offsets in a section's source text."""

_BULLET = re.compile(r"\s*(?:[-*+•‣◦▪·–—]\s+)?")
_LEADS_IN = (":", "：")
_LONG_ITEM_CHARS = 320
_LED_CHARS = 600
_CUT_CHARS = 60
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nor|neither|cannot|except|exception|exceptions|excepted|excluding|"
    r"excludes?|excluded|exclusions?|unless|only|without|prohibited|forbidden)\b|n['’]t\b"
    r"|other than|apart from|subject to|provided that|\buntil\b|\bhowever\b"
    r"|不(?!仅|断|但)|没|未(?!来)|无(?!论)|非(?!常)|除|仅(?!仅)|只(?!要)|勿|禁|否则|例外",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a quote, or one part of it around an ellipsis, stands.

    Attributes:
        citation: numbered 0; its quote is the widened stretch.
        added: what widening added around the words quoted, and the line they belong under.
    """

    quote: Quote
    citation: Citation
    added: str = ""

    @property
    def turned(self) -> bool:
        """Whether what was added negates or limits what was quoted."""
        return bool(_NEGATION.search(self.added))


def has_negation(text: str) -> bool:
    """Whether a text denies or limits something: not, except, unless, only, 除, 不, …"""
    return bool(_NEGATION.search(text))


def locate(
    quote: Quote, shown: Mapping[str, Sequence[Window]], language: str = "en"
) -> tuple[Place, ...]:
    """The places of a quote, one for every part around an ellipsis; none if it stands nowhere.

    Args:
        quote: its section is looked through first; words that stand in another section shown
            are cited from there, since a wrong id does not make them false.
        shown: short section id to the windows shown of it.
        language: of the notes on the citations.
    """
    return (
        _in_text(quote, shown, language)
        or _in_headings(quote, shown, language)
        or _in_text(replace(quote, text=_without_cut_word(quote.text)), shown, language)
    )


def merged(citations: Iterable[Citation]) -> tuple[Citation, ...]:
    """Citations that overlap in one section become one, at the place of the first of them."""
    kept: list[Citation] = []
    for citation in citations:
        kept = _absorbed(kept, citation)
    return tuple(kept)


def covers(whole: Citation, part: Citation) -> bool:
    """Whether one citation holds all of another's quote."""
    same = (whole.doc_id, whole.section_path) == (part.doc_id, part.section_path)
    return (
        same
        and whole.start <= part.start
        and part.end <= whole.end
        and (whole.start < whole.end or whole.quote == part.quote)
    )


def _in_text(
    quote: Quote, shown: Mapping[str, Sequence[Window]], language: str
) -> tuple[Place, ...]:
    for section_id in sorted(shown, key=lambda shown_id: shown_id != quote.section_id):
        for window in shown[section_id]:
            if spans := find_parts(quote.text, window.text):
                moved = [(start + window.start, end + window.start) for start, end in spans]
                own = replace(quote, section_id=section_id)
                return tuple(_placed(own, window, span, language) for span in moved)
    return ()


def _without_cut_word(text: str) -> str:
    """A long quote may have been cut in the middle of its last word; nothing for a short one."""
    return text.rsplit(None, 1)[0] if len(text) >= _CUT_CHARS and " " in text else ""


def _in_headings(
    quote: Quote, shown: Mapping[str, Sequence[Window]], language: str
) -> tuple[Place, ...]:
    """A heading may be quoted too; it stands before the text, so its offsets are 0 and 0."""
    for section_id in sorted(shown, key=lambda shown_id: shown_id != quote.section_id):
        for window in shown[section_id][:1]:
            heading = window.section.heading or window.document.title
            if find(quote.text, heading):
                citation = replace(_citation(window, (0, 0), language), quote=heading)
                return (Place(replace(quote, section_id=section_id), citation),)
    return ()


def _placed(quote: Quote, window: Window, span: Span, language: str) -> Place:
    text = window.section.text
    start, end = _widened(window.section, span)
    above = _above(window.section, start)
    header = text[slice(*above)].strip()
    if header.endswith(_LEADS_IN) and has_negation(header) and end - above[0] <= _LED_CHARS:
        start, header = above[0], ""  # an item of what is denied must not stand alone
    citation = replace(_citation(window, (start, end), language), header=header)
    leads_in = header if header.endswith(_LEADS_IN) else ""
    added = leads_in, text[start : span[0]], text[span[1] : end]
    return Place(quote, citation, " ".join(added).strip())


def _citation(window: Window, span: Span, language: str) -> Citation:
    document, section = window.document, window.section
    page = section.page_at(span[0])
    return Citation(
        number=0,
        source=document.source,
        doc=document.doc,
        doc_id=document.doc_id,
        title=document.title,
        section=section.headings,
        section_path=section.path,
        quote=section.text[slice(*span)],
        start=span[0],
        end=span[1],
        page=page,
        label=_label(section, page),
        url=_url(window, page),
        modified=document.modified,
        content_hash=section.content_hash,
        note=_note(window, span, language),
    )


def _label(section: Section, page: int | None) -> str:
    """The printed number of a page, counted on from the section's first where it is a number."""
    if page is None or section.page_from is None or not section.page_label:
        return ""
    if page == section.page_from:
        return section.page_label
    if not section.page_label.isdecimal():
        return ""
    return str(int(section.page_label) + page - section.page_from)


def _url(window: Window, page: int | None) -> str:
    url = window.document.url
    if not url or "#" in url:
        return url
    if window.section.anchor:
        return f"{url}#{window.section.anchor.removeprefix('#')}"
    return f"{url}#page={page}" if page and window.document.format == "pdf" else url


def _note(window: Window, span: Span, language: str) -> str:
    mark = mark_of(window.document)
    notes = [phrase(language, mark.value)] if mark else []
    if window.section.is_recognised(*span):
        notes.append(phrase(language, "recognised"))
    if window.document.trust == "external":
        notes.append(phrase(language, "from_outside"))
    if window.document.not_seen_since:
        day = window.document.not_seen_since.date().isoformat()
        notes.append(phrase(language, "not_seen_since", date=day))
    return phrase(language, "note_join").join(notes)


# ---------------------------------------------------------------- widening


def _widened(section: Section, span: Span) -> Span:
    """The sentences, items, rows and code lines that a span touches, as one stretch."""
    blocks = _blocks(section)
    over = [at for at, each in enumerate(blocks) if each.start < span[1] and span[0] < each.end]
    touched = [
        unit
        for at in over
        for unit in _units(section.text, blocks[at])
        if unit[0] < span[1] and span[0] < unit[1]
    ]
    if not touched:
        return span
    start, end = min(span[0], touched[0][0]), max(span[1], touched[-1][1])
    return _with_whole_items(section, (over[0], over[-1]), (start, end))


def _with_whole_items(section: Section, run: Span, span: Span) -> Span:
    """A stretch over several blocks with its first item's bullet, and with the rest of a list
    whose lead-in it holds: the first choice of several alone would be no list.

    Args:
        section: holds the blocks.
        run: the first and the last block touched, both included.
        span: the stretch.
    """
    blocks, (first, last), (start, end) = _blocks(section), run, span
    if first == last or blocks[last].kind is not BlockKind.ITEM:
        return span
    if blocks[first].kind is BlockKind.ITEM:
        return _trimmed(section.text, min(start, blocks[first].start), end)
    while last + 1 < len(blocks) and blocks[last + 1].kind is BlockKind.ITEM:
        last += 1
    whole = _trimmed(section.text, start, blocks[last].end)
    return whole if whole[1] - start <= _LED_CHARS else span


def _blocks(section: Section) -> Sequence[Block]:
    return section.blocks or (Block(BlockKind.PARAGRAPH, 0, len(section.text)),)


def _units(text: str, block: Block) -> Iterator[Span]:
    """What of a block can be judged by itself."""
    match block.kind:
        case BlockKind.ITEM if block.end - block.start <= _LONG_ITEM_CHARS:
            bullet = _BULLET.match(text, block.start, block.end)
            yield _trimmed(text, bullet.end() if bullet else block.start, block.end)
        case BlockKind.ROW | BlockKind.HEADER_ROW:
            yield _trimmed(text, block.start, block.end)
        case BlockKind.CODE:
            yield from _lines(text, block)
        case _:
            yield from sentences(text, block.start, block.end)


def _lines(text: str, block: Block) -> Iterator[Span]:
    start = block.start
    for line in text[block.start : block.end].splitlines(keepends=True):
        yield start, start + len(line.rstrip())
        start += len(line)


def _trimmed(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _above(section: Section, start: int) -> Span:
    """The header row over a row, or the line that leads into a list item; empty where none is."""
    blocks = section.blocks
    at = next((i for i, block in enumerate(blocks) if block.start <= start < block.end), None)
    if at is None:
        return start, start
    kind = blocks[at].kind
    wanted = {BlockKind.ROW: BlockKind.HEADER_ROW, BlockKind.ITEM: BlockKind.PARAGRAPH}.get(kind)
    while at >= 0 and blocks[at].kind is kind:
        at -= 1
    if at < 0 or blocks[at].kind is not wanted:
        return start, start
    over = blocks[at]
    if wanted is BlockKind.HEADER_ROW:
        return over.start, over.end
    last = sentences(section.text, over.start, over.end)[-1]
    return last if section.text[slice(*last)].endswith(_LEADS_IN) else (start, start)


# ---------------------------------------------------------------- merging


def _absorbed(kept: list[Citation], new: Citation) -> list[Citation]:
    """`kept` with `new` added, or joined to those it overlaps."""
    over = [citation for citation in kept if _overlap(citation, new)]
    if not over:
        return [*kept, new]
    whole = reduce(_union, over, new)
    return [
        whole if citation is over[0] else citation for citation in kept if citation not in over[1:]
    ]


def _overlap(one: Citation, other: Citation) -> bool:
    if (one.doc_id, one.section_path) != (other.doc_id, other.section_path):
        return False
    if one.start == one.end or other.start == other.end:  # headings
        return (one.start, one.end, one.quote) == (other.start, other.end, other.quote)
    return one.start < other.end and other.start < one.end


def _union(one: Citation, other: Citation) -> Citation:
    """Both stretches as one; they overlap, so that their texts join without the section."""
    first, second = sorted((one, other), key=lambda citation: citation.start)
    if second.end <= first.end:
        return first
    quote = first.quote + second.quote[first.end - second.start :]
    return replace(first, quote=quote, end=second.end)
