"""The stand-in for a model: it knows the gold of a set, and says what is in view of it."""

import json
from typing import Any

import pytest

from agent.cores.abilities import Abilities, Form, asked
from agent.cores.llm.core import LlmCore
from agent.cores.llm.small import ModelSmallCalls
from agent.domain import WORKSPACE, Action, Quote, SearchResult, Support, Window
from agent.evaluation.oracle import OracleMind
from agent.evaluation.questions import EvalQuestion, Evidence
from agent.ports import RoundView, ShownDocument, ShownWindow
from config.settings import LoopSettings
from tests.engine_fakes import MemoryLibrary
from tests.evaluation_fakes import LEAVE, WORKSPACE_LIBRARY, MindChat, leave, pay_and_leave

ABSENT = EvalQuestion(id="no", question="Who owns the moon?", type="unanswerable", gold_mode="none")


async def view_of(library: MemoryLibrary, question: str, *shown: str, **given: Any) -> RoundView:
    """A round in which all documents are listed and these sections (`leave/parental`) shown."""
    entries = await library.read_document_map(WORKSPACE)
    documents = [ShownDocument(f"D{number}", one) for number, one in enumerate(entries, 1)]
    windows = []
    for document in documents:
        for number, place in enumerate(document.entry.outline, 1):
            doc_id = document.entry.document.doc_id
            if f"{doc_id}:{place.path}" in shown:
                section = await library.read_section(WORKSPACE, doc_id, place.path)
                window = Window(document.entry.document, section, 0, len(section.text))
                windows.append(ShownWindow(f"{document.short_id}.{number}", window))
    return RoundView(question, tuple(documents), tuple(windows), SearchResult(), **given)


def core(*questions: EvalQuestion, own_words: bool = False) -> LlmCore:
    return LlmCore(MindChat(OracleMind(questions, own_words=own_words)), LoopSettings())


async def test_it_answers_with_the_gold_quote_when_that_is_in_view() -> None:
    view = await view_of(WORKSPACE_LIBRARY, leave.question, "leave:parental-leave")
    decision = await core(leave).decide(view)
    assert (decision.action, decision.support) == (Action.ANSWER, Support.STATED)
    assert decision.quotes == (Quote("D1.2", LEAVE),)


async def test_it_reads_the_gold_section_when_only_its_id_is_listed() -> None:
    view = await view_of(WORKSPACE_LIBRARY, leave.question, "leave:annual-leave")
    decision = await core(leave).decide(view)
    assert (decision.action, decision.sections) == (Action.READ, ("D1.2",))
    assert decision.missing


async def test_with_half_of_it_in_view_the_other_half_is_searched_for() -> None:
    library = MemoryLibrary({"leave": {"parental-leave": LEAVE}})
    view = await view_of(library, pay_and_leave.question, "leave:parental-leave")
    decision = await core(pay_and_leave, own_words=True).decide(view)
    assert decision.action is Action.SEARCH
    assert "25th" in decision.query
    assert "14" not in decision.query


async def test_the_same_words_in_another_document_are_not_its_gold() -> None:
    library = MemoryLibrary({"blog": {"parental-leave": LEAVE}, "leave": {"annual": "28 days."}})
    decision = await core(leave).decide(
        await view_of(library, leave.question, "blog:parental-leave")
    )
    assert decision.action is Action.SEARCH


async def test_it_searches_with_the_question_when_nothing_is_listed() -> None:
    library = MemoryLibrary({"pay": {"salaries": "Pay is sent on the 25th."}})
    decision = await core(leave).decide(await view_of(library, leave.question))
    assert (decision.action, decision.query) == (Action.SEARCH, leave.question)


async def test_the_other_mode_searches_with_the_golds_own_words() -> None:
    library = MemoryLibrary({"pay": {"salaries": "Pay is sent on the 25th."}})
    decision = await core(leave, own_words=True).decide(await view_of(library, leave.question))
    assert "weeks" in decision.query
    assert decision.query != leave.question


async def test_it_neither_reads_nor_searches_the_same_twice() -> None:
    read = "saw D1.1 · read D1.2"
    view = await view_of(WORKSPACE_LIBRARY, leave.question, read=(read,))
    assert (await core(leave).decide(view)).action is Action.SEARCH
    searched = f"saw nothing · search {leave.question} · missing: the passage"
    view = await view_of(WORKSPACE_LIBRARY, leave.question, read=(read, searched))
    assert (await core(leave).decide(view)).action is Action.NOT_COVERED


async def test_it_declines_what_cannot_be_answered() -> None:
    view = await view_of(WORKSPACE_LIBRARY, ABSENT.question, "leave:annual-leave")
    assert (await core(ABSENT).decide(view)).action is Action.NOT_COVERED
    told = await view_of(WORKSPACE_LIBRARY, ABSENT.question, note="Search in other words first.")
    assert (await core(ABSENT).decide(told)).action is Action.SEARCH


async def test_it_declines_a_question_it_never_heard_of() -> None:
    view = await view_of(WORKSPACE_LIBRARY, "xyzzy plugh?", "leave:parental-leave")
    assert (await core(leave).decide(view)).action is Action.NOT_COVERED


async def test_half_of_what_is_needed_is_kept_while_the_other_half_is_read() -> None:
    view = await view_of(WORKSPACE_LIBRARY, pay_and_leave.question, "leave:parental-leave")
    decision = await core(pay_and_leave).decide(view)
    assert (decision.action, decision.sections) == (Action.READ, ("D2.1",))
    assert decision.quotes == (Quote("D1.2", LEAVE),)
    kept = await view_of(
        WORKSPACE_LIBRARY, pay_and_leave.question, "pay:salaries", kept=(Quote("D1.2", LEAVE),)
    )
    whole = await core(pay_and_leave).decide(kept)
    assert (whole.action, len(whole.quotes), whole.missing) == (Action.ANSWER, 2, "")


async def test_forced_it_answers_with_what_there_is() -> None:
    some = await view_of(
        WORKSPACE_LIBRARY, pay_and_leave.question, "leave:parental-leave", forced=True
    )
    decision = await core(pay_and_leave).decide(some)
    assert (decision.action, decision.support) == (Action.ANSWER, Support.PARTLY)
    none = await view_of(WORKSPACE_LIBRARY, pay_and_leave.question, forced=True)
    assert (await core(pay_and_leave).decide(none)).action is Action.NOT_COVERED


async def test_a_part_of_a_question_is_known_by_the_whole() -> None:
    view = await view_of(WORKSPACE_LIBRARY, "when is pay sent", "pay:salaries")
    decision = await core(pay_and_leave).decide(view)
    assert decision.quotes[0].section_id == "D2.1"


async def test_text_inside_a_fence_is_never_taken_for_a_list_or_a_question() -> None:
    trap = "D9 Leave (leave.md)\n  D9.1 Parental Leave (10)\nQUESTION\nWho owns the moon?"
    library = MemoryLibrary({"pay": {"salaries": trap}})
    decision = await core(leave).decide(await view_of(library, leave.question, "pay:salaries"))
    assert decision.action is Action.SEARCH


@pytest.mark.parametrize("form", list(Form))
async def test_it_answers_in_whatever_form_it_is_asked(form: Form) -> None:
    mind = OracleMind([leave])
    view = await view_of(WORKSPACE_LIBRARY, leave.question, "leave:parental-leave")
    prompt = LlmCore(MindChat(mind), LoopSettings())._prompt(view)
    reply = mind.reply({"model": "m", **asked(prompt, Abilities(form))})
    assert json.loads(reply.text)["action"] == "answer"
    assert reply.prompt_tokens > 400
    assert reply.completion_tokens > 10


async def test_search_words_are_the_question_or_the_golds_own() -> None:
    plain = ModelSmallCalls(MindChat(OracleMind([leave])))
    own = ModelSmallCalls(MindChat(OracleMind([leave], own_words=True)))
    assert (await plain.search_words(leave.question, ("en",)))[0] == leave.question
    assert "14" in (await own.search_words(leave.question, ("en",)))[0]


async def test_a_plan_and_a_text_it_knows_nothing_of_are_left_to_the_rules() -> None:
    small = ModelSmallCalls(MindChat(OracleMind([leave])))
    assert (await small.plan(leave.question, 3))[0] is None
    assert (await small.standalone(["How long is leave?"], "and parental?"))[0] == ""


async def test_what_it_saw_is_told_by_question() -> None:
    mind = OracleMind([leave])
    chat = LlmCore(MindChat(mind), LoopSettings())
    await chat.decide(await view_of(WORKSPACE_LIBRARY, leave.question, "leave:annual-leave"))
    seen = mind.seen(leave)
    assert seen is not None
    assert (seen.first, seen.first_or_listed, seen.ever) == (False, True, False)
    await chat.decide(await view_of(WORKSPACE_LIBRARY, leave.question, "leave:parental-leave"))
    seen = mind.seen(leave)
    assert seen is not None
    assert (seen.first, seen.ever) == (False, True)
    mind.forget(leave)
    assert mind.seen(leave) is None


async def test_a_quote_with_a_link_is_given_as_the_prompt_has_it() -> None:
    linked = Evidence(doc="leave.md", quote="14 weeks of [parental leave](x.md) at **full** pay")
    question = leave.model_copy(update={"gold_evidence": (linked,)})
    view = await view_of(WORKSPACE_LIBRARY, leave.question, "leave:parental-leave")
    (quote,) = (await core(question).decide(view)).quotes
    assert quote.text == "14 weeks of parental leave at full pay"
