"""The sign of work in a Slack thread: the thread's status, else one message that is edited.

Slack shows a status under the thread and takes it away when we reply. Where it refuses one, a
message is posted once the work takes longer than a moment, and the reply takes its place.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from slack_sdk.errors import SlackApiError

from agent.domain import ProgressEvent, Stage
from bots.phrases import choose_language
from bots.ports import Incoming
from bots.replies.footnotes import shortened
from bots.replies.progress import part_line, progress_line
from bots.slack.client import SlackClients
from bots.slack.markup import escaped
from bots.slack.refusals import LATER, error_code

logger = logging.getLogger(__name__)

CALL_S = 3.0
"""Seconds that showing progress may take; then that showing is given up."""
STATUS_CHARS = 100
LOADING_CHARS = 50
LOADING_MESSAGES = 10


class SlackWorking:
    """Shows progress for one question."""

    def __init__(self, clients: SlackClients, incoming: Incoming, *, by_status: bool) -> None:
        self._clients = clients
        self._channel = str(incoming.address["channel"])
        self._thread_ts = str(incoming.address["thread_ts"])
        self._language = choose_language(incoming.language, incoming.text)
        self._by_status = by_status
        self._status: tuple[str, ...] = ()
        self._ts = ""
        self.became_the_reply = False
        """The final reply was written over the message; it stays."""

    @property
    def message_id(self) -> str:
        """Channel and timestamp of the message that shows the work; empty for a status."""
        return f"{self._channel}/{self._ts}" if self._ts else ""

    @property
    def by_status(self) -> bool:
        """Whether Slack shows our status in this thread."""
        return self._by_status

    async def begin(self) -> None:
        """Show the first sign, if Slack takes a status."""
        if self._by_status:
            await self._set_status(ProgressEvent(Stage.MAP))

    async def show(self, event: ProgressEvent) -> None:
        """Show the newest state."""
        if self._by_status:
            await self._set_status(event)
        if not self._by_status:
            await self._write(event)

    async def close(self) -> None:
        """Take the sign away, unless the reply did or took its place."""
        if self._status and not self.became_the_reply:
            await _quietly(self._clear_status)
        if self._ts and not self.became_the_reply:
            await _quietly(self._delete)

    async def _set_status(self, event: ProgressEvent) -> None:
        status = shortened(progress_line(event, self._language), STATUS_CHARS)
        lines = [shortened(part_line(part, self._language), LOADING_CHARS) for part in event.parts]
        if self._status == (status, *lines):
            return
        more: dict[str, Any] = {"loading_messages": lines[:LOADING_MESSAGES]} if lines else {}
        try:
            async with asyncio.timeout(CALL_S):
                await self._clients.hasty.assistant_threads_setStatus(
                    channel_id=self._channel,
                    thread_ts=self._thread_ts,
                    status=status,
                    **more,
                )
        except SlackApiError as error:
            # refused for good: old workspace, missing scope, kind of channel
            self._by_status = error_code(error) in LATER
        else:
            self._status = (status, *lines)

    async def _write(self, event: ProgressEvent) -> None:
        us = await self._clients.identity()
        lines = [f"{us.name} {progress_line(event, self._language)}"]
        lines += [f"• {part_line(part, self._language)}" for part in event.parts]
        text = escaped("\n".join(lines))
        async with asyncio.timeout(CALL_S):
            if self._ts:
                await self._clients.hasty.chat_update(channel=self._channel, ts=self._ts, text=text)
                return
            said = await self._clients.hasty.chat_postMessage(
                channel=self._channel, thread_ts=self._thread_ts, text=text
            )
            self._ts = str(said.get("ts") or "")

    async def _clear_status(self) -> None:
        await self._clients.hasty.assistant_threads_setStatus(
            channel_id=self._channel, thread_ts=self._thread_ts, status=""
        )

    async def _delete(self) -> None:
        await self._clients.hasty.chat_delete(channel=self._channel, ts=self._ts)


async def _quietly(call: Callable[[], Awaitable[None]]) -> None:
    try:
        async with asyncio.timeout(CALL_S):
            await call()
    except Exception:  # a sign left over is ugly, never a reason to fail
        logger.warning("sign of work could not be taken away", exc_info=True)
