"""What only one person may see: notices and reports in his personal chat with us.

Teams has no message that one member of a channel sees alone. Where no personal chat can be opened
a neutral line in the thread says where to write instead.
"""

import logging
from dataclasses import replace

from bots.clock import Clock
from bots.phrases import choose_language, phrase
from bots.ports import DeliveryRefused, Incoming, Notice, Place, PrivateReport
from bots.teams.activity import Address
from bots.teams.connector import Connector, ConnectorRefused, ConnectorUnreachable, patiently
from bots.teams.records import Records
from bots.teams.rendering import plain_message

logger = logging.getLogger(__name__)

_EDIT_EVERY_S = 2.0
_TROUBLE = (ConnectorRefused, ConnectorUnreachable)


class PrivateChats:
    """Finds and opens personal chats, and writes into them."""

    def __init__(self, connector: Connector, records: Records, clock: Clock) -> None:
        self._connector = connector
        self._records = records
        self._clock = clock

    async def met(self, incoming: Incoming) -> None:
        """Remember where a person can be written to, if this is a personal chat."""
        if incoming.place is Place.DIRECT:
            address = Address.from_json(incoming.address)
            await self._records.keep_personal_chat(incoming.asker, address, self._clock.now())

    async def post(self, incoming: Incoming, notice: Notice, report_id: str) -> str:
        """Say something to the asker alone, in place of an earlier report if there is one.

        Raises:
            DeliveryRefused: neither he nor the thread can be written to.
        """
        chat = await self.chat_with(incoming)
        text = plain_message(notice.text)
        try:
            if chat is None:
                return await self._say_where(incoming)
            if report_id:
                await patiently(lambda: self._connector.update(chat, report_id, text), self._clock)
                return report_id
            return await patiently(lambda: self._connector.send(chat, text), self._clock)
        except _TROUBLE as problem:
            raise DeliveryRefused(str(problem)) from problem

    async def report(self, incoming: Incoming, text: str) -> PrivateReport:
        """Open a message to the asker alone that is edited as the work goes on."""
        chat = await self.chat_with(incoming)
        if chat is None:
            return _Report(self._connector, None, "", self._clock)
        try:
            posted = await patiently(
                lambda: self._connector.send(chat, plain_message(text)), self._clock
            )
        except _TROUBLE as problem:
            logger.warning("teams: a report cannot be opened: %s", problem)
            return _Report(self._connector, None, "", self._clock)
        return _Report(self._connector, chat, posted, self._clock)

    async def chat_with(self, incoming: Incoming) -> Address | None:
        """The asker's personal chat; None where he has none and none can be opened."""
        address = Address.from_json(incoming.address)
        if incoming.place is Place.DIRECT:
            return address
        if known := await self._records.personal_chat(incoming.asker):
            return replace(known, service_url=address.service_url)
        try:
            opened = await self._connector.open_personal(address)
        except _TROUBLE as problem:
            logger.info("teams: no personal chat can be opened: %s", problem)
            return None
        if not opened:
            return None
        chat = replace(address, conversation_id=opened, kind="personal", activity_id="")
        await self._records.keep_personal_chat(incoming.asker, chat, self._clock.now())
        return chat

    async def _say_where(self, incoming: Incoming) -> str:
        language = choose_language(incoming.language, incoming.text)
        line = plain_message(phrase(language, "notice.write_me"))
        address = Address.from_json(incoming.address)
        return await patiently(lambda: self._connector.send(address, line), self._clock)


class _Report:
    """A message in a personal chat that follows a sync, edited every two seconds at most."""

    def __init__(
        self, connector: Connector, chat: Address | None, message_id: str, clock: Clock
    ) -> None:
        self._connector = connector
        self._chat = chat
        self._message_id = message_id
        self._clock = clock
        self._shown_at = clock.now()

    @property
    def message_id(self) -> str:
        """Its id; empty where it could not be opened."""
        return self._message_id

    async def show(self, text: str) -> None:
        """Replace its text; an edit too soon after the last is left out."""
        recently = (self._clock.now() - self._shown_at).total_seconds() < _EDIT_EVERY_S
        if self._chat is None or not self._message_id or recently:
            return
        self._shown_at = self._clock.now()
        try:
            await self._connector.update(self._chat, self._message_id, plain_message(text))
        except _TROUBLE as problem:
            logger.info("teams: a report is not updated: %s", problem)


class TeamsAdmins:
    """The admin desk of Teams: the configured accounts, and their personal chats."""

    def __init__(self, object_ids: tuple[str, ...], private: PrivateChats) -> None:
        self._admins = frozenset(f"teams:{each.strip().lower()}" for each in object_ids)
        self._private = private

    async def is_admin(self, incoming: Incoming) -> bool:
        """Whether the asker's account (`aadObjectId`) is among the admins."""
        address = Address.from_json(incoming.address)
        return f"teams:{address.person_object_id.lower()}" in self._admins

    async def report(self, incoming: Incoming, text: str) -> PrivateReport:
        """Open a private message to the asker that begins with this text."""
        return await self._private.report(incoming, text)
