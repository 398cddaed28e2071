"""A PDF into sections: bookmarks, else its contents page, else its type, else blocks of pages."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agent.domain import (
    ParsedDocument,
    ParsedSection,
    ParseOutcome,
)
from agent.errors import ParseError
from connectors.formats import titles
from connectors.formats.pdf import chain, contents, second, titling
from connectors.formats.pdf.extras import Extras
from connectors.formats.pdf.layout import clean, rows
from connectors.formats.pdf.opinion import pages_of_text, with_second_opinion
from connectors.formats.pdf.page import Heading, Line, Page, PageKind
from connectors.formats.pdf.paragraphs import blocks
from connectors.formats.pdf.pdfium import marks
from connectors.formats.pdf.pdfium.file import PdfiumFile
from connectors.formats.pdf.running import without_running
from connectors.formats.sections import SectionBuilder


def parse(data: bytes, name: str, recognised: Mapping[int, Page] | None = None) -> ParsedDocument:
    """Sections of a PDF with their pages.

    Args:
        data: the whole file.
        name: its path inside the source.
        recognised: pages that were read from their pictures, by number.

    Raises:
        ParseError: `password`, `damaged` or `too_large`.
    """
    try:
        read, whole = _pages(data)
        found = [(recognised or {}).get(page.number, page) for page in read]
        pages = with_second_opinion(data, found)
    except ParseError as error:
        if error.reason != "damaged":
            raise
        pages, whole = pages_of_text(data), True
        if not any(page.lines for page in pages):
            raise
    try:
        _check_readable(pages)
    except ParseError as error:
        return _unreadable(error, _extras(data, len(pages), whole=whole).title, len(pages))
    lines = [
        line for page in without_running(pages, [rows(page) for page in pages]) for line in page
    ]
    return _document(pages, lines, _extras(data, len(pages), whole=whole))


def _pages(data: bytes) -> tuple[list[Page], bool]:
    """The pages, and whether the file's own table of its objects is whole."""
    file = PdfiumFile(data)
    try:
        return list(file.pages()), file.is_whole
    finally:
        file.close()


def _extras(data: bytes, pages: int, *, whole: bool) -> Extras:
    """By pypdf, where it need not search a broken file for each object; else by PDFium."""
    extras = second.read_extras(data, pages) if whole else None
    return extras or marks.read_extras(data)


def _check_readable(pages: Sequence[Page]) -> None:
    """Refuse a file most of whose pages hold no text that can be read."""
    filled = [page for page in pages if page.kind is not PageKind.BLANK]
    if not filled:
        raise ParseError("empty", "its pages hold nothing")
    for kind, reason, problem in (
        (PageKind.IMAGE, "scanned", "no text layer"),
        (PageKind.GARBLED, "garbled", "its text layer makes no sense"),
        (PageKind.BROKEN, "damaged", "pages cannot be read"),
    ):
        count = sum(page.kind is kind for page in filled)
        if 2 * count > len(filled):
            raise ParseError(reason, f"{problem} ({count} of {len(pages)} pages)")


def _unreadable(error: ParseError, title: str, pages: int) -> ParsedDocument:
    """Listed by the title it gives itself, with the reason."""
    return ParsedDocument(
        titles.first_meaningful([title]),
        "pdf",
        ParseOutcome.NOT_READABLE,
        reason=f"{error.reason}: {error.problem}",
        pages=pages,
    )


def _document(pages: Sequence[Page], lines: list[Line], extras: Extras) -> ParsedDocument:
    found = contents.read_contents(lines, len(pages))
    title, title_lines = titling.title_of(extras.title, lines, found.lines)
    headings = chain.headings(pages, lines, extras, chain.Known(title, title_lines, found))
    skipped = set(found.lines) | set(title_lines)
    sections = _sections(headings, lines, skipped) or _sections(headings, lines, set())
    labels = dict(extras.labels)
    outcome, reason = _outcome(pages)
    return ParsedDocument(
        title,
        "pdf",
        outcome,
        tuple(replace(each, page_label=labels.get(each.page_from or 0, "")) for each in sections),
        reason=reason,
        pages=len(pages),
        links=tuple(dict.fromkeys(link for page in pages for link in page.links)),
        hidden_chars=sum(page.hidden_chars for page in pages),
    )


def _sections(
    headings: Sequence[Heading], lines: Sequence[Line], skipped: set[int]
) -> tuple[ParsedSection, ...]:
    builder = SectionBuilder()
    taken = skipped | {place for heading in headings for place in heading.taken}
    starts = [0, *(heading.at for heading in headings)]
    ends = [*(heading.at for heading in headings), len(lines)]
    for place, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if place:
            heading = headings[place - 1]
            builder.heading(
                clean(heading.text),
                heading.level,
                page=heading.page,
                anchor=f"#page={heading.page}",
            )
        kept = [lines[each] for each in range(start, end) if each not in taken]
        for block in blocks(kept):
            builder.add(block.kind, block.text, page=block.page)
    return builder.sections()


def _outcome(pages: Sequence[Page]) -> tuple[ParseOutcome, str]:
    """Partial where single pages could not be read, with the pages named."""
    parts: list[str] = []
    for kind, problem in (
        (PageKind.IMAGE, "scanned: no text layer on"),
        (PageKind.GARBLED, "garbled: the text makes no sense on"),
        (PageKind.BROKEN, "damaged: cannot be read,"),
    ):
        numbers = [page.number for page in pages if page.kind is kind]
        if numbers:
            word = "page" if len(numbers) == 1 else "pages"
            parts.append(f"{problem} {word} {_ranges(numbers)}")
    return (ParseOutcome.PARTIAL, "; ".join(parts)) if parts else (ParseOutcome.OK, "")


def _ranges(numbers: Sequence[int]) -> str:
    """`2, 5–7`."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][-1] + 1:
            spans[-1][1:] = [number]
        else:
            spans.append([number])
    return ", ".join("–".join(map(str, dict.fromkeys(span))) for span in spans)
