"""How many tokens a day a model may use, and who is told."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent.cores.llm.spending import DailyBudget
from agent.store import Store, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    yield opened
    opened.close()


class Day:
    """A calendar that is turned by hand."""

    at = datetime(2026, 11, 30, 23, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at


async def test_calls_are_made_until_the_day_is_used_up(store: Store) -> None:
    day = Day()
    budget = DailyBudget(store, 1_000, now=day)

    await budget.spend(999)
    assert await budget.left()
    await budget.spend(1)
    assert not await budget.left()

    day.at = datetime(2026, 12, 1, 0, 1, tzinfo=UTC)
    assert await budget.left()


async def test_replicas_and_restarts_share_one_budget(store: Store) -> None:
    await DailyBudget(store, 1_000, now=Day()).spend(1_000)

    assert not await DailyBudget(store, 1_000, now=Day()).left()


async def test_eighty_percent_and_the_end_are_told_once_a_day(store: Store) -> None:
    told: list[float] = []
    budget = DailyBudget(store, 1_000, told.append, Day())

    for tokens in (700, 150, 50, 200, 10):
        await budget.spend(tokens)

    assert told == [0.85, 1.1]


async def test_without_a_limit_nothing_is_counted(store: Store) -> None:
    budget = DailyBudget(store, 0, now=Day())
    await budget.spend(10**9)

    assert await budget.left()
