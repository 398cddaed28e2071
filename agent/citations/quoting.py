"""From words somebody believes to stand in a section to citations that do stand there.

A quote is looked for in the text that was shown, replaced by the source's own characters and
widened to what a reader needs to judge it: its whole sentence, list item or table row. Every
citation is one unbroken stretch of one section's source text.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from agent.citations.versions import mark_of
from agent.citations.widening import LEADS_IN, Span, has_negation, judged
from agent.domain import Citation, Quote, Section, Window
from agent.phrases import phrase
from agent.text.folding import find, find_parts

_CUT_CHARS = 60


@dataclass(frozen=True, slots=True)
class Place:
    """Where a quote, or one part of it around an ellipsis, stands.

    Attributes:
        citation: numbered 0; its quote is the widened stretch.
        added: what widening added around the words quoted, and the line they belong under.
        over: the line or header row they belong under, to be cited for the numbers it holds.
    """

    quote: Quote
    citation: Citation
    added: str = ""
    over: Citation | None = None

    @property
    def turned(self) -> bool:
        """Whether what was added negates or limits what was quoted."""
        return has_negation(self.added)


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
    (start, end), header = judged(window.section, span)
    citation = replace(_citation(window, (start, end), language), header=header)
    leads_in = header if header.endswith(LEADS_IN) else ""
    added = leads_in, text[start : span[0]], text[span[1] : end]
    over = _over(window, header, start, language)
    return Place(quote, citation, " ".join(added).strip(), over)


def _over(window: Window, header: str, start: int, language: str) -> Citation | None:
    """What stands over a quote as a citation of its own, where a number stands in it."""
    at = window.section.text.rfind(header, 0, start)
    if at < 0 or not any(map(str.isdigit, header)):
        return None
    return _citation(window, (at, at + len(header)), language)


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
