"""The full-text index on SQLite: FTS5 over our own tokens."""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import DocId, Scope
from agent.library.fulltext import Candidate, IndexRow, candidates_of
from agent.library.tables import stretches


class SqliteFulltext:
    """FTS5 over our own tokens."""

    _index = sa.table("section_index", sa.column("rowid"))
    _terms = sa.table("section_terms", sa.column("term"), sa.column("doc"))

    def add(self, connection: Connection, rows: Sequence[IndexRow]) -> None:
        """One INSERT for all rows; rowids rise, else FTS5 flushes at every row."""
        if not rows:
            return
        connection.exec_driver_sql(
            "INSERT INTO section_index (rowid, title, headings, body) VALUES (?, ?, ?, ?)",
            [
                (row.stretch_id, " ".join(row.title), " ".join(row.headings), " ".join(row.body))
                for row in sorted(rows, key=lambda row: row.stretch_id)
            ],
        )

    def remove(self, connection: Connection, doc_ids: Sequence[DocId]) -> None:
        """By the stretches of the documents."""
        gone = sa.select(stretches.c.id).where(stretches.c.doc_id.in_(doc_ids))
        connection.execute(sa.delete(self._index).where(self._index.c.rowid.in_(gone)))

    def frequencies(self, connection: Connection, terms: Sequence[str]) -> dict[str, int]:
        """From FTS5's own vocabulary, which is always true."""
        found = connection.execute(
            sa.select(self._terms.c.term, self._terms.c.doc).where(self._terms.c.term.in_(terms))
        )
        return {row.term: row.doc for row in found}

    def vocabulary(self, connection: Connection) -> dict[str, int]:
        """Letters only: numbers and identifiers are never corrected."""
        found = connection.execute(
            sa.select(self._terms.c.term, self._terms.c.doc).where(
                self._terms.c.term.between("a", "zzzzzzzz"), sa.text("term NOT GLOB '*[^a-z]*'")
            )
        )
        return {row.term: row.doc for row in found}

    def candidates(
        self, connection: Connection, weights: Mapping[str, float], scope: Scope, limit: int
    ) -> Sequence[Candidate]:
        """BM25 with the headings weighed a little more."""
        match = " OR ".join(f'"{term}"' for term in weights)
        query = (
            candidates_of(self._index, self._index.c.rowid, scope)
            .where(sa.text("section_index MATCH :match").bindparams(match=match))
            .order_by(sa.text("bm25(section_index, 1.0, 1.5, 1.0)"))
            .limit(limit)
        )
        return connection.execute(query).all()

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
