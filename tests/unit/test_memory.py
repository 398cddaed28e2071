"""What a thread remembers, of which scope, and for how long."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from agent.domain import WORKSPACE, Answer, Outcome, Question, Scope
from agent.memory import ThreadMemory
from agent.store import Store, open_store
from config.settings import ConversationSettings, PrivacySettings
from tests.engine_fakes import NOON


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    yield opened
    opened.close()


class Now:
    """A clock that is set."""

    def __init__(self) -> None:
        self.at = NOON

    def __call__(self) -> datetime:
        return self.at


def asked(text: str, *, scope: Scope = WORKSPACE, direct: bool = False) -> Question:
    return Question(text, scope, thread_key="slack:C1/1.1", direct=direct)


async def remember(memory: ThreadMemory, question: Question, answer: Answer) -> None:
    await memory.store.write(lambda connection: memory.remember(connection, question, answer))


def answer(question: str, outcome: Outcome = Outcome.ANSWERED, understood: str = "") -> Answer:
    return Answer("a1", question, outcome, "Text.", understood=understood)


async def said(memory: ThreadMemory, question: Question) -> list[str]:
    return [turn.said for turn in await memory.recall(question)]


async def test_turns_come_back_oldest_first_with_the_question_as_understood(store: Store) -> None:
    memory = ThreadMemory(store, ConversationSettings())
    await remember(memory, asked("how long is leave?"), answer("how long is leave?"))
    follow_up = answer("and sick?", understood="how long is sick leave?")
    await remember(memory, asked("and sick?"), follow_up)

    turns = await memory.recall(asked("why?"))

    assert [turn.understood for turn in turns] == ["how long is leave?", "how long is sick leave?"]
    assert turns[1].answer == follow_up


async def test_only_the_last_turns_count(store: Store) -> None:
    memory = ThreadMemory(store, ConversationSettings(memory_turns=2))
    for text in ("one?", "two?", "three?"):
        await remember(memory, asked(text), answer(text))

    assert await said(memory, asked("why?")) == ["two?", "three?"]


async def test_a_turn_from_another_scope_is_not_used(store: Store) -> None:
    memory = ThreadMemory(store, ConversationSettings())
    await remember(memory, asked("board pay?", scope=Scope.of("slack:C9")), answer("board pay?"))

    assert await said(memory, asked("why?")) == []


async def test_a_turn_from_another_thread_is_not_used(store: Store) -> None:
    memory = ThreadMemory(store, ConversationSettings())
    await remember(memory, asked("how long?"), answer("how long?"))

    assert await said(memory, Question("why?", WORKSPACE, thread_key="slack:C1/2.2")) == []
    assert await said(memory, Question("why?", WORKSPACE)) == []


async def test_small_talk_is_not_remembered(store: Store) -> None:
    memory = ThreadMemory(store, ConversationSettings())
    await remember(memory, asked("thanks"), answer("thanks", Outcome.TALK))

    assert await said(memory, asked("why?")) == []


async def test_in_a_direct_conversation_only_the_last_minutes_count(store: Store) -> None:
    now = Now()
    memory = ThreadMemory(store, ConversationSettings(follow_up_minutes=30), now)
    await remember(memory, asked("how long?"), answer("how long?"))
    now.at = NOON + timedelta(minutes=31)

    assert await said(memory, asked("why?", direct=True)) == []
    assert await said(memory, asked("why?")) == ["how long?"]


async def test_texts_are_forgotten_in_time(store: Store) -> None:
    now = Now()
    memory = ThreadMemory(store, ConversationSettings(), now)
    await remember(memory, asked("how long?"), answer("how long?"))
    now.at = NOON + timedelta(days=29)
    await memory.forget_old(PrivacySettings(texts_days=30))
    assert await said(memory, asked("why?")) == ["how long?"]

    now.at = NOON + timedelta(days=31)
    await memory.forget_old(PrivacySettings(texts_days=30))

    assert await said(memory, asked("why?")) == []
