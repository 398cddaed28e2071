"""How one leaf is worked on: round by round, until a stop rule speaks."""

import asyncio

from agent.domain import (
    WORKSPACE,
    Action,
    Decision,
    Finding,
    Outcome,
    Question,
    StopReason,
    Support,
)
from agent.errors import DecisionError
from agent.leaves.desk import Desk, Leaf
from agent.loop import QUOTE_IT, SEARCH_FIRST, LoopController
from agent.ports import AgentCore, ShownWindow
from agent.reading import DocumentReader
from agent.stopping import Budget, StopRule
from agent.trace import LeafTrace
from config.settings import LoopSettings
from tests.engine_fakes import (
    DECLINE,
    Clock,
    MemoryLibrary,
    ScriptedCore,
    answer,
    read,
    search,
    unsure,
)

LEAVE = "Parental leave is 16 weeks at full pay. It starts with the birth."
TEXTS = {
    "people": {
        "leave": LEAVE,
        "leave/part-time": "Part-time staff get the same number of weeks.",
        "sick": "Sick leave is certified by a doctor after three days.",
        "notice": "Notice is given in writing to the manager.",
    },
    "travel": {"hotels": "A hotel night costs 300 dollars at most."},
}
QUESTION = "How long is parental leave?"


class Run:
    """One leaf with its desk, ready to go."""

    def __init__(self, core: AgentCore, question: str = QUESTION, **bounds: float) -> None:
        self.library = MemoryLibrary(TEXTS)
        self.clock = Clock()
        self.called_off = False
        limits = LoopSettings().model_copy(update=bounds)
        budget = Budget(limits.question_tokens, 45.0, self.clock, lambda: self.called_off)
        self.trace = LeafTrace(1, self.clock)
        self.stop = StopRule(limits, budget, limits.leaf_tokens)
        self.loop = LoopController(core, self.stop, self.trace)
        self.reader = DocumentReader(self.library, WORKSPACE, limits)
        self.watched: list[str] = []
        asked = Question(question, WORKSPACE)
        self.desk = Desk(Leaf(question), asked, self.reader, self._watch)

    async def _watch(self, windows: tuple[ShownWindow, ...]) -> None:
        self.watched += [shown.section_id for shown in windows]

    async def go(self) -> Finding:
        return await self.loop.run(self.desk)


async def test_an_answer_that_passes_its_checks_ends_the_loop() -> None:
    finding = await Run(ScriptedCore(answer("Parental leave is 16 weeks at full pay."))).go()

    assert finding.outcome is Outcome.ANSWERED
    assert finding.stop_reason is StopReason.ANSWERED
    assert finding.text == "“Parental leave is 16 weeks at full pay.” [1]"
    assert finding.citations[0].section_path == "leave"
    assert finding.rounds == 1


async def test_support_below_the_threshold_makes_it_partial() -> None:
    finding = await Run(
        ScriptedCore(unsure(answer("Parental leave is 16 weeks at full pay.")))
    ).go()

    assert finding.outcome is Outcome.PARTIAL


async def test_what_is_missing_makes_it_partial_and_is_told() -> None:
    decision = answer("Parental leave is 16 weeks at full pay.")
    lacking = Decision(
        decision.action, missing="who approves it", quotes=decision.quotes, support=decision.support
    )

    finding = await Run(ScriptedCore(lacking)).go()

    assert finding.outcome is Outcome.PARTIAL
    assert finding.missing == "who approves it"


async def test_an_answer_without_a_quote_is_sent_back_and_never_an_answer() -> None:
    unquoted = Decision(Action.ANSWER, answer="", support=Support.STATED)
    core = ScriptedCore(unquoted, answer("It starts with the birth."))

    finding = await Run(core).go()

    assert core.views[1].note == QUOTE_IT
    assert (finding.outcome, finding.rounds) == (Outcome.ANSWERED, 2)


async def test_the_extractive_core_declines_where_it_finds_nothing_to_quote() -> None:
    core = ScriptedCore(Decision(Action.ANSWER, support=Support.STATED))
    core.extractive = True

    finding = await Run(core).go()

    assert (finding.outcome, finding.stop_reason) == (Outcome.NOT_COVERED, StopReason.DECLINED)
    assert (finding.text, finding.citations) == ("", ())


async def test_an_invented_quote_comes_back_as_the_next_rounds_note() -> None:
    core = ScriptedCore(answer("Parental leave is 26 weeks."), answer("It starts with the birth."))

    finding = await Run(core).go()

    assert "does not stand in the text shown" in core.views[1].note
    assert finding.outcome is Outcome.ANSWERED
    assert finding.rounds == 2


async def test_an_unusable_decision_costs_a_round_and_never_the_question() -> None:
    core = ScriptedCore(
        DecisionError("The reply was no JSON.", hint="Reply with JSON."),
        answer("It starts with the birth."),
    )

    finding = await Run(core).go()

    assert core.views[1].note == "The reply was no JSON. Reply with JSON."
    assert finding.outcome is Outcome.ANSWERED


async def test_a_section_that_was_never_shown_cannot_be_read() -> None:
    core = ScriptedCore(read("D9.1"), answer("It starts with the birth."))

    await Run(core).go()

    assert "There is no section D9.1." in core.views[1].note


async def test_reading_a_heading_brings_what_stands_below_it() -> None:
    core = ScriptedCore(
        read("D1.1"), answer("Part-time staff get the same number of weeks.", "D1.2")
    )

    finding = await Run(core, "How long is parental leave for dads?").go()

    assert [shown.section_id for shown in core.views[1].windows] == ["D1.1", "D1.2"]
    assert finding.outcome is Outcome.ANSWERED


async def test_ids_stay_the_same_through_all_rounds() -> None:
    core = ScriptedCore(search("hotel night"), search("sick doctor"), DECLINE)

    await Run(core).go()

    first = {d.short_id: d.entry.document.doc_id for d in core.views[0].documents}
    later = {d.short_id: d.entry.document.doc_id for d in core.views[2].documents}
    assert first["D1"] == later["D1"] == "people"
    assert {d.short_id for d in core.views[1].documents} == {"D2"}


async def test_a_document_is_set_aside_once_enough_of_it_was_read() -> None:
    core = ScriptedCore(read("D1.1"), read("D1.2"), DECLINE)

    await Run(core, sections_per_document=1).go()

    assert "D1 is set aside after 1 sections." in core.views[2].note


async def test_declining_before_a_search_in_other_words_is_refused_once() -> None:
    core = ScriptedCore(DECLINE, search("weeks birth"), DECLINE)

    run = Run(core)
    finding = await run.go()

    assert core.views[1].note == SEARCH_FIRST
    assert run.library.queries == [QUESTION, "weeks birth"]
    assert finding.outcome is Outcome.NOT_COVERED


async def test_declining_after_a_search_in_other_words_ends_it_with_nothing_claimed() -> None:
    finding = await Run(ScriptedCore(search("weeks birth"), DECLINE)).go()

    assert finding.outcome is Outcome.NOT_COVERED
    assert finding.stop_reason is StopReason.DECLINED
    assert finding.text == ""
    assert finding.citations == ()
    assert finding.nearest[0].title == "People"


async def test_the_same_decision_twice_is_no_progress() -> None:
    finding = await Run(ScriptedCore(search("hotel night"))).go()

    assert finding.stop_reason is StopReason.NO_PROGRESS
    assert finding.outcome is Outcome.NOT_COVERED


async def test_two_rounds_that_bring_nothing_new_are_no_progress() -> None:
    core = ScriptedCore(search("parental leave"), search("leave parental"), search("leave"))

    finding = await Run(core).go()

    assert finding.stop_reason is StopReason.NO_PROGRESS
    assert len(core.views) == 2


async def test_a_bound_with_a_verified_quote_is_partial() -> None:
    keeping = Decision(
        Action.SEARCH, query="hotel night", quotes=answer("It starts with the birth.").quotes
    )

    finding = await Run(ScriptedCore(keeping)).go()

    assert finding.outcome is Outcome.PARTIAL
    assert finding.stop_reason is StopReason.NO_PROGRESS
    assert finding.text == "“It starts with the birth.” [1]"


async def test_kept_quotes_are_shown_again() -> None:
    quotes = answer("It starts with the birth.").quotes
    core = ScriptedCore(Decision(Action.SEARCH, query="hotel night", quotes=quotes), DECLINE)

    await Run(core).go()

    assert core.views[1].kept == quotes


async def test_a_past_round_is_one_line() -> None:
    core = ScriptedCore(search("hotel night"), DECLINE)

    await Run(core).go()

    assert core.views[1].read == ("saw D1.1, D1.3 · search hotel night",)


async def test_the_last_round_is_forced_and_takes_an_answer() -> None:
    core = ScriptedCore(search("hotel night"), answer("It starts with the birth."))

    finding = await Run(core, max_rounds=2).go()

    assert [view.forced for view in core.views] == [False, True]
    assert finding.outcome is Outcome.ANSWERED


async def test_in_the_last_round_only_answer_and_not_covered_count() -> None:
    core = ScriptedCore(search("hotel night"), read("D1.1"))

    finding = await Run(core, max_rounds=2).go()

    assert finding.stop_reason is StopReason.MAX_ROUNDS
    assert finding.outcome is Outcome.NOT_COVERED


async def test_in_the_last_round_what_fails_is_left_out() -> None:
    text = "Parental leave is 16 weeks [1]. It is 26 weeks in Berlin [1]."
    core = ScriptedCore(answer("Parental leave is 16 weeks at full pay.", text=text))

    finding = await Run(core, max_rounds=1).go()

    assert finding.outcome is Outcome.PARTIAL
    assert finding.text == "“Parental leave is 16 weeks” [1]."


async def test_a_decision_that_would_cost_too_much_is_not_asked_for() -> None:
    core = ScriptedCore(DECLINE, cost_tokens=13_000)

    finding = await Run(core).go()

    assert finding.stop_reason is StopReason.OUT_OF_TOKENS
    assert core.views == []


async def test_time_is_up() -> None:
    core = ScriptedCore(search("hotel night"))
    run = Run(core)
    run.clock.now_s = 45.0

    finding = await run.go()

    assert finding.stop_reason is StopReason.OUT_OF_TIME
    assert finding.outcome is Outcome.NOT_COVERED


async def test_a_core_that_never_decides_runs_out_of_time() -> None:
    class Sleeping(ScriptedCore):
        async def decide(self, view: object) -> Decision:
            await asyncio.Event().wait()
            raise AssertionError("never woken")

    run = Run(Sleeping(DECLINE))
    run.clock.now_s = 44.99

    assert (await run.go()).stop_reason is StopReason.OUT_OF_TIME


async def test_an_asker_who_calls_it_off_ends_it() -> None:
    run = Run(ScriptedCore(search("hotel night")))
    run.called_off = True

    assert (await run.go()).stop_reason is StopReason.CANCELLED


async def test_one_failed_search_is_made_good() -> None:
    core = ScriptedCore(search("parental leave"), answer("It starts with the birth."))
    run = Run(core)
    run.library.broken = 1

    finding = await run.go()

    assert core.views[0].note == "The library is locked. Try again."
    assert finding.outcome is Outcome.ANSWERED


async def test_two_failed_tools_in_a_row_end_it_as_unavailable_not_as_a_gap() -> None:
    run = Run(ScriptedCore(search("parental leave")))
    run.library.broken = 2

    finding = await run.go()

    assert finding.stop_reason is StopReason.TOOL_FAILURES
    assert finding.outcome is Outcome.UNAVAILABLE


async def test_a_question_back_needs_choices() -> None:
    empty = Decision(Action.CLARIFY, answer="Which leave?", choices=("Sick leave",))
    good = Decision(Action.CLARIFY, answer="Which leave?", choices=("Sick leave", "Parental leave"))
    core = ScriptedCore(empty, good)

    finding = await Run(core).go()

    assert "two to four choices" in core.views[1].note
    assert finding.outcome is Outcome.CLARIFY
    assert finding.choices == ("Sick leave", "Parental leave")


async def test_a_document_deleted_meanwhile_is_a_failed_tool_not_a_crash() -> None:
    core = ScriptedCore(read("D1.2"), DECLINE)
    run = Run(core)
    await run.reader.search(QUESTION, core.text_size)
    run.library.forget("people")

    finding = await run.go()

    assert finding.outcome is Outcome.NOT_COVERED


async def test_the_rounds_are_written_down() -> None:
    run = Run(
        ScriptedCore(
            search("hotel night"), answer("A hotel night costs 300 dollars at most.", "D2.1")
        )
    )

    await run.go()

    first, second = run.trace.rounds
    assert (first.action, first.text.query) == ("search", "hotel night")
    assert first.seen[0].doc == "people.md"
    assert (second.action, second.targets, second.end) == ("answer", ("D2.1",), "answered")
    assert run.watched == ["D1.1", "D1.3", "D2.1"]
