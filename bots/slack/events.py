"""Slack's events, translated: asked, overheard, edited or deleted. Nothing is decided here.

Whoever is not a person is dropped: bots, ourselves, joins and other notices.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent.domain import Scope
from bots.ports import Incoming, Place
from bots.slack.client import Identity
from bots.slack.markup import decoded, mentions

PLATFORM = "slack"
_SUBTYPES = (None, "", "file_share", "thread_broadcast")

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """A message addressed to us; `again` when it is the newer text of an edited one."""

    incoming: Incoming
    again: bool = False


@dataclass(frozen=True, slots=True)
class Overheard:
    """A message in a thread that does not name us."""

    incoming: Incoming
    names_others: bool


@dataclass(frozen=True, slots=True)
class Edited:
    """A message that was changed.

    Attributes:
        edited_ts: names this edit.
        mentions_anew: it names us, and did not before.
    """

    incoming: Incoming
    edited_ts: str
    mentions_anew: bool


@dataclass(frozen=True, slots=True)
class Deleted:
    """A message that its writer took away."""

    message_key: str


Translated = Asked | Overheard | Edited | Deleted


def translate(event: Event, us: Identity) -> Translated | None:
    """What an event means to us; None: nothing."""
    match event.get("subtype"):
        case "message_changed":
            return _changed(event, us)
        case "message_deleted":
            return _deleted(event)
    if _by_a_person(event, us) and not event.get("hidden"):
        return _written(event, us)
    return None


def _written(event: Event, us: Identity) -> Asked | Overheard | None:
    incoming = to_incoming(event, us)
    if event.get("type") == "app_mention":
        return Asked(incoming, again="edited" in event)
    if incoming.place is Place.DIRECT or us.user_id in mentions(event.get("text", "")):
        return Asked(incoming)
    if not event.get("thread_ts"):
        return None
    return Overheard(incoming, names_others=bool(mentions(event.get("text", ""))))


def to_incoming(event: Event, us: Identity) -> Incoming:
    """A message as the conversation understands it; its scope is looked up later."""
    channel, ts = str(event["channel"]), str(event["ts"])
    thread_ts = str(event.get("thread_ts") or ts)
    return Incoming(
        platform=PLATFORM,
        message_key=f"{channel}/{ts}",
        text=decoded(event.get("text") or "", us.user_id),
        thread_key=f"{PLATFORM}:{channel}/{thread_ts}",
        conversation_key=f"{PLATFORM}:{channel}",
        asker=f"{PLATFORM}:{event['user']}",
        place=_place(event, channel),
        scope=Scope(),
        address={"channel": channel, "ts": ts, "thread_ts": thread_ts, "user": event["user"]},
        pictures=bool(event.get("files")),
    )


def command_incoming(body: Event) -> Incoming:
    """A slash command as the conversation understands it."""
    channel, user = str(body["channel_id"]), str(body["user_id"])
    return Incoming(
        platform=PLATFORM,
        message_key=f"command/{body['trigger_id']}",
        text=str(body.get("text") or "").strip(),
        thread_key=f"{PLATFORM}:{channel}/command/{body['trigger_id']}",
        conversation_key=f"{PLATFORM}:{channel}",
        asker=f"{PLATFORM}:{user}",
        place=Place.DIRECT if channel.startswith("D") else Place.CHANNEL,
        scope=Scope(),
        address={
            "channel": channel,
            "user": user,
            "command": str(body.get("command") or ""),
            "response_url": str(body.get("response_url") or ""),
        },
    )


def _changed(event: Event, us: Identity) -> Edited | Deleted | None:
    message: Event = event.get("message") or {}
    before: Event = event.get("previous_message") or {}
    if message.get("subtype") == "tombstone":
        return _deleted({"channel": event.get("channel"), "deleted_ts": message.get("ts")})
    whole = {**message, "channel": event.get("channel"), "channel_type": event.get("channel_type")}
    if not _by_a_person(whole, us) or message.get("text") == before.get("text"):
        return None  # previews and reactions of Slack's own come as changes too
    mine = us.user_id
    anew = mine in mentions(message.get("text", "")) and mine not in mentions(
        before.get("text") or ""
    )
    edited: Event = message.get("edited") or {}
    return Edited(to_incoming(whole, us), str(edited.get("ts") or event.get("event_ts")), anew)


def _deleted(event: Event) -> Deleted | None:
    channel, ts = event.get("channel"), event.get("deleted_ts")
    return Deleted(f"{channel}/{ts}") if channel and ts else None


def _by_a_person(event: Event, us: Identity) -> bool:
    user = event.get("user")
    if not user or not event.get("channel") or not event.get("ts"):
        return False
    if event.get("bot_id") or user in (us.user_id, "USLACKBOT"):
        return False
    return event.get("subtype") in _SUBTYPES


def _place(event: Event, channel: str) -> Place:
    kind = event.get("channel_type")
    if kind == "im" or channel.startswith("D"):
        return Place.DIRECT
    return Place.GROUP if kind == "mpim" else Place.CHANNEL
