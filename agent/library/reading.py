"""How the library is read: plain functions of a connection, the scope inside every query."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import (
    DocId,
    Document,
    MapEntry,
    OutlineEntry,
    ParseOutcome,
    Scope,
    Section,
    SectionPath,
    SourceState,
)
from agent.errors import DocumentNotFound, SectionNotFound
from agent.library.leading import leading_in, leading_out
from agent.library.records import DOCUMENT, SECTION, document_of, section_of
from agent.library.renaming import former_paths, path_now
from agent.library.scoping import visible
from agent.library.tables import documents, library_state, sections, sources

_IDS_AT_ONCE = 500
_OUTLINE = (
    *(sections.c[name] for name in ("doc_id", "path", "number", "headings", "level", "chars")),
    *(sections.c[name] for name in ("first_sentence", "page_from", "page_to", "see_also")),
    sections.c.content_hash,
)
_FROM = documents.join(sources, sources.c.name == documents.c.source)


def read_entries(
    connection: Connection, scope: Scope, doc_ids: Sequence[DocId] | None = None
) -> list[MapEntry]:
    """Map entries by source and path, or those named in the order given."""
    if doc_ids is None:
        return _entries(connection, scope, None)
    found = {
        entry.document.doc_id: entry
        for start in range(0, len(doc_ids), _IDS_AT_ONCE)
        for entry in _entries(connection, scope, doc_ids[start : start + _IDS_AT_ONCE])
    }
    return [found[doc_id] for doc_id in dict.fromkeys(doc_ids) if doc_id in found]


def read_sections(
    connection: Connection, scope: Scope, places: Iterable[tuple[DocId, int]]
) -> dict[tuple[DocId, int], tuple[Document, Section]]:
    """Sections with their documents by (document, position); those out of scope are left out."""
    wanted = sorted(set(places))
    if not wanted:
        return {}
    asked = {"documents": sorted({doc_id for doc_id, _ in wanted}), "places": wanted}
    rows = connection.execute(_sections_at(scope), asked)
    return {(row.doc_id, row.s_position): (document_of(row), section_of(row, "s_")) for row in rows}


@lru_cache(maxsize=64)
def _sections_at(scope: Scope) -> sa.Select[Any]:
    """The statement of `read_sections`; kept, as building it takes as long as running it."""
    place = sa.tuple_(sections.c.doc_id, sections.c.position)
    return (
        sa.select(*DOCUMENT, *(c.label(f"s_{c.name}") for c in SECTION))
        .select_from(_FROM.join(sections, sections.c.doc_id == documents.c.doc_id))
        .where(
            # By document as well: SQLite's way to an index.
            documents.c.doc_id.in_(sa.bindparam("documents", expanding=True)),
            place.in_(sa.bindparam("places", expanding=True)),
            visible(scope),
        )
    )


def read_section(connection: Connection, scope: Scope, doc_id: DocId, path: SectionPath) -> Section:
    """One section, by its path or one it had before; raises DocumentNotFound or SectionNotFound."""
    rows = _sections_of(connection, scope, doc_id, sections.c.path == path)
    if not rows and (now := path_now(connection, doc_id, path)):
        rows = _sections_of(connection, scope, doc_id, sections.c.path == now)
    if not rows:
        raise _missing(connection, scope, doc_id, path)
    return rows[0]


def read_subtree(
    connection: Connection, scope: Scope, doc_id: DocId, path: SectionPath
) -> list[Section]:
    """The section and all below it in reading order; finds and raises as `read_section` does."""
    path = read_section(connection, scope, doc_id, path).path
    below = sections.c.path.startswith(f"{path}/", autoescape=True)
    return _sections_of(connection, scope, doc_id, sa.or_(sections.c.path == path, below))


def find_document(connection: Connection, scope: Scope, name: str) -> Document:
    """By id, path, title or file name, in this order; raises DocumentNotFound."""
    name = unicodedata.normalize("NFC", name.strip())
    folded = name.casefold()
    matches = (
        documents.c.doc_id == name,
        documents.c.doc == name,
        documents.c.source + "/" + documents.c.doc == name,
        documents.c.title == name,
        sa.func.lower(documents.c.doc) == folded,
        sa.func.lower(documents.c.title) == folded,
        sa.func.lower(documents.c.doc).endswith(f"/{folded}", autoescape=True),
    )
    rank = sa.case(*((match, place) for place, match in enumerate(matches)), else_=len(matches))
    row = connection.execute(
        sa.select(*DOCUMENT)
        .select_from(_FROM)
        .where(sa.or_(*matches), visible(scope))
        .order_by(rank, documents.c.source, documents.c.doc)
        .limit(1)
    ).first()
    if row is None:
        raise DocumentNotFound(
            f"There is no document {name!r} here.", hint="`footnote map` lists what there is."
        )
    return document_of(row)


def read_sources(connection: Connection, scope: Scope) -> list[SourceState]:
    """Sources that hold something in this scope; the counts are of this scope."""
    rows = connection.execute(
        sa.select(
            *(sources.c.name, sources.c.contact, sources.c.last_synced),
            sa.func.count().label("documents"),
        )
        .select_from(_FROM)
        .where(visible(scope))
        .group_by(sources.c.name, sources.c.contact, sources.c.last_synced)
        .order_by(sources.c.name)
    )
    return [SourceState(row.name, row.documents, row.contact, row.last_synced) for row in rows]


def last_changed(connection: Connection) -> datetime | None:
    """When anything was last written; None before the first sync."""
    moment: datetime | None = connection.scalar(sa.select(library_state.c.changed_at))
    return moment


def count_in_other_language(connection: Connection, scope: Scope, language: str) -> int:
    """Readable documents in scope that are not in this language."""
    counted: int = connection.execute(
        sa.select(sa.func.count())
        .select_from(documents)
        .where(
            documents.c.language != language,
            documents.c.outcome != ParseOutcome.NOT_READABLE.value,
            visible(scope),
        )
    ).scalar_one()
    return counted


def _entries(
    connection: Connection, scope: Scope, doc_ids: Sequence[DocId] | None
) -> list[MapEntry]:
    wanted = visible(scope)
    if doc_ids is not None:
        wanted = sa.and_(wanted, documents.c.doc_id.in_(doc_ids))
    found = connection.execute(
        sa.select(*DOCUMENT)
        .select_from(_FROM)
        .where(wanted)
        .order_by(documents.c.source, documents.c.doc)
    ).all()
    outlines = _outlines(connection, wanted)
    ids = {row.doc_id for row in found}
    leads, led = leading_out(connection, scope, ids), leading_in(connection, scope, ids)
    return [
        MapEntry(
            document_of(row),
            row.summary,
            tuple(outlines[row.doc_id]),
            tuple(leads[row.doc_id]),
            tuple(led[row.doc_id]),
            row.notes,
        )
        for row in found
    ]


def _outlines(
    connection: Connection, wanted: sa.ColumnElement[bool]
) -> Mapping[str, list[OutlineEntry]]:
    rows = connection.execute(
        sa.select(*_OUTLINE)
        .join(documents, documents.c.doc_id == sections.c.doc_id)
        .where(wanted)
        .order_by(sections.c.doc_id, sections.c.position)
    )
    former = former_paths(connection, wanted)
    outlines: dict[str, list[OutlineEntry]] = defaultdict(list)
    for row in rows:
        outlines[row.doc_id].append(
            OutlineEntry(
                path=row.path,
                number=row.number,
                headings=tuple(row.headings),
                level=row.level,
                chars=row.chars,
                first_sentence=row.first_sentence,
                page_from=row.page_from,
                page_to=row.page_to,
                see_also=tuple(row.see_also),
                content_hash=row.content_hash,
                former=tuple(former.get((row.doc_id, row.path), ())),
            )
        )
    return outlines


def _sections_of(
    connection: Connection, scope: Scope, doc_id: DocId, which: sa.ColumnElement[bool]
) -> list[Section]:
    rows = connection.execute(
        sa.select(*SECTION)
        .join(documents, documents.c.doc_id == sections.c.doc_id)
        .where(sections.c.doc_id == doc_id, which, visible(scope))
        .order_by(sections.c.position)
    )
    return [section_of(row) for row in rows]


def _missing(
    connection: Connection, scope: Scope, doc_id: DocId, path: SectionPath
) -> DocumentNotFound | SectionNotFound:
    there = connection.scalar(
        sa.select(documents.c.title).where(documents.c.doc_id == doc_id, visible(scope))
    )
    if there is None:
        return DocumentNotFound(f"There is no document {doc_id!r} here.")
    return SectionNotFound(f"“{there}” has no section {path!r}.")
