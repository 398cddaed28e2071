"""Brings a finished reply into its thread exactly once, as far as the platform allows.

The reply is in the store before it is posted and is never computed again: what fails here is the
post, and only the post is tried again. After a post whose end is unknown the thread is asked
first; where it may not be read, the repeat says that it is one.
"""

import logging
from dataclasses import replace

from agent.domain import Answer
from bots.audit import audit_line, audit_reply
from bots.clock import Clock
from bots.conversation.question_store import QuestionStore
from bots.conversation.questions import State, StoredQuestion
from bots.phrases import choose_language, phrase
from bots.ports import Channel, DeliveryDelayed, DeliveryRefused, Reply

logger = logging.getLogger(__name__)

BACKOFF_S = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, *(60.0,) * 10)
"""Pauses between the tries, eleven minutes in all; the last failure ends it."""


class Delivery:
    """Posts stored replies."""

    def __init__(self, store: QuestionStore, clock: Clock, owner: str) -> None:
        self._store = store
        self._clock = clock
        self._owner = owner

    async def deliver(
        self, question: StoredQuestion, reply: Reply, channel: Channel, working_id: str
    ) -> bool:
        """Post the reply and note where it stands; True when it stands in its thread."""
        uncertain = question.post_begun
        for pause_s in (*BACKOFF_S, None):
            try:
                reply_id = await self._once(question, reply, channel, working_id, uncertain)
            except DeliveryRefused as refused:
                await self._give_up(question, refused.reason)
                return False
            except DeliveryDelayed as delayed:
                reason, wait_s = delayed.reason, delayed.retry_after_s
            except Exception as error:
                reason, wait_s, uncertain = type(error).__name__, 0.0, True
                logger.warning("posting failed", extra=_where(question), exc_info=True)
            else:
                return await self._done(question, reply, reply_id)
            if pause_s is None:
                await self._give_up(question, reason)
                return False
            await self._clock.sleep(max(pause_s, wait_s))
        raise AssertionError("the last try returns")

    async def _once(
        self,
        question: StoredQuestion,
        reply: Reply,
        channel: Channel,
        working_id: str,
        uncertain: bool,
    ) -> str | None:
        if not await self._store.posting(question, self._owner):
            return None  # another process holds it by now
        if uncertain:
            found = await channel.find_reply(question.incoming)
            if found:
                return found
            if found is None and not working_id:
                reply = said_again(reply, question)
        return await channel.post(question.incoming, reply, working_id)

    async def _done(self, question: StoredQuestion, reply: Reply, reply_id: str | None) -> bool:
        if reply_id is None:
            return False
        line = audit_reply(question.incoming, reply, self._clock.now())
        await self._store.end(question, State.POSTED, line, reply_id)
        return True

    async def _give_up(self, question: StoredQuestion, reason: str) -> None:
        logger.error("reply refused by the platform", extra=_where(question) | {"reason": reason})
        line = audit_line(
            question.incoming,
            self._clock.now(),
            action="answer",
            outcome="undelivered",
            detail=reason,
        )
        await self._store.end(question, State.UNDELIVERED, line)


def said_again(reply: Reply, question: StoredQuestion) -> Reply:
    """The reply, begun with the words that excuse a repeat."""
    language = choose_language(question.incoming.language, question.incoming.text)
    again = phrase(language, "reply.again")
    if isinstance(reply, Answer):
        return replace(reply, notes=(again, *reply.notes))
    return replace(reply, text=f"{again}\n{reply.text}")


def _where(question: StoredQuestion) -> dict[str, str]:
    return {"thread_key": question.incoming.thread_key, "platform": question.incoming.platform}
