"""Hands what came in from Teams to the conversation, and greets where we are new."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

from bots.clock import Clock
from bots.ports import Incoming
from bots.teams.activity import Address
from bots.teams.connector import Connector, ConnectorRefused, ConnectorUnreachable, patiently
from bots.teams.people import Directory
from bots.teams.private import PrivateChats
from bots.teams.records import GREETING, PostRecord, PostState, Records, Vote
from bots.teams.rendering import plain_message
from bots.teams.translate import Arrived, Asked, Deleted, Edited, Event, Overheard, Voted

logger = logging.getLogger(__name__)

Greet = Callable[[Incoming], Awaitable[str]]
"""What we say to a place or person that we meet for the first time; empty: nothing."""


class Talk(Protocol):
    """The conversation, as far as Teams needs it."""

    async def receive(self, incoming: Incoming) -> bool:
        """Take a message; False where it is known already."""
        ...

    async def edited(self, incoming: Incoming) -> object:
        """Take the newest text of a message."""
        ...

    async def deleted(self, platform: str, message_key: str) -> None:
        """A message was taken back."""
        ...

    async def overhear(self, incoming: Incoming, *, names_others: bool) -> None:
        """A message that does not name us."""
        ...


class Greeter:
    """Says hello once to every person and channel, ever."""

    def __init__(
        self,
        connector: Connector,
        records: Records,
        directory: Directory,
        clock: Clock,
        words: Greet,
    ) -> None:
        self._connector = connector
        self._records = records
        self._directory = directory
        self._clock = clock
        self._words = words

    async def greet(self, incoming: Incoming) -> None:
        """Post the words, unless there are none or they were said here before."""
        key = f"{GREETING}{incoming.conversation_key}"
        if await self._records.reply_to(key):
            return
        text = await self._words(await self._directory.complete(incoming))
        if not text:
            return
        greeted = PostRecord(key, "", posted=("",), state=PostState.DONE)
        if not await self._records.claim(greeted, self._clock.now()):
            return  # being added is announced twice at once
        address = Address.from_json(incoming.address)
        await patiently(lambda: self._connector.send(address, plain_message(text)), self._clock)


class Reception:
    """Takes events; what takes longer than a moment runs in tasks owned here."""

    def __init__(
        self,
        talk: Talk,
        private: PrivateChats,
        records: Records,
        clock: Clock,
        hello: Callable[[Incoming], Awaitable[None]],
    ) -> None:
        self._talk = talk
        self._private = private
        self._records = records
        self._clock = clock
        self._hello = hello
        self._tasks: set[asyncio.Task[None]] = set()

    async def take(self, event: Event) -> None:
        """Take an event in; back as soon as it is stored."""
        match event:
            case Asked(incoming):
                await self._private.met(incoming)
                await self._talk.receive(incoming)
            case Edited(incoming):
                await self._talk.edited(incoming)
                await self._talk.receive(incoming)  # it may name us for the first time
            case Overheard(incoming, names_others):
                await self._talk.overhear(incoming, names_others=names_others)
            case Deleted(message_key):
                await self._talk.deleted("teams", message_key)
            case Arrived(incoming):
                await self._private.met(incoming)
                self._greet(incoming)
            case Voted():
                await self._keep(event)

    async def close(self) -> None:
        """Let greetings that are under way end, or end them."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _keep(self, vote: Voted) -> None:
        incoming = vote.incoming
        reply = await self._records.reply_in(incoming.conversation_key, vote.reply_id)
        key = reply.message_key if reply else ""
        await self._records.keep_vote(
            Vote(key, incoming.asker, vote.liked, vote.words, self._clock.now())
        )

    def _greet(self, incoming: Incoming) -> None:
        task = asyncio.create_task(self._say_hello(incoming))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _say_hello(self, incoming: Incoming) -> None:
        try:
            await self._hello(incoming)
        except (ConnectorRefused, ConnectorUnreachable) as problem:
            logger.warning("teams: a greeting was not taken: %s", problem)
        except Exception:  # the wall of a task of our own
            logger.exception("teams: a greeting failed")
