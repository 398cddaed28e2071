"""What the conversation asks of a chat platform, and the message both understand."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Protocol

from agent.domain import Answer, Scope
from agent.ports import Progress


class Place(StrEnum):
    """Where a message was written."""

    DIRECT = "direct"
    GROUP = "group"
    CHANNEL = "channel"


@dataclass(frozen=True, slots=True)
class Incoming:
    """One message addressed to the bot.

    Attributes:
        platform: `slack`, `teams`, `web`, `terminal`.
        message_key: identity of the message on its platform (channel and timestamp, activity id);
            the same message delivered twice has the same key.
        text: the asker's words: our mention removed, markup decoded.
        thread_key: where the reply belongs, `slack:C012/171.2`.
        conversation_key: the channel or direct conversation, `slack:C012`.
        asker: `slack:U…`, `teams:<aadObjectId>`, `web:…`.
        address: what the platform needs to reply after a restart; JSON.
        pictures: pictures or files came with the text.
        replaces: an edited message carries the key of the original here.
    """

    platform: str
    message_key: str
    text: str
    thread_key: str
    conversation_key: str
    asker: str
    place: Place
    scope: Scope
    address: dict[str, Any] = field(default_factory=dict)
    timezone: str = "UTC"
    language: str = "auto"
    pictures: bool = False
    received_at: datetime = field(default_factory=lambda: datetime.now(UTC))


@dataclass(frozen=True, slots=True)
class Notice:
    """A reply that is no answer: a refusal, an error, a queue position. Plain text, no markup."""

    text: str
    private: bool = False


Reply = Answer | Notice


class DeliveryRefused(Exception):  # noqa: N818 - a fact about the platform, not a fault of ours
    """The platform refused the message in every form; `reason` goes to the audit."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class WorkingMessage(Progress, Protocol):
    """The visible sign of work in a thread; the final reply takes its place."""

    @property
    def message_id(self) -> str:
        """Id of the message that shows the work; empty where none was posted."""
        ...

    async def close(self) -> None:
        """Take the sign away; called whatever happened, never raises."""
        ...


class Channel(Protocol):
    """A chat platform's way to reply. Retries, limits and simpler forms are its own business."""

    async def working(self, incoming: Incoming) -> WorkingMessage:
        """Show within a second that work has begun; never raises."""
        ...

    async def post(self, incoming: Incoming, reply: Reply, working_id: str) -> str:
        """Post the final reply in its thread, as an edit of the working message if there is one.

        Returns:
            The platform's id of the (first) posted message.

        Raises:
            DeliveryRefused: no form of it was taken.
        """
        ...

    async def find_reply(self, incoming: Incoming) -> str | None:
        """The id of a reply of ours to this message that is in the thread already, after a crash.

        None where there is none or where the thread may not be read.
        """
        ...
