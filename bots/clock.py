"""Time as the conversation sees it, so that waiting can be told without being waited for."""

import asyncio
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What time it is, and a way to let time pass."""

    def now(self) -> datetime:
        """The moment, in UTC."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Come back after that many seconds."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """The moment, in UTC."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Come back after that many seconds."""
        await asyncio.sleep(seconds)
