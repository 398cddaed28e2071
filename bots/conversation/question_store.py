"""The steps of a question in the store, one method each.

A step is refused to whoever no longer holds the question, so that two processes never post for
the same message.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.store import Store
from bots.audit import AuditLine
from bots.conversation.limits import over_limit
from bots.conversation.questions import (
    OPEN,
    Follow,
    Lease,
    State,
    StoredQuestion,
    held,
    incoming_columns,
    question_from,
    questions,
    reply_text,
)
from bots.ports import Incoming, Place, Reply
from config.settings import ConversationSettings, PrivacySettings


@dataclass(frozen=True, slots=True)
class ThreadState:
    """The newest question of a thread, for the rule on follow-ups."""

    asker: str
    asked_at: datetime
    state: State
    follow: Follow


class QuestionStore:
    """The table of questions."""

    def __init__(self, store: Store, settings: ConversationSettings) -> None:
        self._store = store
        self._settings = settings

    async def accept(
        self, incoming: Incoming, now: datetime, lease: Lease | None
    ) -> StoredQuestion | None:
        """Take a message in; None where it is known already.

        Args:
            incoming: the message.
            now: the moment it counts from, for limits and age.
            lease: who works on it; None leaves it to whoever comes.
        """
        if await self.find_by_message(incoming.platform, incoming.message_key):
            return None  # most repeats end here, without a write
        try:
            return await self._store.write(lambda to: self._insert(to, incoming, now, lease))
        except sa.exc.IntegrityError:
            return None  # another process took it in at the same moment

    async def find_mine(self, question_id: int, owner: str) -> StoredQuestion | None:
        """A question as it stands now; None where another holds it."""
        return await self._one((questions.c.id == question_id) & (questions.c.owner == owner))

    async def find_by_message(self, platform: str, message_key: str) -> StoredQuestion | None:
        """The question that a message became; None where the message is unknown."""
        return await self._one(
            (questions.c.platform == platform) & (questions.c.message_key == message_key)
        )

    async def edit(self, question: StoredQuestion, text: str) -> bool:
        """Put the newest text in place of the old; False where it is answered already."""
        return await self._change(
            (questions.c.id == question.id) & (questions.c.state == State.ACCEPTED.value),
            text=text,
            revision=questions.c.revision + 1,
        )

    async def cancel(self, question: StoredQuestion) -> bool:
        """End a question that its asker deleted; False where it is answered already."""
        return await self._change(
            (questions.c.id == question.id) & (questions.c.state == State.ACCEPTED.value),
            state=State.CANCELLED.value,
        )

    async def forget_text(self, question: StoredQuestion) -> None:
        """Delete the stored text of a message."""
        await self._change(questions.c.id == question.id, text="")

    async def of_asker(self, platform: str, asker: str) -> list[StoredQuestion]:
        """The asker's ended questions whose text is still kept, oldest first."""
        wanted = sa.and_(
            questions.c.platform == platform,
            questions.c.asker == asker,
            questions.c.text != "",
            questions.c.state.not_in([state.value for state in OPEN]),
        )
        query = sa.select(questions).where(wanted).order_by(questions.c.id)
        rows = await self._store.read(lambda connection: connection.execute(query).mappings().all())
        return [question_from(row) for row in rows]

    async def keep_working_id(self, question: StoredQuestion, working_id: str) -> None:
        """Remember the message that shows the work."""
        await self._change(questions.c.id == question.id, working_id=working_id)

    async def answered(
        self, question: StoredQuestion, incoming: Incoming, reply: Reply, owner: str
    ) -> bool:
        """Keep the finished reply; False where the message changed or another holds it."""
        unchanged = questions.c.revision == question.revision
        return await self._change(
            _held_by(question, owner, State.ACCEPTED) & unchanged,
            state=State.ANSWERED.value,
            incoming=incoming_columns(incoming)["incoming"],
            reply=reply_text(reply),
        )

    async def posting(self, question: StoredQuestion, owner: str) -> bool:
        """Note that a post begins; False where another holds the question by now."""
        return await self._change(_held_by(question, owner, State.ANSWERED), post_begun=True)

    async def end(
        self, question: StoredQuestion, state: State, line: AuditLine | None, reply_id: str = ""
    ) -> None:
        """Note how it ended, together with the audit's line."""

        def work(connection: Connection) -> None:
            connection.execute(
                sa.update(questions)
                .where(questions.c.id == question.id)
                .values(state=state.value, reply="", reply_id=reply_id)
            )
            if line:
                line.write(connection)

        await self._store.write(work)

    async def renew(self, ids: Iterable[int], lease: Lease) -> None:
        """Hold these questions longer; those lost meanwhile stay lost."""
        mine = questions.c.id.in_(list(ids)) & (questions.c.owner == lease.owner)
        await self._change(mine, **held(lease))

    async def hand_back(self, ids: Iterable[int], owner: str) -> None:
        """Let the next process take these questions up at once."""
        mine = questions.c.id.in_(list(ids)) & (questions.c.owner == owner)
        await self._change(mine, **held(None))

    async def take_up(
        self, platforms: Sequence[str], now: datetime, lease: Lease
    ) -> list[StoredQuestion]:
        """Take the open questions that nobody holds any more, oldest first."""
        left = (
            questions.c.state.in_([state.value for state in OPEN])
            & (questions.c.lease_until <= now.timestamp())
            & questions.c.platform.in_(list(platforms))
        )

        def work(connection: Connection) -> list[StoredQuestion]:
            rows = connection.execute(
                sa.select(questions).where(left).order_by(questions.c.id).with_for_update()
            )
            found = [replace(question_from(row), resumed=True) for row in rows.mappings()]
            taken = questions.c.id.in_([question.id for question in found])
            connection.execute(sa.update(questions).where(taken).values(**held(lease)))
            return found

        if await self._store.read(lambda to: to.execute(sa.select(left).where(left)).first()):
            return await self._store.write(work)
        return []  # mostly nothing is left, and looking needs no write lock

    async def thread(self, thread_key: str) -> ThreadState | None:
        """What is known of a thread; None where nobody asked us anything in it."""
        query = sa.select(questions).where(questions.c.thread_key == thread_key)
        newest = query.order_by(questions.c.accepted_at.desc(), questions.c.id.desc()).limit(1)
        strictest = sa.select(sa.func.max(questions.c.follow)).where(
            questions.c.thread_key == thread_key
        )

        def work(connection: Connection) -> ThreadState | None:
            row = connection.execute(newest).mappings().first()
            if row is None:
                return None
            follow = connection.execute(strictest).scalar_one()
            follow = follow if follow == Follow.QUIET else row["follow"]
            question = question_from(row)
            return ThreadState(row["asker"], question.accepted_at, question.state, Follow(follow))

        return await self._store.read(work)

    async def set_follow(self, thread_key: str, follow: Follow) -> None:
        """Say whether a thread may go on without a mention; never undoes a stricter word."""
        milder = (questions.c.thread_key == thread_key) & (questions.c.follow < follow.value)
        await self._change(milder, follow=follow.value)

    async def forget_old(self, privacy: PrivacySettings, now: datetime) -> None:
        """Empty texts that are kept no longer, drop rows that are."""
        texts = (now - timedelta(days=privacy.texts_days)).timestamp()
        rows = (now - timedelta(days=privacy.traces_days)).timestamp()

        def work(connection: Connection) -> None:
            connection.execute(sa.delete(questions).where(questions.c.accepted_at < rows))
            connection.execute(
                sa.update(questions)
                .where(questions.c.accepted_at < texts)
                .values(text="", reply="")
            )

        await self._store.write(work)

    def _insert(
        self, connection: Connection, incoming: Incoming, now: datetime, lease: Lease | None
    ) -> StoredQuestion:
        over = over_limit(connection, questions, incoming, now, self._settings)
        memory_key = self._memory_key(connection, incoming, now)
        row = {
            "platform": incoming.platform,
            "message_key": incoming.message_key,
            "conversation_key": incoming.conversation_key,
            "thread_key": incoming.thread_key,
            "memory_key": memory_key,
            "asker": incoming.asker,
            **incoming_columns(incoming if over is None else replace(incoming, text="")),
            "revision": 0,
            "over": "" if over is None else over.value,
            "follow": Follow.OPEN.value,
            "state": State.ACCEPTED.value,
            "reply": "",
            "working_id": "",
            "reply_id": "",
            "post_begun": False,
            "accepted_at": now.timestamp(),
            **held(lease),
        }
        key = connection.execute(sa.insert(questions), row).inserted_primary_key
        return StoredQuestion(
            id=key[0] if key else 0,
            incoming=incoming,
            state=State.ACCEPTED,
            memory_key=memory_key,
            accepted_at=now,
            over=over,
        )

    def _memory_key(self, connection: Connection, incoming: Incoming, now: datetime) -> str:
        if incoming.place is not Place.DIRECT:
            return incoming.thread_key
        since = (now - timedelta(minutes=self._settings.follow_up_minutes)).timestamp()
        earlier = (
            sa.select(questions.c.memory_key)
            .where(questions.c.conversation_key == incoming.conversation_key)
            .where(questions.c.accepted_at > since)
            .order_by(questions.c.accepted_at.desc(), questions.c.id.desc())
            .limit(1)
        )
        return connection.execute(earlier).scalar() or f"{incoming.platform}:{incoming.message_key}"

    async def _one(self, where: sa.ColumnElement[bool]) -> StoredQuestion | None:
        def work(connection: Connection) -> StoredQuestion | None:
            row = connection.execute(sa.select(questions).where(where)).mappings().first()
            return question_from(row) if row else None

        return await self._store.read(work)

    async def _change(self, where: sa.ColumnElement[bool], **values: Any) -> bool:
        statement = sa.update(questions).where(where).values(**values)
        return await self._store.write(lambda to: to.execute(statement).rowcount > 0)


def _held_by(question: StoredQuestion, owner: str, state: State) -> sa.ColumnElement[bool]:
    return (
        (questions.c.id == question.id)
        & (questions.c.owner == owner)
        & (questions.c.state == state.value)
    )
