"""Figures that contradict each other are told; what only looks like it is left alone."""

import pytest

from agent.domain import DocId
from agent.map.contradicting import Stretch, contradictions


def found(one: str, other: str, *, titles: tuple[str, str] = ("Handbook", "Leave FAQ")) -> int:
    stretches = [
        Stretch(DocId(name), title, ("Rules",), text)
        for name, title, text in zip("ab", titles, (one, other), strict=True)
    ]
    return len(contradictions(stretches))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Everybody has 28 days of annual leave.", "Employees get 25 days of annual leave."),
        ("Parental leave is 16 weeks.", "We offer parental leave of 18 weeks."),
        (
            "The hotel budget is up to 150 EUR per night.",
            "Hotel budget: at most 120 EUR per night.",
        ),
        (
            "Expense reports must be submitted within 30 days.",
            "Submit expense reports within 14 days.",
        ),
        (
            "The travel policy takes effect on 1 May 2026.",
            "Travel policy in effect on 1 July 2026.",
        ),
        ("员工每年享有15天带薪年假。", "带薪年假为每年10天。"),
        ("出差住宿费标准为每晚500元。", "出差的住宿费标准是每晚400元。"),
    ],
)
def test_two_figures_for_one_thing(one: str, other: str) -> None:
    assert found(one, other) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            "Everybody has 28 days of annual leave.",
            "Everybody has 28 days of annual leave.",
            id="the same figure",
        ),
        pytest.param(
            "Everybody has 28 days of annual leave.",
            "Five days of annual leave can be carried over.",
            id="another subject",
        ),
        pytest.param(
            "Annual leave in Berlin is 30 days.",
            "Annual leave in Paris is 25 days.",
            id="two places",
        ),
        pytest.param(
            "Annual leave is at least 20 days.", "Annual leave is at most 30 days.", id="two limits"
        ),
        pytest.param("Annual leave is 28 days.", "Annual leave takes 4 weeks.", id="two units"),
        pytest.param(
            "Annual leave is 28 days.", "Annual leave is not 30 days.", id="one is denied"
        ),
        pytest.param("See chapter 3 for leave.", "See chapter 4 for leave.", id="bare numbers"),
        pytest.param(
            "A severity S1 outage is answered within 15 minutes.",
            "A severity S2 outage is answered within 60 minutes.",
            id="two identifiers",
        ),
        pytest.param(
            "Last updated: 3 May 2025", "Last updated: 4 June 2024", id="dates of the documents"
        ),
        pytest.param(
            "Annual leave for managers is 30 days.", "Annual leave is 25 days.", id="a special case"
        ),
        pytest.param("北京的住宿费标准为500元。", "上海的住宿费标准为450元。", id="两个城市"),
    ],
)
def test_no_contradiction(one: str, other: str) -> None:
    assert found(one, other) == 0


def test_parallel_documents_speak_of_their_own_case() -> None:
    titles = ("Benefits in Germany", "Benefits in France")

    assert found("Annual leave is 30 days.", "Annual leave is 25 days.", titles=titles) == 0


def test_a_form_that_many_fill_in_is_no_contradiction() -> None:
    stretches = [
        Stretch(DocId(str(n)), f"Order {n}", (), f"The delivery invoice came after {n} days.")
        for n in range(2, 9)
    ]

    assert contradictions(stretches) == []


def test_one_document_may_give_one_thing_several_figures() -> None:
    both = "The deposit fee is 50 EUR. The deposit fee is 80 EUR."

    assert found(both, "The deposit fee is 60 EUR.") == 0


def under(heading: str) -> int:
    stretches = [
        Stretch(DocId(name), title, (heading,), f"Employees get {days} days of vacation a year.")
        for name, title, days in (("a", "Staff questions", 25), ("b", "HR rules", 30))
    ]
    return len(contradictions(stretches))


def test_one_word_is_a_subject_under_a_heading_that_names_it() -> None:
    assert under("Vacation") == 1
    assert under("Rules") == 0
