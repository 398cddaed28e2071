"""Activities as Teams sends them, read without trust.

An activity is JSON from outside: any key may be missing or of another type than documented. All
reading goes through the three functions here, which give back an empty value instead of raising,
so that whoever sends nonsense is not answered, and nothing breaks.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from bots.ports import Place

Json = Mapping[str, Any]

TEAMS = "msteams"
_PLACES = {"personal": Place.DIRECT, "groupChat": Place.GROUP, "channel": Place.CHANNEL}


def text_in(source: Json, key: str) -> str:
    """The string under a key, fit for any store: no lone surrogates, no NUL; else empty."""
    value = source.get(key)
    if not isinstance(value, str):
        return ""
    return value.encode("utf-8", "replace").decode("utf-8").replace("\0", "")


def object_in(source: Json, key: str) -> Json:
    """The object under a key; else an empty one."""
    value = source.get(key)
    return value if isinstance(value, Mapping) else {}


def objects_in(source: Json, key: str) -> Iterator[Json]:
    """The objects of the list under a key; whatever else stands in it is passed over."""
    value = source.get(key)
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, Mapping))


@dataclass(frozen=True, slots=True)
class Address:
    """All that is needed to write into a conversation, also after a restart.

    Attributes:
        service_url: where the connector of this conversation listens.
        conversation_id: with `;messageid=` in a channel, so that the reply lands in the thread.
        kind: `personal`, `groupChat` or `channel`.
        activity_id: the message that is answered; empty to write of our own accord.
        person_object_id: the asker's `aadObjectId`, the same for every bot.
    """

    service_url: str
    conversation_id: str
    kind: str = "personal"
    tenant_id: str = ""
    bot_id: str = ""
    bot_name: str = ""
    person_id: str = ""
    person_name: str = ""
    person_object_id: str = ""
    activity_id: str = ""
    channel_id: str = TEAMS

    @classmethod
    def of(cls, activity: Json) -> Self:
        """Where an incoming activity came from."""
        conversation, sender = object_in(activity, "conversation"), object_in(activity, "from")
        bot = object_in(activity, "recipient")
        return cls(
            service_url=text_in(activity, "serviceUrl"),
            conversation_id=text_in(conversation, "id"),
            kind=kind_of(conversation),
            tenant_id=next(iter(tenants_of(activity)), ""),
            bot_id=text_in(bot, "id"),
            bot_name=text_in(bot, "name"),
            person_id=text_in(sender, "id"),
            person_name=text_in(sender, "name"),
            person_object_id=text_in(sender, "aadObjectId"),
            activity_id=text_in(activity, "id"),
            channel_id=text_in(activity, "channelId") or TEAMS,
        )

    @classmethod
    def from_json(cls, stored: Json) -> Self:
        """The address as `to_json` wrote it."""
        return cls(**{each.name: text_in(stored, each.name) for each in fields(cls)})

    def to_json(self) -> dict[str, str]:
        """A plain object for the store."""
        return asdict(self)

    @property
    def place(self) -> Place:
        """Where the conversation is held."""
        return _PLACES[self.kind]

    @property
    def key(self) -> str:
        """Identity of the conversation, without the thread."""
        return f"teams:{self.conversation_id.partition(';')[0]}"

    @property
    def thread_key(self) -> str:
        """Identity of the thread; personal and group chats have none but themselves."""
        return f"teams:{self.conversation_id}"


def kind_of(conversation: Json) -> str:
    """`personal`, `groupChat` or `channel`; unknown kinds count as what shows most caution."""
    kind = text_in(conversation, "conversationType")
    if kind in _PLACES:
        return kind
    return "groupChat" if kind or conversation.get("isGroup") is True else "personal"


def tenants_of(activity: Json) -> list[str]:
    """Every tenant that the activity names, the conversation's own first."""
    named = [
        text_in(object_in(object_in(activity, "channelData"), "tenant"), "id"),
        text_in(object_in(activity, "conversation"), "tenantId"),
    ]
    return list(dict.fromkeys(name for name in named if name))


def identity_of(activity: Json) -> str:
    """What tells a message from every other, the same however often it is delivered."""
    conversation = text_in(object_in(activity, "conversation"), "id")
    own = text_in(activity, "id")
    if not own:
        plain = json.dumps(activity, sort_keys=True, default=str)
        own = hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()[:32]
    return f"teams:{conversation}/{own}"
