"""The full-text index on PostgreSQL: a tsvector made of our own tokens.

It keeps no positions and knows no BM25, so the order of candidates is a plain sum of weights, and
the document frequencies are kept true by every write.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import DocId, Scope
from agent.library.index.fulltext import Candidate, candidates_of
from agent.library.tables import stretches

_TSVECTOR_BYTES = 900_000
"""PostgreSQL refuses a tsvector of more than 1 MB."""
_RANK = """
    (SELECT coalesce(sum(weight * CASE WHEN head @@ CAST(lexeme AS tsquery) THEN 1.5 ELSE 1 END), 0)
     FROM unnest(CAST(:lexemes AS text[]), CAST(:weights AS float8[])) AS asked (lexeme, weight)
     WHERE terms @@ CAST(lexeme AS tsquery)) / sqrt(60 + length) DESC
"""
"""Terms in the headings count half as much again; long rows a little less."""


class PostgresFulltext:
    """A tsvector made of our own tokens, with counts that every write keeps true."""

    _index = sa.table(
        "section_index",
        sa.column("stretch_id"),
        sa.column("head"),
        sa.column("terms"),
        sa.column("length"),
    )
    _terms = sa.table("section_terms", sa.column("term"), sa.column("doc"))

    def add(self, connection: Connection, stretch_ids: range) -> None:
        """Index the stretches, then count each term once a row."""
        rows = connection.execute(
            sa.select(
                *(stretches.c.id, stretches.c.title_terms),
                *(stretches.c.heading_terms, stretches.c.body_terms),
            ).where(stretches.c.id >= stretch_ids.start, stretches.c.id < stretch_ids.stop)
        )
        counts: Counter[str] = Counter()
        values = []
        for row in rows:
            head = _fitting(f"{row.title_terms} {row.heading_terms}".split())
            body = row.body_terms.split()
            terms = _fitting([*head, *body])
            counts.update(terms)
            values.append((row.id, head, terms, len(body)))
        if values:
            self._insert(connection, values, counts)

    def _insert(
        self, connection: Connection, values: Sequence[tuple[object, ...]], counts: Counter[str]
    ) -> None:
        connection.exec_driver_sql(
            "INSERT INTO section_index (stretch_id, head, terms, length) "
            "VALUES (%s, array_to_tsvector(%s::text[]), array_to_tsvector(%s::text[]), %s)",
            list(values),
        )
        # In one order always, so that two writers cannot lock each other out.
        connection.exec_driver_sql(
            "INSERT INTO section_terms (term, doc) "
            "SELECT * FROM unnest(%s::text[], %s::int[]) ORDER BY 1 "
            "ON CONFLICT (term) DO UPDATE SET doc = section_terms.doc + excluded.doc",
            (list(counts), list(counts.values())),
        )

    def remove(self, connection: Connection, doc_ids: Sequence[DocId]) -> None:
        """Count down, forget terms that nobody uses any more, delete."""
        parameters = {"gone": list(doc_ids)}
        connection.execute(
            sa.text(
                "UPDATE section_terms SET doc = section_terms.doc - gone.doc FROM ("
                "SELECT lexeme, count(*)::int AS doc FROM section_index "
                "JOIN stretches ON id = stretch_id, unnest(tsvector_to_array(terms)) AS lexeme "
                "WHERE doc_id = ANY(:gone) GROUP BY lexeme ORDER BY lexeme) AS gone "
                "WHERE section_terms.term = gone.lexeme"
            ),
            parameters,
        )
        connection.execute(sa.text("DELETE FROM section_terms WHERE doc <= 0"))
        connection.execute(
            sa.text(
                "DELETE FROM section_index WHERE stretch_id IN "
                "(SELECT id FROM stretches WHERE doc_id = ANY(:gone))"
            ),
            parameters,
        )

    def frequencies(self, connection: Connection, terms: Sequence[str]) -> dict[str, int]:
        """From the kept counts."""
        found = connection.execute(
            sa.select(self._terms.c.term, self._terms.c.doc).where(self._terms.c.term.in_(terms))
        )
        return {row.term: row.doc for row in found}

    def vocabulary(self, connection: Connection, letter: str) -> dict[str, int]:
        """Letters only: numbers and identifiers are never corrected."""
        found = connection.execute(
            sa.select(self._terms.c.term, self._terms.c.doc).where(
                self._terms.c.term.regexp_match(f"^{letter}[a-z]*$")
            )
        )
        return {row.term: row.doc for row in found}

    def candidates(
        self, connection: Connection, weights: Mapping[str, float], scope: Scope, limit: int
    ) -> Sequence[Candidate]:
        """By the summed weight of the terms that occur, shorter rows first among equals."""
        lexemes = [_lexeme(term) for term in weights]
        match = sa.text("terms @@ CAST(:match AS tsquery)").bindparams(match=" | ".join(lexemes))
        rank = sa.text(_RANK).bindparams(lexemes=lexemes, weights=list(weights.values()))
        query = (
            candidates_of(self._index, self._index.c.stretch_id, scope)
            .where(match)
            .order_by(rank, stretches.c.id)
            .limit(limit)
        )
        return connection.execute(query).all()

    def in_scope(self, connection: Connection, terms: Sequence[str], scope: Scope) -> set[str]:
        """One look for each term, all in one statement."""
        looks = [
            sa.select(sa.literal(term).label("term")).where(
                candidates_of(self._index, self._index.c.stretch_id, scope)
                .where(sa.text(f"terms @@ CAST(:match_{place} AS tsquery)"))
                .exists()
            )
            for place, term in enumerate(terms)
        ]
        matches = {f"match_{place}": _lexeme(term) for place, term in enumerate(terms)}
        return set(connection.scalars(sa.union_all(*looks), matches)) if looks else set()

    def documents_with(self, connection: Connection, terms: Sequence[str]) -> Sequence[DocId]:
        """All terms in one row."""
        match = " & ".join(_lexeme(term) for term in terms)
        rows = connection.scalars(
            sa.select(stretches.c.doc_id)
            .join(self._index, stretches.c.id == self._index.c.stretch_id)
            .where(sa.text("terms @@ CAST(:match AS tsquery)").bindparams(match=match))
            .distinct()
        )
        return [DocId(doc_id) for doc_id in rows]


def _lexeme(term: str) -> str:
    escaped = term.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def _fitting(terms: Sequence[str]) -> list[str]:
    """The distinct terms, as many as one tsvector holds."""
    kept: dict[str, None] = {}
    room = _TSVECTOR_BYTES
    for term in terms:
        if term not in kept:
            room -= len(term.encode()) + 4
            if room < 0:
                break
            kept[term] = None
    return list(kept)
