"""One question in, one answer out: what an asker gets, end to end, without a model."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agent.assistant import LONGEST_CHARS, Assistant
from agent.cores.extractive import ExtractiveCore
from agent.domain import (
    WORKSPACE,
    Answer,
    Outcome,
    PartState,
    ProgressEvent,
    Question,
    Scope,
    Stage,
    StopReason,
)
from agent.errors import ServiceUnreachable
from agent.gaps import GapList
from agent.leaves.lookup import Thinking
from agent.memory import ThreadMemory
from agent.ports import AgentCore, Progress
from agent.store import Store, open_store
from agent.trace import TraceStore
from config.settings import ConversationSettings, LoopSettings
from tests.engine_fakes import NOON, Clock, MemoryLibrary, RememberedProgress, ScriptedCore

TEXTS = {
    "leave": {
        "parental-leave": "Parental leave is 16 weeks at full pay.\nIt starts with the birth.",
        "part-time-staff": "Part-time staff get 16 weeks of parental leave too.",
        "sick-leave": "A doctor's certificate is needed from the fourth day of sick leave.",
    },
    "travel": {
        "hotels": "A hotel night may cost 300 dollars.\nBreakfast is included in the hotel limit.",
        "booking": "- Open the travel tool.\n- Choose a hotel.\n- Send it to your manager.",
    },
    "安全": {"密码": "密码至少需要15个字符。\n每年更换一次密码。"},
}


class Bench:
    """An assistant over a small library with a store of its own."""

    def __init__(self, store: Store, core: AgentCore | None = None) -> None:
        self.library = MemoryLibrary(TEXTS)
        self.traces, self.gaps = TraceStore(store), GapList(store)
        self.memory = ThreadMemory(store, ConversationSettings(), lambda: NOON)
        self.progress: Progress = RememberedProgress()
        self.clock = Clock()
        self.assistant = Assistant(
            self.library,
            Thinking(core or ExtractiveCore()),
            self.memory,
            self.traces,
            self.gaps,
            LoopSettings(),
            now=lambda: NOON,
            clock=self.clock,
        )

    async def ask(self, text: str, scope: Scope = WORKSPACE, thread_key: str = "t1") -> Answer:
        return await self.assistant.answer(Question(text, scope, thread_key), self.progress)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    yield opened
    opened.close()


@pytest.fixture
def bench(store: Store) -> Bench:
    return Bench(store)


async def test_an_answer_is_a_quote_with_its_footnote(bench: Bench) -> None:
    answer = await bench.ask("How long is parental leave?")

    assert answer.outcome is Outcome.ANSWERED
    assert answer.stop_reason is StopReason.ANSWERED
    assert "“Parental leave is 16 weeks at full pay.” [1]" in answer.text
    assert answer.citations[0].doc == "leave.md"
    assert answer.looked_at[0].title == "Leave"
    assert answer.extractive


async def test_what_is_not_covered_says_where_it_looked_and_whom_to_ask(bench: Bench) -> None:
    answer = await bench.ask("How much does the company pay for pet insurance?")

    assert answer.outcome is Outcome.NOT_COVERED
    assert answer.citations == ()
    assert "I found nothing about this" in answer.text
    assert answer.contact == "#help"
    assert answer.gap_recorded
    assert [gap.question for gap in await bench.gaps.newest()] == [answer.question]


async def test_a_line_without_an_end_is_quoted_in_a_stretch(bench: Bench) -> None:
    words = " ".join(f"word{number}" for number in range(600))
    bench.library = MemoryLibrary({"fees": {"dots-fee": f"The dots fee {words} is 12 euros"}})
    bench.assistant = replace(bench.assistant, library=bench.library)

    answer = await bench.ask("what is the dots fee?")

    assert answer.outcome is Outcome.ANSWERED
    assert answer.citations[0].quote.startswith("The dots fee word0")
    assert len(answer.citations[0].quote) <= 1_000


async def test_outside_its_scope_nothing_is_found_or_told(bench: Bench) -> None:
    answer = await bench.ask("How long is parental leave?", scope=Scope.of("slack:C9"))

    assert answer.outcome is Outcome.NOT_COVERED
    assert answer.looked_at == answer.nearest == ()
    assert "Leave" not in answer.text


async def test_small_talk_gets_a_fixed_reply_and_leaves_no_trace(bench: Bench) -> None:
    answer = await bench.ask("hello!")

    assert answer.outcome is Outcome.TALK
    assert answer.stop_reason is None
    assert answer.citations == ()
    assert answer.trace_id == ""
    assert bench.library.queries == []


@pytest.mark.parametrize("text", ["", "  \n", "???", "\x07", "😀😀"])
async def test_what_holds_no_question_is_asked_for_one(bench: Bench, text: str) -> None:
    answer = await bench.ask(text)

    assert answer.outcome is Outcome.TALK
    assert answer.text == "I see no question there: please write one in your own words."
    assert await bench.gaps.newest() == []


async def test_a_message_longer_than_any_question_is_not_looked_up(bench: Bench) -> None:
    answer = await bench.ask("leave " * LONGEST_CHARS)

    assert answer.outcome is Outcome.TALK
    assert f"longer than {LONGEST_CHARS} characters" in answer.text
    assert bench.library.queries == []


async def test_a_question_that_led_nowhere_is_answered_by_its_clauses(bench: Bench) -> None:
    answer = await bench.ask("How long is parental leave and are astronaut lunches free?")

    assert [part.outcome for part in answer.parts] == [Outcome.ANSWERED, Outcome.NOT_COVERED]
    assert "16 weeks" in answer.parts[0].text


async def test_clauses_that_find_no_more_leave_one_gap(bench: Bench) -> None:
    answer = await bench.ask("How does the cafeteria work and are astronaut lunches free?")

    assert (answer.outcome, answer.parts) == (Outcome.NOT_COVERED, ())
    assert [gap.question for gap in await bench.gaps.newest()] == [answer.question]


async def test_a_greeting_beside_a_question_is_taken_off(bench: Bench) -> None:
    await bench.ask("hi there, how long is parental leave?")

    assert bench.library.queries == ["how long is parental leave?"]


async def test_a_follow_up_is_completed_and_shown(bench: Bench) -> None:
    await bench.ask("How long is parental leave?")
    answer = await bench.ask("and for part-time staff?")

    assert answer.understood == "How long is parental leave for part-time staff?"
    assert "Part-time staff get 16 weeks" in answer.text


async def test_a_follow_up_that_asks_for_the_other_case_is_answered_from_it(bench: Bench) -> None:
    await bench.ask("What does a hotel night cost?")
    answer = await bench.ask("and with breakfast?")

    assert "Breakfast is included in the hotel limit." in answer.text


async def test_who_or_what_is_asked_back_once_where_nothing_tells(bench: Bench) -> None:
    answer = await bench.ask("how long is it?")

    assert answer.outcome is Outcome.CLARIFY
    assert answer.text == "What do you mean by “it”? Name it, and I look it up."
    assert answer.citations == ()
    assert not answer.gap_recorded

    again = await bench.ask("how long is it?")
    assert again.outcome is not Outcome.CLARIFY


async def test_an_uncovered_follow_up_is_declined_even_after_a_good_answer(bench: Bench) -> None:
    await bench.ask("How long is parental leave?")
    answer = await bench.ask("and for astronauts?")

    assert answer.outcome is Outcome.NOT_COVERED


async def test_a_follow_up_in_another_scope_knows_nothing_of_the_thread(bench: Bench) -> None:
    await bench.ask("How long is parental leave?")
    answer = await bench.ask("and for part-time staff?", scope=Scope.of("workspace", "mail:a@b.c"))

    assert answer.understood == ""


async def test_parts_are_answered_one_by_one_and_honestly(bench: Bench) -> None:
    answer = await bench.ask("How long is parental leave, and how much is the pet insurance?")

    assert [part.outcome for part in answer.parts] == [Outcome.ANSWERED, Outcome.NOT_COVERED]
    assert answer.outcome is Outcome.PARTIAL
    assert "16 weeks" in answer.parts[0].text
    assert "I found nothing" in answer.parts[1].text
    assert answer.gap_recorded


async def test_how_to_answers_with_the_whole_list(bench: Bench) -> None:
    answer = await bench.ask("How do I book a hotel in the travel tool?")

    assert "Open the travel tool." in answer.text
    assert "Send it to your manager." in answer.text


async def test_a_chinese_question_is_answered_in_chinese(bench: Bench) -> None:
    answer = await bench.ask("密码至少需要多少个字符？")

    assert answer.language == "zh"
    assert "密码至少需要15个字符。" in answer.text


async def test_documents_in_another_language_are_counted_and_make_no_gap(bench: Bench) -> None:
    bench.library.other_language_documents = 412

    answer = await bench.ask("宠物保险由公司支付吗？")

    assert answer.outcome is Outcome.NOT_COVERED
    assert not answer.gap_recorded
    assert "412" in " ".join(answer.notes)
    assert await bench.gaps.newest() == []


async def test_the_rounds_can_be_read_again(bench: Bench) -> None:
    answer = await bench.ask("How long is parental leave?")

    trace = await bench.traces.find(answer.trace_id)

    assert trace is not None
    assert trace.question == "How long is parental leave?"
    assert trace.rounds[-1].action == "answer"
    assert trace.rounds[-1].seen[0].title == "Leave"


async def test_the_asker_sees_what_is_read(bench: Bench) -> None:
    await bench.ask("How long is parental leave?")

    assert isinstance(bench.progress, RememberedProgress)
    stages = [event.stage for event in bench.progress.events]
    assert stages[0] is Stage.MAP
    assert stages[-1] is Stage.COMPOSING
    reading = next(event for event in bench.progress.events if event.stage is Stage.READING)
    assert (reading.document, reading.section) == ("Leave", "Parental Leave")


async def test_of_a_plan_the_asker_sees_every_part(bench: Bench) -> None:
    await bench.ask("How long is parental leave, and how much is the pet insurance?")

    assert isinstance(bench.progress, RememberedProgress)
    states = [[part.state for part in event.parts] for event in bench.progress.events]
    assert [PartState.PENDING, PartState.PENDING] in states
    assert states[-1] == [PartState.ANSWERED, PartState.NOT_COVERED]


async def test_progress_that_fails_does_not_reach_the_answer(bench: Bench) -> None:
    class Broken:
        async def show(self, event: ProgressEvent) -> None:
            raise RuntimeError("the platform is down")

    bench.progress = Broken()

    assert (await bench.ask("How long is parental leave?")).outcome is Outcome.ANSWERED


async def test_called_off_it_says_what_was_found_so_far(bench: Bench) -> None:
    question = Question("How long is parental leave?", WORKSPACE)

    answer = await bench.assistant.answer(question, RememberedProgress(), lambda: True)

    assert answer.stop_reason is StopReason.CANCELLED
    assert not answer.gap_recorded


async def test_a_model_that_is_away_is_replaced_at_once(store: Store) -> None:
    away = Bench(store, ScriptedCore(ServiceUnreachable("No answer.")))

    answer = await away.ask("How long is parental leave?")

    assert answer.outcome is Outcome.ANSWERED
    assert answer.stop_reason is StopReason.UNAVAILABLE
    assert answer.extractive
    assert any("language model is unavailable" in note for note in answer.notes)


async def test_a_miss_while_the_model_is_away_is_no_gap(store: Store) -> None:
    away = Bench(store, ScriptedCore(ServiceUnreachable("No answer.")))

    answer = await away.ask("How much does the company pay for pet insurance?")

    assert answer.outcome is Outcome.UNAVAILABLE
    assert not answer.gap_recorded
