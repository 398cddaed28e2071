"""Shows the newest of many values at an unhurried pace, in a task of its own.

Whoever has news never waits; values that come faster than they can be shown are dropped; a
failure to show ends the showing and nothing else.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Generic, TypeVar

from bots.clock import Clock

logger = logging.getLogger(__name__)

T = TypeVar("T")

FINISH_S = 5.0
"""How long the end waits for a showing that is under way."""


class Newest(Generic[T]):
    """A pump from many values to few showings."""

    def __init__(
        self, show: Callable[[T], Awaitable[None]], clock: Clock, *, every_s: float
    ) -> None:
        self._show = show
        self._clock = clock
        self._every_s = every_s
        self._values: list[T] = []
        self._changed = asyncio.Event()
        self._showing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def note(self, value: T) -> None:
        """Take a value; comes back at once."""
        self._values[:] = [value]
        self._changed.set()
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    def again(self) -> None:
        """Show the newest value once more, after the usual pause."""
        self._changed.set()

    async def finish(self) -> None:
        """Show no more; a showing under way is waited for, within bounds."""
        if self._task is None or self._task.done():
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(FINISH_S):
                await self._showing.acquire()
        self._task.cancel()
        await asyncio.wait({self._task})

    async def _run(self) -> None:
        try:
            while True:
                await self._changed.wait()
                async with self._showing:
                    self._changed.clear()
                    await self._show(self._values[-1])
                await self._clock.sleep(self._every_s)
        except Exception:  # whatever a platform does, the answer goes on without progress
            logger.warning("progress failed", exc_info=True)
