"""Tokens a workspace may use a day: past them answers are extractive, and somebody is told before.

Counted in the store, so that replicas share one budget and a restart forgets nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.store import Store, metadata
from agent.store.upserting import insert_into

model_usage = sa.Table(
    "model_usage",
    metadata,
    sa.Column("day", sa.Date, primary_key=True),
    sa.Column("tokens", sa.BigInteger, nullable=False),
)

_WARNED = 0.8
_KEPT_DAYS = 90


def tell_nobody(share: float) -> None:
    """Nobody is told."""
    del share


@dataclass
class DailyBudget:
    """Counts tokens by day (UTC).

    Attributes:
        limit: tokens a day; 0: as many as are asked for.
        told: is told the share once a day when it passes 80 %, and again at 100 %.
    """

    store: Store
    limit: int
    told: Callable[[float], None] = tell_nobody
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    _told_on: dict[float, date] = field(default_factory=dict)

    async def left(self) -> bool:
        """Whether another call may be made today."""
        if not self.limit:
            return True
        day = self.now().date()
        return await self.store.read(lambda connection: _used(connection, day)) < self.limit

    async def spend(self, tokens: int) -> None:
        """Count what a call used."""
        if not self.limit or not tokens:
            return
        day = self.now().date()
        used = await self.store.write(lambda connection: _count(connection, day, tokens))
        for share in (1.0, _WARNED):
            if used >= share * self.limit:
                self._tell_once(share, day, used)
                return

    def _tell_once(self, share: float, day: date, used: int) -> None:
        if self._told_on.get(share) != day:
            self._told_on[share] = day
            self.told(used / self.limit)


def _used(connection: Connection, day: date) -> int:
    query = sa.select(model_usage.c.tokens).where(model_usage.c.day == day)
    return connection.scalar(query) or 0


def _count(connection: Connection, day: date, tokens: int) -> int:
    insert = insert_into(connection, model_usage).values(day=day, tokens=tokens)
    more = {"tokens": model_usage.c.tokens + tokens}
    connection.execute(insert.on_conflict_do_update(index_elements=["day"], set_=more))
    old = model_usage.c.day < day - timedelta(days=_KEPT_DAYS)
    connection.execute(sa.delete(model_usage).where(old))
    return _used(connection, day)
