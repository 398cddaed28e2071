"""Which full-text index a connection has."""

from sqlalchemy.engine import Connection

from agent.library.index.fulltext import Fulltext
from agent.library.index.postgres import PostgresFulltext
from agent.library.index.sqlite import SqliteFulltext


def fulltext_of(connection: Connection) -> Fulltext:
    """The index of the database behind a connection."""
    return SqliteFulltext() if connection.dialect.name == "sqlite" else PostgresFulltext()
