"""How the library changes: plain functions of a connection.

The sync calls them in the transaction in which it commits its own ledger, so documents and
cursor can never disagree. A document is always replaced whole; a reader sees the old one or the
new one. Hiding keeps everything but the right to be seen; purging leaves no trace.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from agent.domain import DocId, DocumentFacts, ParsedDocument
from agent.library.abbreviations import find_abbreviations
from agent.library.encoding import pack_blocks
from agent.library.indexes import fulltext_of
from agent.library.references import resolve_cross_references
from agent.library.stretches import cut_stretches
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
from agent.map.titles import path_words, readable_file_name
from agent.text.words import index_terms

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
_Row = dict[str, Any]


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
    put in is visible again if it was hidden.
    """
    if not entries:
        return
    doc_ids = [entry.facts.doc_id for entry in entries]
    _empty(connection, doc_ids)
    built = [build_document(entry.facts, entry.parsed) for entry in entries]
    _upsert(
        connection, documents, [_document_row(e, b) for e, b in zip(entries, built, strict=True)]
    )
    _set_readers(connection, {e.facts.doc_id: e.readers for e in entries})
    _insert(connection, sections, [row for each in built for row in _section_rows(each)])
    _index_documents(connection, list(zip(entries, built, strict=True)))
    _insert(connection, abbreviations, [row for each in built for row in _abbreviation_rows(each)])
    _touch(connection)


def move_document(
    connection: Connection, facts: DocumentFacts, readers_now: frozenset[str]
) -> None:
    """The same document at another place: new path, address, owner, date and readers.

    A title that was made of the file name follows it.
    """
    before = connection.execute(
        sa.select(documents.c.doc, documents.c.title).where(documents.c.doc_id == facts.doc_id)
    ).first()
    if before is None:
        return
    named_after_file = before.title == readable_file_name(before.doc)
    title = readable_file_name(facts.doc) if named_after_file else before.title
    connection.execute(
        sa.update(documents)
        .where(documents.c.doc_id == facts.doc_id)
        .values(
            source=facts.source,
            doc=facts.doc,
            title=title,
            url=facts.url,
            modified=facts.modified,
            owner=facts.owner,
            content_hash=facts.content_hash,
            references_stale=True,
        )
    )
    _index_title(connection, facts.doc_id, _terms(title, path_words(facts.doc)))
    set_readers(connection, facts.doc_id, readers_now)


def set_readers(connection: Connection, doc_id: DocId, readers_now: frozenset[str]) -> None:
    """Make these its readers and no others."""
    _set_readers(connection, {doc_id: readers_now})
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
    """Remove documents with every trace of them in the library's tables."""
    for some in _in_batches(doc_ids):
        _empty(connection, some)
        connection.execute(sa.delete(documents).where(documents.c.doc_id.in_(some)))
        _touch(connection)


def _update(connection: Connection, doc_ids: Iterable[DocId], **values: object) -> None:
    for some in _in_batches(doc_ids):
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


def _document_row(entry: NewDocument, built: BuiltDocument) -> _Row:
    facts, parsed = entry.facts, entry.parsed
    return {
        "doc_id": facts.doc_id,
        "source": facts.source,
        "doc": facts.doc,
        "title": built.title,
        "format": parsed.format,
        "outcome": parsed.outcome.value,
        "reason": parsed.reason,
        "pages": parsed.pages,
        "modified": facts.modified,
        "url": facts.url,
        "owner": facts.owner,
        "content_hash": facts.content_hash,
        "language": built.language,
        "summary": built.summary,
        "hidden_chars": parsed.hidden_chars,
        "hidden": False,
        "not_seen_since": None,
        "links": list(parsed.links),
        "references_stale": True,
    }


def _section_rows(built: BuiltDocument) -> Iterator[_Row]:
    pairs = zip(built.sections, built.first_sentences, strict=True)
    for position, (section, first) in enumerate(pairs):
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
        }


def _abbreviation_rows(built: BuiltDocument) -> Iterator[_Row]:
    found: dict[tuple[str, str], str] = {}
    for section in built.sections:
        for short, long in find_abbreviations(section.text).items():
            found[short, long] = section.doc_id
    for (short, long), doc_id in found.items():
        yield {"doc_id": doc_id, "short": short, "long": long}


def _index_documents(
    connection: Connection, pairs: Sequence[tuple[NewDocument, BuiltDocument]]
) -> None:
    rows = [row for entry, built in pairs for row in _stretch_rows(entry.facts.doc, built)]
    ids = _take_stretch_ids(connection, len(rows))
    _insert(connection, stretches, [{"id": i} | row for i, row in zip(ids, rows, strict=True)])
    fulltext_of(connection).add(connection, ids)


def _stretch_rows(doc: str, built: BuiltDocument) -> Iterator[_Row]:
    title = _terms(built.title, path_words(doc))
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


def _index_title(connection: Connection, doc_id: DocId, title_terms: str) -> None:
    """New words of title and path for the stretches of a document, whose ids are neighbours."""
    of_document = stretches.c.doc_id == doc_id
    first, last = connection.execute(
        sa.select(sa.func.min(stretches.c.id), sa.func.max(stretches.c.id)).where(of_document)
    ).one()
    if first is None:
        return
    index = fulltext_of(connection)
    index.remove(connection, [doc_id])
    connection.execute(sa.update(stretches).where(of_document).values(title_terms=title_terms))
    index.add(connection, range(first, last + 1))


def _terms(*texts: str) -> str:
    return " ".join(term for text in texts for term in index_terms(text))


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


def _insert(connection: Connection, table: sa.Table, rows: Sequence[_Row]) -> None:
    if rows:
        connection.execute(sa.insert(table), list(rows))


def _upsert(connection: Connection, table: sa.Table, rows: Sequence[_Row]) -> None:
    if not rows:
        return
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    statement = dialect.insert(table)
    key = list(table.primary_key.columns)
    changed = {name: statement.excluded[name] for name in rows[0] if name not in table.primary_key}
    connection.execute(
        statement.on_conflict_do_update(index_elements=key, set_=changed), list(rows)
    )
