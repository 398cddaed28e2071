"""What the sync keeps in the store, on both databases."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent.domain import DocId
from agent.store import Store
from connectors import ledger, owners, runs
from connectors.ledger import Entry, EntryState
from connectors.reports import RunState, SyncProgress, SyncReport
from tests.sync_fakes import NAME, Bench, MemorySource

NOW = datetime(2025, 3, 1, 12, 30, 15, 123456, tzinfo=UTC)


@pytest.fixture
def desk(store: Store, tmp_path: Path) -> Bench:
    return Bench(tmp_path / "data", store, {NAME: MemorySource()})


def entry(name: str, **values: object) -> Entry:
    made = Entry(DocId(name), "drive", name, f"{name}.md", f"{name}.md", NOW)
    return replace(made, **values)  # type: ignore[arg-type] # names of its own fields


class TestLedger:
    async def test_an_entry_comes_back_as_it_was(self, store: Store) -> None:
        kept = entry(
            "a",
            file_id="1:2",
            version="v",
            settled=False,
            size_bytes=5_000_000_000,
            modified=NOW - timedelta(days=3),
            url="https://d.example/ä",
            content_hash="ab",
            refused_hash="cd",
            parser_version="1",
            state=EntryState.HELD,
            has_copy=True,
            reason="damaged: ja",
            attempts=2,
            readers="mail:a@x.example\nslack:C1",
            missing_since=NOW,
        )

        await store.write(lambda c: ledger.put(c, [kept]))

        assert await store.read(lambda c: ledger.load(c, "drive")) == [kept]
        assert kept.audience == {"mail:a@x.example", "slack:C1"}

    async def test_an_entry_written_again_replaces_itself(self, store: Store) -> None:
        await store.write(lambda c: ledger.put(c, [entry("a"), entry("b")]))
        await store.write(lambda c: ledger.put(c, [entry("a", doc="moved.md")]))

        entries = await store.read(lambda c: ledger.load(c, "drive"))

        assert sorted(one.doc for one in entries) == ["b.md", "moved.md"]

    async def test_failures_are_listed_by_path(self, store: Store) -> None:
        entries = [
            entry("z", reason="empty: yes"),
            entry("a", reason="password: yes"),
            entry("fine"),
            entry("gone", reason="empty: yes", state=EntryState.PURGED),
        ]
        await store.write(lambda c: ledger.put(c, entries))

        failed = await store.read(lambda c: ledger.failed(c, "drive"))

        assert [one.doc for one in failed] == ["a.md", "z.md"]

    async def test_tombstones_are_forgotten_after_their_time(self, store: Store) -> None:
        entries = [
            entry("old", state=EntryState.PURGED, missing_since=NOW - timedelta(days=31)),
            entry("new", state=EntryState.PURGED, missing_since=NOW - timedelta(days=29)),
            entry("live"),
        ]
        await store.write(lambda c: ledger.put(c, entries))

        await store.write(lambda c: ledger.drop_old_tombstones(c, "drive", NOW))

        kept = await store.read(lambda c: ledger.load(c, "drive"))
        assert {one.doc_id for one in kept} == {"new", "live"}


class TestLock:
    async def test_only_one_of_many_at_once_gets_it(self, store: Store) -> None:
        def attempt(_: int) -> bool:
            with store.transaction(write=True) as connection:
                return runs.acquire(connection, "drive", owners.new_owner(), NOW) is None

        with ThreadPoolExecutor(6) as pool:
            got = list(pool.map(attempt, range(6)))

        assert sum(got) == 1

    async def test_it_can_be_taken_again_once_given_back(self, store: Store) -> None:
        first, second = owners.new_owner(), owners.new_owner()
        await store.write(lambda c: runs.acquire(c, "drive", first, NOW))
        report = SyncReport("drive", RunState.DONE_WITH_ERRORS, problem="p", hint="h")

        await store.write(lambda c: runs.release(c, first, report, NOW))
        busy = await store.write(lambda c: runs.acquire(c, "drive", second, NOW))

        assert busy is None
        row = await store.read(lambda c: runs.row_of(c, "drive"))
        assert (row.owner, row.state, row.problem) == (second, RunState.DONE_WITH_ERRORS, "p")

    async def test_a_beat_tells_how_far_the_run_is(self, store: Store) -> None:
        owner = owners.new_owner()
        await store.write(lambda c: runs.acquire(c, "drive", owner, NOW))
        progress = SyncProgress("drive", seen=9, done=3, total=7)

        await store.write(lambda c: runs.beat(c, owner, progress, NOW + timedelta(seconds=5)))
        busy = await store.write(
            lambda c: runs.acquire(c, "drive", owners.new_owner(), NOW + timedelta(seconds=94))
        )

        assert busy is not None
        assert (busy.since, busy.seen, busy.done, busy.total) == (NOW, 9, 3, 7)

    async def test_a_stranger_can_neither_beat_nor_release(self, store: Store) -> None:
        await store.write(lambda c: runs.acquire(c, "drive", owners.new_owner(), NOW))

        with pytest.raises(runs.LockLost):
            await store.write(lambda c: runs.beat(c, "x|1|b|y", SyncProgress("drive"), NOW))
        with pytest.raises(runs.LockLost):
            await store.write(lambda c: runs.release(c, "x|1|b|y", SyncReport("drive"), NOW))


async def test_a_source_is_kept_in_step_from_the_first_file_to_the_last(desk: Bench) -> None:
    for number in range(8):
        desk.drive.put(f"{number}.txt", f"The text of number {number}.")
    first = await desk.run()
    desk.drive.rename("0.txt", "moved.txt")
    desk.drive.put("1.txt", "Another text.")
    desk.drive.put("2.txt", "damaged: torn")
    desk.drive.delete("3.txt")
    desk.drive.put("new.txt", "A new text.")
    second = await desk.run()
    third = await desk.run()

    assert (first.added, first.state) == (8, RunState.DONE)
    assert (second.moved, second.changed, second.removed, second.added) == (1, 1, 1, 1)
    assert [(one.doc, one.old_copy) for one in second.failed] == [("2.txt", True)]
    assert (third.unchanged, third.parsed, third.touched) == (7, 0, 0)
    assert set(await desk.documents()) == {
        "moved.txt", "1.txt", "2.txt", "4.txt", "5.txt", "6.txt", "7.txt", "new.txt",
    }  # fmt: skip
    assert await desk.text("2.txt") == "The text of number 2."
