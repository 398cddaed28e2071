"""A document as rows of the library's tables."""

from collections.abc import Iterator
from typing import Any

from agent.domain import DocumentFacts, ParsedDocument
from agent.library.abbreviations import find_abbreviations
from agent.library.encoding import pack_blocks
from agent.library.index.stretches import cut_stretches
from agent.map.building import BuiltDocument, storable
from agent.map.titles import path_words
from agent.text.words import index_terms

Row = dict[str, Any]


def document_row(facts: DocumentFacts, parsed: ParsedDocument, built: BuiltDocument) -> Row:
    """The document itself, visible and with references to be worked out."""
    return {
        "doc_id": facts.doc_id,
        "source": facts.source,
        "doc": facts.doc,
        "title": built.title,
        "format": parsed.format,
        "outcome": parsed.outcome.value,
        "reason": storable(parsed.reason),
        "pages": parsed.pages,
        "modified": facts.modified or parsed.modified,
        "url": storable(facts.url),
        "owner": storable(facts.owner),
        "content_hash": facts.content_hash,
        "language": built.language,
        "summary": built.summary,
        "hidden_chars": parsed.hidden_chars,
        "hidden": False,
        "not_seen_since": None,
        "links": [storable(link) for link in parsed.links],
        "references_stale": True,
        "author": storable(parsed.author),
        "effective": built.stated.effective,
        "updated": built.stated.updated,
        "version": built.stated.version,
        "notes": "",
    }


def section_rows(built: BuiltDocument) -> Iterator[Row]:
    """Its sections in reading order."""
    found = zip(built.sections, built.first_sentences, built.see_also, strict=True)
    for position, (section, first, others) in enumerate(found):
        yield {
            "doc_id": section.doc_id,
            "position": position,
            "path": section.path,
            "number": section.number,
            "headings": list(section.headings),
            "level": section.level,
            "text": section.text,
            "chars": len(section.text),
            "blocks": pack_blocks(section.blocks),
            "page_from": section.page_from,
            "page_to": section.page_to,
            "page_label": section.page_label,
            "anchor": section.anchor,
            "content_hash": section.content_hash,
            "first_sentence": first,
            "see_also": list(others),
        }


def abbreviation_rows(built: BuiltDocument) -> Iterator[Row]:
    """Short forms that it explains."""
    found: dict[tuple[str, str], str] = {}
    for section in built.sections:
        for short, long in find_abbreviations(section.text).items():
            found[short, long] = section.doc_id
    for (short, long), doc_id in found.items():
        yield {"doc_id": doc_id, "short": short, "long": long}


def stretch_rows(doc: str, built: BuiltDocument) -> Iterator[Row]:
    """What the index holds of it, still without ids."""
    title = title_terms(built.title, doc)
    for position, section in enumerate(built.sections):
        # Its own heading counts twice.
        headings = _terms(*section.headings, section.heading)
        for start, end in cut_stretches(section):
            yield {
                "doc_id": section.doc_id,
                "position": position,
                "start_char": start,
                "end_char": end,
                "title_terms": title,
                "heading_terms": headings,
                "body_terms": _terms(section.text[start:end]),
            }


def title_terms(title: str, doc: str) -> str:
    """Terms of title and path; they count for every stretch of the document."""
    return _terms(title, path_words(doc))


def _terms(*texts: str) -> str:
    return " ".join(term for text in texts for term in index_terms(text))
