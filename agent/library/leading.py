"""References between documents as a reader may know them: both ends inside the scope."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import CrossReference, Scope
from agent.library.scoping import visible
from agent.library.tables import cross_references, documents

_IDS_AT_ONCE = 500


def leading_out(
    connection: Connection, scope: Scope, doc_ids: set[str]
) -> Mapping[str, list[CrossReference]]:
    """By document, those that it leads to."""
    return _references(connection, scope, doc_ids, cross_references.c.from_doc)


def leading_in(
    connection: Connection, scope: Scope, doc_ids: set[str]
) -> Mapping[str, list[CrossReference]]:
    """By document, those that lead to it."""
    return _references(connection, scope, doc_ids, cross_references.c.to_doc)


def _references(
    connection: Connection, scope: Scope, doc_ids: set[str], end: sa.Column[Any]
) -> Mapping[str, list[CrossReference]]:
    """What is at the other end of references, where both are in scope; links before mentions.

    Args:
        connection: to the store.
        scope: of the reply.
        doc_ids: documents at this end, by which the result is ordered.
        end: the column of this end.
    """
    leaving = end is cross_references.c.from_doc
    other = cross_references.c.to_doc if leaving else cross_references.c.from_doc
    references: dict[str, list[CrossReference]] = defaultdict(list)
    statement = (
        sa.select(end.label("here"), documents.c.doc_id, documents.c.title)
        .select_from(cross_references.join(documents, documents.c.doc_id == other))
        .where(visible(scope))
        .order_by(cross_references.c.kind, documents.c.title, documents.c.doc_id)
    )
    if len(doc_ids) <= _IDS_AT_ONCE:
        statement = statement.where(end.in_(doc_ids))
    seen: set[tuple[str, str]] = set()
    for row in connection.execute(statement):
        if row.here in doc_ids and (row.here, row.doc_id) not in seen:
            seen.add((row.here, row.doc_id))
            references[row.here].append(CrossReference(row.doc_id, row.title))
    return references
