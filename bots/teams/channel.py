"""The way back into Teams: the sign of work, then one reply in its place.

Everything goes through the address stored with the question, so that a reply also goes out after
a restart. What Teams certainly did not take may be tried again; what it may have taken is never
posted a second time in silence; what it will not take is said more simply.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from agent.domain import ProgressEvent
from bots.clock import Clock
from bots.ports import DeliveryDelayed, DeliveryRefused, Incoming, Notice, Place, Reply
from bots.teams.activity import Address
from bots.teams.connector import Connector, ConnectorRefused, ConnectorUnreachable
from bots.teams.private import PrivateChats
from bots.teams.records import PostRecord, PostState, Records
from bots.teams.rendering import Part, progress_text, render
from bots.teams.working import STREAM_PREFIX, EditedSign, Sign, StreamedSign

logger = logging.getLogger(__name__)

_NOT_TAKEN = frozenset({401, 412, 429, 502, 503})
"""Nothing was posted, and it may be later."""
_UNCERTAIN = frozenset({408, 500, 504})
_GONE = frozenset({403, 404, 405})
"""The message or stream to be replaced is not there any more."""
_DRAWN_AFTER_S = 0.4
_COMPLETED = "already completed"


class TeamsChannel:
    """A `Channel` for personal chats, group chats and channels of Teams."""

    def __init__(
        self, connector: Connector, records: Records, private: PrivateChats, clock: Clock
    ) -> None:
        self._connector = connector
        self._records = records
        self._private = private
        self._clock = clock
        self._signs: dict[str, Sign] = {}

    async def working(self, incoming: Incoming) -> Sign:
        """Show that work has begun; a failure is logged and forgotten."""
        address = Address.from_json(incoming.address)
        sign = self._sign(incoming, address)
        self._signs[incoming.message_key] = sign
        await self._let_it_be_drawn(incoming)
        await sign.begin()
        return sign

    async def post(self, incoming: Incoming, reply: Reply, working_id: str) -> str:
        """Post the reply in its thread, in place of the sign of work if there is one.

        Raises:
            DeliveryRefused: Teams takes no form of it.
            DeliveryDelayed: Teams took nothing, and may later.
            ConnectorRefused, ConnectorUnreachable: nobody knows whether it took something.
        """
        sign = self._signs.pop(incoming.message_key, None)
        if isinstance(reply, Notice) and reply.private and incoming.place is not Place.DIRECT:
            if sign:
                await sign.close()
            return await self._private.post(incoming, reply, working_id)
        if sign:
            sign.became_the_reply = True
            working_id = await sign.settle() or working_id
        await self._let_it_be_drawn(incoming)
        posting = _Posting(self._connector, Address.from_json(incoming.address))
        return await self._post_parts(incoming, posting, render(reply, incoming), working_id)

    async def _let_it_be_drawn(self, incoming: Incoming) -> None:
        """Give the asker's client time for his message: a reply that overtakes it is drawn above
        it, or under a new post not at all.
        """
        left = (incoming.received_at - self._clock.now()).total_seconds() + _DRAWN_AFTER_S
        if 0 < left <= _DRAWN_AFTER_S:
            await self._clock.sleep(left)

    async def find_reply(self, incoming: Incoming) -> str | None:
        """What is written down of our reply; None where a post may have come through."""
        record = await self._records.reply_to(incoming.message_key)
        if record is None:
            return ""
        match record.state:
            case PostState.DONE:
                return record.posted[0]
            case PostState.WAITING:
                return ""
        return "" if record.working_id and not record.posted else None

    def _sign(self, incoming: Incoming, address: Address) -> Sign:
        def say(event: ProgressEvent) -> str:
            return progress_text(event, incoming)

        async def keep(message_id: str) -> None:
            await self._note(replace(_blank(incoming), working_id=message_id))

        if incoming.place is Place.DIRECT:
            return StreamedSign(self._connector, address, self._clock, say)
        return EditedSign(self._connector, address, self._clock, say, keep)

    async def _post_parts(
        self, incoming: Incoming, posting: "_Posting", parts: list[Part], working_id: str
    ) -> str:
        record = await self._records.reply_to(incoming.message_key) or _blank(incoming)
        record = replace(record, working_id=record.working_id or _message(working_id))
        for part in parts[len(record.posted) :]:
            target = "" if record.posted else working_id or record.working_id
            await self._note(replace(record, state=PostState.CALLING))
            try:
                posted = await posting.put(part, target)
            except (ConnectorRefused, ConnectorUnreachable) as problem:
                failure = _failure(problem)
                if failure is problem:
                    raise
                await self._note(record)
                raise failure from problem
            record = replace(record, posted=(*record.posted, posted))
        await self._note(replace(record, state=PostState.DONE))
        return record.posted[0]

    async def _note(self, record: PostRecord) -> None:
        await self._records.keep_reply(record, self._clock.now())


@dataclass(frozen=True, slots=True)
class _Posting:
    """Puts one part after the other into a conversation."""

    connector: Connector
    address: Address

    async def put(self, part: Part, target: str) -> str:
        """Post a part, in its simplest form if need be.

        Args:
            part: what to post.
            target: the message or stream that it replaces; empty: it is a message of its own.
        """
        try:
            return await self._place(part.activity, target)
        except ConnectorRefused as refusal:
            if refusal.status in _NOT_TAKEN | _UNCERTAIN:
                raise
            logger.warning("teams: a reply was refused (%s); posting it plainly", refusal.status)
        return await self._place(part.plain, target)

    async def _place(self, activity: Mapping[str, Any], target: str) -> str:
        if not target:
            return await self.connector.send(self.address, activity)
        if target.startswith(STREAM_PREFIX):
            return await self._finish_stream(activity, target.removeprefix(STREAM_PREFIX))
        return await self._instead(
            activity, target, lambda: self.connector.update(self.address, target, activity)
        )

    async def _finish_stream(self, activity: Mapping[str, Any], stream_id: str) -> str:
        info = {"type": "streaminfo", "streamType": "final", "streamId": stream_id}
        final = {**activity, "entities": [info, *activity.get("entities", ())]}
        return await self._instead(
            activity, stream_id, lambda: self.connector.send(self.address, final)
        )

    async def _instead(
        self, activity: Mapping[str, Any], target: str, call: Callable[[], Awaitable[object]]
    ) -> str:
        """Let the activity take the place of `target`; where that is gone, post it anew."""
        try:
            await call()
        except ConnectorRefused as refusal:
            if _COMPLETED in refusal.reason:
                return target  # an earlier try came through
            if refusal.status not in _GONE:
                raise
            return await self.connector.send(self.address, activity)
        return target


def _blank(incoming: Incoming) -> PostRecord:
    return PostRecord(incoming.message_key, incoming.conversation_key)


def _message(working_id: str) -> str:
    return "" if working_id.startswith(STREAM_PREFIX) else working_id


def _failure(problem: ConnectorRefused | ConnectorUnreachable) -> Exception:
    """What the failure of a post means to the conversation."""
    if isinstance(problem, ConnectorUnreachable):
        return problem if problem.arrived else DeliveryDelayed(str(problem))
    if problem.status in _NOT_TAKEN:
        return DeliveryDelayed(str(problem), retry_after_s=problem.retry_after_s or 0.0)
    if problem.status in _UNCERTAIN:
        return problem
    return DeliveryRefused(str(problem))
