"""What one file, once it was read or could not be, means for its document.

An old copy stays until a good new version is there: a file that fails keeps answering with what
it said before, marked with its age. Only what the source forbids is out of sight at once.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath

from agent.domain import DocumentFacts, ParsedDocument, ParseOutcome
from agent.errors import FootnoteError, SourceError
from connectors.guard import GRACE
from connectors.ledger import Entry, EntryState, seen_as
from connectors.ports import Item, ItemForbidden, ItemGone, Source
from connectors.syncing.absence import tombstone
from connectors.syncing.changes import Change, Sight
from connectors.syncing.difference import Work, may_pass
from connectors.syncing.intake import Fetched, Intake, NotInTime, TooLarge

_EMPTY_RUNS = 2
"""Runs in which a file must be empty before what it said is given up: saves cut before writing."""


@dataclass(slots=True)
class Tally:
    """Documents of a run, each counted once."""

    added: int = 0
    changed: int = 0
    moved: int = 0
    removed: int = 0
    unchanged: int = 0
    failed: int = 0
    parsed: int = 0


@dataclass(frozen=True, slots=True)
class Desk:
    """Reads files and says what becomes of their documents.

    Attributes:
        audience: readers of a document by its path, as the ledger writes them.
        native_ids: taken in this source; a new document gets one that is not.
        now: the time of the run.
        last_seen: when the source was last seen whole before; old copies are marked with it.
    """

    source: Source
    name: str
    intake: Intake
    audience: Callable[[str], str]
    native_ids: set[str]
    tally: Tally
    now: datetime
    last_seen: datetime

    async def read(self, work: Work) -> Change | None:
        """Read one file; None where it is gone again, which the next listing will say.

        Raises:
            FootnoteError: the data folder cannot be written.
        """
        if work.item.size_bytes > self.intake.limit_bytes:
            return self._too_large(work)
        try:
            async with self.intake.fetched(self.source, work.item) as fetched:
                return await self._conclude(replace(work, item=fetched.item), fetched)
        except ItemGone:
            return None
        except (TooLarge, NotInTime, SourceError) as error:
            return self._not_fetched(work, error)

    def moved(self, work: Work) -> Change:
        """A known document at a new place: its text stays, its name and readers do not."""
        before, entry = work.entry, replace(self._placed(work), added_at=self.now)
        self.tally.moved += 1
        if before and entry.has_copy and before.version != entry.version:
            entry = replace(entry, reason="", attempts=0)  # what it says now is what was kept
        sight = Sight.STALE if entry.has_copy and entry.reason else Sight.SHOWN
        return Change(entry, facts_changed=True, sight=sight, since=self.last_seen)

    def kept(self, work: Work) -> Change | None:
        """An unchanged document; None where nothing at all is to be written."""
        before, item = work.entry, work.item
        self.tally.unchanged += before is not None and not before.reason
        if before and _is_as_seen(before, item):
            return None
        after = self._placed(work)
        differs = before is None or before.facts != after.facts
        sight = self._sight(before, after)
        return Change(after, facts_changed=differs, sight=sight, since=self.last_seen)

    async def _conclude(self, work: Work, fetched: Fetched) -> Change:
        before = work.entry
        same = before is not None and before.content_hash == fetched.content_hash
        if before and same and before.has_copy and self._is_current(before):
            return self._same_text(work, before)
        if before and self._stays_refused(before, fetched.content_hash):
            return self._as_before(work, before)
        if work.item.size_bytes == 0:
            nothing = _unreadable(work.item.doc, "empty: the file holds nothing")
            return self._refused(work, fetched.content_hash, nothing)
        parsed = await self.intake.parsed(fetched)
        self.tally.parsed += parsed.by_parser
        if parsed.document.outcome is ParseOutcome.NOT_READABLE:
            return self._refused(work, fetched.content_hash, parsed.document)
        return self._accepted(work, fetched.content_hash, parsed.document)

    def _is_current(self, entry: Entry) -> bool:
        return entry.parser_version in self.intake.versions.all

    def _stays_refused(self, before: Entry, content_hash: str) -> bool:
        """Whether the very content was refused already, for a reason that does not pass."""
        known = bool(before.reason) and before.refused_hash == content_hash
        return known and self._is_current(before) and not may_pass(before)

    def _as_before(self, work: Work, before: Entry) -> Change:
        self.tally.failed += 1
        after = self._placed(work)
        return Change(after, sight=self._sight(before, after), since=self.last_seen)

    def _same_text(self, work: Work, before: Entry) -> Change:
        after = replace(self._placed(work), reason="", attempts=0)
        differs = before.facts != after.facts
        moved = before.doc != after.doc
        self.tally.moved += moved
        self.tally.unchanged += not moved
        back = before.state is not EntryState.LIVE or before.reason
        return Change(after, facts_changed=differs, sight=Sight.SHOWN if back else Sight.SAME)

    def _accepted(self, work: Work, content_hash: str, parsed: ParsedDocument) -> Change:
        known = work.entry is not None and work.entry.state is not EntryState.PURGED
        self.tally.changed += known
        self.tally.added += not known
        entry = replace(
            self._placed(work),
            content_hash=content_hash,
            parser_version=self.intake.versions.of(parsed),
            has_copy=True,
            reason="",
            attempts=0,
        )
        return Change(entry, parsed, sight=Sight.SHOWN)

    def _refused(self, work: Work, content_hash: str, refused: ParsedDocument) -> Change:
        """The version cannot be read: the old copy stays, a new document shows its reason."""
        reason = refused.reason
        self.tally.failed += 1
        attempts = _attempts(work, reason)
        failed = replace(
            self._placed(work),
            reason=reason,
            attempts=attempts,
            refused_hash=content_hash,
            parser_version=self.intake.versions.of(refused),
        )
        gone = reason.startswith("empty") and attempts >= _EMPTY_RUNS
        if failed.has_copy and not gone:
            return self._old_copy(work, failed)
        failed = replace(
            failed,
            content_hash=content_hash,
            has_copy=False,
        )
        return Change(failed, refused, sight=Sight.SHOWN)

    def _too_large(self, work: Work) -> Change:
        limit = self.intake.limit_bytes
        reason = f"too_large: it has more than the {limit:,} bytes that sync.file_bytes allows"
        change = self._refused(work, "", _unreadable(work.item.doc, reason))
        return replace(
            change, entry=replace(change.entry, parser_version=self.intake.limit_version)
        )

    def _not_fetched(self, work: Work, error: FootnoteError) -> Change:
        match error:
            case TooLarge():
                return self._too_large(work)
            case ItemForbidden():
                return self._forbidden(work)
            case NotInTime():
                return self._unread(work, f"timeout: {error.problem}")
            case _:
                return self._unread(work, f"damaged: {error.problem}")

    def _unread(self, work: Work, reason: str) -> Change:
        """It could not be fetched: tried again in the next run, whatever its version."""
        change = self._refused(work, "", _unreadable(work.item.doc, reason))
        return replace(change, entry=replace(change.entry, version=""))

    def _forbidden(self, work: Work) -> Change:
        before = work.entry
        self.tally.failed += 1
        self.tally.removed += before is not None and before.in_map
        since = (before.missing_since if before else None) or self.now
        if before and self.now - since >= GRACE:
            return Change(tombstone(before, self.now), sight=Sight.PURGED)
        entry = replace(
            self._placed(work),
            version="",
            state=EntryState.HIDDEN,
            reason="unsupported: the drive does not let Footnote read it",
            missing_since=since,
        )
        never_read = before is None or before.state is EntryState.PURGED
        text = _unreadable(entry.doc, entry.reason) if never_read else None
        return Change(entry, text, sight=Sight.HIDDEN)

    def _old_copy(self, work: Work, after: Entry) -> Change:
        sight = self._sight(work.entry, after) if work.entry else Sight.SAME
        first = work.entry is not None and not work.entry.reason
        return Change(after, sight=Sight.STALE if first else sight, since=self.last_seen)

    def _sight(self, before: Entry | None, after: Entry) -> Sight:
        """How a document that is seen again comes back: an old copy keeps its mark."""
        if before is not None and before.state is EntryState.LIVE:
            return Sight.SAME
        return Sight.STALE if after.reason and after.has_copy else Sight.SHOWN

    def _placed(self, work: Work) -> Entry:
        """The document where it is seen now, with the readers it has there."""
        entry = work.entry or self._new(work.item)
        if entry.state is EntryState.PURGED:
            entry = replace(entry, added_at=self.now)
        return replace(seen_as(entry, work.item), readers=self.audience(work.item.doc))

    def _new(self, item: Item) -> Entry:
        native_id = item.native_id or item.address
        mark = 1
        while native_id in self.native_ids:  # its first holder lives on at another place
            mark += 1
            native_id = f"{item.address}\n{mark}"
        self.native_ids.add(native_id)
        facts = DocumentFacts(self.name, native_id, item.doc)
        return Entry(facts.doc_id, self.name, native_id, item.doc, item.address, self.now)


def _is_as_seen(entry: Entry, item: Item) -> bool:
    """Whether the ledger holds of an unchanged document all that the listing says of it."""
    if entry.state is not EntryState.LIVE or entry.missing_since is not None:
        return False
    return (entry.url, entry.modified, entry.address, entry.file_id) == (
        item.url,
        item.modified,
        item.address,
        item.file_id,
    )


def _attempts(work: Work, reason: str) -> int:
    """Which failure of this kind in a row this is, from 1."""
    before = work.entry
    if before is None or before.reason.partition(":")[0] != reason.partition(":")[0]:
        return 1
    same_version = before.version == work.item.version
    return before.attempts + 1 if same_version or reason.startswith("empty") else 1


def _unreadable(doc: str, reason: str) -> ParsedDocument:
    kind = PurePosixPath(doc).suffix.lower().lstrip(".") or "unknown"
    return ParsedDocument("", kind, ParseOutcome.NOT_READABLE, reason=reason)
