"""An answer is served again only while everything it rests on is as it was."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from agent.assistant import Assistant
from agent.domain import WORKSPACE, Answer, Decision, Facts, Outcome, Question, Scope, Support
from agent.gaps import GapList
from agent.leaves.lookup import Thinking
from agent.memory import ThreadMemory
from agent.remembered import RememberedAnswers, remembered_answers
from agent.remembered.answers import forget, forget_old
from agent.store import Store, open_store
from agent.trace import TraceStore
from config.settings import ConversationSettings, LoopSettings, PrivacySettings
from tests.engine_fakes import (
    DECLINE,
    NOON,
    MemoryLibrary,
    RememberedProgress,
    ScriptedCore,
    answer,
)

LEAVE = "Parental leave takes 16 weeks."
TEXTS = {"people": {"leave": LEAVE}, "travel": {"hotels": "A hotel night costs 300 dollars."}}
QUESTION = "How long is parental leave?"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    yield opened
    opened.close()


class Bench:
    """An assistant with a model that answers as told, and the calls it made."""

    def __init__(self, store: Store, *decisions: Decision) -> None:
        self.store = store
        self.core = ScriptedCore(*(decisions or (stated(LEAVE),)))
        self.use(MemoryLibrary(TEXTS))

    def use(self, library: MemoryLibrary, made_by: str = "model 1") -> None:
        """The same store with another library or another model."""
        self.assistant = Assistant(
            library,
            Thinking(self.core),
            ThreadMemory(self.store, ConversationSettings(), lambda: NOON),
            TraceStore(self.store),
            GapList(self.store),
            LoopSettings(),
            now=lambda: NOON,
            remembered=RememberedAnswers(self.store, library, made_by, lambda: NOON),
        )

    async def ask(self, text: str = QUESTION, scope: Scope = WORKSPACE, **facts: object) -> Answer:
        question = replace(Question(text, scope), **facts)  # type: ignore[arg-type]
        return await self.assistant.answer(question, RememberedProgress())

    @property
    def calls(self) -> int:
        return len(self.core.views)


def keys(store: Store) -> list[str]:
    with store.transaction(write=False) as connection:
        return list(connection.scalars(sa.select(remembered_answers.c.key)))


def stated(text: str) -> Decision:
    return replace(answer(text), support=Support.STATED)


async def test_the_same_question_is_answered_without_the_model(store: Store) -> None:
    bench = Bench(store)
    first = await bench.ask()
    again = await bench.ask("how long is   parental leave")

    assert first.outcome is Outcome.ANSWERED
    assert bench.calls == 1
    assert (again.text, again.citations) == (first.text, first.citations)
    assert again.question == "how long is   parental leave"
    assert (again.usage.full_calls, again.rounds) == (0, 0)
    assert again.trace_id != first.trace_id


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param({"people": {"leave": "Parental leave takes 20 weeks."}}, id="changed"),
        pytest.param({"travel": TEXTS["travel"]}, id="deleted"),
        pytest.param(
            {**TEXTS, "people-2027": {"leave": "Parental leave takes 20 weeks from 2027."}},
            id="superseded",
        ),
    ],
)
async def test_whatever_changes_its_grounds_makes_it_go(
    store: Store, texts: dict[str, dict[str, str]]
) -> None:
    bench = Bench(store)
    await bench.ask()
    bench.use(MemoryLibrary(texts))
    await bench.ask()

    assert bench.calls > 1


async def test_nothing_crosses_a_scope_or_another_model(store: Store) -> None:
    bench = Bench(store)
    await bench.ask()
    await bench.ask(scope=Scope.of("workspace", "slack:C1"))
    assert bench.calls == 2

    bench.use(MemoryLibrary(TEXTS), "model 2")
    await bench.ask()
    assert bench.calls == 3


async def test_a_question_of_today_is_asked_anew_tomorrow(store: Store) -> None:
    bench = Bench(store)
    today = "How long is parental leave today?"
    await bench.ask(today, today=date(2026, 12, 1))
    await bench.ask(today, today=date(2026, 12, 1))
    assert bench.calls == 1

    await bench.ask(today, today=date(2026, 12, 2))
    assert bench.calls == 2


async def test_declined_and_given_facts_are_never_kept(store: Store) -> None:
    declined = Bench(store, DECLINE)
    await declined.ask("Who feeds the dog?")
    given = Bench(store)
    await given.ask(facts=Facts(bot_name="Paul"))

    assert keys(store) == []


async def test_a_partial_answer_is_not_kept(store: Store) -> None:
    bench = Bench(store, replace(stated(LEAVE), missing="when it starts"))
    first = await bench.ask()
    await bench.ask()

    assert first.outcome is Outcome.PARTIAL
    assert bench.calls == 2


async def test_a_voted_down_answer_is_forgotten(store: Store) -> None:
    bench = Bench(store)
    first = await bench.ask()
    await store.write(lambda connection: forget(connection, [first.trace_id]))
    await bench.ask()

    assert bench.calls == 2


async def test_it_goes_with_the_texts_and_with_its_documents(store: Store) -> None:
    bench = Bench(store)
    await bench.ask()

    assert len(keys(store)) == 1
    # The store knows none of the documents of this library in memory: they are gone.
    await store.write(lambda c: forget_old(c, PrivacySettings(), NOON))
    assert keys(store) == []

    await bench.ask()
    late = NOON + timedelta(days=31)
    await store.write(lambda c: forget_old(c, PrivacySettings(texts_days=30), late))
    assert keys(store) == []
