"""What becomes of a message: one reply, in its thread, whatever happens on the way."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agent.domain import Answer, ProgressEvent, Question, Stage
from agent.errors import ConfigError
from agent.ports import Progress
from agent.store import Store, open_store
from bots.conversation import intake
from bots.conversation.question_store import QuestionStore
from bots.conversation.questions import State
from bots.ports import Incoming, Notice
from config.settings import ConversationSettings, LoopSettings, Settings
from tests.chat_fakes import (
    HandClock,
    HeldAssistant,
    MemoryChannel,
    MemoryWorking,
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


def with_limits(**limits: int) -> Settings:
    return Settings(conversation=ConversationSettings(**limits))


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


async def test_a_hung_engine_is_given_up_with_a_sentence(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "SPARE_S", 0.0)
    settings = Settings(loop=LoopSettings(work_s=0.01))
    talk = chat(store, settings=settings, assistant=HeldAssistant())

    await talk.say(message())

    assert "gave up" in talk.channel.texts[0]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        pytest.param(message(""), "What would you like to know?", id="bare mention"),
        pytest.param(message("  \n "), "What would you like to know?", id="blanks"),
        pytest.param(message("", pictures=True), "I cannot read pictures", id="only a picture"),
        pytest.param(message("x" * 40_000), "40,000 characters; I take", id="40,000 characters"),
        pytest.param(message("字" * 4_001), "4,001 个字符", id="too long in Chinese"),
    ],
)
async def test_what_is_no_question_gets_one_plain_sentence(
    store: Store, asked: Incoming, said: str
) -> None:
    talk = chat(store)

    await talk.say(replace(asked, message_key=f"C1/{said}"))

    assert len(talk.channel.texts) == 1
    assert said in talk.channel.texts[0]
    assert talk.assistant.questions == []


async def test_a_question_of_exactly_the_limit_is_answered(store: Store) -> None:
    talk = chat(store)

    await talk.say(message("y" * 4_000))

    assert isinstance(talk.channel.posts[0].reply, Answer)


async def test_pictures_beside_text_are_mentioned_and_the_text_is_answered(store: Store) -> None:
    talk = chat(store)

    await talk.say(message("Is this right?", pictures=True))

    reply = talk.channel.posts[0].reply
    assert isinstance(reply, Answer)
    assert reply.notes == ("I cannot read pictures; this answers what you typed.",)


async def test_one_asker_over_the_limit_gets_a_polite_private_line(store: Store) -> None:
    talk = chat(store, settings=with_limits(asker_per_minute=2))

    for _ in range(3):
        await talk.say(message())
    await talk.say(message(asker="chat:bob"))

    kinds = [isinstance(post.reply, Answer) for post in talk.channel.posts]
    assert kinds == [True, True, False, True]
    refused = talk.channel.posts[2].reply
    assert isinstance(refused, Notice)
    assert refused.private
    assert "2 questions a minute" in refused.text


async def test_a_channel_has_a_limit_of_its_own(store: Store) -> None:
    talk = chat(store, settings=with_limits(channel_per_minute=1))

    await talk.say(message(asker="chat:ann"))
    await talk.say(message(asker="chat:bob"))
    await talk.say(message(asker="chat:bob", conversation_key="chat:C2"))

    assert [isinstance(post.reply, Answer) for post in talk.channel.posts] == [True, False, True]


async def test_limits_hold_over_a_restart_and_end_after_a_minute(store: Store) -> None:
    talk = chat(store, settings=with_limits(asker_per_minute=1))
    await talk.say(message())
    again = talk.restarted()

    await again.say(message())
    assert isinstance(talk.clock, HandClock)
    talk.clock.advance(61)
    await again.say(message())

    assert [isinstance(post.reply, Answer) for post in talk.channel.posts] == [True, False, True]


async def test_the_engine_never_waits_for_progress_and_its_failure_blocks_nothing(
    store: Store,
) -> None:
    class Broken(MemoryChannel):
        async def working(self, incoming: Incoming) -> MemoryWorking:
            raise ConnectionResetError

    async def script(question: Question, progress: Progress) -> Answer:
        for number in range(1000):
            await progress.show(ProgressEvent(Stage.READING, document=str(number)))
        return answer_to(question.text)

    talk = chat(store, assistant=ScriptedAssistant(script), channel=Broken())

    await talk.say(message())

    assert isinstance(talk.channel.posts[0].reply, Answer)


async def test_progress_is_thinned_out_to_the_newest_state(store: Store) -> None:
    told = asyncio.Event()

    async def script(question: Question, progress: Progress) -> Answer:
        for number in range(50):
            await progress.show(ProgressEvent(Stage.READING, document=str(number)))
        told.set()
        await eventually(lambda: bool(talk.channel.signs and talk.channel.signs[0].shown))
        return answer_to(question.text)

    talk = chat(store, assistant=ScriptedAssistant(script), clock=SwiftClock())

    await talk.say(message())

    sign = talk.channel.signs[0]
    assert [event.document for event in sign.shown] == ["49"]
    assert sign.closed == 1


async def test_who_waits_longer_than_felt_is_told_his_place(store: Store) -> None:
    talk = chat(store, settings=with_limits(at_once=1), assistant=HeldAssistant())
    for asker in ("ann", "bob", "cid"):
        await talk.conversation.receive(message(asker, asker=f"chat:{asker}"))
    await eventually(lambda: len(talk.channel.signs) == 3)
    assert isinstance(talk.clock, HandClock)
    assert isinstance(talk.assistant, HeldAssistant)

    def ahead(place: int) -> list[int]:
        shown = talk.channel.signs[place].shown
        return [event.ahead for event in shown if event.stage is Stage.QUEUED]

    clock = talk.clock
    clock.advance(1.9)
    assert ahead(1) == ahead(2) == []

    def told() -> bool:
        clock.advance(0.1)
        return ahead(1) == [0] and ahead(2) == [1]

    await eventually(told)

    talk.assistant.go.set()
    await talk.settle()
    assert [question.text for question in talk.assistant.questions] == ["ann", "bob", "cid"]
