"""One run over one source: what is new, changed, moved, gone; committed as it goes.

Read `SyncRun.run` first: list, compare, let go of what is gone, then read what is new. Every
commit holds documents and ledger together, so a run that is killed anywhere is taken up by the
next one, which finds done what was done.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from sqlalchemy.engine import Connection

from agent.errors import SourceError
from agent.library import writing
from agent.store import Store
from config.settings import GroupSettings, SourceSettings, SyncSettings
from connectors import access, ledger, runs, statuses
from connectors.guard import Guard, Purging, judge
from connectors.ledger import Entry, EntryState
from connectors.ports import Complete, Incomplete, Presence, Source
from connectors.reports import FailedDocument, RunState, SyncProgress, SyncReport
from connectors.syncing import absence, changes
from connectors.syncing.absence import Absence
from connectors.syncing.changes import Change
from connectors.syncing.difference import Difference, Settled, Suspect, Work, compare, settle
from connectors.syncing.flow import flow
from connectors.syncing.intake import Intake, NotInTime, TooLarge
from connectors.syncing.listing import Listed, each_once, list_all, trusted
from connectors.syncing.verdicts import Desk, Tally

_CHANGES_AT_ONCE = 200
"""Documents written together where most keep their text."""

OnProgress = Callable[[SyncProgress], None]


@dataclass(frozen=True, slots=True)
class Order:
    """What to sync, and how.

    Attributes:
        owner: holds the source's lock; nothing is written once it does not.
        confirmed: an admin has confirmed what earlier runs found missing.
    """

    settings: SourceSettings
    limits: SyncSettings
    owner: str
    groups: Mapping[str, GroupSettings] = field(default_factory=dict)
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class _Lost:
    """What became of missing documents, and what an admin should know of it."""

    absence: Absence
    problem: str = ""
    hint: str = ""
    suspicious: bool = False


class SyncRun:
    """One run; `progress` may be read from outside while it goes on."""

    def __init__(
        self, store: Store, source: Source, intake: Intake, order: Order, on_progress: OnProgress
    ) -> None:
        self._store = store
        self._source = source
        self._intake = intake
        self._order = order
        self._on_progress = on_progress
        self._name = order.settings.name
        self._now = datetime.now(UTC)
        self._tally = Tally()
        self._touched = False
        self._row = runs.SourceRow(self._name)
        self._entries: list[Entry] = []
        self.progress = SyncProgress(self._name)

    async def run(self) -> SyncReport:
        """Bring the library in step with the source.

        Raises:
            LockLost: another process goes on with this source.
            FootnoteError: the data folder or the database cannot be written.
        """
        started = time.monotonic()
        await self._intake.prepare()
        try:
            listed = await list_all(self._source, self._name, self._seen)
            await self._store.read(self._remember)
            listed = trusted(
                listed, self._entries, self._row.place, confirmed=self._order.confirmed
            )
            listed = each_once(listed, self._entries)
            difference = await asyncio.to_thread(
                compare, listed.items, self._entries, self._intake.current
            )
            settled = await self._settle(difference, listed.end)
            lost = await self._let_go(settled.missing, listed)
            await self._take_in(difference.unchanged, settled)
            report = await self._end(listed, lost)
            return replace(report, seconds=time.monotonic() - started)
        finally:
            await self._intake.clear()

    def _remember(self, connection: Connection) -> None:
        self._row = runs.row_of(connection, self._name)
        self._entries = ledger.load(connection, self._name)

    @property
    def _last_seen(self) -> datetime:
        return self._row.complete_at or self._now

    # ------------------------------------------------------------ who is who

    async def _settle(self, difference: Difference, end: Complete | Incomplete) -> Settled:
        """Read the doubtful, and say which of them are documents from other places."""
        suspects: list[Suspect] = []
        digests: dict[str, str] = {}
        for suspect in difference.suspects:
            if isinstance(end, Incomplete):
                suspect = replace(suspect, candidates=await self._gone(suspect.candidates))
            if suspect.candidates:
                digests[suspect.work.item.address] = await self._digest(suspect)
            suspects.append(suspect)
        return settle(replace(difference, suspects=tuple(suspects)), digests)

    async def _gone(self, candidates: Sequence[Entry]) -> tuple[Entry, ...]:
        """Those that have left their place for certain; an incomplete listing cannot tell."""
        said = await absence.ask(self._source, candidates, set())
        return tuple(one for one in candidates if said[one.doc_id] is Presence.GONE)

    async def _digest(self, suspect: Suspect) -> str:
        """Hash of a file; empty where it cannot be read now, which makes it no known document."""
        try:
            async with self._intake.fetched(self._source, suspect.work.item) as fetched:
                return fetched.content_hash
        except (SourceError, TooLarge, NotInTime):
            return ""

    # ------------------------------------------------------------ what is gone

    async def _let_go(self, missing: Sequence[Entry], listed: Listed) -> _Lost:
        if isinstance(listed.end, Incomplete):
            lost = await self._keep_all(missing, listed, listed.end)
        else:
            lost = await self._judge(missing, listed)
        await self._commit_all(lost.absence.changes)
        self._tally.removed += lost.absence.removed
        return lost

    async def _keep_all(self, missing: Sequence[Entry], listed: Listed, end: Incomplete) -> _Lost:
        hashes = [entry.content_hash for entry in missing]
        arrived = await self._store.read(
            lambda connection: ledger.arrived_since(connection, hashes, self._last_seen)
        )
        since = self._now if listed.foreign else None
        kept = absence.kept(missing, arrived, self._last_seen, since)
        return _Lost(kept, end.problem, end.hint, bool(missing) and not listed.items)

    async def _judge(self, missing: Sequence[Entry], listed: Listed) -> _Lost:
        taken = {item.address for item in listed.items}
        said = await absence.ask(self._source, missing, taken)
        known = sum(entry.state is not EntryState.PURGED for entry in self._entries)
        really = sum(presence is not Presence.THERE for presence in said.values())
        purging = judge(known=known, missing=really, seen=listed.seen)
        interval = timedelta(seconds=self._order.limits.interval_s)
        guard = Guard(purging, self._now, interval, self._order.confirmed)
        if listed.moved_house:  # their device is gone for good; asked again next time without it
            missing = [replace(entry, file_id="") for entry in missing]
        judged = absence.judged(missing, said, guard, self._last_seen)
        problem, hint = absence.why_waiting(self._name, purging, judged, known)
        return _Lost(judged, problem, hint, bool(problem) and purging is not Purging.NOW)

    # ------------------------------------------------------------ what is there

    async def _take_in(self, unchanged: Sequence[Work], settled: Settled) -> None:
        desk = self._desk()
        kept = [change for work in unchanged if (change := desk.kept(work))]
        await self._commit_all([*kept, *(desk.moved(work) for work in settled.moves)])
        self._show(stage="reading", total=len(settled.work))

        async def read(work: Work) -> Change | None:
            change = await desk.read(work)
            done = self.progress.done + 1
            self._show(done=done, parsed=self._tally.parsed, failed=self._tally.failed)
            return change

        limits = self._order.limits
        await flow(
            settled.work,
            read,
            self._commit,
            at_once=limits.processes + 2,
            batch_documents=limits.batch_documents,
        )

    def _desk(self) -> Desk:
        settings, groups = self._order.settings, self._order.groups
        return Desk(
            source=self._source,
            name=self._name,
            intake=self._intake,
            audience=lambda doc: ledger.as_readers(access.readers_of(settings, doc, groups)),
            native_ids={entry.native_id for entry in self._entries},
            tally=self._tally,
            now=self._now,
            last_seen=self._last_seen,
        )

    async def _commit_all(self, pending: Sequence[Change]) -> None:
        for start in range(0, len(pending), _CHANGES_AT_ONCE):
            await self._commit(pending[start : start + _CHANGES_AT_ONCE])

    async def _commit(self, batch: Sequence[Change]) -> None:
        def write(connection: Connection) -> None:
            runs.check_owner(connection, self._name, self._order.owner)
            changes.apply(connection, batch)

        self._touched = True
        await self._store.write(write)

    # ------------------------------------------------------------ what to report

    async def _end(self, listed: Listed, lost: _Lost) -> SyncReport:
        """Resolve what documents say of each other, remember the run, and report it."""
        failed: list[Entry] = []
        partial: list[FailedDocument] = []

        def write(connection: Connection) -> None:
            runs.check_owner(connection, self._name, self._order.owner)
            if self._touched:
                writing.resolve_cross_references(connection)
                ledger.drop_old_tombstones(connection, self._name, self._now)
            if isinstance(listed.end, Complete):
                runs.listed_completely(connection, self._name, listed.end.place, self._now)
                writing.mark_synced(connection, self._name, self._now)
            failed.extend(ledger.failed(connection, self._name))
            partial.extend(statuses.partly_read(connection, self._name))

        await self._store.write(write)
        self._show(stage="done")
        return replace(self._report(listed, lost, failed), partial=tuple(partial))

    def _report(self, listed: Listed, lost: _Lost, failed: Sequence[Entry]) -> SyncReport:
        tally = self._tally
        report = SyncReport(
            self._name,
            complete=isinstance(listed.end, Complete),
            seen=listed.seen,
            added=tally.added,
            changed=tally.changed,
            moved=tally.moved,
            removed=tally.removed,
            unchanged=tally.unchanged,
            held_back=lost.absence.held_back,
            failed=tuple(FailedDocument(one.doc, one.reason, one.answers) for one in failed),
            parsed=tally.parsed,
            purged=lost.absence.purged,
            skipped=listed.skipped,
            problem=lost.problem,
            hint=lost.hint,
        )
        return replace(report, state=_state(report, lost.suspicious))

    def _seen(self, seen: int) -> None:
        self._show(seen=seen)

    def _show(self, **changed: object) -> None:
        self.progress = replace(self.progress, **changed)  # type: ignore[arg-type]
        self._on_progress(self.progress)


def _state(report: SyncReport, suspicious: bool) -> RunState:
    if suspicious:
        return RunState.SUSPICIOUS
    if not report.complete and not report.seen and not report.held_back:
        return RunState.FAILED
    if report.problem or report.failed:
        return RunState.DONE_WITH_ERRORS
    return RunState.DONE
