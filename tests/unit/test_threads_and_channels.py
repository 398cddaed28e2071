"""What a thread remembers, whose follow-ups are heard, what a channel may be asked."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent.domain import Answer, Outcome
from agent.store import Store, open_store
from bots.conversation.question_store import QuestionStore
from bots.conversation.questions import State
from bots.ports import Incoming, Notice, Place
from config.settings import ChannelSettings, ConversationSettings, Settings
from tests.chat_fakes import (
    Chat,
    HandClock,
    MemoryDesk,
    ScriptedAssistant,
    answer_to,
    chat,
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


def following(**settings: object) -> Settings:
    return Settings(channels={"default": ChannelSettings(follow_ups=True, **settings)})


THREAD = "chat:C1/thread"


async def asked_before(store: Store, settings: Settings) -> Chat:
    talk = chat(store, settings=settings)
    await talk.say(message(thread_key=THREAD))
    return talk


async def test_a_direct_conversation_is_one_memory_until_half_an_hour_passes(
    store: Store,
) -> None:
    talk = chat(store)
    assert isinstance(talk.clock, HandClock)
    for pause_minutes in (0, 29, 29, 31):
        talk.clock.advance(pause_minutes * 60)
        await talk.say(message(place=Place.DIRECT, conversation_key="chat:D1"))

    keys = [question.thread_key for question in talk.assistant.questions]
    assert keys[0] == keys[1] == keys[2] != keys[3]
    assert all(question.direct for question in talk.assistant.questions)


async def test_in_a_channel_the_thread_is_the_memory(store: Store) -> None:
    talk = chat(store)

    await talk.say(message(thread_key="chat:C1/7"))
    await talk.say(message(thread_key="chat:C1/8"))

    keys = [question.thread_key for question in talk.assistant.questions]
    assert keys == ["chat:C1/7", "chat:C1/8"]


async def test_the_askers_own_date_is_today(store: Store) -> None:
    talk = chat(store, clock=HandClock(datetime(2026, 3, 2, 23, 30, tzinfo=UTC)))

    await talk.say(message(timezone="Asia/Shanghai"))
    await talk.say(message(timezone="no such place"))

    assert [str(question.today) for question in talk.assistant.questions] == [
        "2026-03-03",
        "2026-03-02",
    ]


async def test_fixed_phrases_follow_the_question(store: Store) -> None:
    talk = chat(store, assistant=ScriptedAssistant(ValueError()))

    await talk.say(message("产假有多少天？"))

    assert talk.channel.texts == [
        "我这边出了故障，没有得到答案。请再问一次；运维人员可以在日志里看到详情。"
    ]


async def test_admin_words_are_not_held_to_the_limit_of_questions(store: Store) -> None:
    talk = chat(store, settings=with_limits(asker_per_minute=2), desk=MemoryDesk("chat:ann"))

    for _ in range(4):
        await talk.say(message("status"))

    abouts = [post.reply.about for post in talk.channel.posts if isinstance(post.reply, Notice)]
    assert len(abouts) == 4
    assert "limit" not in abouts


async def test_a_channel_can_be_switched_off_narrowed_and_closed_to_askers(store: Store) -> None:
    settings = Settings(
        channels={
            "chat:C1": ChannelSettings(enabled=False),
            "chat:C2": ChannelSettings(sources=("handbook",), language="zh"),
            "chat:C3": ChannelSettings(askers=("chat:bob",)),
        }
    )
    talk = chat(store, settings=settings)

    await talk.say(message(conversation_key="chat:C1"))
    await talk.say(message(conversation_key="chat:C2"))
    await talk.say(message(conversation_key="chat:C3", rights=frozenset({"chat:ann"})))
    await talk.say(message(conversation_key="chat:C3", rights=frozenset({"chat:bob"})))

    kinds = [isinstance(post.reply, Answer) for post in talk.channel.posts]
    assert kinds == [False, True, False, True]
    narrowed = talk.assistant.questions[0]
    assert narrowed.scope.sources == frozenset({"handbook"})
    assert narrowed.language == "zh"


@pytest.mark.parametrize(
    ("said", "names_others", "minutes", "answered"),
    [
        pytest.param(message("And for part-time staff?"), False, 1, True, id="a question"),
        pytest.param(message("and for interns"), False, 1, True, id="the rest of a question"),
        pytest.param(message("那实习生呢"), False, 1, True, id="in Chinese"),
        pytest.param(message("Thanks, that helps."), False, 1, False, id="no question"),
        pytest.param(message("Is that so?"), True, 1, False, id="names somebody else"),
        pytest.param(message("And for part-time?"), False, 31, False, id="too late"),
        pytest.param(message("Me too?", asker="chat:bob"), False, 1, False, id="another person"),
    ],
)
async def test_which_words_in_a_thread_are_taken_as_a_follow_up(
    store: Store, said: Incoming, names_others: bool, minutes: int, answered: bool
) -> None:
    talk = await asked_before(store, following())
    assert isinstance(talk.clock, HandClock)
    talk.clock.advance(minutes * 60)

    key = f"C1/{said.text}{minutes}"
    await talk.conversation.overhear(
        replace(said, thread_key=THREAD, message_key=key), names_others=names_others
    )
    await talk.settle()

    assert len(talk.channel.posts) == 1 + answered


async def test_after_another_person_spoke_only_a_mention_counts(store: Store) -> None:
    talk = await asked_before(store, following())

    other = message("I think it is 12", asker="chat:bob", thread_key=THREAD)
    await talk.conversation.overhear(other, names_others=False)
    await talk.conversation.overhear(
        message("And for part-time?", thread_key=THREAD), names_others=False
    )
    await talk.settle()
    assert len(talk.channel.posts) == 1

    await talk.say(message("And for part-time?", thread_key=THREAD))
    assert len(talk.channel.posts) == 2


async def test_a_follow_up_that_is_not_covered_is_met_with_silence(store: Store) -> None:
    nothing = answer_to(outcome=Outcome.NOT_COVERED, citations=())
    talk = await asked_before(store, following())
    talk.assistant.script = nothing

    aside = message("and the other one", thread_key=THREAD)
    await talk.conversation.overhear(aside, names_others=False)
    await talk.settle()

    assert len(talk.channel.posts) == 1
    assert await state_of(store, aside.message_key) is State.SILENT


async def test_quiet_ends_follow_ups_for_good(store: Store) -> None:
    talk = await asked_before(store, following())

    await talk.say(message("quiet", thread_key=THREAD))
    await talk.say(message("One more?", thread_key=THREAD))
    await talk.conversation.overhear(
        message("And for interns?", thread_key=THREAD), names_others=False
    )
    await talk.settle()

    assert len(talk.channel.posts) == 3


async def test_where_a_channel_has_no_follow_ups_nothing_is_overheard(store: Store) -> None:
    talk = await asked_before(store, Settings())

    await talk.conversation.overhear(
        message("And for interns?", thread_key=THREAD), names_others=False
    )
    await talk.settle()

    assert len(talk.channel.posts) == 1
