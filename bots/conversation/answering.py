"""What is replied to one message: the order of checks, the engine, and the wall around them.

Whatever happens inside, a reply comes out: an answer, a sentence that says what to do, or, for a
follow-up nobody addressed to us, deliberate silence.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from agent.domain import Answer, Outcome, Question
from agent.errors import FootnoteError
from agent.ports import Progress
from bots.admin.commands import Jobs
from bots.clock import Clock
from bots.conversation.limits import Limit
from bots.conversation.questions import StoredQuestion
from bots.phrases import choose_language, phrase
from bots.ports import Answerer, Complete, Incoming, Notice, Place, Reply
from config.settings import ChannelSettings, Settings
from connectors.access import expand
from connectors.reports import RunState

logger = logging.getLogger(__name__)

_ASKERS_BY_DEFAULT = ChannelSettings().askers


@dataclass(frozen=True, slots=True)
class Replied:
    """A reply with the message as it stood when it was worked out.

    Attributes:
        reply: None is silence.
        working_id: the message whose place the reply takes; empty: what showed the work.
    """

    incoming: Incoming
    reply: Reply | None
    working_id: str = ""


Work = Callable[[], Awaitable[Replied]]


class Answering:
    """Works out replies."""

    def __init__(
        self,
        assistant: Answerer,
        jobs: Jobs,
        clock: Clock,
        settings: Settings,
        *,
        limit_s: float,
    ) -> None:
        self._assistant = assistant
        self._jobs = jobs
        self._clock = clock
        self._settings = settings.conversation
        self._channel_settings = settings.channel
        self._groups = settings.groups
        self._limit_s = limit_s

    def without_work(self, question: StoredQuestion) -> Notice | None:
        """The notice that ends a message before anything is looked up; None: it is worked on."""
        incoming = question.incoming
        language = choose_language(incoming.language, incoming.text)
        if question.over is Limit.ASKER:
            return _limit(language, "asker_limit", self._settings.asker_per_minute)
        if question.over is Limit.CHANNEL:
            return _limit(language, "channel_limit", self._settings.channel_per_minute)
        length, limit = len(incoming.text), self._settings.question_chars
        if length > limit:
            text = phrase(language, "notice.too_long", length=f"{length:,}", limit=f"{limit:,}")
            return Notice(text, about="too_long")
        return None

    async def reply(
        self, question: StoredQuestion, complete: Complete | None, progress: Progress
    ) -> Replied:
        """The reply to a message; never raises but for a cancelled task."""

        async def work() -> Replied:
            incoming = await self._completed(question.incoming, complete)
            return Replied(incoming, await self._reply(incoming, question, progress))

        return await self.walled(question.incoming, work, limit_s=self._limit_s)

    async def walled(
        self, incoming: Incoming, work: Work, *, limit_s: float | None = None
    ) -> Replied:
        """What the work leads to, or an honest sentence where it fails.

        Args:
            incoming: what the work is for.
            work: anything that replies to it.
            limit_s: seconds it may take; None: as long as it needs.
        """
        limit = asyncio.timeout(limit_s)
        try:
            async with limit:
                return await work()
        except FootnoteError as error:
            logger.warning("question failed", extra=_where(incoming, error))
            notice = Notice(str(error), about="failed")
        except Exception as error:
            logger.exception("question crashed", extra=_where(incoming, error))
            key = "timed_out" if limit.expired() else "failed"
            language = choose_language(incoming.language, incoming.text)
            text = phrase(language, f"notice.{key}", seconds=f"{limit_s or 0:.0f}")
            notice = Notice(text, about=key)
        return Replied(incoming, notice)

    async def _completed(self, incoming: Incoming, complete: Complete | None) -> Incoming:
        if complete:
            incoming = await complete(incoming)
        channel = self._channel(incoming)
        language = incoming.language if channel.language == "auto" else channel.language
        scope = incoming.scope
        if channel.sources:
            both = set(channel.sources) & (scope.sources or set(channel.sources))
            scope = replace(scope, sources=frozenset(both))
        return replace(incoming, scope=scope, language=choose_language(language, incoming.text))

    async def _reply(
        self, incoming: Incoming, question: StoredQuestion, progress: Progress
    ) -> Reply | None:
        if refusal := self._refusal(incoming):
            return refusal
        if not incoming.text.strip():
            key = "pictures" if incoming.pictures else "ask"
            return Notice(phrase(incoming.language, f"notice.{key}"), about="ask")
        answer = await self._assistant.answer(self._question(incoming, question), progress)
        if _needs_no_words(incoming, answer):
            return None
        if answer.outcome is Outcome.NOT_COVERED and await self._still_reading():
            note = phrase(incoming.language, "reply.still_reading")
            answer = replace(answer, notes=(note, *answer.notes))
        if incoming.pictures:
            note = phrase(incoming.language, "reply.pictures")
            answer = replace(answer, notes=(note, *answer.notes))
        return answer

    async def _still_reading(self) -> bool:
        """Whether the first run of a source has not come to its end."""
        return any(
            status.state is RunState.NEVER
            or (status.state is RunState.RUNNING and status.documents < 0.9 * max(status.seen, 1))
            for status in await self._jobs.status()
        )

    def _question(self, incoming: Incoming, question: StoredQuestion) -> Question:
        return Question(
            text=incoming.text,
            scope=incoming.scope,
            thread_key=question.memory_key,
            direct=incoming.place is Place.DIRECT,
            today=self._clock.now().astimezone(_zone(incoming.timezone)).date(),
            timezone=incoming.timezone,
            language=incoming.language,
        )

    def _refusal(self, incoming: Incoming) -> Notice | None:
        channel = self._channel(incoming)
        if not channel.enabled:
            text = phrase(incoming.language, "notice.switched_off")
            return Notice(text, private=True, about="switched_off")
        if channel.askers != _ASKERS_BY_DEFAULT and not incoming.rights & self._askers(channel):
            text = phrase(incoming.language, "notice.may_not_ask")
            return Notice(text, private=True, about="may_not_ask")
        return None

    def _askers(self, channel: ChannelSettings) -> frozenset[str]:
        return expand(channel.askers, self._groups)

    def _channel(self, incoming: Incoming) -> ChannelSettings:
        if incoming.place is Place.DIRECT:
            return ChannelSettings()
        return self._channel_settings(incoming.conversation_key)


def _needs_no_words(incoming: Incoming, answer: Answer) -> bool:
    """A follow-up without our name that found nothing, or was no question, is left alone."""
    if incoming.mentioned or answer.outcome in (Outcome.ANSWERED, Outcome.PARTIAL):
        return False
    return not incoming.text.rstrip().endswith(("?", "？"))


def _limit(language: str, key: str, limit: int) -> Notice:
    return Notice(phrase(language, f"notice.{key}", limit=limit), private=True, about="limit")


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def _where(incoming: Incoming, error: Exception) -> dict[str, str]:
    return {
        "thread_key": incoming.thread_key,
        "platform": incoming.platform,
        "error": type(error).__name__,
    }
