"""Teams, put together: the route, the way back, and who may operate it."""

import asyncio
from datetime import timedelta
from typing import Protocol

from aiohttp import web

from agent.errors import ConfigError
from agent.store import Store
from bots.clock import Clock, SystemClock
from bots.ports import Incoming
from bots.teams.channel import TeamsChannel
from bots.teams.connector import Connector
from bots.teams.edge import Gate, MessagesEdge, is_loopback
from bots.teams.people import Directory
from bots.teams.private import PrivateChats, TeamsAdmins
from bots.teams.reception import Greet, Greeter, Reception, Talk
from bots.teams.records import Records
from config.settings import Settings

_FORGET_EVERY_S = 24 * 3_600.0


class TeamsService(Gate, Connector, Protocol):
    """Teams itself: `sdk.framework.Framework` in production."""

    async def warm_up(self) -> None:
        """Fetch what the first message would wait for."""
        ...

    async def close(self) -> None:
        """Give back connections."""
        ...


class TeamsApp:
    """Everything that Teams adds to the bot.

    Attributes:
        channel: the way back; with `directory.complete` and `desk` for `Conversation.connect`.
    """

    def __init__(
        self, settings: Settings, service: TeamsService, talk: Talk, records: Records, clock: Clock
    ) -> None:
        anonymous = not settings.teams.app_id
        self._service = service
        self._records = records
        self._clock = clock
        self._kept_for = timedelta(days=settings.privacy.texts_days)
        self._forgetting: asyncio.Task[None] | None = None
        self._greeting: Greet | None = None
        self.directory = Directory(service, clock, anonymous=anonymous)
        private = PrivateChats(service, records, clock)
        self.channel = TeamsChannel(service, records, private, clock)
        self.desk = TeamsAdmins(settings.admins.teams, private)
        greeter = Greeter(service, records, self.directory, clock, self._words)
        self._reception = Reception(talk, private, records, clock, greeter.greet)
        self._edge = MessagesEdge(
            service, self._reception, anonymous=anonymous, tenants=settings.teams.tenants
        )

    async def handle(self, request: web.Request) -> web.Response:
        """`POST /api/messages` of the public listener."""
        return await self._edge.handle(request)

    def greet_with(self, words: Greet) -> None:
        """Say this to places and people met for the first time; without it nothing is said."""
        self._greeting = words

    async def start(self) -> None:
        """Fetch keys, and forget what is old, now and every day."""
        await self._service.warm_up()
        self._forgetting = asyncio.create_task(self._forget_daily())

    async def close(self) -> None:
        """End what runs and give back connections; the conversation is stopped before."""
        if self._forgetting:
            self._forgetting.cancel()
            await asyncio.wait({self._forgetting})
        await self._reception.close()
        await self._service.close()

    async def _words(self, incoming: Incoming) -> str:
        return await self._greeting(incoming) if self._greeting else ""

    async def _forget_daily(self) -> None:
        while True:
            await self._records.forget_before(self._clock.now() - self._kept_for)
            await self._clock.sleep(_FORGET_EVERY_S)


def is_served(settings: Settings) -> bool:
    """Whether Teams can be served: with an app id anywhere, without one on this machine only."""
    return bool(settings.teams.app_id) or is_loopback(settings.public.host)


def build_teams(
    settings: Settings, talk: Talk, store: Store, clock: Clock | None = None
) -> TeamsApp:
    """Put Teams together without any I/O.

    Args:
        settings: the whole configuration.
        talk: the conversation; connect it to what comes back as
            `talk.connect("teams", app.channel, complete=app.directory.complete, desk=app.desk)`.
        store: the one database.
        clock: for waiting; the machine's own by default.

    Raises:
        ConfigError: no app id and a listener that others can reach, or an app id without password.
    """
    if not is_served(settings):
        raise ConfigError(
            f"Without teams.app_id the public listener must not listen on {settings.public.host}: "
            "anybody could ask.",
            hint="Set FOOTNOTE_TEAMS__APP_ID and FOOTNOTE_TEAMS__APP_PASSWORD, "
            "or FOOTNOTE_PUBLIC__HOST=127.0.0.1.",
        )
    from bots.teams.sdk.framework import Framework  # it takes a second to load

    service = Framework(settings.teams)
    return TeamsApp(settings, service, talk, Records(store), clock or SystemClock())
