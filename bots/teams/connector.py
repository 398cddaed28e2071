"""What we ask of Teams' connector, what can go wrong there, and when a call is tried again.

The SDK raises whatever its many layers raise (a refusal may come out as a broken parse of an HTML
page); behind `sdk.framework` only the three exceptions of this file are seen.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from bots.clock import Clock
from bots.teams.activity import Address

logger = logging.getLogger(__name__)

T = TypeVar("T")

AGAIN = frozenset({408, 412, 429, 500, 502, 503, 504})
"""Statuses that pass; Teams itself names 412, 429, 502 and 504."""
_WAITS_S = (1.0, 2.0, 5.0, 10.0, 20.0)
_LONGEST_WAIT_S = 60.0


class NotAuthentic(Exception):  # noqa: N818 - a fact about the caller, not a fault of ours
    """The request does not come from Teams; `reason` is for the log, never for the caller."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class ConnectorRefused(Exception):  # noqa: N818 - a fact about the platform
    """Teams answered a call of ours with an error.

    Attributes:
        status: HTTP status, 400 to 599.
        reason: the beginning of what it said.
        retry_after_s: seconds it asks us to wait; None: it does not say.
    """

    def __init__(self, status: int, reason: str = "", retry_after_s: float | None = None) -> None:
        self.status = status
        self.reason = reason
        self.retry_after_s = retry_after_s
        super().__init__(f"{status} {reason}".rstrip())


class ConnectorUnreachable(Exception):  # noqa: N818 - a fact about the network
    """A call of ours got no answer.

    Attributes:
        arrived: it may have had its effect; False: it certainly never left us.
    """

    def __init__(self, reason: str, *, arrived: bool) -> None:
        self.arrived = arrived
        super().__init__(reason)


class Connector(Protocol):
    """Writes into conversations and says who is in them.

    Every method raises `ConnectorRefused` where Teams says no and `ConnectorUnreachable` where
    it says nothing. Activities are plain JSON as Teams documents it.
    """

    async def send(self, address: Address, activity: Mapping[str, Any]) -> str:
        """Post an activity; gives back its id, empty where Teams names none."""
        ...

    async def update(self, address: Address, activity_id: str, activity: Mapping[str, Any]) -> None:
        """Replace an activity of ours."""
        ...

    async def delete(self, address: Address, activity_id: str) -> None:
        """Take back an activity of ours."""
        ...

    async def member(self, address: Address) -> Mapping[str, Any]:
        """The asker as the conversation's roster knows him, `userRole`, `tenantId`, `email`, …"""
        ...

    async def members(self, address: Address) -> Sequence[Mapping[str, Any]]:
        """Everybody in the conversation, in the same words; at most some thousands."""
        ...

    async def open_personal(self, address: Address) -> str:
        """The id of the personal chat with the asker, opened if need be."""
        ...


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
