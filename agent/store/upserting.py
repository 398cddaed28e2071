"""INSERT … ON CONFLICT in the words of whichever database it is.

Only the dialect in use is imported: PostgreSQL's costs a tenth of a command's start.
"""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection


def insert_into(connection: Connection, table: sa.Table) -> Any:
    """An insert that knows `on_conflict_do_update` and `on_conflict_do_nothing`."""
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects import sqlite

        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)
