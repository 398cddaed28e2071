"""Progress is told beside the work and never holds it up."""

import asyncio

import pytest

from agent.domain import PartState, ProgressEvent, Stage
from agent.leaves.watching import Watch
from tests.engine_fakes import RememberedProgress


class Stuck:
    """A platform that never answers."""

    def __init__(self) -> None:
        self.asked = 0

    async def show(self, event: ProgressEvent) -> None:
        self.asked += 1
        await asyncio.Event().wait()


async def test_events_are_shown_in_order_to_the_last() -> None:
    progress = RememberedProgress()

    async with Watch(progress) as watch:
        watch.stage(Stage.MAP)
        watch.plan(["one?", "two?"])
        watch.part(1, PartState.ANSWERED)
        watch.stage(Stage.COMPOSING)

    assert [event.stage for event in progress.events] == [
        Stage.MAP,
        Stage.MAP,
        Stage.READING,
        Stage.COMPOSING,
    ]
    assert [part.state for part in progress.events[-1].parts] == [
        PartState.PENDING,
        PartState.ANSWERED,
    ]


async def test_a_platform_that_never_answers_holds_nothing_up() -> None:
    progress = Stuck()

    async with asyncio.timeout(5):
        async with Watch(progress) as watch:
            watch.stage(Stage.MAP)
            await asyncio.sleep(0)
            watch.stage(Stage.COMPOSING)

    assert progress.asked == 1


async def test_while_one_is_shown_only_the_newest_wait() -> None:
    shown = RememberedProgress()

    async with Watch(shown) as watch:
        for number in range(100):
            watch.plan([f"{number}?"])

    assert len(shown.events) < 100
    assert shown.events[-1].parts[0].question == "99?"


async def test_an_error_in_the_work_passes() -> None:
    with pytest.raises(ZeroDivisionError):
        async with Watch(RememberedProgress()):
            raise ZeroDivisionError
