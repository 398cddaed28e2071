"""What a Slack thread tells us: which of our replies stand in it, and what it began with."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from slack_sdk.errors import SlackApiError

from bots.ports import Incoming
from bots.slack.client import SlackClients
from bots.slack.markup import decoded
from bots.slack.refusals import error_code

EVENT_TYPE = "footnote_reply"
_PAGE = 200
_PAGES = 20
_UNREADABLE = frozenset(
    {"access_denied", "channel_not_found", "missing_scope", "no_permission", "not_in_channel"}
)

Json = dict[str, Any]


@dataclass(slots=True)
class Standing:
    """What stands of one reply: the timestamps of its parts from the first on, without a gap."""

    parts: list[str] = field(default_factory=list)
    complete: bool = False


def mark(incoming: Incoming, part: int, *, last: bool) -> Json:
    """Metadata that says which reply a message belongs to, and which part of it it is."""
    payload = {"question": incoming.message_key, "part": part, "last": last}
    return {"event_type": EVENT_TYPE, "event_payload": payload}


async def read_standing(clients: SlackClients, incoming: Incoming) -> Standing | None:
    """What the thread holds of the reply to a message; None where it may not be read.

    Raises:
        SlackApiError: the thread cannot be read just now.
    """
    us = await clients.identity()
    parts: dict[int, str] = {}
    complete = False
    cursor: str | None = None
    for _ in range(_PAGES):
        try:
            said = await clients.web.conversations_replies(
                channel=str(incoming.address["channel"]),
                ts=str(incoming.address["thread_ts"]),
                include_all_metadata=True,
                limit=_PAGE,
                cursor=cursor,
            )
        except SlackApiError as error:
            if error_code(error) in _UNREADABLE:
                return None
            raise
        for message in said.get("messages") or []:
            if message.get("user") == us.user_id and (found := _found(message, incoming)):
                parts.setdefault(int(found.get("part", 0)), str(message["ts"]))
                complete = complete or bool(found.get("last"))
        cursor = (said.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            break
    unbroken = [parts[number] for number in range(len(parts)) if number in parts]
    return Standing(unbroken, complete and bool(unbroken))


async def with_message_above(clients: SlackClients, incoming: Incoming) -> Incoming:
    """A bare mention under somebody's message takes that message as its question.

    Where the thread may not be read, or we began it ourselves, it stays bare.
    """
    address = incoming.address
    if incoming.text.strip() or address.get("thread_ts", "") == address.get("ts", ""):
        return incoming
    us = await clients.identity()
    try:
        said = await clients.web.conversations_replies(
            channel=str(address["channel"]), ts=str(address["thread_ts"]), limit=1
        )
    except SlackApiError:
        return incoming
    first: Mapping[str, Any] = next(iter(said.get("messages") or []), {})
    if first.get("bot_id") or first.get("user") == us.user_id:
        return incoming
    return replace(incoming, text=decoded(str(first.get("text") or ""), us.user_id))


def _found(message: Mapping[str, Any], incoming: Incoming) -> Mapping[str, Any] | None:
    metadata = message.get("metadata") or {}
    payload: Mapping[str, Any] = metadata.get("event_payload") or {}
    ours = metadata.get("event_type") == EVENT_TYPE
    return payload if ours and payload.get("question") == incoming.message_key else None
