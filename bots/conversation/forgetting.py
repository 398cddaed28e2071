"""Lets go of texts: of all questions in time, of one question when its asker deletes it."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.gaps import GapList, gaps
from agent.memory import ThreadMemory, turns
from agent.remembered import answers as remembered
from agent.store import Store
from agent.trace import trace_store
from bots.audit import Audit, audit
from bots.clock import Clock
from bots.conversation.question_store import QuestionStore
from bots.conversation.questions import StoredQuestion
from config.settings import Settings


class Forgetting:
    """Empties every place that keeps words of an asker."""

    def __init__(self, store: Store, settings: Settings, clock: Clock) -> None:
        self._store = store
        self._privacy = settings.privacy
        self._clock = clock
        self._traces = trace_store(store, settings.trace)
        self._questions = QuestionStore(store, settings.conversation)
        self._memory = ThreadMemory(store, settings.conversation, clock.now)

    async def old(self) -> None:
        """Texts, traces and lines of the audit that are kept no longer."""
        now = self._clock.now()
        await self._questions.forget_old(self._privacy, now)
        await self._memory.forget_old(self._privacy)
        await self._traces.forget_old(self._privacy, now)
        await GapList(self._store).forget_old(self._privacy, now)
        await self._store.write(lambda c: remembered.forget_old(c, self._privacy, now))
        await Audit(self._store).forget_old(self._privacy, now)

    async def question(self, question: StoredQuestion) -> None:
        """One question with its turn in the thread's memory, its trace and its gap."""
        await self._questions.forget_text(question)
        await self._store.write(lambda connection: self._forget(connection, question))

    async def person(self, platform: str, asker: str) -> int:
        """Everything an asker wrote, with what was answered and how it was found.

        Returns:
            How many questions there were. What is being worked on now stays until it is answered;
            who asked when stays in the audit, without words.
        """
        asked = await self._questions.of_asker(platform, asker)
        for question in asked:
            await self.question(question)
        return len(asked)

    def _forget(self, connection: Connection, question: StoredQuestion) -> None:
        ids = _forget_said(connection, question)
        connection.execute(sa.delete(gaps).where(gaps.c.trace_id.in_(ids)))
        self._traces.forget_texts(connection, ids)
        remembered.forget(connection, ids)


def _forget_said(connection: Connection, question: StoredQuestion) -> Sequence[str]:
    """Drop the thread's turn; the traces of the question."""
    incoming = question.incoming
    of_message = sa.select(audit.c.trace_id).where(
        audit.c.platform == incoming.platform,
        audit.c.message_key == incoming.message_key,
        audit.c.trace_id != "",
    )
    ids: Sequence[str] = connection.execute(of_message).scalars().all()
    connection.execute(
        sa.delete(turns).where(
            turns.c.thread_key == question.memory_key, turns.c.said == incoming.text
        )
    )
    return ids
