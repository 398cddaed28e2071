"""What only one person sees in Slack: notices, refusals, and the reports of admins."""

import logging
from collections.abc import Callable, Sequence

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.webhook.async_client import AsyncWebhookClient

from agent.errors import FootnoteError
from bots.phrases import phrase
from bots.ports import DeliveryDelayed, DeliveryRefused, Incoming, Place
from bots.slack.client import SlackClients
from bots.slack.people import People
from bots.slack.refusals import NOT_THERE, delivery_problem, error_code
from bots.slack.rendering import notice_messages
from config.settings import AdminSettings

logger = logging.getLogger(__name__)

_WORKSPACE_ADMINS = "workspace-admins"


class SlackPrivate:
    """Posts private texts: beside the question where that goes, else as a direct message."""

    def __init__(self, clients: SlackClients) -> None:
        self._clients = clients

    async def post(self, incoming: Incoming, text: str, working_id: str) -> str:
        """Post a private notice, over the private message of that id if there is one.

        Raises:
            DeliveryRefused, DeliveryDelayed: as `Channel.post`.
        """
        pieces = [message.text for message in notice_messages(text)]
        try:
            if working_id:
                return await self._over(working_id, pieces)
            if url := str(incoming.address.get("response_url") or ""):
                return await self._respond(url, incoming, pieces)
            if incoming.place is Place.DIRECT:
                return await self._direct(incoming, pieces)
            return await self._beside(incoming, pieces)
        except aiohttp.ClientConnectorError as error:
            raise DeliveryDelayed("no connection to Slack") from error
        except SlackApiError as error:
            raise delivery_problem(error) from error

    async def open(self, incoming: Incoming, text: str) -> str:
        """Post a direct message that can be edited later; its channel and timestamp."""
        return await self._direct(incoming, [text])

    async def edit(self, message_id: str, text: str) -> None:
        """Replace the text of a direct message."""
        channel, _, ts = message_id.partition("/")
        await self._clients.web.chat_update(channel=channel, ts=ts, text=text)

    async def beside(self, incoming: Incoming, text: str) -> None:
        """A word beside the question that only its writer sees; lost where Slack refuses it."""
        try:
            await self._beside(incoming, [text])
        except SlackApiError:
            logger.warning("private word refused by Slack", exc_info=True)

    async def _over(self, working_id: str, pieces: Sequence[str]) -> str:
        channel, _, _ = working_id.partition("/")
        try:
            await self.edit(working_id, pieces[0])
        except SlackApiError as error:
            if error_code(error) not in NOT_THERE:
                raise
            pieces = ["", *pieces]  # the message was deleted: say it anew
        for piece in pieces[1:]:
            await self._clients.web.chat_postMessage(
                channel=channel, text=piece, unfurl_links=False, unfurl_media=False
            )
        return working_id

    async def _respond(self, url: str, incoming: Incoming, pieces: Sequence[str]) -> str:
        webhook = AsyncWebhookClient(url, session=self._clients.web.session)
        for piece in pieces:
            said = await webhook.send(text=piece, response_type="ephemeral")
            if said.status_code != 200:  # used up, or older than 30 minutes
                return await self._direct(incoming, pieces)
        return "response_url"

    async def _beside(self, incoming: Incoming, pieces: Sequence[str]) -> str:
        address = incoming.address
        # Slack shows a private message in a thread only where the thread exists already.
        in_thread = address.get("thread_ts") != address.get("ts")
        posted = ""
        try:
            for piece in pieces:
                said = await self._clients.web.chat_postEphemeral(
                    channel=address["channel"],
                    user=address["user"],
                    text=piece,
                    thread_ts=address["thread_ts"] if in_thread else None,
                )
                posted = posted or f"{address['channel']}/{said.get('message_ts', '')}"
        except SlackApiError as error:
            if isinstance(delivery_problem(error), DeliveryRefused):
                return await self._direct(incoming, pieces)
            raise
        return posted

    async def _direct(self, incoming: Incoming, pieces: Sequence[str]) -> str:
        """Direct messages to the writer, in the thread if he wrote there directly."""
        address = incoming.address
        here = incoming.place is Place.DIRECT and "thread_ts" in address
        posted = ""
        for piece in pieces:
            said = await self._clients.web.chat_postMessage(
                channel=address["channel"] if here else address["user"],
                thread_ts=address["thread_ts"] if here else None,
                text=piece,
                unfurl_links=False,
                unfurl_media=False,
            )
            posted = posted or f"{said['channel']}/{said['ts']}"
        return posted


class SlackReport:
    """A direct message to an admin that is edited as the work goes on."""

    def __init__(
        self, private: SlackPrivate, message_id: str, escape: Callable[[str], str]
    ) -> None:
        self._private = private
        self._message_id = message_id
        self._escape = escape

    @property
    def message_id(self) -> str:
        """Channel and timestamp."""
        return self._message_id

    async def show(self, text: str) -> None:
        """Replace its text."""
        await self._private.edit(self._message_id, self._escape(text))


class SlackDesk:
    """Who is an admin, and the private place where admins read reports."""

    def __init__(self, private: SlackPrivate, people: People, admins: AdminSettings) -> None:
        self._private = private
        self._people = people
        self._admins = admins.slack

    async def is_admin(self, incoming: Incoming) -> bool:
        """Whether the asker is named as admin, by id, usergroup or role.

        Raises:
            FootnoteError: nothing says that he is, and one look-up was refused.
        """
        user = str(incoming.address["user"])
        if user in self._admins:
            return True
        refused: FootnoteError | None = None
        for word in self._admins:
            try:
                if await self._is_named_by(user, word):
                    return True
            except FootnoteError as error:
                refused = error
        if refused:
            raise refused
        return False

    async def report(self, incoming: Incoming, text: str) -> SlackReport:
        """A direct message to the asker that begins with this text."""
        message_id = await self._private.open(incoming, first_text(text))
        if incoming.place is not Place.DIRECT and "command" not in incoming.address:
            pointer = phrase(incoming.language, "admin.privately")
            await self._private.beside(incoming, f"{first_text(text)} {pointer}")
        return SlackReport(self._private, message_id, first_text)

    async def _is_named_by(self, user: str, word: str) -> bool:
        if word == _WORKSPACE_ADMINS:
            return (await self._people.person(user)).is_workspace_admin
        return word.startswith("S") and user in await self._people.members(word)


def first_text(text: str) -> str:
    """Our own words as the text of one message."""
    return notice_messages(text)[0].text
