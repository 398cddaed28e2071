"""How many files are in flight, and how results become batches."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from agent.domain import DocId
from connectors.ledger import Entry
from connectors.ports import Item
from connectors.syncing.changes import Change
from connectors.syncing.difference import Work
from connectors.syncing.flow import flow


def work(count: int) -> list[Work]:
    return [Work(Item(f"{n}", f"{n}.md", 1, "1")) for n in range(count)]


def change(one: Work) -> Change:
    name = one.item.address
    return Change(Entry(DocId(name), "s", name, name, name, datetime(2025, 1, 1, tzinfo=UTC)))


class Counting:
    """Reads and commits, and counts what is under way."""

    def __init__(self) -> None:
        self.reading = 0
        self.most_reading = 0
        self.uncommitted = 0
        self.most_uncommitted = 0
        self.batches: list[int] = []
        self.read_names: list[str] = []

    async def read(self, one: Work) -> Change:
        self.reading += 1
        self.most_reading = max(self.most_reading, self.reading)
        await asyncio.sleep(0)
        self.reading -= 1
        self.uncommitted += 1
        self.most_uncommitted = max(self.most_uncommitted, self.uncommitted)
        self.read_names.append(one.item.address)
        return change(one)

    async def commit(self, batch: Sequence[Change]) -> None:
        for _ in range(20):
            await asyncio.sleep(0)
        self.uncommitted -= len(batch)
        self.batches.append(len(batch))


async def test_everything_is_read_once_and_committed() -> None:
    counting = Counting()

    await flow(work(103), counting.read, counting.commit, at_once=4, batch_documents=10)

    assert sorted(map(int, counting.read_names)) == list(range(103))
    assert sum(counting.batches) == 103
    assert max(counting.batches) <= 10


async def test_a_slow_database_slows_the_reading_down() -> None:
    counting = Counting()

    await flow(work(1_000), counting.read, counting.commit, at_once=3, batch_documents=10)

    assert counting.most_reading <= 3
    assert counting.most_uncommitted <= 10 + 3 + 3 + 1


async def test_work_is_taken_only_as_readers_get_free() -> None:
    taken: list[int] = []
    counting = Counting()

    def endless() -> object:
        for one in work(50):
            taken.append(1)
            assert len(taken) - sum(counting.batches) <= 20
            yield one

    await flow(endless(), counting.read, counting.commit, at_once=2, batch_documents=5)  # type: ignore[arg-type] # a generator

    assert len(taken) == 50


async def test_what_has_no_result_is_not_committed() -> None:
    counting = Counting()

    async def nothing(_: Work) -> None:
        return None

    await flow(work(5), nothing, counting.commit, at_once=2, batch_documents=5)

    assert counting.batches == []


async def test_the_first_error_ends_it_and_is_raised_as_it_is() -> None:
    counting = Counting()

    async def breaking(one: Work) -> Change:
        if one.item.address == "7":
            raise ZeroDivisionError
        return await counting.read(one)

    with pytest.raises(ZeroDivisionError):
        await flow(work(100), breaking, counting.commit, at_once=2, batch_documents=5)

    assert len(counting.read_names) < 100


async def test_a_commit_that_fails_stops_the_reading() -> None:
    counting = Counting()

    async def failing(_: Sequence[Change]) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await flow(work(1_000), counting.read, failing, at_once=2, batch_documents=5)

    assert len(counting.read_names) < 50
