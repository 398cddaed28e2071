"""Sums in an answer: right ones from known operands make their result known, others nothing."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.citations import check
from agent.citations.computing import computed, counted
from tests.pages import page, said, shown

SOURCES = (
    "You have 30 days from your start date to enroll.",
    "Internet: $50 a month, for 12 months.",
    "CNCF 成立于 2015 年 7 月 21 日。",
    "i started nov 9",
    "2026-11-30",
)


@pytest.mark.parametrize(
    ("answer", "results"),
    [
        ("9 November + 30 days = 9 December", ("9 December",)),
        ("Nov 9 + 30 days = Dec 9, and Nov 30 to Dec 9 = 9 days", ("Dec 9", "9 days")),
        ("12 × $50 = $600", ("$600",)),
        ("2026-11-30 − 30 days = 2026-10-31", ("2026-10-31",)),
        ("2026 − 2015 = 11 年", ("11 年",)),
        ("52 × $50 = $2,600", ("$2,600",)),
        ("从 2015 年 7 月 21 日到 2026 年 11 月 30 日是 11 年", ("11 年",)),
    ],
)
def test_a_right_sum_of_known_operands_makes_its_result_known(
    answer: str, results: tuple[str, ...]
) -> None:
    assert computed(answer, SOURCES) == results


@pytest.mark.parametrize(
    "answer",
    [
        "9 November + 30 days = 10 December",
        "12 × $50 = $650",
        "12 × $75 = $900",
        "2026 − 2015 = 12 年",
        "30 days + 12 = 42 months",
        "2026-11-30 to 2027-01-15 = 46 days",
        "30 days",
        "12 / 0 = 12",
    ],
)
def test_a_wrong_sum_or_a_foreign_operand_makes_nothing_known(answer: str) -> None:
    assert computed(answer, SOURCES) == ()


ENROLL = "New hires have 30 days from their start date to enroll."
ASKED = "I started on 9 November. Can I still enroll?"


def test_a_value_worked_out_before_the_reader_is_said() -> None:
    answer = "Yes: 9 November + 30 days = 9 December [1]. That leaves time until 9 December [1]."

    checked = check(said(answer, ENROLL), shown(page(ENROLL)), ASKED, ("2026-11-30",))

    assert (checked.text, checked.problems) == (answer, ())


def test_a_value_that_was_not_worked_out_is_not_said() -> None:
    answer = "You can enroll until 9 December [1]."

    assert check(said(answer, ENROLL), shown(page(ENROLL)), ASKED).dropped


@pytest.mark.parametrize(
    ("answer", "counts"),
    [
        ("There are three policies: Always [1], OnFailure [2] and Never [3].", ("three",)),
        ("QoS 等级分为三类：Guaranteed [1]、Burstable [2]、BestEffort [3]。更多 [4]", ("三类",)),
        ("There are 4 policies: Always [1], OnFailure [2].", ()),
        ("Parents get 3 weeks: for twins [1], for triplets [2], for four [3].", ()),
        ("There are three policies [1][2][3].", ()),
        ("今天是 2026-11-30：还有 2 天 [1]。", ()),
    ],
)
def test_a_count_of_what_is_listed_with_footnotes_is_known(
    answer: str, counts: tuple[str, ...]
) -> None:
    assert counted(answer) == counts


def test_a_counted_list_is_said() -> None:
    answer = "There are two leaves: parental leave [1] and sick leave [2]."
    pages = shown(page("Parental leave is paid."), page("Sick leave is paid.", "Sick"))

    checked = check(said(answer, "Parental leave is paid.", "Sick leave is paid."), pages, ASKED)

    assert (checked.text, checked.problems) == (answer, ())


_PIECES = st.sampled_from(
    [
        "2026-11-30",
        "9 May",
        "3 weeks",
        "$50",
        "½",
        "1.5 million",
        "14:00",
        "百分之五",
        "S2",
        "0",
        "12/0",
        "−",
        "+",
        "×",
        "/",
        "=",
        "is",
        "to",
        "到",
        "：",
        ":",
        "[1]",
        "。",
        " ",
        "三种",
        "1e400",
        "10000000000 years",
        "0.5 months",
    ]
)


@given(st.lists(_PIECES, max_size=12))
def test_no_answer_breaks_the_check(pieces: list[str]) -> None:
    answer = unicodedata.normalize("NFKC", " ".join(pieces))

    assert all(written in answer for written in (*computed(answer, [answer]), *counted(answer)))
