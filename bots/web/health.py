"""Whether we are alive and ready; tells nothing of the content."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from aiohttp import web
from sqlalchemy.exc import SQLAlchemyError

from agent.domain import SourceState
from bots.web.problems import Handler

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Readiness:
    """What questions can be answered with."""

    store_open: bool
    first_sync_done: bool

    @property
    def ready(self) -> bool:
        """Whether questions can be answered."""
        return self.store_open and self.first_sync_done


async def readiness_of(sources: Callable[[], Awaitable[Sequence[SourceState]]]) -> Readiness:
    """Ready once the store answers and a source has been read; one broken drive stops nobody."""
    try:
        held = await sources()
    except SQLAlchemyError:
        logger.warning("the store does not answer", exc_info=True)
        return Readiness(store_open=False, first_sync_done=False)
    return Readiness(store_open=True, first_sync_done=any(each.last_synced for each in held))


async def alive(_request: web.Request) -> web.Response:
    """The process answers."""
    return web.json_response({"status": "alive"})


def ready_handler(sources: Callable[[], Awaitable[Sequence[SourceState]]]) -> Handler:
    """Answers 200 once questions can be answered, 503 before."""

    async def ready(_request: web.Request) -> web.Response:
        state = await readiness_of(sources)
        body = {
            "status": "ready" if state.ready else "not ready",
            "store_open": state.store_open,
            "first_sync_done": state.first_sync_done,
        }
        return web.json_response(body, status=200 if state.ready else 503)

    return ready
