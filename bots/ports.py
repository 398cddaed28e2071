"""What the conversation asks of a chat platform, and the message both understand.

A platform hands a `Channel` to `Conversation.connect`. What it cannot do, it leaves out: without
`complete` an Incoming is taken as it came, without an `AdminDesk` admin words are questions.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Protocol

from agent.domain import Answer, Question, Scope
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
        text: the asker's words: our mention removed, markup decoded; empty for a bare mention.
        thread_key: where the reply belongs, `slack:C012/171.2`.
        conversation_key: the channel or direct conversation, `slack:C012`.
        asker: `slack:U…`, `teams:<aadObjectId>`, `web:…`.
        scope: what the reply may rest on; a platform that has to look it up leaves it empty and
            fills it in `complete`.
        address: what the platform needs to reply after a restart; JSON. `command` in it means that
            the text was given as a command (`/reindex …`), never as a question.
        pictures: pictures or files came with the text.
        rights: audience words the asker holds himself, whatever the place; `askers` of a channel
            are compared with them.
        mentioned: we were named, or written to directly; False for a follow-up in a thread, which
            is met with silence when the documents do not cover it.
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
    rights: frozenset[str] = frozenset()
    mentioned: bool = True
    received_at: datetime = field(default_factory=lambda: datetime.now(UTC))


@dataclass(frozen=True, slots=True)
class Notice:
    """A reply that is no answer: a refusal, an error, an admin's report. Plain text, no markup.

    Attributes:
        about: one word for the audit: `ask`, `too_long`, `failed`, `reindex`.
    """

    text: str
    private: bool = False
    about: str = "notice"


Reply = Answer | Notice

Complete = Callable[[Incoming], Awaitable[Incoming]]
"""Fills in what needs a look-up on the platform: scope, time zone, place. Called when the work on
a question begins, again after a restart; raises FootnoteError where the look-up is refused."""


class Answerer(Protocol):
    """Anything that answers; in production `agent.assistant.Assistant`."""

    async def answer(self, question: Question, progress: Progress) -> Answer:
        """One question in, one checked answer out."""
        ...


class DeliveryRefused(Exception):  # noqa: N818 - a fact about the platform, not a fault of ours
    """The platform refused the message in every form; `reason` goes to the audit."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class DeliveryDelayed(Exception):  # noqa: N818 - same
    """The platform takes nothing now, and certainly took nothing of this message.

    Any other exception of `Channel.post` leaves open whether something was posted.
    """

    def __init__(self, reason: str, *, retry_after_s: float = 0.0) -> None:
        self.reason = reason
        self.retry_after_s = retry_after_s
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
            DeliveryRefused: no form of it was taken, nor would one be later.
            DeliveryDelayed: it may be taken later.
        """
        ...

    async def find_reply(self, incoming: Incoming) -> str | None:
        """The id of a reply of ours to this message that is in the thread already, after a crash.

        None where the thread may not be read, so that there may be one; empty where it was read
        and holds none.
        """
        ...


class PrivateReport(Protocol):
    """One message that only its reader sees, edited as the work goes on."""

    @property
    def message_id(self) -> str:
        """Its id; `Channel.post` is given it as `working_id` with the last, private Notice."""
        ...

    async def show(self, text: str) -> None:
        """Replace its text; plain, with line breaks."""
        ...


class AdminDesk(Protocol):
    """Where admins operate the bot: who they are, and a private place to report to."""

    async def is_admin(self, incoming: Incoming) -> bool:
        """Whether the asker may operate the bot."""
        ...

    async def report(self, incoming: Incoming, text: str) -> PrivateReport:
        """Open a private message to the asker that begins with this text."""
        ...
