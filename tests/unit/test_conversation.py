"""What becomes of a message: one reply, in its thread, whatever happens on the way."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agent.domain import Answer, Outcome, ProgressEvent, Question, Stage
from agent.errors import ConfigError
from agent.ports import Progress
from agent.store import Store, open_store
from bots.ports import DeliveryDelayed, DeliveryRefused, Notice, Place
from bots.conversation.question_store import QuestionStore
from bots.conversation.questions import State
from config.settings import ChannelSettings, ConversationSettings, Settings
from tests.chat_fakes import (
    HeldAssistant,
    MemoryChannel,
    ScriptedAssistant,
    SwiftClock,
    answer_to,
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


async def test_a_question_is_answered_once_in_its_thread(store: Store) -> None:
    talk = chat(store)
    asked = message("How long is parental leave?")

    await talk.say(asked)

    assert [post.incoming.thread_key for post in talk.channel.posts] == [asked.thread_key]
    assert isinstance(talk.channel.posts[0].reply, Answer)
    assert await state_of(store, asked.message_key) is State.POSTED


async def test_the_same_message_delivered_three_times_is_answered_once(store: Store) -> None:
    talk = chat(store)
    asked = message()

    taken = [await talk.conversation.receive(asked) for _ in range(3)]
    await talk.settle()

    assert taken == [True, False, False]
    assert len(talk.channel.posts) == 1


async def test_the_same_message_at_two_processes_at_once_is_answered_once(store: Store) -> None:
    talk = chat(store)
    other = talk.restarted()
    asked = message()

    taken = await asyncio.gather(
        talk.conversation.receive(asked), other.conversation.receive(asked)
    )
    await talk.settle()
    await other.settle()

    assert sorted(taken) == [False, True]
    assert len(talk.channel.posts) == 1


async def test_receiving_does_not_wait_for_the_answer(store: Store) -> None:
    talk = chat(store, assistant=HeldAssistant())

    await talk.conversation.receive(message())

    assert talk.channel.posts == []
    assert isinstance(talk.assistant, HeldAssistant)
    talk.assistant.go.set()
    await talk.settle()
    assert len(talk.channel.posts) == 1


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        pytest.param(ConfigError("No model.", hint="Set one."), "No model. Set one.", id="ours"),
        pytest.param(ZeroDivisionError("secret text"), "Something broke", id="a bug"),
    ],
)
async def test_a_failed_engine_still_leads_to_one_reply(
    store: Store, failure: Exception, said: str
) -> None:
    talk = chat(store, assistant=ScriptedAssistant(failure))

    await talk.say(message())

    assert len(talk.channel.texts) == 1
    assert said in talk.channel.texts[0]
    assert "secret text" not in talk.channel.texts[0]
