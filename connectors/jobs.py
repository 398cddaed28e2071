"""Who runs syncs, when, and what they say about themselves.

One run per source at a time, across processes: the lock is a row in the store with a heartbeat,
so that a second request is told since when the first runs, and a dead owner's lock is taken over.
The bot, `/reindex` and the commands all come through here.
"""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any

from sqlalchemy.engine import Connection

from agent.errors import ConfigError, FootnoteError, SourceError
from agent.library.checking import check_sources
from agent.map.remarks import MapRemark
from agent.store import Store
from config.settings import Settings, SourceSettings
from connectors import owners, runs, statuses
from connectors.ports import Source
from connectors.reports import (
    Busy,
    FailedDocument,
    RunState,
    SourceStatus,
    SyncProgress,
    SyncReport,
)
from connectors.sync import Order, SyncRun
from connectors.syncing.intake import DocumentParser
from connectors.syncing.parsing import Parsing

logger = logging.getLogger(__name__)

OnProgress = Callable[[SyncProgress], None]
MakeSource = Callable[[SourceSettings], Source]

_JITTER = 0.1
"""Share of the interval by which a scheduled run may be early or late."""
_LOGGED = (
    "source", "complete", "seen", "added", "changed", "moved", "removed", "unchanged",
    "held_back", "parsed", "skipped", "seconds",
)  # fmt: skip
_RETRY_S = 60.0
"""Seconds until a source is looked at again that another process is syncing."""


def make_source(settings: SourceSettings) -> Source:
    """The drive of the settings."""
    from connectors.sources.folder import FolderSource

    return FolderSource(settings)


class Jobs:
    """Runs syncs of the configured sources.

    Raises from its methods: FootnoteError where the data folder or the database cannot be used;
    what a drive does is in the reports.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        *,
        make_source: MakeSource = make_source,
        parser: DocumentParser | None = None,
    ) -> None:
        self._store = store
        self._settings = settings
        self._make_source = make_source
        self._parsing = Parsing(settings, parser)

    async def apply_settings(self) -> int:
        """Make the library follow the settings: sources that are gone, who may read what.

        Returns:
            How many documents have other readers than before. Nothing is parsed for that.
        """
        return await self._store.write(lambda c: statuses.apply_settings(c, self._settings))

    async def run(
        self, names: Sequence[str] | None = None, on_progress: OnProgress | None = None
    ) -> list[SyncReport | Busy]:
        """Sync these sources, or all, side by side; one report each, in the order of the settings.

        Args:
            names: of sources; None: all.
            on_progress: is told how far each run is, from the event loop; must not block.

        Raises:
            ConfigError: no source has one of these names.
        """
        chosen = self._chosen(names)
        await self.apply_settings()
        return list(await _side_by_side([self._run_one(one, on_progress) for one in chosen]))

    async def confirm_deletes(self, source: str) -> int:
        """Run a source once more and purge what earlier runs found missing and this one does too.

        Returns:
            How many documents were purged.

        Raises:
            ConfigError: no source has this name.
            SourceError: it is being synced right now.
        """
        (chosen,) = self._chosen([source])
        await self.apply_settings()
        report = await self._run_one(chosen, None, confirmed=True)
        if isinstance(report, Busy):
            raise SourceError(
                f"{source} is being synced since {report.since:%H:%M:%S} UTC; nothing was deleted.",
                hint="Confirm again when that run is done; see /reindex status.",
            )
        return report.purged

    async def status(self) -> list[SourceStatus]:
        """Every configured source: running, or what its last run came to."""
        return await self._store.read(lambda c: statuses.all_of(c, self._settings))

    async def failed(self, source: str) -> list[FailedDocument]:
        """What of a source could not be taken in, or only in part, by path.

        Raises:
            ConfigError: no source has this name.
        """
        self._chosen([source])
        return await self._store.read(lambda c: statuses.not_wholly_read(c, source))

    async def map_check(self, names: Sequence[str] | None = None) -> list[MapRemark]:
        """What the map of these sources will answer badly, and what to do about it."""
        return await check_sources(self._store, names)

    async def run_forever(self) -> None:
        """Sync every source when it is due, until cancelled; a failed run is logged and retried."""
        async with asyncio.TaskGroup() as group:
            for source in self._settings.sources:
                group.create_task(self._keep_in_step(source))

    async def close(self) -> None:
        """Stop the parser's processes and give back the cache; a later run starts them again."""
        await self._parsing.close()

    def _chosen(self, names: Sequence[str] | None) -> list[SourceSettings]:
        known = {source.name: source for source in self._settings.sources}
        wanted = list(known if names is None else dict.fromkeys(names))
        for name in wanted:
            if name not in known:
                raise ConfigError(
                    f"No source is called {name!r}.",
                    hint=f"There are: {', '.join(known) or 'none'}.",
                )
        return [source for source in self._settings.sources if source.name in wanted]

    async def _run_one(
        self, source: SourceSettings, on_progress: OnProgress | None, *, confirmed: bool = False
    ) -> SyncReport | Busy:
        owner = owners.new_owner()
        order = Order(source, self._settings.sync, owner, self._settings.groups, confirmed)
        run = SyncRun(
            self._store,
            self._make_source(source),
            await asyncio.to_thread(self._parsing.intake, source.name),
            order,
            on_progress or _nobody,
        )
        now = datetime.now(UTC)
        busy = await self._store.write(lambda c: runs.acquire(c, source.name, owner, now))
        if busy:
            return busy
        async with self._held(order, run):
            report = await run.run()
        await self._store.write(lambda c: runs.release(c, owner, report, datetime.now(UTC)))
        _log(report)
        return report

    @asynccontextmanager
    async def _held(self, order: Order, run: SyncRun) -> AsyncIterator[None]:
        """Beats while the run goes on; an end by accident is written down, the lock given back."""
        beating = asyncio.create_task(self._beat(order.owner, run))
        try:
            yield
        except BaseException as error:
            failed = _failed(order.settings.name, error)
            await asyncio.shield(self._store.write(lambda c: _give_up(c, order.owner, failed)))
            raise
        finally:
            beating.cancel()

    async def _beat(self, owner: str, run: SyncRun) -> None:
        while True:
            await asyncio.sleep(runs.BEAT_S)
            now, progress = datetime.now(UTC), run.progress
            try:
                await self._store.write(lambda c: runs.beat(c, owner, progress, now))  # noqa: B023
            except runs.LockLost:
                return  # the run meets the same at its next commit
            except Exception:  # noqa: BLE001 - a heartbeat missed is made up by the next one
                logger.warning("a heartbeat was missed", extra={"source": progress.source})

    async def _keep_in_step(self, source: SourceSettings) -> None:
        while True:
            await asyncio.sleep(await self._due_in(source))
            try:
                await self.run([source.name])
            except Exception:  # the schedule outlives every run
                logger.exception("a scheduled run failed", extra={"source": source.name})
                await asyncio.sleep(_RETRY_S)

    async def _due_in(self, source: SourceSettings) -> float:
        """Seconds until the next run, with some jitter, so that several bots do not march."""
        row = await self._store.read(lambda c: runs.row_of(c, source.name))
        now = datetime.now(UTC)
        if not row.holder_is_gone(now):
            return _RETRY_S
        if row.finished_at is None:
            return 0.0
        interval = self._settings.sync.interval_s * random.uniform(1 - _JITTER, 1 + _JITTER)
        return max(0.0, interval - (now - row.finished_at).total_seconds())


async def _side_by_side(
    runs_to_do: Sequence[Coroutine[Any, Any, SyncReport | Busy]],
) -> list[SyncReport | Busy]:
    """All of them to their end; the first that broke is raised when the others are done."""
    results = await asyncio.gather(*runs_to_do, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]


def _nobody(_progress: SyncProgress) -> None:
    """Nobody wants to know."""


def _failed(source: str, error: BaseException) -> SyncReport:
    """What is kept of a run that ended by accident."""
    if isinstance(error, asyncio.CancelledError):
        problem, hint = "The run was stopped before its end.", "The next run goes on from there."
        return SyncReport(source, RunState.INTERRUPTED, complete=False, problem=problem, hint=hint)
    if isinstance(error, FootnoteError):
        problem, hint = error.problem, error.hint
    else:
        problem, hint = "The run broke off because of a fault in Footnote.", "See the log."
    return SyncReport(source, RunState.FAILED, complete=False, problem=problem, hint=hint)


def _give_up(connection: Connection, owner: str, report: SyncReport) -> None:
    with suppress(runs.LockLost):  # then it is another's run to report
        runs.release(connection, owner, report, datetime.now(UTC))


def _log(report: SyncReport) -> None:
    counts = {name: getattr(report, name) for name in _LOGGED}
    failed = {"failed": len(report.failed), "state": report.state.value}
    logger.info("source synced", extra=counts | failed)
    if report.problem:
        logger.warning("a run concluded less than it should", extra={"source": report.source})
