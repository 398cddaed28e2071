"""One run per source at a time, across processes, and what the last one came to."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.errors import SourceError
from agent.store.engine import metadata
from agent.store.types import UtcDateTime
from agent.store.upserting import insert_into
from connectors import owners
from connectors.reports import Busy, RunState, SyncProgress, SyncReport

LAPSE = timedelta(seconds=90)
"""A lock whose heartbeat is older is taken over."""
BEAT_S = 5.0
"""Seconds between heartbeats."""

sync_sources = sa.Table(
    "sync_sources",
    metadata,
    sa.Column("source", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text, nullable=False, default=""),
    sa.Column("started_at", UtcDateTime),
    sa.Column("heartbeat_at", UtcDateTime),
    sa.Column("seen", sa.Integer, nullable=False, default=0),
    sa.Column("done", sa.Integer, nullable=False, default=0),
    sa.Column("total", sa.Integer, nullable=False, default=0),
    sa.Column("finished_at", UtcDateTime),
    sa.Column("state", sa.Text, nullable=False, default=RunState.NEVER.value),
    sa.Column("problem", sa.Text, nullable=False, default=""),
    sa.Column("hint", sa.Text, nullable=False, default=""),
    sa.Column("report", sa.JSON),
    sa.Column("place", sa.Text, nullable=False, default=""),
    sa.Column("complete_at", UtcDateTime),
)


class LockLost(SourceError):  # noqa: N818 - a fact about somebody else
    """Another process took the run over; this one writes nothing more."""

    hint = "It goes on there; see /reindex status."


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source's runs, as stored.

    Attributes:
        complete_at: end of the last run whose listing was complete.
        place: what the source's root stood on then.
    """

    source: str
    owner: str = ""
    started_at: datetime | None = None
    heartbeat_at: datetime | None = None
    seen: int = 0
    done: int = 0
    total: int = 0
    finished_at: datetime | None = None
    state: RunState = RunState.NEVER
    problem: str = ""
    hint: str = ""
    place: str = ""
    complete_at: datetime | None = None

    def holder_is_gone(self, now: datetime) -> bool:
        """Whether the lock, if there is one, may be taken over."""
        if not self.owner or owners.is_dead(self.owner):
            return True
        return self.heartbeat_at is None or now - self.heartbeat_at > LAPSE


_COLUMNS = (
    "source", "owner", "started_at", "heartbeat_at", "seen", "done", "total", "finished_at",
    "state", "problem", "hint", "place", "complete_at",
)  # fmt: skip


def row_of(connection: Connection, source: str, *, lock: bool = False) -> SourceRow:
    """The stored row; an empty one for a source that never ran.

    Args:
        connection: the transaction to read in.
        source: its name.
        lock: keep others from changing the row until the transaction ends.
    """
    query = sa.select(*(sync_sources.c[name] for name in _COLUMNS)).where(
        sync_sources.c.source == source
    )
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        return SourceRow(source)
    values = dict(zip(_COLUMNS, row, strict=True))
    return SourceRow(**(values | {"state": RunState(values["state"])}))


def acquire(connection: Connection, source: str, owner: str, now: datetime) -> Busy | None:
    """Take the source's lock, from a dead owner too; else say since when it is held."""
    _insert_missing(connection, source)
    row = row_of(connection, source, lock=True)
    if not row.holder_is_gone(now):
        return Busy(source, row.started_at or now, row.seen, row.done, row.total)
    _update(
        connection,
        source,
        {"owner": owner, "started_at": now, "heartbeat_at": now, "seen": 0, "done": 0, "total": 0},
    )
    return None


def beat(connection: Connection, owner: str, progress: SyncProgress, now: datetime) -> None:
    """Say that the run is alive and how far it is; raises LockLost."""
    check_owner(connection, progress.source, owner)
    counted = {"seen": progress.seen, "done": progress.done, "total": progress.total}
    _update(connection, progress.source, {"heartbeat_at": now} | counted)


def check_owner(connection: Connection, source: str, owner: str) -> None:
    """Make sure the run may still write.

    Raises:
        LockLost: somebody else holds the lock, or the source is no longer in the settings.
    """
    if row_of(connection, source, lock=True).owner != owner:
        raise LockLost(f"The run of {source} was taken over by another process.")


def release(connection: Connection, owner: str, report: SyncReport, now: datetime) -> None:
    """End the run and keep its report; raises LockLost."""
    check_owner(connection, report.source, owner)
    _update(
        connection,
        report.source,
        {
            "owner": "",
            "finished_at": now,
            "state": report.state.value,
            "problem": report.problem,
            "hint": report.hint,
            "report": report.report_object(),
        },
    )


def listed_completely(connection: Connection, source: str, place: str, at: datetime) -> None:
    """Remember where the root stood and when all of it was last seen."""
    _update(connection, source, {"place": place, "complete_at": at})


def drop_other_sources(connection: Connection, names: Sequence[str]) -> None:
    """Forget the runs of whatever is none of these sources."""
    connection.execute(sa.delete(sync_sources).where(sync_sources.c.source.not_in(names)))


def _update(connection: Connection, source: str, values: dict[str, Any]) -> None:
    connection.execute(
        sa.update(sync_sources).where(sync_sources.c.source == source).values(**values)
    )


def _insert_missing(connection: Connection, source: str) -> None:
    statement = insert_into(connection, sync_sources).values(source=source)
    connection.execute(statement.on_conflict_do_nothing())
