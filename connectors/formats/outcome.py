"""Last look at what a parser made: an empty result gets its reason, a nameless one a title."""

from dataclasses import replace
from pathlib import PurePosixPath

from agent.domain import BlockKind, ParsedDocument, ParseOutcome
from connectors.formats import titles
from connectors.formats.invisible import without_invisible


def not_readable(reason: str, problem: str, *, name: str, kind: str = "") -> ParsedDocument:
    """A document that is listed with its reason and holds no text.

    Args:
        reason: a word of `PARSE_REASONS`.
        problem: a sentence for the admin, without the word.
        name: path inside the source; its extension stands in for the format.
        kind: the format, where it is known.
    """
    return ParsedDocument(
        title="",
        format=kind or PurePosixPath(name).suffix.lower().lstrip(".") or "unknown",
        outcome=ParseOutcome.NOT_READABLE,
        reason=f"{reason}: {problem}",
    )


def finished(document: ParsedDocument, name: str) -> ParsedDocument:
    """The document as it is handed on.

    Args:
        document: what the parser made.
        name: path inside the source. Where the file names no title, a first heading above all
            others becomes it; where the name says nothing (`1.docx`), any first heading or line.
    """
    if document.outcome is ParseOutcome.NOT_READABLE:
        return document
    document = without_invisible(document)
    if not any(section.heading or section.blocks for section in document.sections):
        return _without_text(document, name)
    if document.title:
        return document
    title = _single_top(document)
    if not title and titles.name_says_nothing(name):
        title = _first_words(document)
    return replace(document, title=title)


def _without_text(document: ParsedDocument, name: str) -> ParsedDocument:
    reason, _, problem = document.reason.partition(": ")
    if not reason:
        reason, problem = "empty", "the file holds no text"
    return not_readable(reason, problem, name=name, kind=document.format)


def _single_top(document: ParsedDocument) -> str:
    """The first heading, where everything else stands below it."""
    levels = [section.level for section in document.sections if section.heading]
    if not levels or not document.sections[0].heading or levels.count(min(levels)) > 1:
        return ""
    first = document.sections[0]
    whole = first.level == min(levels) and len(levels) > 1
    return titles.first_meaningful([first.heading]) if whole else ""


def _first_words(document: ParsedDocument) -> str:
    headings = (section.heading for section in document.sections if section.heading)
    lines = (
        block.text.split("\n")[0][:80]
        for section in document.sections
        for block in section.blocks
        if block.kind is BlockKind.PARAGRAPH
    )
    return titles.first_meaningful(headings) or titles.first_meaningful(lines)
