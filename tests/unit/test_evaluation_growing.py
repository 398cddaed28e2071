"""Growing libraries, collected sets, and the report's own words."""

import itertools
from datetime import UTC, datetime
from typing import Any

from agent.domain import Answer, Citation, DocId, Outcome, SectionPath
from agent.evaluation.collecting import Asked, collect
from agent.evaluation.growing import core_of, distractors
from agent.evaluation.moments import case_of, check_case, library_of
from agent.evaluation.played import Played
from agent.evaluation.questions import EvalQuestion, Line
from agent.evaluation.report import Report, as_markdown, as_page
from agent.evaluation.results import result
from agent.trace import RoundTrace, Trace
from agent.trace.rounds import SeenSection


def question(name: str, kind: str, *docs: str) -> EvalQuestion:
    mode = "all" if len(docs) > 1 else "any"
    return EvalQuestion(id=name, question=f"{name}?", type=kind, gold_docs=docs, gold_mode=mode)


def test_the_core_takes_of_every_kind_what_fits() -> None:
    questions = [
        *(question(f"d{number}", "direct", f"d{number}.md") for number in range(8)),
        question("c1", "cross", "x.md", "y.md"),
        EvalQuestion(id="u", question="u?", type="unanswerable", gold_mode="none"),
    ]
    core = core_of(questions, 5)
    assert core.documents == ("d0.md", "x.md", "y.md", "d1.md")
    assert [one.id for one in core.questions] == ["d0", "d1", "c1", "u"]


def test_distractors_are_the_same_each_time_and_hold_no_heading() -> None:
    texts = ["# Title\n\nA paragraph about gardening, watering and pruning of roses.\n\nshort"]
    first = list(itertools.islice(distractors(texts, [], 1), 3))
    assert first == list(itertools.islice(distractors(texts, [], 1), 3))
    assert first[0][0] == "distractors/000001.md"
    assert all("Title" not in text and "short" not in text for _, text in first)


def test_distractors_of_needed_texts_hold_no_sentence_of_them() -> None:
    needed = "Parents receive 14 weeks of parental leave at full pay."
    _, text = next(distractors([], [needed], 1))
    assert needed not in text
    assert "parental" in text
    assert list(distractors([], [], 1)) == []


def trace(name: str, said: str, outcome: str = "answered", **given: Any) -> Trace:
    at = datetime(2026, 12, 1, tzinfo=UTC)
    return Trace(name, at, "scope", outcome, "answered", question=said, **given)


def answer(quote: str) -> Answer:
    cited = Citation(
        1, "handbook", "leave.md", DocId("1"), "Leave", ("Leave",), SectionPath("leave"), quote,
        0, len(quote),
    )  # fmt: skip
    return Answer("a", "q", Outcome.ANSWERED, f"{quote} [1]", (cited,))


def test_answers_become_gold_and_gaps_become_unanswerable() -> None:
    lines = collect(
        [
            Asked(trace("1", "How long is leave?"), answer("14 weeks"), liked=True),
            Asked(trace("2", "谁是队长？", "not_covered")),
            Asked(trace("3", "hello", "talk")),
            Asked(trace("4", "how long  is leave?")),
            Asked(trace("5", "Who pays?"), answer("Nobody"), liked=False),
        ]
    )
    assert [line["basis"] for line in lines] == ["liked", "not covered", "disliked"]
    liked, gap, disliked = lines
    assert liked["gold_evidence"] == [
        {"doc": "leave.md", "section": ["Leave"], "quote": "14 weeks"}
    ]
    assert (gap["type"], gap["gold_mode"], gap["language"]) == ("unanswerable", "none", "zh")
    assert disliked["gold_docs"] == []
    assert not EvalQuestion.model_validate(disliked).has_gold
    assert all(line["checked"] is False for line in lines)


def test_without_the_answer_the_cited_sections_of_the_trace_are_gold() -> None:
    seen = SeenSection("D1.2", DocId("1"), "leave.md", "Leave", ("Leave", "Parental"))
    last = RoundTrace(1, 1, (seen,), targets=("D1.2", "D9.9"))
    (line,) = collect(
        [Asked(trace("1", "How long?", understood="How long is leave?", rounds=(last,)))]
    )
    assert line["question"] == "How long is leave?"
    assert line["gold_evidence"] == [
        {"doc": "leave.md", "section": ["Leave", "Parental"], "quote": ""}
    ]


def test_what_was_asked_cannot_break_the_report() -> None:
    wild = question("<b>|`*_", "direct", "a.md").model_copy(
        update={"question": "<script>alert(1)</script> | *x*"}
    )
    report = Report("set", "lib", [result("loop", "", [wild], {wild.id: Played(id=wild.id)})])
    page, text = as_page(report), as_markdown(report)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "\\<script>alert(1)\\</script> \\| \\*x\\*" in text


def case(**expect: Any) -> Line:
    turns = [{"say": "hi", "expect": {"status": ["answered"]} | expect}]
    return Line("1", {"id": "1", "moment": "m", "library": "docs", "turns": turns})


def test_a_case_says_what_is_wrong_in_codes() -> None:
    told = {"status": "answered", "answer": "It is 77.", "citations": [{"doc": "a", "quote": "x"}]}
    (turn,) = check_case(case_of(case(max_words=2, max_calls=0)), [told], lambda doc: None)
    assert {code for code, _ in turn.fails} == {
        "unknown_document", "foreign_number", "too_long", "field_missing",
    }  # fmt: skip
    (missing,) = check_case(case_of(case()), [], lambda doc: None)
    assert missing.fails == (("missing", "no answer object"),)


def test_the_library_of_conversations_is_named_by_the_folder(tmp_path: Any) -> None:
    one, two = case_of(case()), case_of(case()).model_copy(update={"library": "zh"})
    assert library_of([one], tmp_path) == "docs"
    assert library_of([one, two], tmp_path / "zh" / "k8s") == "zh"
