"""Who runs syncs: one run per source at a time, what is told meanwhile, and what is kept of it."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator, Awaitable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from agent.domain import ParsedDocument
from agent.errors import ConfigError, SourceError
from config.settings import SourceSettings
from connectors import jobs as jobs_module
from connectors import owners, runs
from connectors.jobs import Jobs
from connectors.ports import Complete, Incomplete, Page, Source
from connectors.reports import Busy, RunState, SyncProgress, SyncReport
from tests.sync_fakes import Bench, MemorySource, PlainParser, bench

T = TypeVar("T")
NOW = datetime.now(UTC)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Bench]:
    with bench(tmp_path) as made:
        yield made


@dataclass(slots=True)
class PausingParser(PlainParser):
    """Stops in the middle of the first file until it may go on."""

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    may_go_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def parse(self, path: Path, name: str) -> ParsedDocument:
        self.reached.set()
        await self.may_go_on.wait()
        return await PlainParser.parse(self, path, name)


async def soon(waited_for: Awaitable[T]) -> T:
    """Its result, or a failure rather than a test that hangs."""
    async with asyncio.timeout(60):
        return await waited_for


async def held_by(desk: Bench, owner: str, beat_ago: timedelta) -> None:
    """Somebody took the lock of the source and last beat a while ago."""
    await desk.jobs.apply_settings()
    then = datetime.now(UTC) - beat_ago
    await desk.store.write(lambda c: runs.acquire(c, "drive", owner, then))


class TestOneAtATime:
    async def test_a_second_request_is_told_since_when_the_first_runs(self, desk: Bench) -> None:
        desk.parser = parser = PausingParser()
        desk.drive.put("a.txt", "a")
        first = asyncio.create_task(desk.run())
        await soon(parser.reached.wait())

        (second,) = await desk.jobs.run(["drive"])

        assert isinstance(second, Busy)
        assert NOW <= second.since <= datetime.now(UTC)
        parser.may_go_on.set()
        assert (await first).added == 1
        assert parser.parsed == ["a.txt"]

    async def test_another_machine_that_still_beats_keeps_the_lock(self, desk: Bench) -> None:
        await held_by(desk, "elsewhere|1|boot/1|x", timedelta(seconds=80))

        (result,) = await desk.jobs.run()

        assert isinstance(result, Busy)

    async def test_another_machine_that_stopped_beating_loses_it(self, desk: Bench) -> None:
        await held_by(desk, "elsewhere|1|boot/1|x", timedelta(seconds=100))

        assert (await desk.run()).state is RunState.DONE

    async def test_a_dead_process_of_this_machine_loses_it_at_once(self, desk: Bench) -> None:
        await held_by(desk, f"{socket.gethostname()}|1|boot/never|x", timedelta())

        assert (await desk.run()).state is RunState.DONE

    async def test_this_very_process_is_not_taken_for_dead(self) -> None:
        assert not owners.is_dead(owners.new_owner())

    async def test_a_run_that_lost_its_lock_writes_nothing_more(self, desk: Bench) -> None:
        desk.parser = parser = PausingParser()
        desk.drive.put("a.txt", "a")
        run = asyncio.create_task(desk.run())
        await soon(parser.reached.wait())
        await desk.store.write(lambda c: c.execute(runs.sync_sources.update().values(owner="x")))
        parser.may_go_on.set()

        with pytest.raises(runs.LockLost):
            await run

        assert await desk.documents() == {}

    async def test_different_sources_run_side_by_side(self, tmp_path: Path) -> None:
        with bench(tmp_path, "one", "two") as desk:
            both = asyncio.Barrier(2)

            class Meeting(PlainParser):
                async def parse(self, path: Path, name: str) -> ParsedDocument:
                    await both.wait()  # nobody gets past unless both are there
                    return await PlainParser.parse(self, path, name)

            desk.parser = Meeting()
            desk.drives["one"].put("a.txt", "a")
            desk.drives["two"].put("b.txt", "b")

            reports = await soon(desk.jobs.run())

            assert [report.source for report in reports] == ["one", "two"]
            assert set(await desk.documents()) == {"a.txt", "b.txt"}


class TestRequests:
    async def test_an_unknown_name_is_refused_with_those_that_exist(self, desk: Bench) -> None:
        with pytest.raises(ConfigError, match=r"'handbok'.*drive"):
            await desk.jobs.run(["handbok"])

    async def test_a_name_given_twice_runs_once(self, desk: Bench) -> None:
        assert len(await desk.jobs.run(["drive", "drive"])) == 1

    async def test_progress_counts_up_to_the_end(self, desk: Bench) -> None:
        for number in range(5):
            desk.drive.put(f"{number}.txt", f"Text {number}.")
        told: list[SyncProgress] = []

        await desk.jobs.run(None, told.append)

        assert told[0].stage == "listing"
        assert [one.done for one in told if one.stage == "reading"] == [0, 1, 2, 3, 4, 5]
        last = told[-1]
        assert (last.stage, last.seen, last.done, last.total, last.parsed) == ("done", 5, 5, 5, 5)

    async def test_a_source_that_breaks_does_not_stop_the_others(self, tmp_path: Path) -> None:
        with bench(tmp_path, "broken", "whole") as desk:
            desk.drives["whole"].put("a.txt", "a")

            class Broken(MemorySource):
                async def listing(self) -> AsyncGenerator[Page | Complete | Incomplete, None]:
                    yield Page()
                    raise ZeroDivisionError

            desk.drives["broken"] = Broken()

            with pytest.raises(ZeroDivisionError):
                await desk.jobs.run()

            assert list(await desk.documents()) == ["a.txt"]
            states = {one.source: one.state for one in await desk.jobs.status()}
            assert states == {"broken": RunState.FAILED, "whole": RunState.DONE}

    async def test_confirming_while_a_run_goes_on_is_refused(self, desk: Bench) -> None:
        await held_by(desk, owners.new_owner(), timedelta())

        with pytest.raises(SourceError, match="is being synced since"):
            await desk.jobs.confirm_deletes("drive")

    async def test_confirming_where_nothing_waits_deletes_nothing(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "a")
        await desk.run()

        assert await desk.jobs.confirm_deletes("drive") == 0
        assert list(await desk.documents()) == ["a.txt"]


class TestStatus:
    async def test_a_source_that_never_ran(self, desk: Bench) -> None:
        (status,) = await desk.jobs.status()

        assert (status.state, status.since, status.documents) == (RunState.NEVER, None, 0)

    async def test_a_finished_source(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "a")
        await desk.run()

        (status,) = await desk.jobs.status()

        assert (status.state, status.documents, status.failed) == (RunState.DONE, 1, 0)
        assert status.since is not None
        assert status.since >= NOW

    async def test_a_running_source_tells_how_far_it_is(
        self, desk: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(runs, "BEAT_S", 0.0)
        desk.parser = parser = PausingParser()
        desk.drive.put("a.txt", "a")
        desk.drive.put("b.txt", "b")
        run = asyncio.create_task(desk.run())
        await soon(parser.reached.wait())

        async with asyncio.timeout(20):
            while not (status := (await desk.jobs.status())[0]).total:
                pass  # each look yields to the run and its heart

        assert (status.state, status.seen, status.done, status.total) == (RunState.RUNNING, 2, 0, 2)
        parser.may_go_on.set()
        await run

    async def test_a_source_with_errors(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "damaged: torn")
        await desk.run()

        (status,) = await desk.jobs.status()

        assert (status.state, status.failed) == (RunState.DONE_WITH_ERRORS, 1)
        assert [one.doc for one in await desk.jobs.failed("drive")] == ["a.txt"]

    async def test_a_suspicious_source_says_what_to_do(self, desk: Bench) -> None:
        for number in range(6):
            desk.drive.put(f"{number}.txt", f"Text {number}.")
        await desk.run()
        desk.drive.files.clear()
        desk.drive.speechless = True
        await desk.run()

        (status,) = await desk.jobs.status()

        assert (status.state, status.held) == (RunState.SUSPICIOUS, 6)
        assert "confirm-deletes drive" in status.hint

    async def test_a_run_whose_process_died_is_called_interrupted(self, desk: Bench) -> None:
        await held_by(desk, f"{socket.gethostname()}|1|boot/never|x", timedelta())

        (status,) = await desk.jobs.status()

        assert status.state is RunState.INTERRUPTED

    async def test_a_source_nobody_may_read_is_warned_about(self, desk: Bench) -> None:
        desk.changed = {"drive": {"audience": ()}}

        (status,) = await desk.jobs.status()

        assert "nobody gets answers" in status.warnings[0]

    async def test_a_cancelled_run_gives_the_lock_back_and_the_next_one_goes_on(
        self, desk: Bench
    ) -> None:
        desk.parser = parser = PausingParser()
        desk.drive.put("a.txt", "a")
        run = asyncio.create_task(desk.run())
        await soon(parser.reached.wait())
        run.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await run

        (status,) = await desk.jobs.status()
        parser.may_go_on.set()
        report = await desk.run()

        assert status.state is RunState.INTERRUPTED
        assert report.added == 1


class TestSchedule:
    async def test_a_source_that_never_ran_is_due_at_once(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "a")
        desk.parser = parser = PausingParser()
        parser.may_go_on.set()
        jobs = desk.jobs
        forever = asyncio.create_task(jobs.run_forever())

        await soon(parser.reached.wait())

        forever.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await forever
        await jobs.close()

    async def test_the_schedule_outlives_a_run_that_breaks(
        self, desk: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(jobs_module, "_RETRY_S", 0.0)
        tries: list[str] = []
        again = asyncio.Event()

        def make(settings: SourceSettings) -> Source:
            tries.append(settings.name)
            if len(tries) == 1:
                raise ZeroDivisionError
            again.set()
            return desk.drive

        jobs = Jobs(desk.store, desk.settings, make_source=make, parser=desk.parser)
        forever = asyncio.create_task(jobs.run_forever())

        await soon(again.wait())

        forever.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await forever
        await jobs.close()

    async def test_a_source_that_was_synced_just_now_is_not_due(self, desk: Bench) -> None:
        await desk.run()

        due = await desk.jobs._due_in(desk.settings.sources[0])

        assert 8 < due <= 11


def test_the_report_object_has_the_agreed_fields() -> None:
    report = SyncReport("drive", added=2, seconds=1.23456)

    assert list(report.report_object()) == [
        "source", "mode", "complete", "seen", "added", "changed", "moved", "removed",
        "unchanged", "held_back", "failed", "partial", "parsed", "seconds",
    ]  # fmt: skip
    assert report.report_object()["seconds"] == 1.235
