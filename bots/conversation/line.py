"""The queue before the engine: so many questions at once, and who waits is told how long it is."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from bots.clock import Clock

FELT_AFTER_S = 2.0
"""A wait shorter than this is not worth a word."""

Tell = Callable[[int], None]


@dataclass(eq=False, slots=True)
class _Ticket:
    tell: Tell
    called: asyncio.Event = field(default_factory=asyncio.Event)
    felt: bool = False


class Line:
    """Lets `at_once` in at a time, in the order they came."""

    def __init__(self, at_once: int, clock: Clock) -> None:
        self._free = at_once
        self._clock = clock
        self._waiting: list[_Ticket] = []

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting)

    @asynccontextmanager
    async def place(self, tell: Tell) -> AsyncIterator[None]:
        """Wait for a place and hold it.

        Args:
            tell: is given the number waiting ahead once the wait is felt, and whenever it falls.
        """
        await self._enter(_Ticket(tell))
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, ticket: _Ticket) -> None:
        if self._free and not self._waiting:
            self._free -= 1
            return
        self._waiting.append(ticket)
        feeling = asyncio.create_task(self._feel(ticket))
        try:
            await ticket.called.wait()
        except asyncio.CancelledError:
            self._give_up(ticket)
            raise
        finally:
            feeling.cancel()
            with suppress(asyncio.CancelledError):
                await feeling

    async def _feel(self, ticket: _Ticket) -> None:
        await self._clock.sleep(FELT_AFTER_S)
        ticket.felt = True
        if ticket in self._waiting:
            ticket.tell(self._waiting.index(ticket))

    def _give_up(self, ticket: _Ticket) -> None:
        if ticket.called.is_set():
            self._leave()  # called and cancelled at once: the place goes on to the next
            return
        self._waiting.remove(ticket)
        self._tell_all()

    def _leave(self) -> None:
        if not self._waiting:
            self._free += 1
            return
        self._waiting.pop(0).called.set()
        self._tell_all()

    def _tell_all(self) -> None:
        for ahead, ticket in enumerate(self._waiting):
            if ticket.felt:
                ticket.tell(ahead)
