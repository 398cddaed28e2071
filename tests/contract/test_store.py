"""What the store promises on every database."""

import importlib
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.library.tables import library_state, sources
from agent.store import Store, metadata, open_store
from agent.store.migrate import HEAD

ROOT = Path(__file__).parents[2]
SOURCE = {"name": "hr", "audience": [], "contact": "", "trust": "own", "egress": "any"}


def _add_source(connection: Connection) -> None:
    connection.execute(sa.insert(sources), SOURCE)


def _names(connection: Connection) -> list[str]:
    return list(connection.scalars(sa.select(sources.c.name)))


async def test_what_was_written_is_read(store: Store) -> None:
    await store.write(_add_source)

    assert await store.read(_names) == ["hr"]


async def test_an_exception_undoes_the_whole_write(store: Store) -> None:
    def work(connection: Connection) -> None:
        _add_source(connection)
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError, match="power cut"):
        await store.write(work)

    assert await store.read(_names) == []


async def test_a_reader_sees_one_state_from_first_to_last_statement(store: Store) -> None:
    with store.transaction(write=False) as reader:
        before = _names(reader)
        await store.write(_add_source)

        assert _names(reader) == before == []
    assert await store.read(_names) == ["hr"]


async def test_an_unknown_source_of_a_document_is_refused(store: Store) -> None:
    def work(connection: Connection) -> None:
        connection.execute(
            sa.text("INSERT INTO readers (doc_id, audience) VALUES ('nobody', 'workspace')")
        )

    with pytest.raises(sa.exc.IntegrityError):
        await store.write(work)


async def test_opening_again_keeps_everything(store: Store, store_url: str) -> None:
    await store.write(_add_source)
    again = open_store(store_url)

    assert await again.read(_names) == ["hr"]
    again.close()


def test_the_schema_is_at_the_newest_step(store: Store) -> None:
    with store.transaction(write=False) as connection:
        revision = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))

    assert revision == HEAD


def test_a_new_library_has_never_changed(store: Store) -> None:
    with store.transaction(write=False) as connection:
        assert connection.execute(sa.select(library_state.c.changed_at)).scalars().all() == [None]


def _with_tables() -> list[str]:
    """Every module of ours that declares a table."""
    return [
        ".".join(file.relative_to(ROOT).with_suffix("").parts)
        for package in ("agent", "connectors", "bots")
        for file in sorted((ROOT / package).rglob("*.py"))
        if "sa.Table(" in file.read_text(encoding="utf-8")
    ]


def _shape(inspector: sa.Inspector, table: str) -> dict[str, Any]:
    return {
        "columns": {
            column["name"]: (bool(column["nullable"])) for column in inspector.get_columns(table)
        },
        "key": inspector.get_pk_constraint(table)["constrained_columns"],
        "indexes": {
            (tuple(index["column_names"]), bool(index["unique"]))
            for index in inspector.get_indexes(table)
        },
        "references": {
            (
                tuple(key["constrained_columns"]),
                key["referred_table"],
                tuple(key["referred_columns"]),
            )
            for key in inspector.get_foreign_keys(table)
        },
    }


def _declared(table: sa.Table) -> dict[str, Any]:
    return {
        "columns": {column.name: bool(column.nullable) for column in table.columns},
        "key": [column.name for column in table.primary_key.columns],
        "indexes": {
            (tuple(str(column.name) for column in index.columns), bool(index.unique))
            for index in table.indexes
        },
        "references": {
            (
                tuple(element.parent.name for element in key.elements),
                key.elements[0].column.table.name,
                tuple(element.column.name for element in key.elements),
            )
            for key in table.foreign_key_constraints
        },
    }


def test_the_migrated_schema_is_the_declared_one(store: Store) -> None:
    for module in _with_tables():
        importlib.import_module(module)
    with store.transaction(write=False) as connection:
        inspector = sa.inspect(connection)
        migrated = {name: _shape(inspector, name) for name in metadata.tables}

    assert migrated == {name: _declared(table) for name, table in metadata.tables.items()}
