"""The sign of work in Teams.

Personal chats have a stream of their own for it: a line above a moving bar that the final answer
replaces. Groups and channels get typing dots, and if the answer takes longer than a moment one
message in the thread that is edited as the work goes on and in the end becomes the answer.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

from agent.domain import ProgressEvent, Stage
from bots.clock import Clock
from bots.newest import Newest
from bots.ports import Place
from bots.teams.activity import Address
from bots.teams.connector import Connector, ConnectorRefused, ConnectorUnreachable

logger = logging.getLogger(__name__)

Say = Callable[[ProgressEvent], str]
"""Turns progress into the text that is shown."""
Keep = Callable[[str], Awaitable[None]]
"""Writes down the id of the message that shows the work."""

STREAM_PREFIX = "stream:"
"""What the id of a stream begins with, so that it is not taken for a message's."""
STREAM_LIFE = timedelta(seconds=110)
"""Teams ends a stream after two minutes; the answer must be in it before."""
_EDIT_EVERY_S = 2.0
_QUICK_S = 0.8
_TROUBLE = (ConnectorRefused, ConnectorUnreachable)


class Sign(ABC):
    """A `WorkingMessage` of Teams; whatever fails here is logged and forgotten."""

    def __init__(self, connector: Connector, address: Address, clock: Clock, say: Say) -> None:
        self._connector = connector
        self._address = address
        self._clock = clock
        self._say = say
        self.became_the_reply = False

    @property
    @abstractmethod
    def message_id(self) -> str:
        """Id of the message that shows the work; empty where none was posted."""

    @abstractmethod
    async def begin(self) -> None:
        """Show the first sign."""

    @abstractmethod
    async def show(self, event: ProgressEvent) -> None:
        """Show the newest state."""

    async def settle(self) -> str:
        """Let nothing more be shown; gives back the message's id."""
        return self.message_id

    async def close(self) -> None:
        """Take the sign away, unless the reply took its place."""
        posted = (await self.settle()).removeprefix(STREAM_PREFIX)
        if posted and not self.became_the_reply:
            await self._try(self._connector.delete(self._address, posted))

    async def _try(self, call: Awaitable[Any]) -> Any:
        try:
            return await call
        except _TROUBLE as problem:
            logger.info("teams: progress is not shown: %s", problem)
            return None


class StreamedSign(Sign):
    """Informative updates of one stream; only personal chats take them."""

    def __init__(self, connector: Connector, address: Address, clock: Clock, say: Say) -> None:
        super().__init__(connector, address, clock, say)
        self._stream_id = ""
        self._sequence = 0
        self._over = False
        self._begun_at = clock.now()

    @property
    def message_id(self) -> str:
        """The stream; empty where it was refused or has grown too old for the answer."""
        return STREAM_PREFIX + self._stream_id if self._stream_id and not self._over else ""

    async def begin(self) -> None:
        """Open the stream."""
        self._stream_id = await self._try(self._send(ProgressEvent(Stage.MAP))) or ""
        self._over = not self._stream_id

    async def show(self, event: ProgressEvent) -> None:
        """One more informative line."""
        if self._clock.now() - self._begun_at > STREAM_LIFE:
            self._over = True
        if self._over:
            return
        try:
            await self._send(event)
        except ConnectorRefused as refusal:
            self._over = refusal.status == 403  # stopped by the asker, or too old
        except ConnectorUnreachable as silence:
            logger.info("teams: progress is not shown: %s", silence)

    async def _send(self, event: ProgressEvent) -> str:
        self._sequence += 1
        info: dict[str, Any] = {"type": "streaminfo", "streamType": "informative"}
        info["streamSequence"] = self._sequence
        if self._stream_id:
            info["streamId"] = self._stream_id
        activity = {"type": "typing", "text": self._say(event), "entities": [info]}
        return await self._connector.send(self._address, activity)


class EditedSign(Sign):
    """Typing dots, then one message that is edited."""

    def __init__(
        self, connector: Connector, address: Address, clock: Clock, say: Say, keep: Keep
    ) -> None:
        super().__init__(connector, address, clock, say)
        self._keep = keep
        self._message_id = ""
        self._event = ProgressEvent(Stage.MAP)
        self._newest = Newest[ProgressEvent](self._update, clock, every_s=_EDIT_EVERY_S)
        self._waiting: asyncio.Task[None] | None = None

    @property
    def message_id(self) -> str:
        """The message in the thread; empty while there is none."""
        return self._message_id

    async def begin(self) -> None:
        """Show the dots, and post the message if the answer is not there in a moment."""
        self._waiting = asyncio.create_task(self._post_soon())
        if self._address.place is Place.GROUP:  # channels show no dots
            await self._try(self._connector.send(self._address, {"type": "typing"}))

    async def show(self, event: ProgressEvent) -> None:
        """Take the newest state; it is shown within two seconds."""
        self._event = event
        if self._waiting and self._waiting.done():
            self._newest.note(event)

    async def settle(self) -> str:
        """Let nothing more be shown; a call under way is waited for, as its id is needed."""
        if self._waiting:
            self._waiting.cancel()
            await asyncio.wait({self._waiting})
        await self._newest.finish()
        return self._message_id

    async def _post_soon(self) -> None:
        await self._clock.sleep(_QUICK_S)
        self._newest.note(self._event)

    async def _update(self, event: ProgressEvent) -> None:
        text = {"type": "message", "textFormat": "markdown", "text": self._say(event)}
        if self._message_id:
            await self._try(self._connector.update(self._address, self._message_id, text))
            return
        self._message_id = await self._try(self._connector.send(self._address, text)) or ""
        if self._message_id:
            await self._keep(self._message_id)
