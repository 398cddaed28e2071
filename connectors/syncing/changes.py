"""What a run decided about documents, written to ledger and library in one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from sqlalchemy.engine import Connection

from agent.domain import DocId, ParsedDocument
from agent.library import writing
from connectors import ledger
from connectors.ledger import Entry, EntryState


class Sight(StrEnum):
    """What becomes of a document for readers. Stale: answering on, marked with its age."""

    SAME = "same"
    SHOWN = "shown"
    STALE = "stale"
    HIDDEN = "hidden"
    PURGED = "purged"


@dataclass(frozen=True, slots=True)
class Change:
    """One document after the change.

    Attributes:
        entry: as the ledger shall have it.
        parsed: its new text; None: the text stays.
        facts_changed: place, address or date are new while the text stays.
        since: for stale, when it was last seen.
    """

    entry: Entry
    parsed: ParsedDocument | None = None
    facts_changed: bool = False
    sight: Sight = Sight.SAME
    since: datetime | None = None

    @property
    def chars(self) -> int:
        """How much text it holds, in characters."""
        if self.parsed is None:
            return 0
        return sum(len(b.text) for section in self.parsed.sections for b in section.blocks)


def apply(connection: Connection, changes: Sequence[Change]) -> None:
    """Write changes; the caller holds the transaction and the source's lock."""
    gone = [change for change in changes if change.sight is Sight.PURGED]
    writing.purge_documents(connection, _ids(gone))
    writing.put_documents(
        connection,
        [
            writing.NewDocument(change.entry.facts, change.parsed, change.entry.audience)
            for change in changes
            if change.parsed is not None
        ],
    )
    for change in changes:
        if change.facts_changed and change.parsed is None:
            writing.move_document(connection, change.entry.facts, change.entry.audience)
    _show(connection, changes)
    ledger.put(connection, [change.entry for change in changes])
    _hide_moved_away(connection, [change.entry for change in changes if change.parsed])


def _show(connection: Connection, changes: Sequence[Change]) -> None:
    shown = [change for change in changes if change.sight is Sight.SHOWN]
    writing.show_documents(connection, _ids(shown))
    stale = [change for change in changes if change.sight is Sight.STALE]
    writing.show_documents(connection, _ids(stale))
    for since in {change.since for change in stale}:
        these = [change for change in stale if change.since == since]
        writing.mark_not_seen(connection, _ids(these), since)
    hidden = [change for change in changes if change.sight is Sight.HIDDEN]
    writing.hide_documents(connection, _ids(hidden))


def _hide_moved_away(connection: Connection, new: Sequence[Entry]) -> None:
    """What another source holds back and is here now has moved: only the new place counts."""
    hashes = [entry.content_hash for entry in new if entry.has_copy]
    if not hashes:
        return
    held = ledger.held_elsewhere(connection, new[0].source, hashes)
    writing.hide_documents(connection, [entry.doc_id for entry in held])
    ledger.put(connection, [replace(entry, state=EntryState.HIDDEN) for entry in held])


def _ids(changes: Sequence[Change]) -> list[DocId]:
    return [change.entry.doc_id for change in changes]
