"""Answers against their gold: hits, retrieval, refusals, intervals."""

from typing import Any

import pytest

from agent.evaluation.curve import Judged, curve
from agent.evaluation.intervals import Share, quantile, wilson
from agent.evaluation.matching import overlap, said
from agent.evaluation.played import EvidenceSeen, Played
from agent.evaluation.questions import EvalQuestion, Evidence
from agent.evaluation.results import result
from agent.evaluation.retrieval import Ranked
from agent.evaluation.scoring import score

QUOTE = "Parents receive 14 weeks of [parental leave](leave.md) at full pay."
SEEN = "Parents receive 14 weeks of parental leave at full pay."


def asked(**given: Any) -> EvalQuestion:
    gold = {
        "id": "1",
        "question": "How long is parental leave?",
        "gold_answers": ("14 weeks",),
        "gold_docs": ("leave.md",),
        "gold_evidence": (Evidence(doc="leave.md", section=("Leave",), quote=QUOTE),),
    }
    return EvalQuestion(**(gold | given))


def told(*cited: tuple[str, str], status: str = "answered", answer: str = "") -> dict[str, Any]:
    return {
        "status": status,
        "answer": answer,
        "citations": [{"doc": doc, "quote": quote} for doc, quote in cited],
    }


def played(answer: dict[str, Any], **given: Any) -> Played:
    return Played(id="1", answer=answer, **given)


def test_a_quote_as_a_reader_sees_it_matches_the_file() -> None:
    assert overlap(SEEN, QUOTE)
    assert overlap("…receive 14 weeks of parental leave at full pay", QUOTE)
    assert not overlap("Engineers on call receive 350 euros a week.", QUOTE)


def test_a_short_quote_is_no_overlap() -> None:
    assert not overlap("14 weeks", QUOTE)


def test_a_long_gold_answer_is_said_by_most_of_its_words() -> None:
    assert said("from the fourth calendar day on", "on the fourth calendar day it is needed")
    assert not said("from the fourth calendar day on", "on the third day")
    assert said("30 秒", "默认为 30 秒。")


@pytest.mark.parametrize(
    ("answer", "hit"),
    [
        (told(("leave.md", SEEN)), True),
        (told(("leave.md", "Leave"), answer="It is 14 weeks [1]."), True),
        (told(("leave.md", SEEN), status="partial"), True),
        (told(("other.md", SEEN)), False),
        (told(("leave.md", SEEN), status="not_covered"), False),
        (told(("leave.md", "Everybody has 28 days of annual leave.")), False),
        (told(answer="14 weeks"), False),
    ],
)
def test_a_hit_is_a_right_document_and_the_right_words(answer: dict[str, Any], hit: bool) -> None:
    assert score(asked(), played(answer)).hit is hit


def test_all_needed_documents_must_be_cited_for_all() -> None:
    other = Evidence(doc="pay.md", quote="Pay is sent on the 25th of every month.")
    question = asked(
        gold_mode="all",
        gold_docs=("leave.md", "pay.md"),
        gold_evidence=(*asked().gold_evidence, other),
    )
    one = score(question, played(told(("leave.md", SEEN))))
    both = score(question, played(told(("leave.md", SEEN), ("pay.md", other.quote))))
    assert (one.hit, one.passages_found) == (False, 0.5)
    assert (both.hit, both.passages_found) == (True, 1.0)


def test_another_document_that_is_as_good_counts() -> None:
    question = asked(alt_docs=("copy.md",))
    assert score(question, played(told(("copy.md", SEEN)))).hit


def test_documents_and_sections_are_counted_in_the_top_1_3_and_5() -> None:
    ranked = Ranked(
        ("a.md", "leave.md"), ("nothing", "parentsreceive14weeksofparentalleaveatfullpay")
    )
    its = score(
        asked(),
        played(
            told(),
            documents=ranked.documents,
            section_ranks=ranked.ranks_of(asked().gold_evidence),
        ),
    )
    assert its.documents == (False, True, True)
    assert its.sections == (0.0, 1.0, 1.0)


def test_figures_have_the_promised_shape() -> None:
    absent = EvalQuestion(id="2", question="Who?", type="unanswerable", gold_mode="none")
    told_1 = told(("leave.md", SEEN), ("a.md", "x")) | {
        "calls": {"full": 2, "small": 1},
        "tokens": {"prompt": 90, "completion": 10},
        "ms": {"total": 50, "model": 30},
    }
    runs = {
        "1": played(told_1, verbatim=(True, False), seen=EvidenceSeen(first=True, ever=True)),
        "2": Played(id="2", answer=told(status="not_covered")),
    }
    figures = result("loop", "m", [asked(style="paraphrase"), absent], runs).to_json()
    assert (figures["engine"], figures["model"], figures["n"]) == ("loop", "m", 2)
    assert figures["hits"]["direct*"]["hit"] == 1.0
    assert figures["hits"]["all"]["n"] == 1
    assert 0 < figures["hits"]["all"]["low"] < 1
    assert (figures["declined"], figures["wrongly_declined"]) == (1.0, 0.0)
    assert figures["calls"] == {"full": 1.0, "small": 0.5}
    assert (figures["tokens"], figures["ms"]) == (50.0, 25.0)
    assert figures["ms_detail"]["own_p50"] == 10.0
    assert figures["citations"] == {"right_document": 0.5, "verbatim": 0.5}
    assert figures["evidence_in_prompt"]["first"]["seen"] == 1.0
    assert set(figures["documents"]) == set(figures["sections"]) == {"1", "3", "5"}


def test_a_question_that_was_not_played_is_missed() -> None:
    figures = result("loop", "", [asked()], {}).to_json()
    assert (figures["hits"]["all"]["hit"], figures["wrongly_declined"]) == (0.0, 0.0)


def test_the_interval_of_wilson() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(8, 10)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert wilson(10, 10)[1] == pytest.approx(1.0)
    assert Share(0, 0).value is None


def test_quantiles_lie_between_measurements() -> None:
    assert quantile([1, 2, 3, 4], 0.5) == 2.5
    assert quantile([7], 0.95) == 7
    assert quantile([], 0.5) is None


def test_a_stricter_threshold_declines_more_and_tells_what_it_costs() -> None:
    judged = [
        Judged(0.9, answerable=True, hit=True, declined=False),
        Judged(0.4, answerable=True, hit=True, declined=False),
        Judged(0.3, answerable=True, hit=False, declined=False),
        Judged(0.2, answerable=False, hit=False, declined=False),
        Judged(0.1, answerable=False, hit=False, declined=True),
    ]
    points = {point.threshold: point for point in curve(judged)}
    assert points[0.0].declined == Share(1, 2)
    assert points[0.4].declined == Share(2, 2)
    assert points[0.4].wrongly_declined == Share(1, 3)
    assert (points[0.4].lost, points[0.9].lost) == (0, 1)


def test_a_curve_of_many_answers_stays_short_enough_to_read() -> None:
    judged = [Judged(at / 500, True, hit=True, declined=False) for at in range(500)]
    points = curve(judged)
    assert len(points) <= 40
    assert points[0].threshold == 0.0
