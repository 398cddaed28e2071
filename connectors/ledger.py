"""What the sync remembers of every document, so that the next run knows what is new.

The library holds what readers see; the ledger holds how it came there: the drive's address and
version, the hash and parser it rests on, what failed, and since when it is missing. Both change
in one transaction. A purged document leaves a tombstone for a while, so that one put back keeps
its identity.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import DocId, DocumentFacts
from agent.store.engine import metadata
from agent.store.types import UtcDateTime
from agent.store.upserting import insert_into
from connectors.ports import Item

TOMBSTONE = timedelta(days=30)
"""For how long a purged document's identity is kept."""
_AT_ONCE = 500

sync_ledger = sa.Table(
    "sync_ledger",
    metadata,
    sa.Column("doc_id", sa.Text, primary_key=True),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("native_id", sa.Text, nullable=False),
    sa.Column("doc", sa.Text, nullable=False),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("file_id", sa.Text, nullable=False),
    sa.Column("version", sa.Text, nullable=False),
    sa.Column("settled", sa.Boolean, nullable=False),
    sa.Column("size_bytes", sa.BigInteger, nullable=False),
    sa.Column("modified", UtcDateTime),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("content_hash", sa.Text, nullable=False),
    sa.Column("refused_hash", sa.Text, nullable=False),
    sa.Column("parser_version", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("has_copy", sa.Boolean, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("readers", sa.Text, nullable=False),
    sa.Column("added_at", UtcDateTime, nullable=False),
    sa.Column("missing_since", UtcDateTime),
    sa.Index("ix_sync_ledger_source", "source"),
    sa.Index("ix_sync_ledger_content_hash", "content_hash"),
)


class EntryState(StrEnum):
    """Where a document stands: seen; missing but answering; out of sight; remembered only."""

    LIVE = "live"
    HELD = "held"
    HIDDEN = "hidden"
    PURGED = "purged"


@dataclass(frozen=True, slots=True)
class Entry:
    """One document in the ledger.

    Attributes:
        native_id: the drive's id, else the address at which it was first met.
        version: of the file last dealt with, well or badly; empty: to be read again.
        content_hash: of the copy in the library; without a copy, of what could not be read.
        refused_hash: of the content that `reason` speaks of.
        has_copy: readers get text of it.
        reason: why the newest version is not in the library; empty: it is.
        attempts: how often this version failed.
        readers: audience words, sorted, one a line.
        added_at: when it came to this place.
        missing_since: when a complete run first lacked it.
    """

    doc_id: DocId
    source: str
    native_id: str
    doc: str
    address: str
    added_at: datetime
    file_id: str = ""
    version: str = ""
    settled: bool = True
    size_bytes: int = 0
    modified: datetime | None = None
    url: str = ""
    content_hash: str = ""
    refused_hash: str = ""
    parser_version: str = ""
    state: EntryState = EntryState.LIVE
    has_copy: bool = False
    reason: str = ""
    attempts: int = 0
    readers: str = ""
    missing_since: datetime | None = None

    @property
    def answers(self) -> bool:
        """Whether readers may get answers from it now."""
        return self.has_copy and self.state in (EntryState.LIVE, EntryState.HELD)

    @property
    def in_map(self) -> bool:
        """Whether the library shows it."""
        return self.state in (EntryState.LIVE, EntryState.HELD)

    @property
    def audience(self) -> frozenset[str]:
        """Its readers, as a set."""
        return frozenset(filter(None, self.readers.split("\n")))

    @property
    def facts(self) -> DocumentFacts:
        """What the library is told of it."""
        return DocumentFacts(
            source=self.source,
            native_id=self.native_id,
            doc=self.doc,
            content_hash=self.content_hash,
            size_bytes=self.size_bytes,
            modified=self.modified,
            url=self.url,
        )


def as_readers(audience: Iterable[str]) -> str:
    """Audience words in the form of `Entry.readers`."""
    return "\n".join(sorted(audience))


def seen_as(entry: Entry, item: Item) -> Entry:
    """The entry with what a listing now says of it: seen, at this place, in this version."""
    return replace(
        entry,
        doc=item.doc,
        address=item.address,
        file_id=item.file_id,
        version=item.version,
        settled=item.settled,
        size_bytes=item.size_bytes,
        modified=item.modified,
        url=item.url,
        state=EntryState.LIVE,
        missing_since=None,
    )


_COLUMNS = tuple(field.name for field in fields(Entry))
_ALIKE = ("source", "parser_version", "readers")
"""Columns with few values over many rows: kept once in memory."""


def load(connection: Connection, source: str) -> list[Entry]:
    """Every entry of a source, tombstones too."""
    return _select(connection, sync_ledger.c.source == source)


def put(connection: Connection, entries: Sequence[Entry]) -> None:
    """Write entries, each replacing its former self."""
    if not entries:
        return
    statement = insert_into(connection, sync_ledger)
    changed = {name: statement.excluded[name] for name in _COLUMNS if name != "doc_id"}
    statement = statement.on_conflict_do_update(index_elements=["doc_id"], set_=changed)
    connection.execute(statement, [_row(entry) for entry in entries])


def failed(connection: Connection, source: str) -> list[Entry]:
    """Entries whose newest version is not in the library, by path."""
    wrong = (sync_ledger.c.reason != "") & (sync_ledger.c.state != EntryState.PURGED.value)
    entries = _select(connection, (sync_ledger.c.source == source) & wrong)
    return sorted(entries, key=lambda entry: entry.doc)


def counts(connection: Connection, source: str) -> dict[EntryState, int]:
    """How many documents of a source are in each state."""
    column = sync_ledger.c.state
    rows = connection.execute(
        sa.select(column, sa.func.count()).where(sync_ledger.c.source == source).group_by(column)
    )
    return {EntryState(state): number for state, number in rows}


def held_elsewhere(connection: Connection, source: str, hashes: Iterable[str]) -> list[Entry]:
    """Documents that other sources hold back and whose content is one of these."""
    return [
        entry
        for some in _in_batches(hashes)
        for entry in _select(
            connection,
            sync_ledger.c.content_hash.in_(some)
            & (sync_ledger.c.source != source)
            & (sync_ledger.c.state == EntryState.HELD.value),
        )
    ]


def arrived_since(connection: Connection, hashes: Iterable[str], since: datetime) -> frozenset[str]:
    """Which of these contents came to some place, in whatever source, after a moment."""
    return frozenset(
        found
        for some in _in_batches(hashes)
        for found in connection.scalars(
            sa.select(sync_ledger.c.content_hash).where(
                sync_ledger.c.content_hash.in_(some)
                & (sync_ledger.c.state == EntryState.LIVE.value)
                & sync_ledger.c.has_copy
                & (sync_ledger.c.added_at > since)
            )
        )
    )


def readers(connection: Connection, source: str) -> list[tuple[DocId, str, str]]:
    """Id, path and readers of every document of a source, tombstones aside."""
    columns = (sync_ledger.c.doc_id, sync_ledger.c.doc, sync_ledger.c.readers)
    kept = sync_ledger.c.state != EntryState.PURGED.value
    rows = connection.execute(sa.select(*columns).where(sync_ledger.c.source == source, kept))
    return [(DocId(doc_id), doc, words) for doc_id, doc, words in rows]


def set_readers(connection: Connection, doc_id: DocId, words: str) -> None:
    """Remember other readers of one document."""
    row = sync_ledger.c.doc_id == doc_id
    connection.execute(sa.update(sync_ledger).where(row).values(readers=words))


def drop_old_tombstones(connection: Connection, source: str, now: datetime) -> None:
    """Forget purged documents whose time is over."""
    connection.execute(
        sa.delete(sync_ledger).where(
            sync_ledger.c.source == source,
            sync_ledger.c.state == EntryState.PURGED.value,
            sync_ledger.c.missing_since < now - TOMBSTONE,
        )
    )


def drop_other_sources(connection: Connection, names: Sequence[str]) -> None:
    """Forget whatever belongs to none of these sources."""
    connection.execute(sa.delete(sync_ledger).where(sync_ledger.c.source.not_in(names)))


def _select(connection: Connection, where: sa.ColumnElement[bool]) -> list[Entry]:
    columns = [sync_ledger.c[name] for name in _COLUMNS]
    rows = connection.execute(sa.select(*columns).where(where))
    return [_entry(row) for row in rows]


def _entry(row: sa.Row[Any]) -> Entry:
    values = dict(zip(_COLUMNS, row, strict=True))
    values["state"] = EntryState(values["state"])
    for name in _ALIKE:
        values[name] = sys.intern(values[name])
    return Entry(**values)


def _row(entry: Entry) -> dict[str, object]:
    values = {name: getattr(entry, name) for name in _COLUMNS}
    return values | {"state": entry.state.value}


def _in_batches(hashes: Iterable[str]) -> Iterator[list[str]]:
    wanted = sorted({one for one in hashes if one})
    for start in range(0, len(wanted), _AT_ONCE):
        yield wanted[start : start + _AT_ONCE]
