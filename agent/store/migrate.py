"""Brings a database to the newest schema; the steps are written by hand in `migrations/`.

Alembic keeps the order. Its autogenerate is never used: it would drop FTS5's shadow tables.
"""

import logging
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.errors import ConfigError
from agent.store.engine import Store

_FOLDER = Path(__file__).parent / "migrations"
HEAD = "0011"
"""Newest revision; a test holds it to the files."""


def upgrade(store: Store) -> None:
    """Run the missing steps, in one transaction, while no other process writes.

    Raises:
        ConfigError: the database was written by a newer version of Footnote.
    """
    with store.transaction(write=False) as connection:
        if _revision(connection) == HEAD:
            return
    with store.transaction(write=True) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(424207)"))
        if _revision(connection) != HEAD:
            _run_alembic(connection)


def _revision(connection: Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


def _run_alembic(connection: Connection) -> None:
    logging.getLogger("alembic").setLevel(logging.WARNING)  # before it logs its own loading
    # Imported here: Alembic costs 0.2 s and is needed once a version.
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise ConfigError(
            f"The database cannot be brought up to date: {error}.",
            hint="It was written by another version of Footnote: use that one, or a backup.",
        ) from error
