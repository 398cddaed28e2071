"""A thread with an event loop of its own for a library that blocks.

The SDK fetches tokens and keys with blocking calls and sends through a loop's default executor.
Here that stalls nobody: neither the bot's event loop nor the threads of the store.
"""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class OwnLoop:
    """Runs coroutines in its own thread; used from any other loop."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine; cancelling the caller cancels it too."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    async def close(self) -> None:
        """End the thread once its running calls have returned."""
        if self._loop.is_closed():
            return
        await self.run(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join)
        self._loop.close()
