"""The way back into Slack: a sign of work, then one reply in the thread of its question.

Every message of a reply carries in its metadata which question it belongs to and which part it
is, so that after a crash the thread itself tells what stands there already, and only what is
missing is posted. What Slack will not take in one form is said in a simpler one.
"""

import logging
from typing import Any
from weakref import WeakValueDictionary

import aiohttp
from slack_sdk.errors import SlackApiError

from bots.ports import DeliveryDelayed, DeliveryRefused, Incoming, Notice, Reply
from bots.slack.client import SlackClients
from bots.slack.private import SlackPrivate
from bots.slack.refusals import NOT_THERE, SIMPLER, delivery_problem, error_code
from bots.slack.rendering import SlackMessage, render, simpler
from bots.slack.thread import Json, Standing, mark, read_standing
from bots.slack.working import SlackWorking

logger = logging.getLogger(__name__)


class SlackChannel:
    """A `Channel` for direct messages, group messages and channels."""

    def __init__(self, clients: SlackClients, private: SlackPrivate) -> None:
        self._clients = clients
        self._private = private
        self._signs: WeakValueDictionary[str, SlackWorking] = WeakValueDictionary()
        self._standing: dict[str, Standing] = {}
        self._without_status: set[str] = set()

    async def working(self, incoming: Incoming) -> SlackWorking:
        """Show that work has begun."""
        channel = str(incoming.address["channel"])
        by_status = channel not in self._without_status
        sign = SlackWorking(self._clients, incoming, by_status=by_status)
        self._signs[incoming.message_key] = sign
        await sign.begin()
        if not sign.by_status:
            self._without_status.add(channel)
        return sign

    async def post(self, incoming: Incoming, reply: Reply, working_id: str) -> str:
        """Post the reply in its thread, over the working message if there is one.

        Returns:
            Channel and timestamp of the first message.

        Raises:
            DeliveryRefused: Slack takes no form of it.
            DeliveryDelayed: Slack took nothing now.
            SlackApiError, OSError: nobody knows whether Slack took it.
        """
        if isinstance(reply, Notice) and (reply.private or "thread_ts" not in incoming.address):
            return await self._private.post(incoming, reply.text, working_id)
        posted = await self._post_parts(incoming, render(reply), working_id)
        if sign := self._signs.get(incoming.message_key):
            sign.became_the_reply = True
        return posted

    async def find_reply(self, incoming: Incoming) -> str | None:
        """Our reply to this message, if the thread may be read and holds it whole.

        What holds only the first parts is remembered, so that `post` goes on after them.
        """
        if "thread_ts" not in incoming.address:
            return None
        standing = await read_standing(self._clients, incoming)
        if standing is None:
            return None
        if standing.complete:
            return f"{incoming.address['channel']}/{standing.parts[0]}"
        self._standing[incoming.message_key] = standing
        return ""

    async def _post_parts(
        self, incoming: Incoming, messages: list[SlackMessage], working_id: str
    ) -> str:
        standing = self._standing.setdefault(incoming.message_key, Standing())
        edit = working_id.rpartition("/")[2]
        for number in range(len(standing.parts), len(messages)):
            part = _Part(self._clients, incoming, number, last=number == len(messages) - 1)
            ts = await part.post(messages[number], edit if number == 0 else "")
            standing.parts.append(ts)
        del self._standing[incoming.message_key]
        return f"{incoming.address['channel']}/{standing.parts[0]}"


class _Part:
    """One part of a reply on its way into the thread."""

    def __init__(
        self, clients: SlackClients, incoming: Incoming, number: int, *, last: bool
    ) -> None:
        self._clients = clients
        self._incoming = incoming
        self._number = number
        self._last = last

    async def post(self, message: SlackMessage, edit: str) -> str:
        """Post it in the fullest form that Slack takes; the timestamp of its first message."""
        reason = ""
        for form in simpler(message):
            try:
                return await self._form(form, edit)
            except aiohttp.ClientConnectorError as error:
                raise DeliveryDelayed("no connection to Slack") from error
            except SlackApiError as error:
                reason = error_code(error)
                if reason not in SIMPLER:
                    raise delivery_problem(error) from error
                logger.warning("form refused by Slack", extra={"reason": reason})
        raise DeliveryRefused(reason)

    async def _form(self, form: list[SlackMessage], edit: str) -> str:
        first = ""
        for index, message in enumerate(form):
            last = self._last and index == len(form) - 1
            written: Json = {
                "channel": self._incoming.address["channel"],
                "metadata": mark(self._incoming, self._number, last=last),
                "text": message.text,
                **({"blocks": list(message.blocks)} if message.blocks else {}),
            }
            ts = await self._put(written, edit if index == 0 else "")
            first = first or ts
        return first

    async def _put(self, written: dict[str, Any], edit: str) -> str:
        if edit:
            try:
                return str((await self._clients.web.chat_update(ts=edit, **written))["ts"])
            except SlackApiError as error:
                if error_code(error) not in NOT_THERE:
                    raise
        said = await self._clients.web.chat_postMessage(
            thread_ts=self._incoming.address["thread_ts"],
            unfurl_links=False,
            unfurl_media=False,
            **written,
        )
        return str(said["ts"])
