"""When a call to Teams is tried again, and for how long."""

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from bots.clock import Clock
from bots.teams.refusals import ConnectorRefused, ConnectorUnreachable

logger = logging.getLogger(__name__)

T = TypeVar("T")

AGAIN = frozenset({408, 412, 429, 500, 502, 503, 504})
"""Statuses that pass; Teams itself names 412, 429, 502 and 504."""
_WAITS_S = (1.0, 2.0, 5.0, 10.0, 20.0)
_LONGEST_WAIT_S = 60.0


async def patiently(
    call: Callable[[], Awaitable[T]], clock: Clock, *, tries: int = len(_WAITS_S) + 1
) -> T:
    """The result of a call that is tried again while Teams is busy or silent.

    Waits as long as Teams asks (up to a minute), else 1, 2, 5, 10 and 20 s.

    Raises:
        ConnectorRefused: a refusal that will not pass, or the last one.
        ConnectorUnreachable: no answer to the last try either.
    """
    for waited in _WAITS_S[: tries - 1]:
        try:
            return await call()
        except (ConnectorRefused, ConnectorUnreachable) as problem:
            wait = _wait_s(problem, waited)
            logger.warning("teams: %s; trying again in %.0f s", _named(problem), wait)
        await clock.sleep(wait)
    return await call()


def _wait_s(problem: ConnectorRefused | ConnectorUnreachable, usual_s: float) -> float:
    if isinstance(problem, ConnectorUnreachable):
        return usual_s
    if problem.status not in AGAIN:
        raise problem
    return min(problem.retry_after_s or usual_s, _LONGEST_WAIT_S)


def _named(problem: Exception) -> str:
    if isinstance(problem, ConnectorRefused):
        return f"answered {problem.status}"
    return f"is not reached ({problem})"
