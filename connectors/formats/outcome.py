"""Last look at what a parser made: an empty result gets its reason, a nameless one a title."""

import re
from dataclasses import replace
from pathlib import PurePosixPath

from agent.domain import BlockKind, ParsedDocument, ParseOutcome
from connectors.formats import titles
from connectors.formats.invisible import without_invisible

_PARTS_ARE_NAMED = ("xlsx", "csv")
"""Formats whose headings are names of sheets."""
_NUMBERED_PART = re.compile(r"\W*|Slide \d+")


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
    if _says_nothing(document):
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
    empty = not_readable(reason, problem, name=name, kind=document.format)
    return replace(empty, title=document.title, pages=document.pages)


def _says_nothing(document: ParsedDocument) -> bool:
    """Whether there is not one word in it; a name that we or a program gave a part is none."""
    texts = (block.text for section in document.sections for block in section.blocks)
    if any(char.isalnum() for text in texts for char in text):
        return False
    named = document.format in _PARTS_ARE_NAMED
    headings = (s.heading for s in document.sections if not named and s.heading)
    return all(_NUMBERED_PART.fullmatch(heading) for heading in headings)


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
