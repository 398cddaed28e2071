"""Shows that somebody is at work on a question, and never stands in the way of the answer."""

from collections.abc import Awaitable, Callable

from agent.domain import ProgressEvent, Stage
from bots.clock import Clock
from bots.newest import Newest
from bots.ports import Channel, Incoming, WorkingMessage

EVERY_S = 1.0
"""The shortest time between two updates."""

Keep = Callable[[str], Awaitable[None]]


class WorkSign:
    """The sign of one question; give it to the engine as its `Progress`."""

    def __init__(self, channel: Channel, incoming: Incoming, clock: Clock, keep: Keep) -> None:
        self._channel = channel
        self._incoming = incoming
        self._keep = keep
        self._kept = ""
        self._working: WorkingMessage | None = None
        self._newest = Newest[ProgressEvent](self._update, clock, every_s=EVERY_S)

    def begin(self) -> None:
        """Show the sign; comes back at once."""
        self._newest.note(ProgressEvent(Stage.MAP))

    async def show(self, event: ProgressEvent) -> None:
        """Take the newest state; comes back at once."""
        self._newest.note(event)

    def queued(self, ahead: int) -> None:
        """Say how many questions come first."""
        self._newest.note(ProgressEvent(Stage.QUEUED, ahead=ahead))

    async def finish(self) -> str:
        """Stop showing.

        Returns:
            The id of the message that shows the work; empty where there is none.
        """
        await self._newest.finish()
        return self._working.message_id if self._working else ""

    async def close(self) -> None:
        """Take the sign away; a message that became the reply stays."""
        await self._newest.finish()
        if self._working:
            await self._working.close()

    async def _update(self, event: ProgressEvent) -> None:
        if self._working is None:
            self._working = await self._channel.working(self._incoming)
            self._newest.again()  # a platform that shows nothing at first gets its chance to
        else:
            await self._working.show(event)
        if self._working.message_id != self._kept:
            self._kept = self._working.message_id
            await self._keep(self._kept)
