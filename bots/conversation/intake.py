"""One message in, exactly one reply out, whatever happens.

Messages are stored before anything else is done with them, so that the same one delivered twice,
a restart or a second process changes nothing. Work runs in tasks owned here, so many at once; a
lease in the store tells other processes that somebody is at it.
"""

import asyncio
import logging
import uuid
from collections import deque
from dataclasses import replace
from datetime import timedelta

from agent.store import Store
from bots.admin.commands import Commands, Jobs
from bots.admin.words import command_in
from bots.audit import Audit
from bots.clock import Clock, SystemClock
from bots.conversation.answering import Answering
from bots.conversation.delivery import Delivery
from bots.conversation.follow_ups import follows_up
from bots.conversation.forgetting import Forgetting
from bots.conversation.question_store import QuestionStore
from bots.conversation.questions import Follow, Lease, StoredQuestion
from bots.conversation.turns import Hands, Platform, Turns
from bots.ports import AdminDesk, Answerer, Channel, Complete, Incoming
from config.settings import ChannelSettings, Settings

logger = logging.getLogger(__name__)

LEASE_S = 10.0
"""How long a question stays held without a sign of life."""
SWEEP_S = 2.0
"""How often leases are renewed and questions left by others are taken up."""
FORGET_S = 3_600.0
"""How often texts and rows are let go of."""
FINISHING_SHARE = 0.8
"""Share of the time for shutdown in which questions may finish; the rest is for handing back."""
SPARE_S = 30.0
"""What one question may take beyond the engine's own limit before it counts as hung."""

DELETED_KEPT = 1_000
"""Deleted messages that are still recognised when they come late."""


class Conversation:
    """Takes messages from every platform and leaves one reply to each."""

    def __init__(
        self,
        assistant: Answerer,
        jobs: Jobs,
        store: Store,
        settings: Settings,
        clock: Clock | None = None,
    ) -> None:
        self._settings = settings
        self._clock = clock or SystemClock()
        self._owner = uuid.uuid4().hex
        self._questions = QuestionStore(store, settings.conversation)
        self._audit = Audit(store)
        self._forgetting = Forgetting(store, settings, self._clock)
        self._turns = Turns(self._hands(assistant, jobs), settings.conversation)
        self._platforms: dict[str, Platform] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._sweeper: asyncio.Task[None] | None = None
        self._gone: deque[tuple[str, str]] = deque(maxlen=DELETED_KEPT)
        self._open = True
        self._forgot_at = 0.0

    def connect(
        self,
        platform: str,
        channel: Channel,
        *,
        complete: Complete | None = None,
        desk: AdminDesk | None = None,
    ) -> None:
        """Add a platform, before `start`.

        Args:
            platform: the word its messages carry, `slack`.
            channel: the way back.
            complete: fills in scope and the like when the work on a message begins.
            desk: recognises admins; without one, admin words are questions.
        """
        self._platforms[platform] = Platform(channel, complete, desk)

    async def receive(self, incoming: Incoming) -> bool:
        """Take a message; back as soon as it is stored, the reply comes later.

        Returns:
            False where the message is known already and nothing more will be done.
        """
        if (incoming.platform, incoming.message_key) in self._gone:
            return False
        lease = self._lease() if self._open else None
        question = await self._questions.accept(incoming, self._clock.now(), lease)
        if question is None:
            return False
        if lease:
            self._begin(question)
        return True

    async def edited(self, incoming: Incoming) -> bool:
        """Take the newest text of a message; one that is answered already is left alone.

        Returns:
            Whether the newest text is the one that is answered.
        """
        question = await self._questions.find_by_message(incoming.platform, incoming.message_key)
        if question is None or command_in(question.incoming):
            return False
        if question.incoming.text == incoming.text:
            return True
        if taken := await self._questions.edit(question, incoming.text):
            self._turns.interrupt(question.id)
        return taken

    async def deleted(self, platform: str, message_key: str) -> None:
        """A message was deleted by its writer: stop the work on it and forget its text.

        The deletion may overtake the message itself, which is then not taken in any more.
        """
        self._gone.append((platform, message_key))
        question = await self._questions.find_by_message(platform, message_key)
        if question is None:
            return
        cancelled = await self._questions.cancel(question)
        await self._forgetting.question(question)
        if cancelled:
            self._turns.interrupt(question.id)

    async def overhear(self, incoming: Incoming, *, names_others: bool) -> None:
        """A message in a thread that does not name us; most are none of our business.

        Args:
            incoming: the message.
            names_others: it addresses somebody else by name.
        """
        if not self._channel(incoming).follow_ups:
            return
        thread = await self._questions.thread(incoming.thread_key)
        if thread is None:
            return
        if thread.asker != incoming.asker:
            await self._questions.set_follow(incoming.thread_key, Follow.INTERRUPTED)
            return
        within = timedelta(minutes=self._settings.conversation.follow_up_minutes)
        if not names_others and follows_up(incoming, thread, self._clock.now(), within=within):
            await self.receive(replace(incoming, mentioned=False))

    async def start(self) -> None:
        """Take up what a crash or another process left, now and from now on."""
        await self._sweep()
        self._sweeper = asyncio.create_task(self._sweep_forever())

    async def stop(self) -> None:
        """Take nothing more; let what runs finish within `shutdown_s`, hand back the rest."""
        self._open = False
        if self._sweeper:
            self._sweeper.cancel()
            await asyncio.wait({self._sweeper})
        await self._drain()
        left = list(self._tasks)
        for task in self._tasks.values():
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks.values())
        if left:
            await self._questions.hand_back(left, self._owner)

    async def settled(self) -> None:
        """Wait until no question is being worked on, for scripts and tests."""
        while self._tasks:
            await asyncio.wait(self._tasks.values())
            await asyncio.sleep(0)

    def _hands(self, assistant: Answerer, jobs: Jobs) -> Hands:
        answering = Answering(
            assistant,
            jobs,
            self._clock,
            self._settings,
            limit_s=2 * self._settings.loop.work_s + SPARE_S,
        )
        return Hands(
            answering=answering,
            commands=Commands(jobs, self._audit, self._clock),
            delivery=Delivery(self._questions, self._clock, self._owner),
            store=self._questions,
            forgetting=self._forgetting,
            clock=self._clock,
            owner=self._owner,
        )

    def _begin(self, question: StoredQuestion) -> None:
        platform = self._platforms[question.incoming.platform]
        task = asyncio.create_task(self._work(question, platform))
        self._tasks[question.id] = task
        task.add_done_callback(lambda _: self._tasks.pop(question.id, None))

    async def _work(self, question: StoredQuestion, platform: Platform) -> None:
        try:
            await self._turns.run(question, platform)
        except Exception:  # outermost wall: the row stays open, and the next sweep takes it up
            logger.exception("turn broke off", extra={"question_id": question.id})

    async def _drain(self) -> None:
        if not self._tasks:
            return
        patience_s = FINISHING_SHARE * self._settings.conversation.shutdown_s
        patience = asyncio.create_task(self._clock.sleep(patience_s))
        finished = asyncio.create_task(self.settled())
        await asyncio.wait({patience, finished}, return_when=asyncio.FIRST_COMPLETED)
        for task in (patience, finished):
            task.cancel()
        await asyncio.wait({patience, finished})

    async def _sweep_forever(self) -> None:
        while True:
            await self._clock.sleep(SWEEP_S)
            try:
                await self._sweep()
            except Exception:  # outermost wall: one failed sweep must not be the last
                logger.exception("sweep failed")

    async def _sweep(self) -> None:
        if self._tasks:
            await self._questions.renew(list(self._tasks), self._lease())
        left = await self._questions.take_up(
            list(self._platforms), self._clock.now(), self._lease()
        )
        for question in left:
            self._begin(question)
        if self._clock.now().timestamp() - self._forgot_at >= FORGET_S:
            self._forgot_at = self._clock.now().timestamp()
            await self._forgetting.old()

    def _lease(self) -> Lease:
        return Lease(self._owner, self._clock.now() + timedelta(seconds=LEASE_S))

    def _channel(self, incoming: Incoming) -> ChannelSettings:
        return self._settings.channel(incoming.conversation_key)
