"""Whether the database is whole, and how much stands in it."""

import sqlalchemy as sa
from sqlalchemy.engine import Connection, make_url

from agent.library.tables import documents, sections
from agent.store import Store
from bots.doctor.checks import Check, failed, ok, warning
from config.settings import Settings


async def look(store: Store, settings: Settings) -> list[Check]:
    """The database's own word on itself, and the size of the library."""
    place = make_url(settings.store_url).render_as_string(hide_password=True)
    trouble = await store.read(_trouble)
    if trouble:
        fix = "Stop Footnote, restore a backup or delete the file, and run `footnote sync`."
        return [failed("store", f"{place} is damaged: {trouble}", fix)]
    count, sections_there = await store.read(_sizes)
    says = f"{place} holds {count:,} documents with {sections_there:,} sections."
    if not count:
        return [warning("store", says, "Run `footnote sync`; see `footnote doctor sources`.")]
    return [ok("store", says)]


def _trouble(connection: Connection) -> str:
    if connection.dialect.name != "sqlite":
        return ""
    said = connection.execute(sa.text("PRAGMA quick_check(1)")).scalar_one()
    return "" if said == "ok" else str(said)


def _sizes(connection: Connection) -> tuple[int, int]:
    count = sa.select(sa.func.count())
    shown = documents.c.hidden.is_(False)
    return (
        connection.execute(count.select_from(documents).where(shown)).scalar_one(),
        connection.execute(count.select_from(sections)).scalar_one(),
    )
