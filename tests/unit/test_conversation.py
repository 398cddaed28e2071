"""What becomes of a message: one reply, in its thread, whatever happens on the way."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import Answer, DocId, Outcome, ProgressEvent, Question, Stage
from agent.errors import ConfigError
from agent.gaps import gaps
from agent.memory import turns
from agent.ports import Progress
from agent.store import Store, open_store
from agent.trace import traces
from bots.audit import Audit, audit
from bots.conversation import intake
from bots.conversation.question_store import QuestionStore
from bots.conversation.questions import State, questions
from bots.ports import DeliveryDelayed, DeliveryRefused, Incoming, Notice, Place, Reply
from config.settings import ChannelSettings, ConversationSettings, LoopSettings, Settings
from tests.chat_fakes import (
    NOON,
    Chat,
    HandClock,
    HeldAssistant,
    MemoryChannel,
    MemoryDesk,
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


# ---------------------------------------------------------------- what is no question


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


# ---------------------------------------------------------------- limits


def with_limits(**limits: int) -> Settings:
    return Settings(conversation=ConversationSettings(**limits))


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


# ---------------------------------------------------------------- progress and the queue


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


# ---------------------------------------------------------------- edits and deletions


async def test_an_edit_before_the_answer_is_what_gets_answered(store: Store) -> None:
    talk = chat(store, assistant=HeldAssistant())
    asked = message("How long is maternity leave?")
    await talk.conversation.receive(asked)
    await eventually(lambda: len(talk.assistant.questions) == 1)

    taken = await talk.conversation.edited(replace(asked, text="How long is parental leave?"))
    assert isinstance(talk.assistant, HeldAssistant)
    talk.assistant.go.set()
    await talk.settle()

    assert taken
    assert [question.text for question in talk.assistant.questions] == [
        "How long is maternity leave?",
        "How long is parental leave?",
    ]
    replies = [post.reply for post in talk.channel.posts]
    assert [reply.question for reply in replies if isinstance(reply, Answer)] == [
        "How long is parental leave?"
    ]


async def test_an_edit_that_reaches_another_process_is_answered_too(store: Store) -> None:
    talk = chat(store, assistant=HeldAssistant())
    other = talk.restarted(assistant=ScriptedAssistant())
    asked = message("old")
    await talk.conversation.receive(asked)
    await eventually(lambda: len(talk.assistant.questions) == 1)

    await other.conversation.edited(replace(asked, text="new"))
    assert isinstance(talk.assistant, HeldAssistant)
    talk.assistant.go.set()
    await talk.settle()

    replies = [post.reply for post in talk.channel.posts]
    assert [reply.question for reply in replies if isinstance(reply, Answer)] == ["new"]


async def test_an_edit_after_the_answer_is_left_alone(store: Store) -> None:
    talk = chat(store)
    asked = message("old")
    await talk.say(asked)

    taken = await talk.conversation.edited(replace(asked, text="new"))
    await talk.settle()

    assert not taken
    assert len(talk.channel.posts) == 1


async def test_a_deleted_question_is_dropped_with_its_text(store: Store) -> None:
    talk = chat(store, assistant=HeldAssistant())
    asked = message("a secret question")
    await talk.conversation.receive(asked)
    await eventually(lambda: len(talk.assistant.questions) == 1)

    await talk.conversation.deleted("chat", asked.message_key)
    await talk.settle()

    assert talk.channel.posts == []
    assert talk.channel.signs[0].closed == 1
    assert await state_of(store, asked.message_key) is State.CANCELLED
    assert "secret" not in everything_in(store)


async def test_deleting_an_answered_question_deletes_its_text(store: Store) -> None:
    talk = chat(store)
    asked = message("a secret question")
    await talk.say(asked)

    await talk.conversation.deleted("chat", asked.message_key)

    assert "secret" not in everything_in(store)


async def test_a_deleted_question_takes_its_turn_trace_and_gap_along(store: Store) -> None:
    talk = chat(store)
    asked, other = message("a secret question"), message("another question")
    for incoming, trace in ((asked, "t1"), (other, "t2")):
        talk.assistant.script = answer_to(incoming.text, trace_id=trace)
        await talk.say(incoming)
        await store.write(partial(remember, incoming, trace))

    await talk.conversation.deleted("chat", asked.message_key)

    with store.transaction(write=False) as connection:
        said = connection.scalars(sa.select(turns.c.said)).all()
        texts = dict(connection.execute(sa.select(traces.c.trace_id, traces.c.texts)).all())
        asked_for = connection.scalars(sa.select(gaps.c.question)).all()
    assert said == asked_for == ["another question"]
    assert texts == {"t1": None, "t2": "another question"}


def remember(incoming: Incoming, trace_id: str, connection: Connection) -> None:
    """What the engine keeps of a question."""
    turn = {
        "thread_key": incoming.thread_key,
        "scope_key": "s",
        "at": NOON,
        "said": incoming.text,
        "understood": incoming.text,
        "answer": "{}",
    }
    connection.execute(sa.insert(turns), turn)
    trace = {
        "trace_id": trace_id,
        "at": NOON,
        "scope_key": "s",
        "outcome": "answered",
        "rounds": "[]",
        "texts": incoming.text,
    }
    connection.execute(sa.insert(traces), trace)
    gap = {
        "at": NOON,
        "question": incoming.text,
        "scope_key": "s",
        "direct": False,
        "nearest_doc": "",
        "nearest_title": "",
        "trace_id": trace_id,
    }
    connection.execute(sa.insert(gaps), gap)


# ---------------------------------------------------------------- delivery


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


# ---------------------------------------------------------------- crashes and shutdown


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


# ---------------------------------------------------------------- memory, language, channels


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


# ---------------------------------------------------------------- follow-ups without a mention


def following(**settings: object) -> Settings:
    return Settings(channels={"default": ChannelSettings(follow_ups=True, **settings)})


THREAD = "chat:C1/thread"


async def asked_before(store: Store, settings: Settings) -> Chat:
    talk = chat(store, settings=settings)
    await talk.say(message(thread_key=THREAD))
    return talk


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


async def test_a_deletion_that_overtakes_its_message_is_heeded(store: Store) -> None:
    talk = chat(store)
    asked = message()

    await talk.conversation.deleted(asked.platform, asked.message_key)
    taken = await talk.conversation.receive(asked)
    await talk.settle()

    assert not taken
    assert talk.channel.posts == []


async def test_forget_me_empties_every_place_that_keeps_my_words(store: Store) -> None:
    talk = chat(store)
    await talk.say(message("How long is parental leave?"))
    await talk.say(message("Who pays for a crown?", asker="chat:U2"))
    await talk.say(message("Please forget me."))

    def kept(connection: Connection) -> list[str]:
        return [text for text in connection.scalars(sa.select(questions.c.text)) if text]

    assert "parental" not in " ".join(await store.read(kept))
    assert "Who pays for a crown?" in await store.read(kept)
    reply = talk.channel.posts[-1].reply
    assert isinstance(reply, Notice)
    assert reply.text.startswith("I have forgotten the question you asked me")


@pytest.mark.parametrize(
    "said",
    ["How do I forget a device?", "forget me not", "忘记密码怎么办？", "delete my data room"],
)
async def test_a_question_about_forgetting_is_a_question(store: Store, said: str) -> None:
    talk = chat(store)
    await talk.say(message(said))

    assert isinstance(talk.channel.posts[-1].reply, Answer)


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


# ---------------------------------------------------------------- what is kept


async def test_the_audit_tells_who_got_what_without_texts(store: Store) -> None:
    talk = chat(store)
    asked = message("a secret question")

    await talk.say(asked)

    line = (await Audit(store).lines())[0]
    assert (line.actor, line.action, line.outcome) == ("chat:ann", "answer", "answered")
    assert line.audiences == ("workspace",)
    assert [(place.doc_id, place.section_path) for place in line.quoted] == [
        ("d-leave", "leave/parental-leave")
    ]
    assert await Audit(store).lines(doc_ids=[DocId("another")]) == []
    with store.transaction(write=False) as connection:
        rows = connection.execute(sa.select(audit)).all()
    assert "secret" not in repr(rows)
    assert "14 weeks" not in repr(rows)


async def test_a_posted_reply_is_not_kept_and_texts_are_forgotten_in_time(store: Store) -> None:
    talk = chat(store)
    assert isinstance(talk.clock, HandClock)
    await talk.say(message("a secret question"))
    assert "14 weeks" not in everything_in(store)
    assert "secret" in everything_in(store)

    talk.clock.advance(31 * 24 * 3600)
    await talk.conversation.start()
    await talk.conversation.stop()

    assert "secret" not in everything_in(store)


def everything_in(store: Store) -> str:
    with store.transaction(write=False) as connection:
        return repr(connection.execute(sa.select(questions)).all())
