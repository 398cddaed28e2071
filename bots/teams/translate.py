"""Teams, translated: activities in, our words out. Nothing is decided here.

Which activities are questions is a table: a message with words of its own from a person, in a
personal chat or with a mention of us. Card submits, typing, reactions, other bots and our own
messages are none.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from agent.domain import Scope
from bots.ports import Incoming, Place
from bots.teams.activity import Address, Json, identity_of, object_in, objects_in, text_in
from bots.teams.mentions import mentions_us, names_somebody, spoken_text

_BOT_ID_PREFIX = "28:"
_PICTURES = ("image/", "video/", "audio/", "application/vnd.microsoft.teams.file.download.info")
_EMOJI = "schema.skype.com/Emoji"
_IMAGE_TAG = re.compile(r"<img\b[^>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody wrote to us."""

    incoming: Incoming


@dataclass(frozen=True, slots=True)
class Overheard:
    """Somebody wrote where we are, without naming us; only apps with that right see it.

    Attributes:
        names_others: the message addresses somebody else by name.
    """

    incoming: Incoming
    names_others: bool


@dataclass(frozen=True, slots=True)
class Edited:
    """A message to us was rewritten; `incoming` holds its newest text under the same key."""

    incoming: Incoming


@dataclass(frozen=True, slots=True)
class Deleted:
    """A message to us was taken back."""

    message_key: str


@dataclass(frozen=True, slots=True)
class Arrived:
    """We were added to a conversation, or somebody opened a personal chat with us."""

    incoming: Incoming


@dataclass(frozen=True, slots=True)
class Voted:
    """Somebody pressed a thumb under a reply.

    Attributes:
        reply_id: the reply voted on; empty where Teams does not say.
        liked: thumb up.
        words: the sentence that came with it; may be empty.
    """

    incoming: Incoming
    reply_id: str
    liked: bool
    words: str


Event = Asked | Overheard | Edited | Deleted | Arrived | Voted


def translate(activity: Json) -> Event | None:
    """What an activity means to us; None: nothing, it is not answered.

    Scopes are left empty: `people.Directory.complete` fills them in.
    """
    if _is_a_bot(activity):
        return None
    reader = _READERS.get(text_in(activity, "type"))
    return reader(activity) if reader else None


def to_incoming(activity: Json) -> Incoming:
    """The message as the conversation takes it."""
    address = Address.of(activity)
    return Incoming(
        platform="teams",
        message_key=identity_of(activity),
        text=spoken_text(activity),
        thread_key=address.thread_key,
        conversation_key=address.key,
        asker=asker_of(activity),
        place=address.place,
        scope=Scope(),
        address=replace(address, person_name="").to_json() | _channel_words(activity),
        timezone=_timezone(text_in(activity, "localTimezone")),
        pictures=_has_pictures(activity),
        received_at=datetime.now(UTC),
    )


def asker_of(activity: Json) -> str:
    """`teams:<aadObjectId>`; the id of this bot's own contact where there is no account."""
    sender = object_in(activity, "from")
    return f"teams:{text_in(sender, 'aadObjectId') or text_in(sender, 'id')}"


def _message(activity: Json) -> Event | None:
    if _is_card_submit(activity):
        return None
    if _names_us(activity):
        return Asked(to_incoming(activity))
    return Overheard(to_incoming(activity), names_others=names_somebody(activity))


def _is_card_submit(activity: Json) -> bool:
    return bool(activity.get("value")) and not text_in(activity, "text")


def _names_us(activity: Json) -> bool:
    return Address.of(activity).place is Place.DIRECT or mentions_us(activity)


def _is_a_bot(activity: Json) -> bool:
    sender, us = object_in(activity, "from"), object_in(activity, "recipient")
    sender_id = text_in(sender, "id")
    if text_in(activity, "type") in ("installationUpdate", "conversationUpdate"):
        return False  # these may come in the name of the conversation or of ourselves
    return (
        text_in(sender, "role") in ("bot", "skill")
        or sender_id.startswith(_BOT_ID_PREFIX)
        or (bool(sender_id) and sender_id == text_in(us, "id"))
    )


def _edit(activity: Json) -> Event | None:
    change = text_in(object_in(activity, "channelData"), "eventType")
    if change not in ("editMessage", "undeleteMessage", ""):
        return None
    if _is_card_submit(activity) or not _names_us(activity):
        return None
    return Edited(to_incoming(activity))


def _deletion(activity: Json) -> Event | None:
    return Deleted(identity_of(activity))


def _brings_us_in(activity: Json) -> bool:
    if text_in(activity, "type") == "installationUpdate":
        return text_in(activity, "action").startswith("add")
    us = text_in(object_in(activity, "recipient"), "id")
    return any(text_in(member, "id") == us for member in objects_in(activity, "membersAdded"))


def _arrival(activity: Json) -> Event | None:
    """An arrival is greeted by a message of its own, not by a reply."""
    if not _brings_us_in(activity):
        return None
    incoming = to_incoming(activity)
    return Arrived(replace(incoming, address=incoming.address | {"activity_id": ""}))


def _vote(activity: Json) -> Event | None:
    value = object_in(activity, "value")
    if text_in(activity, "name") != "message/submitAction":
        return None
    if text_in(value, "actionName") != "feedback":
        return None
    given = object_in(value, "actionValue")
    return Voted(
        to_incoming(activity),
        reply_id=text_in(activity, "replyToId"),
        liked=text_in(given, "reaction") == "like",
        words=_feedback_words(given),
    )


def _feedback_words(given: Json) -> str:
    """The sentence of a vote: plain, or as JSON `{"feedbackText": "…"}` as Teams documents it."""
    plain = text_in(given, "feedback")
    try:
        parsed = json.loads(plain)
    except ValueError:
        return plain
    return text_in(parsed, "feedbackText") if isinstance(parsed, dict) else plain


def _channel_words(activity: Json) -> dict[str, str]:
    """What the scope of a channel depends on."""
    data = object_in(activity, "channelData")
    team, channel = object_in(data, "team"), object_in(data, "channel")
    return {
        "channel": text_in(channel, "id"),
        "channel_type": text_in(channel, "type"),
        "team": text_in(team, "id"),
        "team_object": text_in(team, "aadGroupId"),
    }


def _timezone(name: str) -> str:
    try:
        return ZoneInfo(name).key if name else "UTC"
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return "UTC"


def _has_pictures(activity: Json) -> bool:
    return any(_is_picture(attachment) for attachment in objects_in(activity, "attachments"))


def _is_picture(attachment: Json) -> bool:
    kind = text_in(attachment, "contentType")
    if kind == "text/html":  # the message's own text once more, with what was pasted into it
        tags = _IMAGE_TAG.findall(text_in(attachment, "content"))
        return any(_EMOJI not in tag for tag in tags)
    return kind.startswith(_PICTURES)


_READERS: dict[str, Callable[[Json], Event | None]] = {
    "message": _message,
    "messageUpdate": _edit,
    "messageDelete": _deletion,
    "installationUpdate": _arrival,
    "conversationUpdate": _arrival,
    "invoke": _vote,
}
