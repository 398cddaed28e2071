"""Rows of the library's tables as the documents and sections that the engine speaks of."""

from typing import Any

from sqlalchemy.engine import Row

from agent.domain import Document, ParseOutcome, Section
from agent.library.encoding import unpack_blocks
from agent.library.tables import documents, sections, sources

DOCUMENT = (
    *(documents.c[name] for name in ("doc_id", "source", "doc", "title", "format", "outcome")),
    *(documents.c[name] for name in ("reason", "pages", "modified", "url", "owner", "summary")),
    *(documents.c[name] for name in ("author", "effective", "updated", "version", "notes")),
    *(documents.c.not_seen_since, documents.c.hidden_chars, sources.c.trust, sources.c.contact),
)
"""What `document_of` needs, and the summary and notes of a map entry."""
SECTION = tuple(
    column for column in sections.c if column.name not in ("chars", "first_sentence", "see_also")
)
"""What `section_of` needs."""


def document_of(row: Row[Any]) -> Document:
    """A row that holds the columns `DOCUMENT`."""
    return Document(
        doc_id=row.doc_id,
        source=row.source,
        doc=row.doc,
        title=row.title,
        format=row.format,
        outcome=ParseOutcome(row.outcome),
        reason=row.reason,
        pages=row.pages,
        modified=row.modified,
        url=row.url,
        owner=row.owner,
        trust=row.trust,
        contact=row.contact,
        not_seen_since=row.not_seen_since,
        hidden_chars=row.hidden_chars,
        author=row.author,
        effective=row.effective,
        updated=row.updated,
        version=row.version,
    )


def section_of(row: Row[Any], prefix: str = "") -> Section:
    """A row that holds the columns `SECTION`, their names prefixed."""

    def value(name: str) -> Any:
        return getattr(row, prefix + name)

    return Section(
        doc_id=value("doc_id"),
        path=value("path"),
        number=value("number"),
        headings=tuple(value("headings")),
        level=value("level"),
        text=value("text"),
        blocks=unpack_blocks(value("blocks")),
        page_from=value("page_from"),
        page_to=value("page_to"),
        page_label=value("page_label"),
        anchor=value("anchor"),
        content_hash=value("content_hash"),
    )
