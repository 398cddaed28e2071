"""A document at another place: its path, what is shown of it, and the words of its name."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import DocId
from agent.library.index.choice import fulltext_of
from agent.library.rows import title_terms
from agent.library.tables import documents, stretches
from agent.map.titles import readable_file_name


def place(
    connection: Connection, doc_id: DocId, before: str, after: str, values: Mapping[str, Any]
) -> None:
    """Put a document elsewhere; a title that was made of the file name follows it.

    Args:
        connection: holds the transaction.
        doc_id: the document.
        before: its path until now.
        after: its path from now on.
        values: further columns of its row.
    """
    row = documents.c.doc_id == doc_id
    title = connection.execute(sa.select(documents.c.title).where(row)).scalar_one()
    if title == readable_file_name(before):
        title = readable_file_name(after)
    moved = {**values, "doc": after, "title": title, "references_stale": True}
    connection.execute(sa.update(documents).where(row).values(moved))
    _index_title(connection, doc_id, title_terms(title, after))


def _index_title(connection: Connection, doc_id: DocId, terms: str) -> None:
    """New words of title and path for the stretches of a document, whose ids are neighbours."""
    of_document = stretches.c.doc_id == doc_id
    first, last = connection.execute(
        sa.select(sa.func.min(stretches.c.id), sa.func.max(stretches.c.id)).where(of_document)
    ).one()
    if first is None:
        return
    index = fulltext_of(connection)
    index.remove(connection, [doc_id])
    connection.execute(sa.update(stretches).where(of_document).values(title_terms=terms))
    index.add(connection, range(first, last + 1))
