"""Slack's Web API: a client for what must arrive, one for what may be lost, and its refusals.

A post is never repeated by the SDK after a broken connection, for nobody knows whether Slack took
it; the delivery asks the thread first. Only 429, which takes nothing, is waited out here.
"""

from dataclasses import dataclass

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.http_retry.builtin_async_handlers import (
    AsyncConnectionErrorRetryHandler,
    AsyncRateLimitErrorRetryHandler,
)
from slack_sdk.http_retry.request import HttpRequest
from slack_sdk.http_retry.response import HttpResponse
from slack_sdk.http_retry.state import RetryState
from slack_sdk.web.async_client import AsyncWebClient

from agent.errors import ServiceUnreachable
from bots.slack.refusals import auth_problem
from config.settings import SlackSettings

CALL_S = 30
"""Seconds one call may take."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who we are in this workspace."""

    user_id: str
    bot_id: str
    team_id: str
    name: str


class _Repeatable(AsyncConnectionErrorRetryHandler):
    """Repeats calls after a broken connection, those that post excepted."""

    async def _can_retry_async(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> bool:
        method = request.url.rsplit("/", 1)[-1]
        if method.startswith("chat."):
            return False
        return await super()._can_retry_async(
            state=state, request=request, response=response, error=error
        )


class SlackClients:
    """The clients, those of ours on one connection pool."""

    def __init__(self, settings: SlackSettings) -> None:
        patient: list[AsyncRetryHandler] = [
            AsyncRateLimitErrorRetryHandler(max_retry_count=2),
            _Repeatable(),
        ]
        token = settings.bot_token.get_secret_value() if settings.bot_token else None
        self.web = _client(settings, token, patient)
        self.hasty = _client(settings, token, [])
        self.framework = _client(settings, None, patient)  # Bolt gets our token with each event
        self._identity: Identity | None = None

    def open(self) -> None:
        """Make the connection pool; needs a running loop."""
        if self.web.session is None:
            timeout = aiohttp.ClientTimeout(total=CALL_S)
            self.web.session = self.hasty.session = aiohttp.ClientSession(timeout=timeout)

    async def close(self) -> None:
        """Close the connection pool."""
        session, self.web.session, self.hasty.session = self.web.session, None, None
        if session:
            await session.close()

    async def identity(self) -> Identity:
        """Who we are, asked once.

        Raises:
            ConfigError: Slack refuses the token.
            ServiceUnreachable: Slack does not answer.
        """
        if self._identity is None:
            self._identity = await self._ask_identity()
        return self._identity

    async def _ask_identity(self) -> Identity:
        try:
            said = await self.web.auth_test()
        except SlackApiError as error:
            raise auth_problem(error) from error
        except (aiohttp.ClientError, OSError) as error:
            raise ServiceUnreachable(
                f"Slack does not answer at {self.web.base_url} ({type(error).__name__}).",
                hint="Check the network, the proxy and slack.api_url.",
            ) from error
        return Identity(
            user_id=said.get("user_id", ""),
            bot_id=said.get("bot_id", ""),
            team_id=said.get("team_id", ""),
            name=said.get("user", ""),
        )


def _client(
    settings: SlackSettings, token: str | None, handlers: list[AsyncRetryHandler]
) -> AsyncWebClient:
    return AsyncWebClient(
        token=token, base_url=settings.api_url, timeout=CALL_S, retry_handlers=handlers
    )
