"""A document of the map as programs read it."""

from collections.abc import Mapping
from typing import Any

from agent.domain import MapEntry, OutlineEntry, SectionPath


def document_object(
    entry: MapEntry, texts: Mapping[SectionPath, str] | None = None
) -> dict[str, Any]:
    """The document and its sections; with `texts` each section carries its source text."""
    document = entry.document
    return {
        "doc_id": document.doc_id,
        "source": document.source,
        "doc": document.doc,
        "title": document.title,
        "format": document.format,
        "outcome": document.outcome.value,
        "reason": document.reason,
        "pages": document.pages,
        "modified": document.modified.isoformat() if document.modified else None,
        "owner": document.owner,
        "author": document.author,
        "effective": document.effective,
        "updated": document.updated,
        "version": document.version,
        "summary": entry.summary,
        "notes": entry.notes,
        "leads_to": [reference.title for reference in entry.cross_references],
        "led_to_by": [reference.title for reference in entry.referred_by],
        "sections": [_section(section, texts) for section in entry.outline],
    }


def _section(section: OutlineEntry, texts: Mapping[SectionPath, str] | None) -> dict[str, Any]:
    text = {} if texts is None else {"text": texts[section.path]}
    return {
        "id": section.path,
        "number": section.number,
        "path": list(section.headings),
        "level": section.level,
        "page_from": section.page_from,
        "page_to": section.page_to,
        "chars": section.chars,
        "first_sentence": section.first_sentence,
        "see_also": list(section.see_also),
        **text,
    }
