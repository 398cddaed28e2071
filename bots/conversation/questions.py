"""A message taken and what became of it: the table that makes replies come once.

A question goes accepted → answered → posted. Who works on one holds it with a lease and renews
it; a lease that ran out tells another process, or the next one, to take the question up.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from pydantic import TypeAdapter

from agent.store import metadata
from bots.conversation.limits import Limit
from bots.ports import Incoming, Reply

questions = sa.Table(
    "questions",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("platform", sa.Text, nullable=False),
    sa.Column("message_key", sa.Text, nullable=False),
    sa.Column("conversation_key", sa.Text, nullable=False),
    sa.Column("thread_key", sa.Text, nullable=False, index=True),
    sa.Column("memory_key", sa.Text, nullable=False),
    sa.Column("asker", sa.Text, nullable=False),
    sa.Column("incoming", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("over", sa.String(16), nullable=False),
    sa.Column("follow", sa.String(16), nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("reply", sa.Text, nullable=False),
    sa.Column("working_id", sa.Text, nullable=False),
    sa.Column("reply_id", sa.Text, nullable=False),
    sa.Column("post_begun", sa.Boolean, nullable=False),
    sa.Column("accepted_at", sa.Float, nullable=False),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("lease_until", sa.Float, nullable=False),
    sa.Index("ix_questions_platform_message_key", "platform", "message_key", unique=True),
    sa.Index("ix_questions_state_lease_until", "state", "lease_until"),
    sa.Index("ix_questions_conversation_key_accepted_at", "conversation_key", "accepted_at"),
    sa.Index("ix_questions_asker_accepted_at", "asker", "accepted_at"),
)
"""Times in seconds since 1970. `incoming` is the message without its text; `text` is emptied when
it is kept no longer, `reply` as soon as it stands in its thread."""


class State(StrEnum):
    """How far a question is; the last four are ends."""

    ACCEPTED = "accepted"
    ANSWERED = "answered"
    POSTED = "posted"
    SILENT = "silent"
    CANCELLED = "cancelled"
    UNDELIVERED = "undelivered"


OPEN = (State.ACCEPTED, State.ANSWERED)


class Follow(StrEnum):
    """Whether the thread may go on without a mention; the greater word of a thread counts."""

    OPEN = "a-open"
    INTERRUPTED = "b-interrupted"
    QUIET = "c-quiet"


@dataclass(frozen=True, slots=True)
class StoredQuestion:
    """A question as the store has it.

    Attributes:
        memory_key: the thread whose earlier turns complete it; in a direct conversation one key
            for all turns with no longer pause than `follow_up_minutes`.
        revision: grows with every edit of the message.
        over: the limit it went over; None: it is answered.
        post_begun: a post may have reached the platform.
        resumed: somebody else had it before.
    """

    id: int
    incoming: Incoming
    state: State
    memory_key: str
    accepted_at: datetime
    revision: int = 0
    over: Limit | None = None
    reply: Reply | None = None
    working_id: str = ""
    post_begun: bool = False
    resumed: bool = False


@dataclass(frozen=True, slots=True)
class Lease:
    """Who holds a question, and until when."""

    owner: str
    until: datetime


_INCOMING = TypeAdapter(Incoming)
_REPLY: TypeAdapter[Reply] = TypeAdapter(Reply)


def reply_text(reply: Reply) -> str:
    """A reply as text for the store."""
    return _REPLY.dump_json(reply).decode()


def incoming_columns(incoming: Incoming) -> dict[str, str]:
    """A message as two columns, its text apart from the rest."""
    rest = _INCOMING.dump_json(replace(incoming, text="")).decode()
    return {"incoming": rest, "text": incoming.text}


def held(lease: Lease | None) -> dict[str, Any]:
    """The columns of a lease; None: nobody holds it."""
    if lease is None:
        return {"owner": "", "lease_until": 0.0}
    return {"owner": lease.owner, "lease_until": lease.until.timestamp()}


def question_from(row: sa.RowMapping) -> StoredQuestion:
    """A question from its row."""
    return StoredQuestion(
        id=row["id"],
        incoming=replace(_INCOMING.validate_json(row["incoming"]), text=row["text"]),
        state=State(row["state"]),
        memory_key=row["memory_key"],
        accepted_at=datetime.fromtimestamp(row["accepted_at"], UTC),
        revision=row["revision"],
        over=Limit(row["over"]) if row["over"] else None,
        reply=_REPLY.validate_json(row["reply"]) if row["reply"] else None,
        working_id=row["working_id"],
        post_begun=row["post_begun"],
    )
