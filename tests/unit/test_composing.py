"""One answer from findings: footnotes renumbered, parts named, gaps said as they are."""

import pytest

from agent.composing import (
    compose,
    other_language,
    outcome_of,
    places_named,
    recomposed,
)
from agent.domain import Finding, LookedAt, Outcome, StopReason
from agent.parting import by_part
from tests.pages import QUESTION, cited, found, missed

WEEKS = found(QUESTION, "Leave is 14 weeks [1].", cited(1, "14 weeks of leave"))
NOTICE = "How long is the notice?"
CONTACTS = {"Hiring.md": "#hiring", "": "#anyone"}


def test_a_single_finding_is_the_answer() -> None:
    composed = compose([WEEKS], "en")

    assert (composed.text, composed.outcome) == ("Leave is 14 weeks [1].", Outcome.ANSWERED)
    assert composed.citations == WEEKS.citations
    assert composed.parts == ()


def test_footnotes_are_numbered_over_all_parts() -> None:
    second = found(NOTICE, "Six weeks [1], in writing [2].", cited(1, "six weeks", "Notice"),
                   cited(2, "in writing", "Form"))  # fmt: skip

    composed = compose([WEEKS, second], "en")

    assert composed.text == (
        f"{QUESTION} Leave is 14 weeks [1].\n{NOTICE} Six weeks [2], in writing [3]."
    )
    assert [(each.number, each.title) for each in composed.citations] == [
        (1, "Leave"),
        (2, "Notice"),
        (3, "Form"),
    ]
    assert [part.text for part in composed.parts] == [
        "Leave is 14 weeks [1].",
        "Six weeks [2], in writing [3].",
    ]


def test_parts_that_rest_on_one_passage_share_its_footnote() -> None:
    second = found(NOTICE, "Also 14 weeks [1].", cited(1, "14 weeks of leave"))

    composed = compose([WEEKS, second], "en")

    assert composed.text.endswith("Also 14 weeks [1].")
    assert len(composed.citations) == 1


def test_a_part_that_was_not_covered_stands_beside_the_others() -> None:
    gap = missed(NOTICE, ("Hiring", "Contracts"), ("Leave", "Leave"))

    composed = compose([WEEKS, gap], "en", CONTACTS)

    assert composed.outcome is Outcome.PARTIAL
    assert composed.text.splitlines()[1] == (
        "How long is the notice: I found nothing. "
        "I looked in Hiring › Contracts and Leave; #hiring may know."
    )
    assert [part.outcome for part in composed.parts] == [Outcome.ANSWERED, Outcome.NOT_COVERED]


def test_a_gap_says_that_we_found_nothing_and_where_we_looked() -> None:
    composed = compose([missed(NOTICE, ("Leave", "Parental leave"))], "en", CONTACTS)

    assert composed.outcome is Outcome.NOT_COVERED
    assert composed.text == (
        "I found nothing about this in the documents I can use here. "
        "I looked in Leave › Parental leave; #anyone may know."
    )
    assert composed.citations == ()


def test_a_gap_names_the_nearest_place_first() -> None:
    near = (LookedAt("n.md", "Near", ("Notice",)),)
    finding = missed(NOTICE, ("Far", "Other"), nearest=near)

    assert "I looked in Near › Notice and Far › Other." in compose([finding], "en").text


def test_a_gap_without_places_or_contact_is_one_sentence() -> None:
    assert compose([missed(NOTICE)], "en").text == (
        "I found nothing about this in the documents I can use here."
    )


def test_a_gap_in_chinese_reads_as_chinese() -> None:
    composed = compose([missed("年假？", ("员工手册", "假期"))], "zh", {"": "#hr"})

    assert composed.text == (
        "在我这里可用的文档中，我没有找到相关内容。我查看了员工手册 › 假期；可以问问 #hr。"
    )


def test_chinese_parts_are_named_too() -> None:
    composed = compose(
        [found("年假？", "15 天 [1]。", cited(1, "十五天")), missed("谁批准？")], "zh"
    )

    assert composed.text == "年假？ 15 天 [1]。\n谁批准：我没有找到相关内容。"


def test_a_gap_claims_nothing_of_what_was_quoted_on_the_way() -> None:
    finding = Finding(NOTICE, Outcome.NOT_COVERED, text="It is 3 weeks [1].",
                      citations=(cited(1, "3 weeks"),))  # fmt: skip

    composed = compose([finding], "en")

    assert "3 weeks" not in composed.text
    assert composed.citations == ()


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("who approves it.", "I found nothing on this: who approves it."),
        ("", ""),
        ("2", ""),
        ("whether it is 99 days", ""),
    ],
)
def test_a_partial_answer_says_what_is_missing_if_that_claims_nothing(
    missing: str, said: str
) -> None:
    finding = found(QUESTION, "Leave is 14 weeks [1].", *WEEKS.citations,
                    outcome=Outcome.PARTIAL, missing=missing)  # fmt: skip

    assert compose([finding], "en").text == f"Leave is 14 weeks [1].\n{said}".strip()


def test_without_the_model_the_answer_says_so_above() -> None:
    finding = found(QUESTION, "“14 weeks” [1]", *WEEKS.citations,
                    stop_reason=StopReason.UNAVAILABLE)  # fmt: skip

    assert compose([finding], "en").notes == (
        "My language model is unavailable; these are passages found by words.",
    )


def test_without_the_model_a_miss_says_so() -> None:
    finding = missed(QUESTION, outcome=Outcome.UNAVAILABLE, stop_reason=StopReason.UNAVAILABLE)

    composed = compose([finding], "en")

    assert composed.outcome is Outcome.UNAVAILABLE
    assert composed.text.startswith("My language model is unavailable")


def test_notes_of_all_parts_are_said_once() -> None:
    one = found(QUESTION, "a [1]", cited(1, "a"), notes=("Searched for leave.",))
    other = found(NOTICE, "b [1]", cited(1, "b", "B"), notes=("Searched for leave.", "Else."))

    assert compose([one, other], "en").notes == ("Searched for leave.", "Else.")


def test_a_question_back_keeps_its_choices() -> None:
    finding = Finding("Leave?", Outcome.CLARIFY, "Which leave?", choices=("Annual", "Sick"))

    composed = compose([finding], "en")

    assert (composed.text, composed.choices) == ("Which leave?", ("Annual", "Sick"))


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        ([Outcome.ANSWERED, Outcome.ANSWERED], Outcome.ANSWERED),
        ([Outcome.ANSWERED, Outcome.NOT_COVERED], Outcome.PARTIAL),
        ([Outcome.PARTIAL, Outcome.ANSWERED], Outcome.PARTIAL),
        ([Outcome.NOT_COVERED, Outcome.NOT_COVERED], Outcome.NOT_COVERED),
        ([Outcome.NOT_COVERED, Outcome.UNAVAILABLE], Outcome.UNAVAILABLE),
        ([Outcome.ANSWERED, Outcome.UNAVAILABLE], Outcome.PARTIAL),
    ],
)
def test_the_outcome_follows_from_the_parts(parts: list[Outcome], whole: Outcome) -> None:
    assert outcome_of([Finding("?", outcome) for outcome in parts]) is whole


def test_parts_asked_together_are_told_apart() -> None:
    together = found(
        "both",
        "Parental leave is 14 weeks [1]. The notice is six weeks [2].",
        cited(1, "Parental leave lasts 14 weeks"),
        cited(2, "Give notice six weeks ahead", "Notice"),
        outcome=Outcome.PARTIAL,
        missing="3",
    )
    parts = [QUESTION, NOTICE, "Who pays the dentist?"]

    composed = compose(by_part(together, parts), "en")

    assert [(part.outcome, part.question) for part in composed.parts] == [
        (Outcome.ANSWERED, QUESTION),
        (Outcome.ANSWERED, NOTICE),
        (Outcome.NOT_COVERED, "Who pays the dentist?"),
    ]
    assert composed.parts[1].text == "The notice is six weeks [2]."
    assert composed.outcome is Outcome.PARTIAL


def test_sentences_belong_to_the_parts_in_the_order_asked() -> None:
    parts = [
        "Where are reimbursement requests made?",
        "How long does reimbursement take?",
        "From which amount is a receipt needed?",
    ]
    together = found(
        "all",
        "Requests are made in the portal [1]. Expect 7 days until you are reimbursed [2]. "
        "Receipts are needed above 25 dollars [3].",
        cited(1, "Reimbursement requests are made in the portal"),
        cited(2, "Expect 7 days for reimbursement requests"),
        cited(3, "Receipts above 25 dollars"),
    )

    assert [finding.text for finding in by_part(together, parts)] == [
        "Requests are made in the portal [1].",
        "Expect 7 days until you are reimbursed [2].",
        "Receipts are needed above 25 dollars [3].",
    ]


def test_a_part_without_a_sentence_of_its_own_was_not_covered() -> None:
    findings = by_part(WEEKS, [QUESTION, NOTICE])

    assert [finding.outcome for finding in findings] == [Outcome.ANSWERED, Outcome.NOT_COVERED]


def test_a_models_wording_is_taken_if_it_keeps_to_the_findings() -> None:
    composed = compose([WEEKS], "en")

    shorter = "You have 14 weeks of leave [1]."
    assert recomposed(composed.text, composed.citations, shorter) == shorter


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("You have 15 weeks of leave [1].", id="another number"),
        pytest.param("You have 14 weeks of leave.", id="no marker"),
        pytest.param("You have 14 weeks [1]. Enjoy!", id="an unmarked sentence"),
        pytest.param("You have 14 weeks [1][2].", id="an unknown marker"),
        pytest.param("", id="nothing"),
        pytest.param("You have 14 weeks [1]. Elephants swim [1].", id="another subject"),
    ],
)
def test_a_models_wording_that_adds_something_is_not_taken(text: str) -> None:
    composed = compose([WEEKS], "en")

    assert recomposed(composed.text, composed.citations, text) == composed.text


def test_places_are_named_once_a_document() -> None:
    places = [LookedAt("a.md", "A", ("X", "Y")), LookedAt("a.md", "A", ("Z",)),
              LookedAt("b.md", "B", ()), LookedAt("c.md", "C", ("c",))]  # fmt: skip

    assert places_named(places, 3) == ["A › Y", "B", "C"]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "7 Chinese documents were not searched for this English question."),
        ("zh", "有 7 份英文文档没有用这个中文问题检索。"),
    ],
)
def test_what_another_language_hid_is_said(language: str, line: str) -> None:
    assert other_language(7, language) == line


def test_one_sentence_that_answers_all_parts_is_said_once() -> None:
    both = "Leave is 14 weeks, the notice six [1]."
    parts = [found(each, both, cited(1, "14 weeks of leave")) for each in (QUESTION, NOTICE)]

    composed = compose(parts, "en")

    assert composed.text == both
    assert [part.question for part in composed.parts] == [QUESTION, NOTICE]
