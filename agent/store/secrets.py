"""Secrets that the assistant makes for itself, the same on every replica and after a restart."""

import secrets as random

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.store.engine import Store, metadata
from agent.store.upserting import insert_into

_BYTES = 32

secrets = sa.Table(
    "secrets",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
)


async def own_secret(store: Store, name: str) -> bytes:
    """The 32 random bytes of that name, made when they are first asked for."""

    def work(connection: Connection) -> bytes:
        query = sa.select(secrets.c.value).where(secrets.c.name == name)
        if (kept := connection.scalar(query)) is None:
            _keep(connection, name, random.token_bytes(_BYTES))
            kept = connection.scalar(query)
        return bytes(kept or b"")

    return await store.write(work)


def _keep(connection: Connection, name: str, value: bytes) -> None:
    """Another replica may have been first: then its secret stays."""
    row = insert_into(connection, secrets).values(name=name, value=value)
    connection.execute(row.on_conflict_do_nothing())
