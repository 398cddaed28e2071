"""What a trace tells of a question that went wrong, and what to do about it."""

from dataclasses import replace

from agent.domain import WORKSPACE, Action, Decision, Outcome, Quote, StopReason, Support, Usage
from agent.ports import RoundView, ShownDocument, ShownWindow
from agent.trace import LeafTrace, RoundTrace, Trace
from agent.trace.diagnosis import Symptom, diagnose
from config.settings import LoopSettings
from tests.engine_fakes import NOON, MemoryLibrary

LEAVE = {"leave": {"parental": "Parental leave lasts 14 weeks.", "sick": "Sick leave is paid."}}
PETS = {"pets": {"insurance": "Pet insurance is covered for dogs and cats by the company."}}
BOUNDS = LoopSettings()
DECLINED = Decision(Action.NOT_COVERED, reason="nothing states it")


async def view_of(library: MemoryLibrary, question: str, *shown: str) -> RoundView:
    """A round that has these sections (`doc/section`) before it and lists their documents."""
    found = await library.search(question, WORKSPACE, windows=20)
    windows = [
        (f"{window.document.doc_id}/{window.section.path}", window) for window in found.windows
    ]
    listed = await library.read_map(WORKSPACE, list(dict.fromkeys(s.split("/")[0] for s in shown)))  # type: ignore[misc]
    return RoundView(
        question,
        tuple(ShownDocument(f"D{n}", entry) for n, entry in enumerate(listed, start=1)),
        tuple(
            ShownWindow(f"D1.{n}", window)
            for n, (name, window) in enumerate(windows, start=1)
            if name in shown
        ),
        found,
    )


def traced(view: RoundView, *decisions: Decision, end: str = "declined") -> list[RoundTrace]:
    trace = LeafTrace(1)
    for number, decision in enumerate(decisions, start=1):
        trace.begin(replace(view, round=number))
        trace.end(decision)
    trace.stopped(end)
    return trace.rounds


async def symptoms(
    library: MemoryLibrary,
    rounds: list[RoundTrace],
    outcome: Outcome = Outcome.NOT_COVERED,
    stop: StopReason = StopReason.DECLINED,
) -> list[Symptom]:
    trace = Trace(
        "t1", NOON, WORKSPACE.key, outcome.value, stop.value, rounds=tuple(rounds), scope=WORKSPACE
    )
    return await diagnose(trace, library, BOUNDS)


def names(found: list[Symptom]) -> list[str]:
    return [symptom.name for symptom in found]


async def test_what_no_document_holds_is_truly_not_covered() -> None:
    library = MemoryLibrary(LEAVE)
    view = await view_of(library, "does parental insurance cover dogs?", "leave/parental")

    (found,) = await symptoms(library, traced(view, DECLINED))

    assert (found.name, found.healthy) == ("truly not covered", True)
    assert "dogs" in found.says


async def test_evidence_in_a_document_that_was_not_listed_is_a_bad_shortlist() -> None:
    library = MemoryLibrary({**LEAVE, **PETS})
    view = await view_of(library, "is pet insurance covered?", "leave/parental")

    (found,) = await symptoms(library, traced(view, DECLINED))

    assert found.name == "bad shortlist"
    assert "pets.md › Insurance" in found.says


async def test_evidence_in_a_listed_document_that_was_not_shown_is_not_in_view() -> None:
    library = MemoryLibrary({"pets": {**PETS["pets"], "food": "Pet food is in the kitchen."}})
    view = await view_of(library, "is pet insurance covered?", "pets/food")

    (found,) = await symptoms(library, traced(view, DECLINED))

    assert found.name == "evidence not in view"


async def test_an_answer_beside_a_better_document_is_from_the_wrong_one() -> None:
    library = MemoryLibrary({**LEAVE, **PETS})
    view = await view_of(library, "is pet insurance covered while on parental leave?", "leave/sick")
    cited = view.windows[0].section_id
    answer = Decision(
        Action.ANSWER,
        quotes=(Quote(cited, "Sick leave is paid."),),
        answer="Yes [1].",
        support=Support.STATED,
    )

    found = await symptoms(
        library, traced(view, answer, end="answered"), Outcome.ANSWERED, StopReason.ANSWERED
    )

    assert names(found) == ["wrong document"]


async def test_an_answer_from_the_best_section_has_nothing_wrong() -> None:
    library = MemoryLibrary({**LEAVE, **PETS})
    view = await view_of(library, "how long is parental leave?", "leave/parental")
    cited = view.windows[0].section_id
    answer = Decision(Action.ANSWER, quotes=(Quote(cited, "Parental leave lasts 14 weeks."),))

    found = await symptoms(
        library, traced(view, answer, end="answered"), Outcome.ANSWERED, StopReason.ANSWERED
    )

    assert names(found) == ["nothing wrong"]


async def test_going_back_to_what_was_seen_is_re_reading() -> None:
    library = MemoryLibrary(LEAVE)
    view = await view_of(library, "does insurance cover dogs?", "leave/parental")
    again = Decision(Action.READ, sections=("D1.1",))

    found = await symptoms(
        library,
        traced(view, again, again, end="no_progress"),
        stop=StopReason.NO_PROGRESS,
    )

    assert "re-reading" in names(found)


async def test_a_leaf_far_beyond_its_tokens_is_a_blow_up() -> None:
    library = MemoryLibrary(LEAVE)
    view = await view_of(library, "does insurance cover dogs?", "leave/parental")
    dear = replace(DECLINED, usage=Usage(full_calls=1, prompt_tokens=9_500, completion_tokens=90))

    found = await symptoms(library, traced(view, dear))

    blown = next(symptom for symptom in found if symptom.name == "token blow-up")
    assert "9,590" in blown.says


async def test_a_bound_that_ended_the_question_is_named() -> None:
    library = MemoryLibrary(LEAVE)
    view = await view_of(library, "does insurance cover dogs?", "leave/parental")

    found = await symptoms(library, traced(view, DECLINED), stop=StopReason.UNAVAILABLE)

    assert "model unavailable" in names(found)


async def test_without_its_words_a_trace_says_that_they_are_forgotten() -> None:
    trace = Trace("t1", NOON, WORKSPACE.key, "not_covered", "declined")

    (found,) = await diagnose(trace, MemoryLibrary(LEAVE), BOUNDS)

    assert found.name == "texts forgotten"
