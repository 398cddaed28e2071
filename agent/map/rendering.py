"""The document map as text, as much of it as a budget of characters allows.

Few documents are shown with whole outlines, many by title alone: the size of what is shown never
depends on the size of the library.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.domain import MapEntry, OutlineEntry, ParseOutcome
from agent.map.describing import shortened

MAX_SECTIONS = 300
MAX_CHILDREN = 40
_HEADING_CHARS = 100
_LINE_CHARS = 160


@dataclass(frozen=True, slots=True)
class Detail:
    """How much of each document is shown.

    Attributes:
        depth: deepest level of headings; 0 shows none.
        sentences: whether first sentences stand beside the headings.
        summary: whether the one-line summary is shown.
        references: whether cross-references, record facts and stated dates are shown.
    """

    depth: int
    sentences: bool = False
    summary: bool = False
    references: bool = False


LEVELS = (
    Detail(9, sentences=True, summary=True, references=True),
    Detail(9, summary=True, references=True),
    Detail(2, summary=True),
    Detail(1, summary=True),
    Detail(0, summary=True),
    Detail(0),
)
"""From everything to titles only."""


def render_map(entries: Sequence[MapEntry], budget_chars: int | None = None) -> str:
    """The map at the finest level of detail that fits.

    Args:
        entries: documents in the order to show them.
        budget_chars: at most so many characters; None: everything is shown.

    Returns:
        Lines of text. Where not even the titles fit, the last line says how many are left out.
    """
    if budget_chars is None:
        return "\n".join(_lines(entries, LEVELS[0]))
    for level in LEVELS:
        text = _within(_lines(entries, level), budget_chars)
        if text is not None:
            return text
    return _titles_within(entries, budget_chars)


def render_entry(entry: MapEntry, detail: Detail = LEVELS[0]) -> str:
    """One document."""
    return "\n".join(_entry_lines(entry, detail))


def _within(lines: Iterator[str], budget: int) -> str | None:
    kept: list[str] = []
    for line in lines:
        budget -= len(line) + 1
        if budget < -1:
            return None
        kept.append(line)
    return "\n".join(kept)


def _titles_within(entries: Sequence[MapEntry], budget: int) -> str:
    kept: list[str] = []
    for entry in entries:
        line = shortened(_title_line(entry), _LINE_CHARS)
        rest = f"… {len(entries) - len(kept)} more documents"
        if sum(map(len, kept)) + len(kept) + len(line) + 1 + len(rest) > budget:
            return "\n".join([*kept, rest])[:budget]
        kept.append(line)
    return "\n".join(kept)


def _lines(entries: Sequence[MapEntry], detail: Detail) -> Iterator[str]:
    for entry in entries:
        yield from _entry_lines(entry, detail)


def _entry_lines(entry: MapEntry, detail: Detail) -> Iterator[str]:
    yield _title_line(entry)
    if entry.document.outcome is not ParseOutcome.OK:
        yield f"  ! {entry.document.outcome.value.replace('_', ' ')}: {entry.document.reason}"
    elif entry.document.reason:
        yield f"  ~ {entry.document.reason}"
    if detail.references and (facts := " · ".join(_facts(entry))):
        yield f"  {facts}"
    if detail.summary and entry.summary:
        yield f"  {entry.summary}"
    if detail.summary and entry.notes:
        yield f"  ✎ {entry.notes}"
    if detail.depth:
        yield from _outline_lines(entry.outline, detail)
    if detail.references:
        yield from _reference_lines(entry)


def _facts(entry: MapEntry) -> Iterator[str]:
    """What the document states of itself and what its drive and its file record."""
    document = entry.document
    if document.version:
        yield f"version {document.version}"
    if document.effective:
        yield f"effective {document.effective}"
    if document.updated:
        yield f"updated {document.updated}"
    if document.modified:
        yield f"modified {document.modified:%Y-%m-%d}"
    if document.owner:
        yield f"owner {document.owner}"
    if document.author:
        yield f"author {document.author}"


def _reference_lines(entry: MapEntry) -> Iterator[str]:
    for mark, references in (("→", entry.cross_references), ("←", entry.referred_by)):
        if references:
            named = "; ".join(reference.title for reference in references)
            yield f"  {mark} {shortened(named, 2 * _LINE_CHARS)}"


def _title_line(entry: MapEntry) -> str:
    document = entry.document
    return f"{document.title}  [{document.source}: {document.doc}]"


def _outline_lines(outline: Sequence[OutlineEntry], detail: Detail) -> Iterator[str]:
    numbers = {section.path: section.number for section in outline}
    shown = 0
    children: dict[str, int] = {}
    for section in outline:
        parent = str(section.path).rpartition("/")[0]
        children[parent] = children.get(parent, 0) + 1
        if section.level > detail.depth or not section.headings or children[parent] > MAX_CHILDREN:
            continue
        if shown == MAX_SECTIONS:
            break
        shown += 1
        others = [numbers[path] for path in section.see_also if path in numbers]
        led = f" → {', '.join(others)}" if others and detail.references else ""
        yield _section_line(section, detail) + led
    left = sum(bool(each.headings) and each.level <= detail.depth for each in outline) - shown
    if left > 0:
        yield f"  … {left} more sections"


def _section_line(section: OutlineEntry, detail: Detail) -> str:
    heading = shortened(section.headings[-1], _HEADING_CHARS)
    line = f"{'  ' * section.level}{section.number} {heading}"
    if section.page_from is not None:
        line += f" (p. {section.page_from})"
    if detail.sentences and section.first_sentence:
        line += f" – {shortened(section.first_sentence, _LINE_CHARS)}"
    return line
