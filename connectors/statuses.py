"""The sources as the settings name them: who may read what, and how each of them stands."""

from datetime import UTC, datetime

from sqlalchemy.engine import Connection

from agent.library import unscoped, writing
from config.settings import Settings, SourceSettings
from connectors import access, ledger, runs
from connectors.ledger import EntryState
from connectors.reports import FailedDocument, RunState, SourceStatus


def apply_settings(connection: Connection, settings: Settings) -> int:
    """Make the library follow the settings, in one transaction and without a parse.

    Sources that are no longer named go with all they left; documents whose readers are others
    now get them at once.

    Returns:
        How many documents have other readers than before.
    """
    names = [source.name for source in settings.sources]
    writing.apply_sources(connection, [_record(source) for source in settings.sources])
    ledger.drop_other_sources(connection, names)
    runs.drop_other_sources(connection, names)
    return sum(_apply_readers(connection, source, settings) for source in settings.sources)


def all_of(connection: Connection, settings: Settings) -> list[SourceStatus]:
    """Every configured source, in the order of the settings."""
    return [_status(connection, source, settings) for source in settings.sources]


def not_wholly_read(connection: Connection, source: str) -> list[FailedDocument]:
    """What of a source could not be taken in, or only in part, by path."""
    failed = [
        FailedDocument(one.doc, one.reason, one.answers)
        for one in ledger.failed(connection, source)
    ]
    return sorted([*failed, *partly_read(connection, source)], key=lambda one: one.doc)


def partly_read(connection: Connection, source: str) -> list[FailedDocument]:
    """What of a source was taken in only in part, by path."""
    found = unscoped.partly_read(connection, source)
    return [FailedDocument(doc, reason, partial=True) for doc, reason in found]


def _record(source: SourceSettings) -> writing.SourceRecord:
    return writing.SourceRecord(
        source.name, source.audience, source.contact, source.trust, source.egress
    )


def _apply_readers(connection: Connection, source: SourceSettings, settings: Settings) -> int:
    changed = 0
    for doc_id, doc, before in ledger.readers(connection, source.name):
        audience = access.readers_of(source, doc, settings.groups)
        now = ledger.as_readers(audience)
        if now != before:
            writing.set_readers(connection, doc_id, audience)
            ledger.set_readers(connection, doc_id, now)
            changed += 1
    return changed


def _status(connection: Connection, source: SourceSettings, settings: Settings) -> SourceStatus:
    row = runs.row_of(connection, source.name)
    count = ledger.counts(connection, source.name)
    running = not row.holder_is_gone(datetime.now(UTC))
    return SourceStatus(
        source=source.name,
        state=_state(row, running=running),
        since=row.started_at if row.owner else row.finished_at,
        seen=row.seen,
        done=row.done,
        total=row.total,
        documents=count.get(EntryState.LIVE, 0) + count.get(EntryState.HELD, 0),
        failed=len(ledger.failed(connection, source.name)),
        held=count.get(EntryState.HELD, 0),
        waiting=count.get(EntryState.HIDDEN, 0),
        interval_s=settings.sync.interval_s,
        problem="" if row.owner else row.problem,
        hint="" if row.owner else row.hint,
        warnings=access.warnings_of(source, settings.groups),
    )


def _state(row: runs.SourceRow, *, running: bool) -> RunState:
    if running:
        return RunState.RUNNING
    return RunState.INTERRUPTED if row.owner else row.state
