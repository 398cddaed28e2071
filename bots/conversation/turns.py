"""The work on one question, from its row in the store to the reply in its thread."""

import asyncio
from dataclasses import dataclass, replace
from datetime import timedelta

from agent.domain import Answer
from bots.admin.commands import Commands
from bots.admin.words import Command, command_in, is_help
from bots.clock import Clock
from bots.conversation.answering import Answering, Replied
from bots.conversation.delivery import Delivery
from bots.conversation.follow_ups import is_forget_me, is_quiet
from bots.conversation.forgetting import Forgetting
from bots.conversation.line import Line
from bots.conversation.question_store import QuestionStore
from bots.conversation.questions import Follow, State, StoredQuestion
from bots.conversation.work_sign import WorkSign
from bots.phrases import choose_language, counted, phrase
from bots.ports import AdminDesk, Channel, Complete, Incoming, Notice
from config.settings import ConversationSettings


@dataclass(frozen=True, slots=True)
class Platform:
    """What a chat platform brought along."""

    channel: Channel
    complete: Complete | None = None
    desk: AdminDesk | None = None


@dataclass(frozen=True, slots=True)
class Hands:
    """What a turn works with."""

    answering: Answering
    commands: Commands
    delivery: Delivery
    store: QuestionStore
    forgetting: Forgetting
    clock: Clock
    owner: str


class Turns:
    """Takes questions from accepted to posted."""

    def __init__(self, hands: Hands, settings: ConversationSettings) -> None:
        self._hands = hands
        self._settings = settings
        self._line = Line(settings.at_once, hands.clock)
        self._attempts: dict[int, asyncio.Task[Replied]] = {}

    def interrupt(self, question_id: int) -> None:
        """Break off the work on an outdated text; the turn goes on with the row as it is now."""
        if attempt := self._attempts.get(question_id):
            attempt.cancel()

    async def run(self, question: StoredQuestion, platform: Platform) -> None:
        """Work until the question's row says that it is over, or that it is another's."""
        now: StoredQuestion | None = question
        sign = self._sign(question, platform)
        try:
            while now and now.state is State.ACCEPTED:
                now = await self._keep(now, await self._replied(now, platform, sign))
            if now and now.state is State.ANSWERED:
                await self._deliver(now, platform, await sign.finish())
        finally:
            await sign.close()

    async def _replied(
        self, question: StoredQuestion, platform: Platform, sign: WorkSign
    ) -> Replied | None:
        incoming = question.incoming
        if self._too_old(question):
            return Replied(incoming, _interrupted(incoming))
        if notice := self._hands.answering.without_work(question):
            return Replied(incoming, notice)
        if platform.desk and (command := command_in(incoming)):
            return await self._obey(question, command, platform.desk)
        if wish := await self._wish(incoming):
            return wish
        replied = await self._attempt(question, platform, sign)
        if replied and platform.desk and is_help(incoming.text):
            return await self._with_admin_words(replied, platform.desk)
        return replied

    async def _wish(self, incoming: Incoming) -> Replied | None:
        """What is done for a word that wants something of us other than an answer."""
        if is_quiet(incoming.text):
            await self._hands.store.set_follow(incoming.thread_key, Follow.QUIET)
            return Replied(incoming, _notice(incoming, "quiet"))
        return await self._forget(incoming) if is_forget_me(incoming.text) else None

    async def _forget(self, incoming: Incoming) -> Replied:
        async def work() -> Replied:
            count = await self._hands.forgetting.person(incoming.platform, incoming.asker)
            text = counted(_language(incoming), "notice.forgotten", count)
            return Replied(incoming, Notice(text, about="forgotten"))

        return await self._hands.answering.walled(incoming, work)

    async def _attempt(
        self, question: StoredQuestion, platform: Platform, sign: WorkSign
    ) -> Replied | None:
        if not question.working_id:
            sign.begin()
        attempt = asyncio.create_task(self._in_line(question, platform, sign))
        self._attempts[question.id] = attempt
        try:
            await asyncio.wait({attempt})
        finally:
            attempt.cancel()
            await asyncio.wait({attempt})
            del self._attempts[question.id]
        return None if attempt.cancelled() else attempt.result()

    async def _in_line(
        self, question: StoredQuestion, platform: Platform, sign: WorkSign
    ) -> Replied:
        async with self._line.place(sign.queued):
            return await self._hands.answering.reply(question, platform.complete, sign)

    async def _obey(self, question: StoredQuestion, command: Command, desk: AdminDesk) -> Replied:
        incoming = replace(question.incoming, language=_language(question.incoming))
        if question.resumed:
            text = phrase(incoming.language, "notice.command_interrupted", words=command)
            return Replied(incoming, Notice(text, private=True, about="interrupted"))

        opened: list[str] = []

        async def keep(message_id: str) -> None:
            opened.append(message_id)
            await self._hands.store.keep_working_id(question, message_id)

        async def work() -> Replied:
            return Replied(incoming, await self._hands.commands.run(command, incoming, desk, keep))

        replied = await self._hands.answering.walled(incoming, work)
        if isinstance(replied.reply, Notice):
            replied = replace(replied, reply=replace(replied.reply, private=True))
        return replace(replied, working_id="".join(opened))

    async def _with_admin_words(self, replied: Replied, desk: AdminDesk) -> Replied:
        async def work() -> Replied:
            if not isinstance(replied.reply, Answer) or not await desk.is_admin(replied.incoming):
                return replied
            line = phrase(replied.incoming.language, "admin.help_line")
            return replace(
                replied, reply=replace(replied.reply, text=f"{replied.reply.text}\n{line}")
            )

        told = await self._hands.answering.walled(replied.incoming, work)
        return told if isinstance(told.reply, Answer) else replied

    async def _keep(
        self, question: StoredQuestion, replied: Replied | None
    ) -> StoredQuestion | None:
        store, owner = self._hands.store, self._hands.owner
        if replied is None:
            return await store.find_mine(question.id, owner)
        if replied.reply is None:
            await store.end(question, State.SILENT, None)
            return None
        if not await store.answered(question, replied.incoming, replied.reply, owner):
            return await store.find_mine(question.id, owner)
        return replace(
            question,
            state=State.ANSWERED,
            incoming=replied.incoming,
            reply=replied.reply,
            working_id=replied.working_id or question.working_id,
        )

    async def _deliver(self, question: StoredQuestion, platform: Platform, shown: str) -> None:
        reply = question.reply
        if reply is None or self._too_old(question):
            reply = _interrupted(question.incoming)
        await self._hands.delivery.deliver(
            question, reply, platform.channel, shown or question.working_id
        )

    def _sign(self, question: StoredQuestion, platform: Platform) -> WorkSign:
        async def keep(message_id: str) -> None:
            await self._hands.store.keep_working_id(question, message_id)

        return WorkSign(platform.channel, question.incoming, self._hands.clock, keep)

    def _too_old(self, question: StoredQuestion) -> bool:
        age = self._hands.clock.now() - question.accepted_at
        return question.resumed and age > timedelta(minutes=self._settings.restart_minutes)


def _interrupted(incoming: Incoming) -> Notice:
    notice = _notice(incoming, "interrupted")
    return replace(notice, private="command" in incoming.address)


def _notice(incoming: Incoming, key: str) -> Notice:
    return Notice(phrase(_language(incoming), f"notice.{key}"), about=key)


def _language(incoming: Incoming) -> str:
    return choose_language(incoming.language, incoming.text)
