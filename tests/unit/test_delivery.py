"""A reply is posted once: through refusals, delays, crashes and shutdowns."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from agent.domain import Answer
from agent.store import Store, open_store
from bots.audit import Audit
from bots.conversation.question_store import QuestionStore
from bots.conversation.questions import State, questions
from bots.ports import DeliveryDelayed, DeliveryRefused, Incoming, Reply
from config.settings import ChannelSettings, ConversationSettings, Settings
from tests.chat_fakes import (
    HandClock,
    HeldAssistant,
    MemoryChannel,
    ScriptedAssistant,
    SwiftClock,
    chat,
    eventually,
    message,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    yield opened
    opened.close()


async def state_of(store: Store, message_key: str) -> State:
    question = await QuestionStore(store, ConversationSettings()).find_by_message(
        "chat", message_key
    )
    assert question is not None
    return question.state


def following(**settings: object) -> Settings:
    return Settings(channels={"default": ChannelSettings(follow_ups=True, **settings)})


def everything_in(store: Store) -> str:
    with store.transaction(write=False) as connection:
        return repr(connection.execute(sa.select(questions)).all())


async def test_a_refused_post_is_no_reason_to_answer_again(store: Store) -> None:
    channel = MemoryChannel()
    channel.failures = [DeliveryRefused("not_in_channel")]
    talk = chat(store, channel=channel)
    asked = message()

    await talk.say(asked)

    assert len(talk.assistant.questions) == 1
    assert await state_of(store, asked.message_key) is State.UNDELIVERED
    line = (await Audit(store).lines())[0]
    assert (line.outcome, line.detail) == ("undelivered", "not_in_channel")


async def test_a_delayed_post_is_tried_again_after_the_time_asked_for(store: Store) -> None:
    channel, clock = MemoryChannel(), SwiftClock()
    channel.failures = [DeliveryDelayed("ratelimited", retry_after_s=30), DeliveryDelayed("later")]
    talk = chat(store, channel=channel, clock=clock)

    await talk.say(message())

    assert len(channel.posts) == 1
    assert len(talk.assistant.questions) == 1
    assert 30 in clock.slept


async def test_a_post_whose_end_is_unknown_is_looked_for_before_it_is_repeated(
    store: Store,
) -> None:
    channel = MemoryChannel()
    channel.lose_answers = 1
    talk = chat(store, channel=channel, clock=SwiftClock())
    asked = message()

    await talk.say(asked)

    assert len(channel.posts) == 1
    assert await state_of(store, asked.message_key) is State.POSTED


async def test_where_the_thread_may_not_be_read_a_repeat_says_so(store: Store) -> None:
    channel = MemoryChannel(readable=False)
    channel.lose_answers = 1
    talk = chat(store, channel=channel, clock=SwiftClock())

    await talk.say(message())

    repeat = channel.posts[1].reply
    assert isinstance(repeat, Answer)
    assert repeat.notes[0] == "Again, as I was interrupted:"
    assert len(talk.assistant.questions) == 1


async def test_a_platform_that_takes_nothing_ends_in_the_audit(store: Store) -> None:
    channel = MemoryChannel()
    channel.failures = [ConnectionResetError() for _ in range(40)]
    talk = chat(store, channel=channel, clock=SwiftClock())
    asked = message()

    await talk.say(asked)

    assert channel.posts == []
    assert await state_of(store, asked.message_key) is State.UNDELIVERED


async def test_the_reply_takes_the_place_of_the_working_message(store: Store) -> None:
    channel = MemoryChannel(working_id="w1")
    talk = chat(store, channel=channel, assistant=HeldAssistant())
    await talk.conversation.receive(message())
    await eventually(lambda: "w1" in everything_in(store))

    assert isinstance(talk.assistant, HeldAssistant)
    talk.assistant.go.set()
    await talk.settle()

    assert channel.posts[0].working_id == "w1"


async def test_a_question_left_by_a_crash_is_answered_by_the_next_process(store: Store) -> None:
    crashed = chat(store, assistant=HeldAssistant())
    await crashed.conversation.receive(message())
    await eventually(lambda: len(crashed.assistant.questions) == 1)
    assert isinstance(crashed.clock, HandClock)
    following = crashed.restarted(assistant=ScriptedAssistant())

    await following.conversation.start()
    assert following.assistant.questions == []  # its lease has not run out
    await asyncio.sleep(0)
    crashed.clock.advance(11)
    await eventually(lambda: len(crashed.channel.posts) == 1)
    await following.settle()

    assert isinstance(crashed.assistant, HeldAssistant)
    crashed.assistant.go.set()  # it was not dead, only slow: it must not post as well
    await crashed.settle()
    assert len(crashed.channel.posts) == 1
    await following.conversation.stop()


async def test_a_question_older_than_five_minutes_gets_one_honest_line(store: Store) -> None:
    crashed = chat(store, assistant=HeldAssistant())
    await crashed.conversation.receive(message())
    await eventually(lambda: len(crashed.assistant.questions) == 1)
    assert isinstance(crashed.clock, HandClock)
    crashed.clock.advance(301)
    following = crashed.restarted(assistant=ScriptedAssistant())

    await following.conversation.start()
    await following.settle()

    assert crashed.channel.texts == [
        "I was restarted before I could answer this. Please ask again."
    ]
    assert following.assistant.questions == []
    await following.conversation.stop()


@pytest.mark.parametrize(
    ("readable", "arrived", "replies", "begins"),
    [
        pytest.param(True, False, 1, "", id="never arrived"),
        pytest.param(True, True, 1, "", id="arrived"),
        pytest.param(False, False, 1, "Again, as I was interrupted:", id="nobody knows"),
        pytest.param(False, True, 2, "Again, as I was interrupted:", id="arrived, unknowably"),
    ],
)
async def test_a_crash_between_post_and_commit(
    store: Store, readable: bool, arrived: bool, replies: int, begins: str
) -> None:
    class Dying(MemoryChannel):
        async def post(self, incoming: Incoming, reply: Reply, working_id: str) -> str:
            if arrived:
                await MemoryChannel.post(self, incoming, reply, working_id)
            dead.set()
            await asyncio.Event().wait()
            raise AssertionError("never woken")

    dead = asyncio.Event()
    crashed = chat(store, channel=Dying(readable=readable))
    await crashed.conversation.receive(message())
    await dead.wait()
    living = MemoryChannel(readable=readable)
    living.posts = crashed.channel.posts
    assert isinstance(crashed.clock, HandClock)
    crashed.clock.advance(11)
    following = crashed.restarted(channel=living, assistant=ScriptedAssistant(ValueError()))

    await following.conversation.start()
    await following.settle()

    assert len(living.posts) == replies
    reply = living.posts[-1].reply
    assert isinstance(reply, Answer)
    assert "".join(reply.notes[:1]) == begins
    assert following.assistant.questions == []  # the answer is never computed twice
    await following.conversation.stop()
    await crashed.lose()


async def test_shutdown_lets_running_questions_finish(store: Store) -> None:
    talk = chat(store, assistant=HeldAssistant())
    await talk.conversation.receive(message())
    await eventually(lambda: len(talk.assistant.questions) == 1)

    stopping = asyncio.create_task(talk.conversation.stop())
    await asyncio.sleep(0)
    assert isinstance(talk.assistant, HeldAssistant)
    talk.assistant.go.set()
    await stopping

    assert len(talk.channel.posts) == 1


async def test_what_does_not_finish_at_shutdown_is_handed_to_the_next_process(
    store: Store,
) -> None:
    talk = chat(store, assistant=HeldAssistant())
    await talk.conversation.receive(message())
    await eventually(lambda: len(talk.assistant.questions) == 1)
    assert isinstance(talk.clock, HandClock)

    stopping = asyncio.create_task(talk.conversation.stop())
    await asyncio.sleep(0.01)
    talk.clock.advance(20)
    await stopping
    await talk.conversation.receive(message())  # came in the last moment: kept for the next
    following = talk.restarted(assistant=ScriptedAssistant())
    await following.conversation.start()
    await following.settle()

    assert len(talk.channel.posts) == 2
    await following.conversation.stop()
