"""The append-only record of who got what from where, without any texts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import Answer, DocId
from agent.store import Store, metadata
from bots.ports import Incoming, Reply
from config.settings import PrivacySettings

audit = sa.Table(
    "audit",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("at", sa.Float, nullable=False, index=True),
    sa.Column("actor", sa.Text, nullable=False, index=True),
    sa.Column("platform", sa.Text, nullable=False),
    sa.Column("conversation_key", sa.Text, nullable=False),
    sa.Column("message_key", sa.Text, nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
    sa.Column("audiences", sa.Text, nullable=False),
    sa.Column("trace_id", sa.Text, nullable=False),
)
audit_citations = sa.Table(
    "audit_citations",
    metadata,
    sa.Column(
        "audit_id", sa.Integer, sa.ForeignKey("audit.id", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("doc_id", sa.Text, nullable=False, index=True),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("section_path", sa.Text, nullable=False),
)
"""`at` in seconds since 1970; `audiences` are the words of the reply's scope."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A place that a reply quoted."""

    source: str
    doc_id: DocId
    section_path: str


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One thing that was done or refused.

    Attributes:
        actor: who asked, `slack:U…`.
        action: `answer`, `notice` or an admin word.
        outcome: of an answer its status, of a notice what it is about, else `begun`, `done`,
            `refused`, `undelivered`.
        detail: why, in the platform's or our own words; never text of a question or document.
    """

    at: datetime
    actor: str
    platform: str
    conversation_key: str
    message_key: str
    action: str
    outcome: str
    detail: str = ""
    audiences: tuple[str, ...] = ()
    trace_id: str = ""
    quoted: tuple[Quoted, ...] = ()

    def write(self, connection: Connection) -> None:
        """Append it, in the caller's transaction."""
        row = {
            "at": self.at.timestamp(),
            "actor": self.actor,
            "platform": self.platform,
            "conversation_key": self.conversation_key,
            "message_key": self.message_key,
            "action": self.action,
            "outcome": self.outcome,
            "detail": self.detail,
            "audiences": " ".join(self.audiences),
            "trace_id": self.trace_id,
        }
        key = connection.execute(sa.insert(audit), row).inserted_primary_key
        places = [
            {
                "audit_id": key[0] if key else None,
                "position": position,
                "doc_id": place.doc_id,
                "source": place.source,
                "section_path": place.section_path,
            }
            for position, place in enumerate(self.quoted)
        ]
        if places:
            connection.execute(sa.insert(audit_citations), places)


def audit_line(
    incoming: Incoming, at: datetime, *, action: str, outcome: str, detail: str = ""
) -> AuditLine:
    """The line of something that led to no answer."""
    return AuditLine(
        at=at,
        actor=incoming.asker,
        platform=incoming.platform,
        conversation_key=incoming.conversation_key,
        message_key=incoming.message_key,
        action=action,
        outcome=outcome,
        detail=detail,
        audiences=tuple(sorted(incoming.scope.audiences)),
    )


def audit_reply(incoming: Incoming, reply: Reply, at: datetime) -> AuditLine:
    """The line of a posted reply."""
    if not isinstance(reply, Answer):
        return audit_line(incoming, at, action="notice", outcome=reply.about)
    return AuditLine(
        at=at,
        actor=incoming.asker,
        platform=incoming.platform,
        conversation_key=incoming.conversation_key,
        message_key=incoming.message_key,
        action="answer",
        outcome=reply.outcome.value,
        audiences=tuple(sorted(incoming.scope.audiences)),
        trace_id=reply.trace_id,
        quoted=_quoted(reply),
    )


class Audit:
    """Reads the record, adds to it, and lets go of what is kept no longer."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(self, line: AuditLine) -> None:
        """Append one line in a transaction of its own."""
        await self._store.write(line.write)

    async def lines(self, *, doc_ids: Sequence[DocId] = (), limit: int = 100) -> list[AuditLine]:
        """The newest lines, newest first; with documents, only those that quoted one of them."""

        def work(connection: Connection) -> list[AuditLine]:
            query = sa.select(audit).order_by(audit.c.id.desc()).limit(limit)
            if doc_ids:
                quoting = sa.select(audit_citations.c.audit_id)
                query = query.where(
                    audit.c.id.in_(quoting.where(audit_citations.c.doc_id.in_(doc_ids)))
                )
            rows = connection.execute(query).mappings().all()
            places = _places(connection, [row["id"] for row in rows])
            return [_line(row, places.get(row["id"], ())) for row in rows]

        return await self._store.read(work)

    async def forget_old(self, privacy: PrivacySettings, now: datetime) -> None:
        """Drop lines that are kept no longer."""
        before = (now - timedelta(days=privacy.audit_days)).timestamp()
        old = sa.select(audit.c.id).where(audit.c.at < before)

        def work(connection: Connection) -> None:
            connection.execute(
                sa.delete(audit_citations).where(audit_citations.c.audit_id.in_(old))
            )
            connection.execute(sa.delete(audit).where(audit.c.at < before))

        await self._store.write(work)


def _quoted(answer: Answer) -> tuple[Quoted, ...]:
    places = (
        Quoted(citation.source, citation.doc_id, citation.section_path)
        for citation in answer.citations
    )
    return tuple(dict.fromkeys(places))


def _places(connection: Connection, ids: Iterable[int]) -> dict[int, tuple[Quoted, ...]]:
    query = (
        sa.select(audit_citations)
        .where(audit_citations.c.audit_id.in_(list(ids)))
        .order_by(audit_citations.c.audit_id, audit_citations.c.position)
    )
    found: dict[int, tuple[Quoted, ...]] = {}
    for row in connection.execute(query).mappings():
        place = Quoted(row["source"], DocId(row["doc_id"]), row["section_path"])
        found[row["audit_id"]] = (*found.get(row["audit_id"], ()), place)
    return found


def _line(row: sa.RowMapping, quoted: tuple[Quoted, ...]) -> AuditLine:
    return AuditLine(
        at=datetime.fromtimestamp(row["at"], UTC),
        actor=row["actor"],
        platform=row["platform"],
        conversation_key=row["conversation_key"],
        message_key=row["message_key"],
        action=row["action"],
        outcome=row["outcome"],
        detail=row["detail"],
        audiences=tuple(row["audiences"].split()),
        trace_id=row["trace_id"],
        quoted=quoted,
    )
