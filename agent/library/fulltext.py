"""What the library asks of the full-text index; each database has its own form of it.

SQLite keeps our tokens in FTS5 and orders candidates by BM25; PostgreSQL keeps them in a
tsvector and orders by the summed weight of the terms that occur. The order only decides which
hundred rows are looked at: the score is computed in Python, the same for both (`scoring.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from agent.domain import DocId, Scope
from agent.library.scoping import visible
from agent.library.tables import documents, sections, stretches

Candidate = Row[tuple[object, ...]]
"""A row of doc_id, position, start_char, blocks, text, path, headings, level, title, doc and
source."""


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One stretch as the index takes it: its terms by field, with repetitions."""

    stretch_id: int
    title: Sequence[str]
    headings: Sequence[str]
    body: Sequence[str]


class Fulltext(Protocol):
    """What the library asks of the index."""

    def add(self, connection: Connection, rows: Sequence[IndexRow]) -> None:
        """Put rows in; their stretches are stored already."""
        ...

    def remove(self, connection: Connection, doc_ids: Sequence[DocId]) -> None:
        """Take out every row of these documents, before their stretches go."""
        ...

    def frequencies(self, connection: Connection, terms: Sequence[str]) -> dict[str, int]:
        """In how many rows of the whole library each term stands; unknown ones left out."""
        ...

    def vocabulary(self, connection: Connection) -> dict[str, int]:
        """Every term of Latin letters with its frequency."""
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

    def documents_with(self, connection: Connection, terms: Sequence[str]) -> Sequence[DocId]:
        """Documents, of any scope, that have all the terms in one row; for writing only."""
        ...


def candidates_of(index: sa.FromClause, key: sa.ColumnElement[int], scope: Scope) -> sa.Select[Any]:
    """Select of candidate rows, joined by the key of an index table, within the scope."""
    begin = stretches.c.start_char
    joined = (
        index.join(stretches, stretches.c.id == key)
        .join(
            sections,
            sa.and_(
                sections.c.doc_id == stretches.c.doc_id,
                sections.c.position == stretches.c.position,
            ),
        )
        .join(documents, documents.c.doc_id == stretches.c.doc_id)
    )
    text = sa.func.substr(sections.c.text, begin + 1, stretches.c.end_char - begin)
    return (
        sa.select(
            *(stretches.c.doc_id, stretches.c.position, begin, stretches.c.blocks),
            text.label("text"),
            *(sections.c.path, sections.c.headings, sections.c.level),
            *(documents.c.title, documents.c.doc, documents.c.source),
        )
        .select_from(joined)
        .where(visible(scope))
    )
