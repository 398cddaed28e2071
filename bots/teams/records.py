"""What has to be remembered over a restart: what we posted, what was thought of it, personal chats.

Teams lets a bot write into a thread but not read it. That a reply stands there can therefore only
be known from what we wrote down ourselves: a row before the first try to post, its id after it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.store import Store, metadata
from agent.store.types import UtcDateTime
from bots.teams.activity import Address

teams_replies = sa.Table(
    "teams_replies",
    metadata,
    sa.Column("message_key", sa.Text, primary_key=True),
    sa.Column("working_id", sa.Text, nullable=False),
    sa.Column("conversation_key", sa.Text, nullable=False),
    sa.Column("posted", sa.Text, nullable=False),
    sa.Column("state", sa.String(8), nullable=False),
    sa.Column("at", UtcDateTime, nullable=False),
    sa.Index("ix_teams_replies_at", "at"),
    sa.Index("ix_teams_replies_conversation_key", "conversation_key", "at"),
)

teams_personal_chats = sa.Table(
    "teams_personal_chats",
    metadata,
    sa.Column("asker", sa.Text, primary_key=True),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("at", UtcDateTime, nullable=False),
)

teams_votes = sa.Table(
    "teams_votes",
    metadata,
    sa.Column("vote_id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("message_key", sa.Text, nullable=False),
    sa.Column("asker", sa.Text, nullable=False),
    sa.Column("liked", sa.Boolean, nullable=False),
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("at", UtcDateTime, nullable=False),
    sa.Index("ix_teams_votes_at", "at"),
)

GREETING = "greeting:"
"""Begins the message key of a greeting, which answers no message and is never forgotten."""


class PostState(StrEnum):
    """How far the posting of a reply is."""

    CALLING = "calling"
    """A call is under way, or it was cut off and nobody knows how it ended."""
    WAITING = "waiting"
    """No call is under way; what is posted is known."""
    DONE = "done"


@dataclass(frozen=True, slots=True)
class PostRecord:
    """What is known of our reply to a message.

    Attributes:
        working_id: the message that shows the work; empty: none was posted.
        posted: ids of the parts that stand in the thread, first part first.
    """

    message_key: str
    conversation_key: str
    working_id: str = ""
    posted: tuple[str, ...] = ()
    state: PostState = PostState.WAITING


@dataclass(frozen=True, slots=True)
class Vote:
    """A thumb under a reply.

    Attributes:
        message_key: the message that the reply answered; empty where nobody can tell.
        words: the sentence that came with it; may be empty.
    """

    message_key: str
    asker: str
    liked: bool
    words: str
    at: datetime


class Records:
    """The tables of Teams."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def reply_to(self, message_key: str) -> PostRecord | None:
        """What we posted for a message; None: nothing, and nothing was tried."""
        return await self._one(teams_replies.c.message_key == message_key)

    async def reply_in(self, conversation_key: str, reply_id: str) -> PostRecord | None:
        """The reply of that id in a conversation; without an id the last one there."""
        where = teams_replies.c.conversation_key == conversation_key
        if reply_id:
            quoted = json.dumps(reply_id)
            where &= teams_replies.c.posted.contains(quoted, autoescape=True)
        return await self._one(where & (teams_replies.c.state == PostState.DONE.value))

    async def claim(self, record: PostRecord, at: datetime) -> bool:
        """Write a record down as the first to do so; False where one stands already."""
        try:
            await self._store.write(
                lambda connection: connection.execute(
                    sa.insert(teams_replies).values(**_row(record, at))
                )
            )
        except sa.exc.IntegrityError:
            return False
        return True

    async def keep_reply(self, record: PostRecord, at: datetime) -> None:
        """Write down what we posted, in place of what stood there."""
        await self._put(teams_replies, _row(record, at))

    async def personal_chat(self, asker: str) -> Address | None:
        """Where a person can be written to privately; None where we never met there."""
        wanted = sa.select(teams_personal_chats.c.address).where(
            teams_personal_chats.c.asker == asker
        )
        stored = await self._store.read(lambda connection: connection.execute(wanted).scalar())
        return Address.from_json(json.loads(stored)) if stored else None

    async def keep_personal_chat(self, asker: str, address: Address, at: datetime) -> None:
        """Write down where a person can be written to; names are not kept."""
        kept = replace(address, activity_id="", person_name="")
        if await self.personal_chat(asker) == kept:
            return
        row = {"asker": asker, "address": json.dumps(kept.to_json()), "at": at}
        await self._put(teams_personal_chats, row)

    async def keep_vote(self, vote: Vote) -> None:
        """Write a vote down."""
        row = sa.insert(teams_votes).values(
            message_key=vote.message_key,
            asker=vote.asker,
            liked=vote.liked,
            words=vote.words,
            at=vote.at,
        )
        await self._store.write(lambda connection: connection.execute(row))

    async def votes(self) -> list[Vote]:
        """Every vote, newest first."""
        wanted = sa.select(teams_votes).order_by(teams_votes.c.vote_id.desc())

        def work(connection: Connection) -> list[Vote]:
            columns = ("message_key", "asker", "liked", "words", "at")
            rows = connection.execute(wanted).mappings()
            return [Vote(*(row[column] for column in columns)) for row in rows]

        return await self._store.read(work)

    async def forget_before(self, moment: datetime) -> None:
        """Drop replies and votes from before a moment; nobody looks for them any more."""
        old_votes = sa.delete(teams_votes).where(teams_votes.c.at < moment)
        old_replies = sa.delete(teams_replies).where(
            (teams_replies.c.at < moment) & teams_replies.c.message_key.not_like(f"{GREETING}%")
        )

        def work(connection: Connection) -> None:
            connection.execute(old_votes)
            connection.execute(old_replies)

        await self._store.write(work)

    async def forget_person(self, asker: str) -> None:
        """Drop the personal chat and the votes of a person."""

        def work(connection: Connection) -> None:
            for table in (teams_personal_chats, teams_votes):
                connection.execute(sa.delete(table).where(table.c.asker == asker))

        await self._store.write(work)

    async def _one(self, where: sa.ColumnElement[bool]) -> PostRecord | None:
        wanted = sa.select(teams_replies).where(where).order_by(teams_replies.c.at.desc()).limit(1)

        def work(connection: Connection) -> PostRecord | None:
            row = connection.execute(wanted).mappings().first()
            return _record(row) if row else None

        return await self._store.read(work)

    async def _put(self, table: sa.Table, row: Mapping[str, object]) -> None:
        key = next(iter(table.primary_key))

        def work(connection: Connection) -> None:
            connection.execute(sa.delete(table).where(key == row[key.name]))
            connection.execute(sa.insert(table).values(**row))

        await self._store.write(work)


def _record(row: sa.RowMapping) -> PostRecord:
    return PostRecord(
        message_key=row["message_key"],
        conversation_key=row["conversation_key"],
        working_id=row["working_id"],
        posted=tuple(json.loads(row["posted"])),
        state=PostState(row["state"]),
    )


def _row(record: PostRecord, at: datetime) -> dict[str, object]:
    return {
        "message_key": record.message_key,
        "conversation_key": record.conversation_key,
        "working_id": record.working_id,
        "posted": json.dumps(record.posted),
        "state": record.state.value,
        "at": at,
    }
