"""The one database behind two verbs: `read` and `write`.

Work is a plain function of a connection and runs in a thread, so that a statement costs no
hop of its own (0.8 ms through an async driver) and the event loop never waits. SQLite's traps
are met here: explicit BEGIN, one writer, foreign keys on, a busy timeout.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine, make_url
from sqlalchemy.exc import OperationalError

from agent.errors import ConfigError, ServiceUnreachable

T = TypeVar("T")

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""Every table of ours; each package declares its own beside its code."""

_WRITE = "footnote_write"
_BUSY_S = 30
_URL_HINT = (
    "Set store.url (FOOTNOTE_STORE__URL) to sqlite:///path/footnote.db "
    "or postgresql://user@host/name."
)


class Store:
    """Transactions on the one database.

    A read sees one consistent state from its first statement to its last; a write is whole or
    not at all. On SQLite one write runs at a time, also across processes.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @property
    def is_sqlite(self) -> bool:
        """Whether this is the embedded database."""
        return self.engine.dialect.name == "sqlite"

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a read transaction, in a thread."""
        return await asyncio.to_thread(self._run, work, False)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a write transaction, in a thread; an exception undoes it whole."""
        return await asyncio.to_thread(self._run, work, True)

    def _run(self, work: Callable[[Connection], T], write: bool) -> T:
        with self.transaction(write=write) as connection:
            return work(connection)

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[Connection]:
        """A transaction in the calling thread, for code that is in a thread already."""
        with self.engine.connect() as connection:
            connection = connection.execution_options(**{_WRITE: write})
            if not self.is_sqlite:
                level = "READ COMMITTED" if write else "REPEATABLE READ"
                connection = connection.execution_options(isolation_level=level)
            with connection.begin():
                yield connection

    def close(self) -> None:
        """Give back every connection."""
        self.engine.dispose()


def open_store(url: str) -> Store:
    """Open the database and bring its schema up to date.

    Args:
        url: `sqlite:///path` (folders are made) or `postgresql://…`.

    Raises:
        ConfigError: the URL names no database we know, or its driver is not installed.
        ServiceUnreachable: the server does not answer.
    """
    from agent.store.migrate import upgrade

    store = Store(_make_engine(url))
    try:
        upgrade(store)
    except OperationalError as error:
        store.close()
        raise ServiceUnreachable(
            f"The database {_shown(url)} cannot be opened: {error.orig}.",
            hint="Start it, or change store.url (FOOTNOTE_STORE__URL).",
        ) from error
    return store


def _make_engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
    except sa.exc.ArgumentError as error:
        raise ConfigError(
            f"store.url {_shown(url)!r} is no database address.",
            hint=_URL_HINT,
        ) from error
    match parsed.get_backend_name():
        case "sqlite":
            return _sqlite_engine(parsed)
        case "postgresql":
            return _postgres_engine(parsed)
        case other:
            raise ConfigError(
                f"store.url names {other}, which is not supported.",
                hint=_URL_HINT,
            )


def _sqlite_engine(url: sa.URL) -> Engine:
    if not url.database:
        raise ConfigError("store.url names no file.", hint=_URL_HINT)
    try:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"The folder of {url.database} cannot be made ({error.strerror}).",
            hint="Choose another with --data or store.url.",
        ) from error
    engine = sa.create_engine(
        url.set(drivername="sqlite+pysqlite"),
        connect_args={"timeout": _BUSY_S, "check_same_thread": False},
        pool_size=8,
        max_overflow=8,
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # pysqlite must not open or commit behind our back
    for pragma in (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "foreign_keys=ON",
        "cache_size=-32000",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    write = connection.get_execution_options().get(_WRITE, True)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _postgres_engine(url: sa.URL) -> Engine:
    options: dict[str, Any] = {"pool_size": 8, "max_overflow": 8, "pool_pre_ping": True}
    try:
        return sa.create_engine(url.set(drivername="postgresql+psycopg"), **options)
    except ModuleNotFoundError as error:
        raise ConfigError(
            "PostgreSQL needs a driver that is not installed.",
            hint="Install footnote[postgres].",
        ) from error


def _shown(url: str) -> str:
    try:
        return make_url(url).render_as_string(hide_password=True)
    except sa.exc.ArgumentError:
        return url.split("@")[-1]
