"""What an edit, a deletion or a wish to be forgotten does to what is kept of a question."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import Answer, DocId
from agent.gaps import gaps
from agent.memory import turns
from agent.store import Store, open_store
from agent.trace import traces
from bots.audit import Audit, audit
from bots.conversation.question_store import QuestionStore
from bots.conversation.questions import State, questions
from bots.ports import Incoming, Notice
from config.settings import ConversationSettings
from tests.chat_fakes import (
    NOON,
    HandClock,
    HeldAssistant,
    ScriptedAssistant,
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


def everything_in(store: Store) -> str:
    with store.transaction(write=False) as connection:
        return repr(connection.execute(sa.select(questions)).all())


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
