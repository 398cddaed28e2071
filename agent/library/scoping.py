"""The one condition that keeps a document from those who may not read it.

Every query of the library contains it; nothing is filtered afterwards.
"""

import sqlalchemy as sa

from agent.domain import Scope
from agent.library.tables import documents, readers


def visible(scope: Scope) -> sa.ColumnElement[bool]:
    """Not hidden, of a source asked for, and readable by one of the audiences.

    The condition is on `documents`, which the query must name. An empty scope sees nothing, and
    so does everybody of a document without readers.
    """
    readable = sa.exists().where(
        readers.c.doc_id == documents.c.doc_id,
        readers.c.audience.in_(sorted(scope.audiences)),
    )
    conditions = [documents.c.hidden.is_(False), readable]
    if scope.sources is not None:
        conditions.append(documents.c.source.in_(sorted(scope.sources)))
    return sa.and_(*conditions)
