"""The map check of a library: what its map tells, and what its texts say against each other."""

from collections.abc import Iterator, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import DocId, MapEntry, Scope
from agent.library.reading import read_entries
from agent.library.tables import readers, sections
from agent.map.checking import MapRemark, check_map, contradicting, speaks_for_today
from agent.map.contradicting import Stretch, contradictions
from agent.store import Store

MOST_CHARS = 12_000_000
"""So much text is looked through for contradictions; it takes some seconds."""
_DOCS_AT_ONCE = 200


async def check_library(store: Store, scope: Scope) -> list[MapRemark]:
    """Everything worth telling about the documents of a scope."""
    return await store.read(lambda c: _check(c, read_entries(c, scope)))


async def check_sources(store: Store, names: Sequence[str] | None = None) -> list[MapRemark]:
    """The same of all documents of these sources, None: of all; for those who operate them."""
    return await store.read(lambda connection: _check(connection, _of(connection, names)))


def _of(connection: Connection, names: Sequence[str] | None) -> list[MapEntry]:
    scope = Scope(frozenset(connection.scalars(sa.select(readers.c.audience).distinct())))
    entries = read_entries(connection, scope)
    return [entry for entry in entries if names is None or entry.document.source in names]


def _check(connection: Connection, entries: Sequence[MapEntry]) -> list[MapRemark]:
    found = check_map(entries)
    return found + _contradictions(connection, speaks_for_today(entries, found))


def _contradictions(connection: Connection, entries: Sequence[MapEntry]) -> list[MapRemark]:
    current = {entry.document.doc_id: entry for entry in entries}
    found = contradictions(_stretches(connection, current))
    return [
        contradicting(current[one.doc_id], current[other.doc_id], (one, other))
        for one, other in found
    ]


def _stretches(connection: Connection, current: dict[DocId, MapEntry]) -> Iterator[Stretch]:
    ids, left = list(current), MOST_CHARS
    for start in range(0, len(ids), _DOCS_AT_ONCE):
        rows = connection.execute(
            sa.select(sections.c.doc_id, sections.c.headings, sections.c.text)
            .where(sections.c.doc_id.in_(ids[start : start + _DOCS_AT_ONCE]))
            .order_by(sections.c.doc_id, sections.c.position)
        )
        for row in rows:
            left -= len(row.text)
            if left < 0:
                return
            title = current[row.doc_id].document.title
            yield Stretch(row.doc_id, title, tuple(row.headings), row.text)
