"""Questions the library did not cover, kept without their askers for those who write documents.

A gap is a question nothing was *found* for; one that was cut off, called off or could not be
searched for lack of a common language says nothing about the library and is not recorded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.store import Store, metadata
from agent.store.types import UtcDateTime
from config.settings import PrivacySettings

gaps = sa.Table(
    "gaps",
    metadata,
    sa.Column("gap_id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("at", UtcDateTime, nullable=False, index=True),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("scope_key", sa.Text, nullable=False),
    sa.Column("direct", sa.Boolean, nullable=False),
    sa.Column("nearest_doc", sa.Text, nullable=False),
    sa.Column("nearest_title", sa.Text, nullable=False),
    sa.Column("trace_id", sa.Text, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Gap:
    """One question that was not covered.

    Attributes:
        question: standalone.
        direct: asked in a direct conversation, so not to be shown word for word.
        nearest_doc, nearest_title: the document that came nearest; empty where none did.
    """

    question: str
    scope_key: str
    trace_id: str
    nearest_doc: str = ""
    nearest_title: str = ""
    direct: bool = False
    at: datetime | None = None


class GapList:
    """Records gaps, lists them, forgets them with the other question texts."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def record(self, connection: Connection, found: Sequence[Gap], now: datetime) -> None:
        """Keep these gaps, if any."""
        rows = [
            {
                "at": now,
                "question": gap.question,
                "scope_key": gap.scope_key,
                "direct": gap.direct,
                "nearest_doc": gap.nearest_doc,
                "nearest_title": gap.nearest_title,
                "trace_id": gap.trace_id,
            }
            for gap in found
        ]
        if rows:
            connection.execute(sa.insert(gaps), rows)

    async def newest(self, limit: int = 100) -> list[Gap]:
        """The newest gaps, newest first."""

        def work(connection: Connection) -> list[Gap]:
            query = sa.select(gaps).order_by(gaps.c.at.desc(), gaps.c.gap_id.desc()).limit(limit)
            return [_gap(row) for row in connection.execute(query).mappings()]

        return await self._store.read(work)

    async def forget_old(self, privacy: PrivacySettings, now: datetime) -> None:
        """Drop gaps whose question text is kept no longer."""
        before = now - timedelta(days=privacy.texts_days)
        await self._store.write(
            lambda connection: connection.execute(sa.delete(gaps).where(gaps.c.at < before))
        )


def _gap(row: sa.RowMapping) -> Gap:
    return Gap(
        question=row["question"],
        scope_key=row["scope_key"],
        trace_id=row["trace_id"],
        nearest_doc=row["nearest_doc"],
        nearest_title=row["nearest_title"],
        direct=bool(row["direct"]),
        at=row["at"],
    )
