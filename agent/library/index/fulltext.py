"""What the library asks of the full-text index; each database has its own form of it.

SQLite keeps our tokens in FTS5 and orders candidates by BM25; PostgreSQL keeps them in a
tsvector and orders by the summed weight of the terms that occur. The order only decides which
hundred rows are looked at: the score is computed in Python, the same for both (`scoring.py`).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from agent.domain import DocId, Scope
from agent.library.scoping import visible
from agent.library.tables import documents, stretches

Candidate = Row[Any]
"""A row of id, doc_id, position, start_char, end_char, title_terms, heading_terms, body_terms."""


class Fulltext(Protocol):
    """What the library asks of the index."""

    def add(self, connection: Connection, stretch_ids: range) -> None:
        """Put stretches in that have just been stored."""
        ...

    def remove(self, connection: Connection, doc_ids: Sequence[DocId]) -> None:
        """Take out every stretch of these documents, before they go themselves."""
        ...

    def frequencies(self, connection: Connection, terms: Sequence[str]) -> dict[str, int]:
        """In how many rows of the whole library each term stands; unknown ones left out."""
        ...

    def vocabulary(self, connection: Connection, letter: str) -> dict[str, int]:
        """Every term of Latin letters that begins with this one, with its frequency."""
        ...

    def candidates(
        self, connection: Connection, weights: Mapping[str, float], scope: Scope, limit: int
    ) -> Sequence[Candidate]:
        """Rows in scope in which at least one of the terms stands, the likeliest first.

        Args:
            connection: a read transaction.
            weights: the terms and how much each tells.
            scope: applied inside the query.
            limit: at most so many rows.
        """
        ...

    def in_scope(self, connection: Connection, terms: Sequence[str], scope: Scope) -> set[str]:
        """Which of the terms stand in a document of the scope."""
        ...

    def documents_with(self, connection: Connection, terms: Sequence[str]) -> Sequence[DocId]:
        """Documents, of any scope, that have all the terms in one row; for writing only."""
        ...


_COLUMNS = (
    *(stretches.c[name] for name in ("id", "doc_id", "position", "start_char", "end_char")),
    *(stretches.c[name] for name in ("title_terms", "heading_terms", "body_terms")),
)


def candidates_of(index: sa.FromClause, key: sa.ColumnElement[int], scope: Scope) -> sa.Select[Any]:
    """Select of candidate rows, joined by the key of an index table, within the scope."""
    return (
        sa.select(*_COLUMNS)
        .select_from(
            index.join(stretches, stretches.c.id == key).join(
                documents, documents.c.doc_id == stretches.c.doc_id
            )
        )
        .where(visible(scope))
    )


def candidates_at(
    connection: Connection, stretch_ids: Sequence[int], scope: Scope
) -> Sequence[Candidate]:
    """The rows of these stretches that are in scope."""
    if not stretch_ids:
        return []
    rows = stretches.join(documents, documents.c.doc_id == stretches.c.doc_id)
    query = sa.select(*_COLUMNS).select_from(rows).where(visible(scope))
    return connection.execute(query.where(stretches.c.id.in_(stretch_ids))).all()
