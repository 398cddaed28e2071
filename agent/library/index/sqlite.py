"""The full-text index on SQLite: FTS5 over our own tokens.

Whether a row may be seen costs as much as its BM25, so it is asked of the best rows only: of a few
hundred first, of more where too few of them are in scope, and of all in the end.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import DocId, Scope
from agent.library.index.fulltext import Candidate, candidates_of
from agent.library.tables import stretches

_REACHES = (300, 3_000, None)
"""So many best rows are looked at for those in scope; None: all."""
_LAST = "\x7f"
"""Comes after every letter."""
_INDEX = sa.table("section_index", sa.column("rowid"))
_MATCH = sa.text("section_index MATCH :match")
_BM25: sa.ColumnElement[float] = sa.literal_column("bm25(section_index, 1.0, 1.5, 1.0)")
_COUNT = sa.select(sa.func.count()).select_from(
    sa.select(_INDEX.c.rowid).where(_MATCH).limit(sa.bindparam("reach")).subquery()
)


class SqliteFulltext:
    """FTS5 over our own tokens."""

    _index = _INDEX
    _terms = sa.table("section_terms", sa.column("term"), sa.column("doc"))

    def add(self, connection: Connection, stretch_ids: range) -> None:
        """The index reads the terms from the stretches; ids rise, else FTS5 flushes each row."""
        connection.execute(
            sa.text(
                "INSERT INTO section_index (rowid, title_terms, heading_terms, body_terms) "
                "SELECT id, title_terms, heading_terms, body_terms FROM stretches "
                "WHERE id >= :first AND id < :beyond ORDER BY id"
            ),
            {"first": stretch_ids.start, "beyond": stretch_ids.stop},
        )

    def remove(self, connection: Connection, doc_ids: Sequence[DocId]) -> None:
        """FTS5 must be told the old terms; it finds them in the stretches."""
        connection.execute(
            sa.text(
                "INSERT INTO section_index "
                "(section_index, rowid, title_terms, heading_terms, body_terms) "
                "SELECT 'delete', id, title_terms, heading_terms, body_terms FROM stretches "
                "WHERE doc_id IN :gone ORDER BY id"
            ).bindparams(sa.bindparam("gone", expanding=True)),
            {"gone": list(doc_ids)},
        )

    def frequencies(self, connection: Connection, terms: Sequence[str]) -> dict[str, int]:
        """From FTS5's own vocabulary, which is always true."""
        found = connection.execute(
            sa.select(self._terms.c.term, self._terms.c.doc).where(self._terms.c.term.in_(terms))
        )
        return {row.term: row.doc for row in found}

    def vocabulary(self, connection: Connection, letter: str) -> dict[str, int]:
        """Letters only: numbers and identifiers are never corrected."""
        found = connection.execute(
            sa.select(self._terms.c.term, self._terms.c.doc).where(
                self._terms.c.term.between(letter, letter + _LAST),
                sa.text("term NOT GLOB '*[^a-z]*'"),
            )
        )
        return {row.term: row.doc for row in found}

    def candidates(
        self, connection: Connection, weights: Mapping[str, float], scope: Scope, limit: int
    ) -> Sequence[Candidate]:
        """BM25 with the headings weighed a little more."""
        asked = {"match": " OR ".join(f'"{term}"' for term in weights), "most": limit}
        found: Sequence[Candidate] = ()
        for reach in _REACHES:
            best = asked | ({"reach": reach} if reach else {})
            found = connection.execute(_best_rows(scope, bounded=bool(reach)), best).all()
            if len(found) >= limit or reach is None:
                break
            if connection.execute(_COUNT, best).scalar_one() < reach:
                break
        return found

    def in_scope(self, connection: Connection, terms: Sequence[str], scope: Scope) -> set[str]:
        """One look for each term, all in one statement."""
        looks = [
            sa.select(sa.literal(term).label("term")).where(
                candidates_of(self._index, self._index.c.rowid, scope)
                .where(sa.text(f"section_index MATCH :match_{place}"))
                .exists()
            )
            for place, term in enumerate(terms)
        ]
        matches = {f"match_{place}": f'"{term}"' for place, term in enumerate(terms)}
        return set(connection.scalars(sa.union_all(*looks), matches)) if looks else set()

    def documents_with(self, connection: Connection, terms: Sequence[str]) -> Sequence[DocId]:
        """All terms in one row."""
        match = " AND ".join(f'"{term}"' for term in terms)
        rows = connection.scalars(
            sa.select(stretches.c.doc_id)
            .join(self._index, stretches.c.id == self._index.c.rowid)
            .where(sa.text("section_index MATCH :match").bindparams(match=match))
            .distinct()
        )
        return [DocId(doc_id) for doc_id in rows]


@lru_cache(maxsize=64)
def _best_rows(scope: Scope, *, bounded: bool) -> sa.Select[Any]:
    """The statement for candidates; kept, as building it takes as long as running it."""
    matching = sa.select(_INDEX.c.rowid.label("id"), _BM25.label("score")).where(_MATCH)
    if bounded:
        matching = matching.order_by(sa.literal_column("score")).limit(sa.bindparam("reach"))
    best = matching.subquery()
    return (
        candidates_of(best, best.c.id, scope)
        .order_by(best.c.score, best.c.id)
        .limit(sa.bindparam("most"))
    )
