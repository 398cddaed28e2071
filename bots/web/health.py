"""Whether we are alive and ready; tells nothing of the content."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

from bots.web.problems import Handler


@dataclass(frozen=True, slots=True)
class Readiness:
    """What questions can be answered with."""

    store_open: bool
    first_sync_done: bool

    @property
    def ready(self) -> bool:
        """Whether questions can be answered."""
        return self.store_open and self.first_sync_done


async def alive(_request: web.Request) -> web.Response:
    """The process answers."""
    return web.json_response({"status": "alive"})


def ready_handler(readiness: Callable[[], Awaitable[Readiness]]) -> Handler:
    """Answers 200 once questions can be answered, 503 before."""

    async def ready(_request: web.Request) -> web.Response:
        state = await readiness()
        body = {
            "status": "ready" if state.ready else "not ready",
            "store_open": state.store_open,
            "first_sync_done": state.first_sync_done,
        }
        return web.json_response(body, status=200 if state.ready else 503)

    return ready
