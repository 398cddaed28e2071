"""What a thread remembers: its last turns, each with the scope it was answered in.

A turn only helps to understand the next question. What it claimed is never evidence, and a turn
answered in another scope is not used at all: its words may come from documents that those who
see this reply may not read.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.answers import from_stored, to_stored
from agent.domain import Answer, Outcome, Question
from agent.store import Store, metadata
from agent.store.types import UtcDateTime
from config.settings import ConversationSettings, PrivacySettings

turns = sa.Table(
    "turns",
    metadata,
    sa.Column("turn_id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("thread_key", sa.Text, nullable=False),
    sa.Column("scope_key", sa.Text, nullable=False),
    sa.Column("at", UtcDateTime, nullable=False, index=True),
    sa.Column("said", sa.Text, nullable=False),
    sa.Column("understood", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
    sa.Index("ix_turns_thread_key", "thread_key", "at"),
)


@dataclass(frozen=True, slots=True)
class Turn:
    """One question of a thread and how it was answered.

    Attributes:
        understood: the standalone question.
    """

    said: str
    understood: str
    answer: Answer
    at: datetime


class ThreadMemory:
    """Remembers turns in the store and forgets them in time."""

    def __init__(
        self,
        store: Store,
        limits: ConversationSettings,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.store = store
        self._limits = limits
        self._now = now

    async def recall(self, question: Question) -> tuple[Turn, ...]:
        """The last turns of the question's thread in the question's scope, oldest first."""
        if not question.thread_key or not self._limits.memory_turns:
            return ()
        return await self.store.read(lambda connection: self._recall(connection, question))

    def remember(self, connection: Connection, question: Question, answer: Answer) -> None:
        """Keep this turn; small talk is not kept, it says nothing about what comes next."""
        if not question.thread_key or answer.outcome is Outcome.TALK:
            return
        row = {
            "thread_key": question.thread_key,
            "scope_key": question.scope.key,
            "at": self._now(),
            "said": question.text,
            "understood": answer.understood or question.text,
            "answer": to_stored(answer),
        }
        connection.execute(sa.insert(turns), row)

    async def forget_old(self, privacy: PrivacySettings) -> None:
        """Drop turns whose texts are kept no longer."""
        before = self._now() - timedelta(days=privacy.texts_days)
        await self.store.write(
            lambda connection: connection.execute(sa.delete(turns).where(turns.c.at < before))
        )

    def _recall(self, connection: Connection, question: Question) -> tuple[Turn, ...]:
        wanted = [
            turns.c.thread_key == question.thread_key,
            turns.c.scope_key == question.scope.key,
        ]
        if question.direct:
            minutes = timedelta(minutes=self._limits.follow_up_minutes)
            wanted.append(turns.c.at >= self._now() - minutes)
        query = (
            sa.select(turns)
            .where(*wanted)
            .order_by(turns.c.at.desc(), turns.c.turn_id.desc())
            .limit(self._limits.memory_turns)
        )
        rows = connection.execute(query).mappings().all()
        return tuple(
            Turn(row["said"], row["understood"], from_stored(row["answer"]), row["at"])
            for row in reversed(rows)
        )
