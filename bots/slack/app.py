"""Slack connected: events in through Socket Mode or HTTP, replies out through the Web API.

A listener only stores the message before it acknowledges; if even that fails, nothing is
acknowledged and Slack delivers again. The work is done by the conversation's own tasks.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

import aiohttp
from aiohttp import web
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization.authorize_result import AuthorizeResult
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError

from agent.errors import ConfigError, ServiceUnreachable
from bots.clock import Clock
from bots.conversation import Conversation
from bots.phrases import choose_language, phrase
from bots.ports import Incoming
from bots.slack.channel import SlackChannel
from bots.slack.client import SlackClients
from bots.slack.edge import SlackEdge
from bots.slack.events import (
    PLATFORM,
    Asked,
    Deleted,
    Edited,
    Overheard,
    command_incoming,
    translate,
)
from bots.slack.people import People
from bots.slack.private import SlackDesk, SlackPrivate
from bots.slack.refusals import auth_problem
from bots.slack.thread import with_message_above
from config.settings import Settings

logger = logging.getLogger(__name__)

RECONNECT_S = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Pauses before Socket Mode is opened again while Slack does not answer; the last one repeats."""
CONNECT_S = 15.0
"""Seconds that opening Socket Mode may take before it counts as not answering."""
_ANYTHING = re.compile(".*")

Body = Mapping[str, Any]
Ack = Callable[..., Awaitable[Any]]


class Slack:
    """A workspace we listen and reply to."""

    def __init__(self, settings: Settings, conversation: Conversation, clock: Clock) -> None:
        self._settings = settings
        self._conversation = conversation
        self._clock = clock
        self.clients = SlackClients(settings.slack)
        private = SlackPrivate(self.clients)
        people = People(self.clients, clock, with_groups=_names_groups(settings))

        async def complete(incoming: Incoming) -> Incoming:
            return await with_message_above(self.clients, await people.complete(incoming))

        conversation.connect(
            PLATFORM,
            SlackChannel(self.clients, private),
            complete=complete,
            desk=SlackDesk(private, people, settings.admins),
        )
        self.app = self._build_app()
        self._edge = SlackEdge(self.app)
        self._socket: AsyncSocketModeHandler | None = None
        self._connecting: asyncio.Task[None] | None = None

    @property
    def handle(self) -> Callable[[web.Request], Awaitable[web.Response]] | None:
        """The handler of `/slack/events`; None in Socket Mode or without a signing secret."""
        slack = self._settings.slack
        return None if slack.app_token or not slack.signing_secret else self._edge.handle

    async def start(self) -> None:
        """Learn who we are; with an app token, open Socket Mode.

        While Slack does not answer, it is tried again in the background.

        Raises:
            ConfigError: Slack refuses a token.
        """
        self.clients.open()
        try:
            await self._connect()
        except ServiceUnreachable as error:
            logger.warning("Slack not reached yet", extra={"problem": str(error)})
            self._connecting = asyncio.create_task(self._keep_connecting())

    async def stop(self) -> None:
        """Take no more events; replies can still be posted."""
        if self._connecting:
            self._connecting.cancel()
            await asyncio.wait({self._connecting})
        if self._socket:
            await _close(self._socket)
            self._socket = None

    async def close(self) -> None:
        """Give back every connection, after the conversation has stopped."""
        await self.stop()
        await self.clients.close()

    async def _connect(self) -> None:
        await self.clients.identity()
        token = self._settings.slack.app_token
        if token is None:
            return
        socket = AsyncSocketModeHandler(self.app, token.get_secret_value())
        try:
            async with asyncio.timeout(CONNECT_S):
                await socket.connect_async()  # type: ignore[no-untyped-call]  # bolt's is untyped
        except SlackApiError as error:
            await _close(socket)
            raise auth_problem(error) from error
        except (aiohttp.ClientError, OSError) as error:
            await _close(socket)
            raise ServiceUnreachable(
                f"Slack's Socket Mode cannot be opened ({type(error).__name__})."
            ) from error
        except BaseException:
            await _close(socket)
            raise
        self._socket = socket

    async def _keep_connecting(self) -> None:
        for attempt in range(1_000_000):
            await self._clock.sleep(RECONNECT_S[min(attempt, len(RECONNECT_S) - 1)])
            try:
                await self._connect()
            except ServiceUnreachable:
                continue
            except Exception:  # outermost wall of a task: told, and Teams and web go on
                logger.exception("Slack refuses us; Slack stays off until the next start")
            return

    def _build_app(self) -> AsyncApp:
        framework = logging.getLogger("slack_bolt")
        framework.setLevel(logging.ERROR)  # below, Bolt logs whole bodies, signatures included
        secret = self._settings.slack.signing_secret
        app = AsyncApp(
            logger=framework,
            client=self.clients.framework,
            authorize=_authorizer(self.clients),
            signing_secret=secret.get_secret_value() if secret else None,
            request_verification_enabled=secret is not None,
            process_before_response=True,
            attaching_conversation_kwargs_enabled=False,
        )
        app.event("app_mention")(self._on_event)
        app.event("message")(self._on_event)
        app.event(_ANYTHING)(_acknowledge)
        app.command("/reindex")(self._on_command)
        app.action(_ANYTHING)(_acknowledge)
        app.error(_on_error)
        return app

    async def _on_event(self, event: Body) -> None:
        us = await self.clients.identity()
        try:
            translated = translate(event, us)
        except (AttributeError, KeyError, TypeError, ValueError):
            logger.warning("malformed Slack event dropped")  # delivering it again would not help
            return
        match translated:
            case Asked(incoming, again):
                new = await self._conversation.receive(incoming)
                if again and not new:
                    await self._conversation.edited(incoming)
            case Overheard(incoming, names_others):
                await self._conversation.overhear(incoming, names_others=names_others)
            case Edited() as edited:
                await self._on_edit(edited)
            case Deleted(message_key):
                await self._conversation.deleted(PLATFORM, message_key)

    async def _on_edit(self, edited: Edited) -> None:
        incoming = edited.incoming
        if await self._conversation.edited(incoming) or not edited.mentions_anew:
            return
        if await self._conversation.receive(incoming):
            return
        key = f"{incoming.message_key}#{edited.edited_ts}"
        await self._conversation.receive(replace(incoming, message_key=key))

    async def _on_command(self, ack: Ack, body: Body) -> None:
        incoming = command_incoming(body)
        await self._conversation.receive(incoming)
        language = choose_language(incoming.language, incoming.text)
        words = f"/reindex {incoming.text}".strip()
        await ack(text=phrase(language, "admin.acknowledged", words=words))


def _authorizer(clients: SlackClients) -> Callable[[], Awaitable[AuthorizeResult]]:
    async def authorize() -> AuthorizeResult:
        us = await clients.identity()
        return AuthorizeResult(
            enterprise_id=None,
            team_id=us.team_id,
            bot_token=clients.web.token,
            bot_id=us.bot_id,
            bot_user_id=us.user_id,
        )

    return authorize


async def _acknowledge(ack: Ack) -> None:
    await ack()


async def _on_error(error: Exception) -> BoltResponse:
    """Nothing was stored: Slack is asked to deliver again, and the body is not logged."""
    logger.error("Slack event not taken", exc_info=error)
    return BoltResponse(status=503, body="")


async def _close(socket: AsyncSocketModeHandler) -> None:
    await socket.close_async()  # type: ignore[no-untyped-call]  # bolt's is untyped


def _names_groups(settings: Settings) -> bool:
    words = [word for source in settings.sources for word in source.audience]
    words += [word for group in settings.groups.values() for word in group.members]
    words += [word for channel in settings.channels.values() for word in channel.askers]
    return any(word.startswith("slack-group:") for word in words)


def build_slack(settings: Settings, conversation: Conversation, clock: Clock) -> Slack:
    """Slack as the settings want it, connected to the conversation but not started.

    Order of life: build, `conversation.start()`, `slack.start()`; then `slack.stop()`,
    `conversation.stop()`, `slack.close()`.

    Raises:
        ConfigError: neither Socket Mode nor HTTP mode has what it needs.
    """
    if settings.slack.app_token is None and settings.slack.signing_secret is None:
        raise ConfigError(
            "Slack has a bot token, but no way in.",
            hint="Set slack.app_token (xapp-…, Socket Mode) or slack.signing_secret (HTTP mode); "
            "see docs/slack.md.",
        )
    return Slack(settings, conversation, clock)
