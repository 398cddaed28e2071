"""Traces in the store, and as JSON lines where a folder for them is set.

Texts of the asker (question, queries, reasons) are kept apart from facts (ids, places, numbers),
because they are forgotten earlier.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlalchemy.engine import Connection

from agent.domain import Scope
from agent.store import Store, metadata
from agent.store.types import UtcDateTime
from agent.trace.lines import TraceLines
from agent.trace.rounds import RoundText, RoundTrace, Trace
from config.settings import PrivacySettings, TraceSettings

traces = sa.Table(
    "traces",
    metadata,
    sa.Column("trace_id", sa.Text, primary_key=True),
    sa.Column("at", UtcDateTime, nullable=False, index=True),
    sa.Column("scope_key", sa.Text, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Column("stop_reason", sa.Text),
    sa.Column("rounds", sa.Text, nullable=False),
    sa.Column("texts", sa.Text),
)
"""`texts` is NULL once they are forgotten."""


@dataclass(frozen=True, slots=True)
class _Texts:
    question: str
    understood: str
    rounds: list[RoundText] = field(default_factory=list)
    audiences: list[str] | None = None
    sources: list[str] | None = None


_ROUNDS = TypeAdapter(tuple[RoundTrace, ...])
_TEXTS = TypeAdapter(_Texts)


class TraceStore:
    """Keeps traces and forgets them in time.

    Args:
        store: where they are kept.
        lines: where they are written as JSON lines too; None: nowhere.
    """

    def __init__(self, store: Store, lines: TraceLines | None = None) -> None:
        self._store = store
        self._lines = lines

    def save(self, connection: Connection, trace: Trace) -> None:
        """Keep a trace."""
        connection.execute(sa.insert(traces), _row(trace))
        if self._lines:
            self._lines.append(trace)

    def forget_texts(self, connection: Connection, trace_ids: Sequence[str]) -> None:
        """Drop the asker's words of these traces; what was read and decided stays."""
        named = traces.c.trace_id.in_(trace_ids)
        connection.execute(sa.update(traces).where(named).values(texts=None))
        if self._lines and trace_ids:
            self._lines.forget(trace_ids)

    async def find(self, trace_id: str) -> Trace | None:
        """A trace by its id; None where there is none or it was forgotten."""
        return await self._store.read(lambda connection: _find(connection, trace_id))

    async def newest(self, limit: int) -> list[Trace]:
        """The newest traces whose texts are still kept, newest first."""
        wanted = sa.select(traces).where(traces.c.texts.is_not(None))
        query = wanted.order_by(traces.c.at.desc(), traces.c.trace_id).limit(limit)

        def work(connection: Connection) -> list[Trace]:
            return [_trace(row) for row in connection.execute(query).mappings()]

        return await self._store.read(work)

    async def forget_old(self, privacy: PrivacySettings, now: datetime) -> None:
        """Drop texts and traces whose time is over."""
        texts_before = now - timedelta(days=privacy.texts_days)
        before = now - timedelta(days=privacy.traces_days)

        def work(connection: Connection) -> None:
            connection.execute(sa.delete(traces).where(traces.c.at < before))
            old = sa.and_(traces.c.at < texts_before, traces.c.texts.is_not(None))
            connection.execute(sa.update(traces).where(old).values(texts=None))

        await self._store.write(work)
        if self._lines:
            await asyncio.to_thread(self._lines.forget_before, texts_before.date())


def trace_store(store: Store, settings: TraceSettings) -> TraceStore:
    """The traces as the settings want them kept."""
    return TraceStore(store, TraceLines(settings.folder) if settings.folder else None)


def _row(trace: Trace) -> dict[str, Any]:
    scope = trace.scope
    texts = _Texts(
        trace.question,
        trace.understood,
        [entry.text for entry in trace.rounds],
        audiences=sorted(scope.audiences) if scope else None,
        sources=sorted(scope.sources) if scope and scope.sources is not None else None,
    )
    bare = tuple(replace(entry, text=RoundText()) for entry in trace.rounds)
    return {
        "trace_id": trace.trace_id,
        "at": trace.at,
        "scope_key": trace.scope_key,
        "outcome": trace.outcome,
        "stop_reason": trace.stop_reason or None,
        "rounds": _ROUNDS.dump_json(bare, exclude_defaults=True).decode(),
        "texts": _TEXTS.dump_json(texts).decode(),
    }


def _find(connection: Connection, trace_id: str) -> Trace | None:
    query = sa.select(traces).where(traces.c.trace_id == trace_id)
    row = connection.execute(query).mappings().first()
    return None if row is None else _trace(row)


def _trace(row: sa.RowMapping) -> Trace:
    rounds = _ROUNDS.validate_json(row["rounds"])
    texts = _TEXTS.validate_json(row["texts"]) if row["texts"] else _Texts("", "")
    if texts.rounds:
        rounds = tuple(
            replace(entry, text=text) for entry, text in zip(rounds, texts.rounds, strict=True)
        )
    return Trace(
        trace_id=row["trace_id"],
        at=row["at"],
        scope_key=row["scope_key"],
        outcome=row["outcome"],
        stop_reason=row["stop_reason"] or "",
        question=texts.question,
        understood=texts.understood,
        rounds=rounds,
        scope=_scope(texts),
    )


def _scope(texts: _Texts) -> Scope | None:
    return None if texts.audiences is None else Scope.of(*texts.audiences, sources=texts.sources)
