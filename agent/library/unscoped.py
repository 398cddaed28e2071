"""The readings that ask for no scope, and why they may.

A signed link was given to somebody who could read the quoted words: it opens their section for as
long as the document can be answered from. An operator counts documents and is told which files
were read in part, and a date counts for nothing where half a source carries it; this tells no
content. Everything else goes through a scope.
"""

from collections import Counter
from datetime import date

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import (
    DocId,
    Document,
    ParseOutcome,
    Scope,
    Section,
    SectionPath,
    SourceState,
)
from agent.errors import DocumentNotFound
from agent.library.reading import find_document, read_section
from agent.library.tables import documents, readers, sources
from agent.store import Store


class UnscopedReading:
    """Reads what needs no scope."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def open_section(self, doc_id: DocId, path: SectionPath) -> tuple[Document, Section]:
        """A section of a document that somebody can still be answered from.

        Raises:
            DocumentNotFound: it is gone, hidden or has no readers.
            SectionNotFound: the path is no longer in its outline.
        """
        return await self._store.read(lambda connection: _open(connection, doc_id, path))

    async def all_sources(self) -> list[SourceState]:
        """Every source, with how many documents can be answered from."""
        return await self._store.read(_all_sources)

    async def shared_dates(self) -> frozenset[tuple[str, date]]:
        """Dates that half a source's files carry, as (source, date): of a copy, not of a change."""
        return await self._store.read(_shared_dates)


def partly_read(connection: Connection, source: str) -> list[tuple[str, str]]:
    """(path, reason) of what is missing of the documents of a source, by path.

    These are documents without some of their pages, and attachments that cannot be read.
    """
    lost = sa.and_(
        documents.c.outcome == ParseOutcome.NOT_READABLE.value,
        documents.c.attached_to.is_not(None),
    )
    rows = connection.execute(
        sa.select(documents.c.doc, documents.c.reason)
        .where(documents.c.source == source, documents.c.hidden.is_(False))
        .where(sa.or_(documents.c.outcome == ParseOutcome.PARTIAL.value, lost))
        .order_by(documents.c.doc)
    )
    return [(row.doc, row.reason) for row in rows]


def _open(connection: Connection, doc_id: DocId, path: SectionPath) -> tuple[Document, Section]:
    whose = connection.scalars(sa.select(readers.c.audience).where(readers.c.doc_id == doc_id))
    scope = Scope(frozenset(whose))
    document = find_document(connection, scope, doc_id)
    if document.doc_id != doc_id:
        raise DocumentNotFound("That document is not here any more.")
    return document, read_section(connection, scope, doc_id, path)


def _all_sources(connection: Connection) -> list[SourceState]:
    counted = sa.func.count(documents.c.doc_id).label("documents")
    held = sa.and_(documents.c.source == sources.c.name, documents.c.hidden.is_(False))
    rows = connection.execute(
        sa.select(sources.c.name, sources.c.contact, sources.c.last_synced, counted)
        .select_from(sources.outerjoin(documents, held))
        .group_by(sources.c.name, sources.c.contact, sources.c.last_synced)
        .order_by(sources.c.name)
    )
    return [SourceState(row.name, row.documents, row.contact, row.last_synced) for row in rows]


def _shared_dates(connection: Connection) -> frozenset[tuple[str, date]]:
    rows = connection.execute(
        sa.select(documents.c.source, documents.c.modified).where(
            documents.c.hidden.is_(False), documents.c.attached_to.is_(None)
        )
    )
    days = [(row.source, row.modified.date() if row.modified else None) for row in rows]
    whole = Counter(source for source, _ in days)
    return frozenset(
        (source, day)
        for (source, day), count in Counter(days).items()
        if day is not None and count > 1 and 2 * count >= whole[source]
    )
