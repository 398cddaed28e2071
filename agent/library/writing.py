"""How the library changes: plain functions of a connection.

The sync calls them in the transaction in which it commits its own ledger, so documents and
cursor can never disagree. A document is always replaced whole; a reader sees the old one or the
new one. Hiding keeps everything but the right to be seen; purging leaves no trace.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import DocId, DocumentFacts, ParsedDocument
from agent.library import attached, renaming
from agent.library.index.choice import fulltext_of
from agent.library.placing import place
from agent.library.references import resolve_cross_references
from agent.library.rows import (
    Row,
    abbreviation_rows,
    document_row,
    section_rows,
    stretch_rows,
)
from agent.library.tables import (
    abbreviations,
    cross_references,
    documents,
    library_state,
    readers,
    sections,
    sources,
    stretches,
)
from agent.map.building import BuiltDocument, build_document
from agent.store.upserting import insert_into

__all__ = [
    "NewDocument",
    "SourceRecord",
    "apply_sources",
    "hide_documents",
    "mark_not_seen",
    "mark_synced",
    "move_document",
    "purge_documents",
    "put_documents",
    "resolve_cross_references",
    "set_readers",
    "show_documents",
]

_IDS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """A configured drive as the library needs to know it.

    Attributes:
        audience: default readers; without one nobody gets answers from it.
        trust: `own` or `external`.
        egress: `any` or `none`.
    """

    name: str
    audience: tuple[str, ...] = ()
    contact: str = ""
    trust: str = "own"
    egress: str = "any"


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document to put in or to replace.

    Attributes:
        readers: audience words of those who may read it; empty: nobody.
    """

    facts: DocumentFacts
    parsed: ParsedDocument
    readers: frozenset[str]


def apply_sources(connection: Connection, named: Sequence[SourceRecord]) -> None:
    """Make the sources these and no others; what is not named goes with all its documents."""
    names = [source.name for source in named]
    gone = connection.scalars(
        sa.select(documents.c.doc_id).where(documents.c.source.not_in(names))
    ).all()
    purge_documents(connection, [DocId(doc_id) for doc_id in gone])
    connection.execute(sa.delete(sources).where(sources.c.name.not_in(names)))
    rows = [
        {
            "name": source.name,
            "audience": list(source.audience),
            "contact": source.contact,
            "trust": source.trust,
            "egress": source.egress,
        }
        for source in named
    ]
    _upsert(connection, sources, rows)


def mark_synced(connection: Connection, source: str, at: datetime) -> None:
    """Remember when a source was last gone through completely."""
    connection.execute(sa.update(sources).where(sources.c.name == source).values(last_synced=at))


def put_documents(connection: Connection, entries: Sequence[NewDocument]) -> None:
    """Put documents in, each replacing its former self whole: sections, index, readers, links.

    One that is not readable stands in the map with its reason and without sections. A document
    put in is visible again if it was hidden. Of two with the same id the later one counts.
    Attachments come with their document as documents of their own; those it lost are purged.
    """
    entries = list({entry.facts.doc_id: entry for entry in entries}.values())
    if not entries:
        return
    mails = [entry.facts.doc_id for entry in entries]
    hanging = {e.facts.doc_id: (e, mail.facts.doc_id) for mail in entries for e in _hanging(mail)}
    purge_documents(connection, attached.no_longer_hanging(connection, mails, hanging))
    _put(connection, [(entry, None) for entry in entries] + list(hanging.values()))


def _hanging(mail: NewDocument) -> Iterator[NewDocument]:
    for facts, parsed in attached.hanging_on(mail.facts, mail.parsed):
        yield NewDocument(facts, parsed, mail.readers)


def _put(connection: Connection, pairs: Sequence[tuple[NewDocument, DocId | None]]) -> None:
    """Documents, each with the one that it hangs on."""
    entries = [entry for entry, _ in pairs]
    ids = [entry.facts.doc_id for entry in entries]
    before = renaming.paths_before(connection, ids)
    _empty(connection, ids)
    built = [build_document(entry.facts, entry.parsed) for entry in entries]
    _upsert(
        connection,
        documents,
        [
            document_row(entry.facts, entry.parsed, each) | {"attached_to": mail}
            for (entry, mail), each in zip(pairs, built, strict=True)
        ],
    )
    _set_readers(connection, {e.facts.doc_id: e.readers for e in entries})
    _insert(connection, sections, [row for each in built for row in section_rows(each)])
    now = {str(doc_id): each.sections for doc_id, each in zip(ids, built, strict=True)}
    renaming.lead_on(connection, before, now)
    _index_documents(connection, list(zip(entries, built, strict=True)))
    _insert(connection, abbreviations, [row for each in built for row in abbreviation_rows(each)])
    _touch(connection)


def move_document(
    connection: Connection, facts: DocumentFacts, readers_now: frozenset[str]
) -> None:
    """The same document at another place: new path, address, owner, date and readers.

    A title that was made of the file name follows it, and so does what hangs on the document.
    """
    row = documents.c.doc_id == facts.doc_id
    before = connection.scalar(sa.select(documents.c.doc).where(row))
    if before is None:
        return
    values = {
        "source": facts.source,
        "url": facts.url,
        "modified": facts.modified,
        "owner": facts.owner,
    }
    hanging = attached.places_of_hanging(connection, facts.doc_id, before, facts.doc)
    for doc_id, old, new in [(facts.doc_id, before, facts.doc), *hanging]:
        place(connection, doc_id, old, new, values)
    connection.execute(sa.update(documents).where(row).values(content_hash=facts.content_hash))
    set_readers(connection, facts.doc_id, readers_now)


def set_readers(connection: Connection, doc_id: DocId, readers_now: frozenset[str]) -> None:
    """Make these its readers, and those of what hangs on it, and no others."""
    ids = attached.with_hanging(connection, [doc_id])
    _set_readers(connection, dict.fromkeys(ids, readers_now))
    _touch(connection)


def hide_documents(connection: Connection, doc_ids: Iterable[DocId]) -> None:
    """Out of every answer, map and count at once; nothing is lost."""
    _update(connection, doc_ids, hidden=True)


def show_documents(connection: Connection, doc_ids: Iterable[DocId]) -> None:
    """Visible again, and seen."""
    _update(connection, doc_ids, hidden=False, not_seen_since=None)


def mark_not_seen(connection: Connection, doc_ids: Iterable[DocId], since: datetime | None) -> None:
    """Answering on, marked with its age; None takes the mark away."""
    _update(connection, doc_ids, not_seen_since=since)


def purge_documents(connection: Connection, doc_ids: Iterable[DocId]) -> None:
    """Remove documents, and what hangs on them, with every trace in the library's tables."""
    for some in _in_batches(attached.with_hanging(connection, doc_ids)):
        _empty(connection, some)
        connection.execute(sa.delete(documents).where(documents.c.doc_id.in_(some)))
        _touch(connection)


def _update(connection: Connection, doc_ids: Iterable[DocId], **values: object) -> None:
    for some in _in_batches(attached.with_hanging(connection, doc_ids)):
        connection.execute(
            sa.update(documents).where(documents.c.doc_id.in_(some)).values(**values)
        )
        _touch(connection)


def _in_batches(doc_ids: Iterable[DocId]) -> Iterator[list[DocId]]:
    ids = list(doc_ids)
    for start in range(0, len(ids), _IDS_AT_ONCE):
        yield ids[start : start + _IDS_AT_ONCE]


def _empty(connection: Connection, doc_ids: Sequence[DocId]) -> None:
    """Everything of these documents but their own row and the references to them."""
    fulltext_of(connection).remove(connection, doc_ids)
    for table in (stretches, sections, abbreviations):
        connection.execute(sa.delete(table).where(table.c.doc_id.in_(doc_ids)))
    connection.execute(sa.delete(cross_references).where(cross_references.c.from_doc.in_(doc_ids)))


def _touch(connection: Connection) -> None:
    """What was remembered of the library is out of date from here on."""
    connection.execute(
        sa.update(library_state).values(
            version=library_state.c.version + 1, changed_at=datetime.now(UTC)
        )
    )


def _take_stretch_ids(connection: Connection, count: int) -> range:
    next_free: int = connection.execute(
        sa.update(library_state)
        .values(next_stretch=library_state.c.next_stretch + count)
        .returning(library_state.c.next_stretch)
    ).scalar_one()
    return range(next_free - count, next_free)


def _index_documents(
    connection: Connection, pairs: Sequence[tuple[NewDocument, BuiltDocument]]
) -> None:
    rows = [row for entry, built in pairs for row in stretch_rows(entry.facts.doc, built)]
    ids = _take_stretch_ids(connection, len(rows))
    _insert(connection, stretches, [{"id": i} | row for i, row in zip(ids, rows, strict=True)])
    fulltext_of(connection).add(connection, ids)


def _set_readers(connection: Connection, wanted: Mapping[DocId, frozenset[str]]) -> None:
    connection.execute(sa.delete(readers).where(readers.c.doc_id.in_(list(wanted))))
    _insert(
        connection,
        readers,
        [
            {"doc_id": doc_id, "audience": audience}
            for doc_id, audiences in wanted.items()
            for audience in sorted(audiences)
        ],
    )


def _insert(connection: Connection, table: sa.Table, rows: Sequence[Row]) -> None:
    if rows:
        connection.execute(sa.insert(table), list(rows))


def _upsert(connection: Connection, table: sa.Table, rows: Sequence[Row]) -> None:
    if not rows:
        return
    statement = insert_into(connection, table)
    key = list(table.primary_key.columns)
    changed = {name: statement.excluded[name] for name in rows[0] if name not in table.primary_key}
    connection.execute(
        statement.on_conflict_do_update(index_elements=key, set_=changed), list(rows)
    )
