"""The citation check: what a core says comes out verified, or it does not come out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.citations import check, quotes_only, verify
from agent.domain import Quote
from agent.text.folding import find
from tests.pages import QUESTION, cited, page, said, shown

LEAVE = (
    "Parents receive 14 weeks of parental leave at full pay. "
    "It can be split into two parts, except in the first year. "
    "Apply six weeks ahead."
)
PAGES = shown(page(LEAVE), page("Part-time staff get the same.", "Part-time addendum"))
WEEKS = "14 weeks of parental leave"


def test_a_sentence_that_rests_on_its_quote_is_said() -> None:
    checked = check(said("Parents get 14 weeks at full pay [1].", WEEKS), PAGES, QUESTION)

    assert checked.text == "Parents get 14 weeks at full pay [1]."
    assert [(each.number, each.quote) for each in checked.citations] == [
        (1, "Parents receive 14 weeks of parental leave at full pay.")
    ]
    assert (checked.problems, checked.dropped) == ((), False)


def test_verified_quotes_are_kept_in_the_sources_words() -> None:
    checked = check(said("x [1].", "parental LEAVE at full pay", "invented"), PAGES, QUESTION)

    assert checked.kept == (
        Quote("D1.1", "Parents receive 14 weeks of parental leave at full pay."),
    )


def test_an_invented_quote_is_a_problem_and_takes_its_sentence_along() -> None:
    checked = check(said("Parents get 16 weeks [1].", "16 weeks of leave"), PAGES, QUESTION)

    assert (checked.text, checked.citations, checked.dropped) == ("", (), True)
    assert any("16 weeks of leave" in problem for problem in checked.problems)


@pytest.mark.parametrize(
    ("answer", "foreign"),
    [
        ("Parents get 16 weeks [1].", "16 weeks"),
        ("Parents get 14 days of leave [1].", "14 days"),
        ("Parents get 14 weeks of leave from 3 May [1].", "3 May"),
        ("Parents get 14 weeks of leave, says HR-7 [1].", "HR-7"),
        ("Parents get 14 weeks of leave, ask leave@x.example [1].", "leave@x.example"),
    ],
)
def test_a_value_no_quote_states_takes_its_sentence_along(answer: str, foreign: str) -> None:
    checked = check(said(answer, WEEKS), PAGES, QUESTION)

    assert (checked.text, checked.dropped) == ("", True)
    assert any(foreign in problem for problem in checked.problems)


def test_the_rest_of_an_answer_stays_when_a_sentence_fails() -> None:
    answer = "Parents get 14 weeks of leave [1]. They get 99 euros [1]."

    checked = check(said(answer, WEEKS), PAGES, QUESTION)

    assert checked.text == "Parents get 14 weeks of leave [1]."
    assert len(checked.problems) == 1


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        pytest.param("For 3 children it is 14 weeks of leave [1].", "3 children?", id="question"),
        pytest.param("Severity S2 is leave [1].", QUESTION, id="heading"),
        pytest.param("The leave page of 2026 [1].", QUESTION, id="path"),
    ],
)
def test_values_may_stand_in_question_heading_and_path(answer: str, source: str) -> None:
    pages = shown(page(LEAVE, heading="S2", doc="hr/2026/leave.md"))

    assert check(said(answer, WEEKS), pages, source).problems == ()


def test_further_facts_may_be_given() -> None:
    decision = said("As of 2026-11-30 it is 14 weeks of leave [1].", WEEKS)

    assert check(decision, PAGES, QUESTION).dropped
    assert not check(decision, PAGES, QUESTION, facts=("2026-11-30",)).dropped


def test_a_value_of_another_quote_brings_its_footnote() -> None:
    decision = said(
        "Parents get 14 weeks, asked for six weeks ahead [2].", WEEKS, "Apply six weeks"
    )

    checked = check(decision, PAGES, QUESTION)

    assert checked.text == "Parents get 14 weeks, asked for six weeks ahead [1][2]."
    assert [each.quote for each in checked.citations] == [
        "Apply six weeks ahead.",
        "Parents receive 14 weeks of parental leave at full pay.",
    ]


def test_a_sentence_without_a_marker_is_replaced_by_the_quote() -> None:
    checked = check(said("You have a good while.", WEEKS), PAGES, QUESTION)

    assert checked.text == "“Parents receive 14 weeks of parental leave at full pay.” [1]"


def test_a_sentence_that_has_nothing_to_do_with_its_quote_is_replaced_by_it() -> None:
    checked = check(said("Bananas are yellow [1].", WEEKS), PAGES, QUESTION)

    assert checked.text == "“Parents receive 14 weeks of parental leave at full pay.” [1]"


def test_a_quote_is_said_once_only() -> None:
    answer = "Parents get 14 weeks of leave [1]. Have fun! Enjoy it."

    assert check(said(answer, WEEKS), PAGES, QUESTION).text == "Parents get 14 weeks of leave [1]."


def test_the_sources_own_words_only_lack_their_marker() -> None:
    answer = "Apply six weeks ahead. Parents get 14 weeks of leave [1]."

    checked = check(said(answer, WEEKS, "Apply six weeks"), PAGES, QUESTION)

    assert checked.text == "Apply six weeks ahead. [1] Parents get 14 weeks of leave [2]."


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        pytest.param("Parents get 14 weeks of leave. [1]", "Parents get 14 weeks of leave. [1]",
                     id="behind the full stop"),
        pytest.param("Yes. Parents get leave [1].", "Yes. Parents get leave [1].", id="yes"),
        pytest.param("It is:\n- 14 weeks of leave [1]\n- six weeks to apply ahead [2]",
                     "It is:\n- 14 weeks of leave [1]\n- six weeks to apply ahead [2]", id="list"),
        pytest.param("Leave is 14 weeks [1]; apply six weeks ahead [2].",
                     "Leave is 14 weeks [1]; apply six weeks ahead [2].", id="two in a sentence"),
        pytest.param("Leave is 14 weeks, apply ahead [1, 2].",
                     "Leave is 14 weeks, apply ahead [1][2].", id="two in one bracket"),
        pytest.param("Leave is 14 weeks [1][7].", "Leave is 14 weeks [1].", id="unknown number"),
        pytest.param("Leave is 14 weeks 【1】.", "Leave is 14 weeks [1].", id="other brackets"),
    ],
)  # fmt: skip
def test_markers_are_taken_where_people_put_them(answer: str, text: str) -> None:
    assert check(said(answer, WEEKS, "Apply six weeks"), PAGES, QUESTION).text == text


def test_footnotes_are_numbered_as_they_are_first_seen() -> None:
    answer = "Apply six weeks ahead of leave [2]. Leave is 14 weeks [1]."

    checked = check(said(answer, WEEKS, "Apply six weeks"), PAGES, QUESTION)

    assert checked.text == "Apply six weeks ahead of leave [1]. Leave is 14 weeks [2]."
    assert [each.number for each in checked.citations] == [1, 2]
    assert checked.citations[0].quote == "Apply six weeks ahead."


def test_quotes_of_one_sentence_share_a_footnote() -> None:
    answer = "Leave is 14 weeks [1] at full pay [2]."

    checked = check(said(answer, WEEKS, "at full pay"), PAGES, QUESTION)

    assert checked.text == "Leave is 14 weeks [1] at full pay [1]."
    assert len(checked.citations) == 1


def test_quotes_that_are_not_cited_make_no_footnote() -> None:
    checked = check(said("Leave is 14 weeks [1].", WEEKS, "Apply six weeks"), PAGES, QUESTION)

    assert len(checked.citations) == 1
    assert len(checked.kept) == 2


def test_an_answer_without_words_of_its_own_consists_of_quotes() -> None:
    checked = check(said("", WEEKS, ("D2.1", "the same")), PAGES, QUESTION)

    assert checked.text == (
        "“Parents receive 14 weeks of parental leave at full pay.” [1]\n"
        "“Part-time staff get the same.” [2]"
    )


def test_the_parts_of_an_ellipsis_are_footnotes_of_their_own() -> None:
    checked = check(said("", "14 weeks … six weeks ahead"), PAGES, QUESTION)

    assert [each.quote for each in checked.citations] == [
        "Parents receive 14 weeks of parental leave at full pay.",
        "Apply six weeks ahead.",
    ]


def test_plain_quotes_are_put_in_quote_marks() -> None:
    quote = "Parents receive 14 weeks of parental leave at full pay."

    checked = check(
        said(f"{quote} [1]\nApply six weeks ahead. [2]", quote, "Apply six"), PAGES, "?"
    )

    assert checked.text == f"“{quote}” [1]\n“Apply six weeks ahead.” [2]"


def test_a_quoted_row_is_shown_with_its_columns() -> None:
    pages = shown(page("| Plan | Weeks\n| Basic | 14"))

    checked = check(said("Basic | 14 [1]", "Basic | 14"), pages, "Weeks of Basic?")

    assert checked.text == "“Basic | 14” (columns: Plan | Weeks) [1]"


def test_an_exception_left_out_of_the_quote_is_a_problem() -> None:
    decision = said("You can split it into two parts [1].", "It can be split into two parts")

    checked = check(decision, PAGES, QUESTION)

    whole = "“It can be split into two parts, except in the first year.”"
    assert any(whole in problem for problem in checked.problems)
    assert checked.text == f"{whole} [1]"


def test_an_exception_that_the_answer_names_is_none() -> None:
    answer = "It can be split into two parts, but not in the first year [1]."

    checked = check(said(answer, "It can be split into two parts"), PAGES, QUESTION)

    assert (checked.text, checked.problems) == (answer, ())


def test_quotes_as_they_stand_cannot_leave_out_anything() -> None:
    quote = "It can be split into two parts"

    checked = check(said(f"{quote} [1]", quote), PAGES, QUESTION)

    assert checked.problems == ()
    assert checked.text == "“It can be split into two parts, except in the first year.” [1]"


def test_translated_words_are_marked_and_the_quote_stays_as_it_is() -> None:
    checked = check(said("育儿假为 14 周 [1]。", WEEKS), PAGES, "育儿假多久？")

    assert checked.text == "育儿假为 14 周（我的翻译）[1]。"
    assert checked.citations[0].quote == "Parents receive 14 weeks of parental leave at full pay."


def test_a_translation_may_not_change_a_number() -> None:
    assert check(said("育儿假为 15 周 [1]。", WEEKS), PAGES, "育儿假多久？").dropped


def test_chinese_answers_are_checked_alike() -> None:
    pages = shown(page("年假为十五天，须提前两周申请。"))
    answer = "年假有 15 天 [1]。需提前 2 周申请 [1]；最多结转 5 天 [1]。"

    checked = check(said(answer, "年假为十五天"), pages, "年假多少天？")

    assert checked.text == "年假有 15 天 [1]。需提前 2 周申请 [1]；"
    assert "5 天" in checked.problems[0]


def test_an_answer_without_quotes_is_no_answer() -> None:
    checked = check(said("Parents get 14 weeks [1]."), PAGES, QUESTION)

    assert (checked.text, checked.citations, checked.dropped) == ("", (), True)


def test_control_characters_cannot_forge_a_footnote() -> None:
    checked = check(said("Leave is 14 weeks [1]. \x020\x03 Bananas.", WEEKS), PAGES, QUESTION)

    assert checked.text == "Leave is 14 weeks [1]."


def test_verified_quotes_make_a_plain_list() -> None:
    citations = verify((Quote("D1.1", WEEKS), Quote("D1.1", "no"), Quote("D2.1", "same")), PAGES)

    assert quotes_only(citations) == (
        "“Parents receive 14 weeks of parental leave at full pay.” [1]\n"
        "“Part-time staff get the same.” [2]"
    )


def test_a_single_quote_is_no_list() -> None:
    assert quotes_only([cited(1, "Ask HR.")]) == "“Ask HR.” [1]"


_PIECES = st.sampled_from(
    ["Leave is 14 weeks", "Apply", "99", "[1]", "[2]", "[9]", ". ", "! ", "\n", "- ", ": ", "“",
     "”", "not", "Yes.", "年假", "。", "；", LEAVE]
)  # fmt: skip


@given(
    st.lists(_PIECES, max_size=10), st.lists(st.sampled_from([WEEKS, "Apply", "no"]), max_size=3)
)
def test_whatever_is_said_every_footnote_stands_in_its_source(
    pieces: list[str], quotes: list[str]
) -> None:
    checked = check(said(" ".join(pieces), *quotes), PAGES, QUESTION)

    assert all(LEAVE[each.start : each.end] == each.quote for each in checked.citations)
    assert [each.number for each in checked.citations] == list(range(1, len(checked.citations) + 1))
    assert all(f"[{each.number}]" in checked.text for each in checked.citations)
    assert "99" not in checked.text
    assert bool(checked.text) == bool(checked.citations) == (not checked.dropped)


@given(st.text(max_size=40))
def test_a_lone_quote_is_said_word_for_word(text: str) -> None:
    checked = check(said("", text), shown(page(LEAVE)), QUESTION)

    for citation in checked.citations:
        assert find(citation.quote, checked.text) is not None


def test_a_translation_is_marked_once_whoever_marks_it() -> None:
    answer = "产假为 14 周（我的翻译）[1]。"

    checked = check(said(answer, WEEKS), PAGES, "育儿假多久？")

    assert checked.text == answer


def test_a_chinese_sentence_full_of_names_is_no_translation_of_a_chinese_quote() -> None:
    rows = "kubernetes.io/ssh-auth 用于保存 SSH 密钥。"
    answer = "还有 kubernetes.io/ssh-auth 和 ssh auth key 一类 [1]。"

    checked = check(said(answer, rows), shown(page(rows)), "有哪些类型？")

    assert "translation" not in checked.text
    assert "翻译" not in checked.text


def test_what_is_subject_to_a_list_is_not_denied() -> None:
    items = "Private data is subject to the following rules:\n- Screens lock after five minutes."
    pages = shown(page(items))

    checked = check(said("Screens lock after 5 minutes [1].", "Screens lock"), pages, QUESTION)

    assert (checked.text, checked.problems) == ("Screens lock after 5 minutes [1].", ())


OPTIONS = (
    "For teammates who joined us in 2019 or earlier:\n"
    "- NSOs: ten years to exercise.\n"
    "- ISOs: three months to exercise."
)


def test_a_number_of_the_line_above_a_list_item_is_cited_too() -> None:
    answer = "Whoever joined in 2019 or earlier has three months for ISOs [1]."

    checked = check(said(answer, "ISOs: three months"), shown(page(OPTIONS)), QUESTION)

    assert [each.quote for each in checked.citations] == [
        "ISOs: three months to exercise.",
        "For teammates who joined us in 2019 or earlier:",
    ]
    assert checked.text == answer.replace("[1]", "[1][2]")


def test_a_line_above_whose_number_nobody_uses_is_not_cited() -> None:
    answer = "There are three months for ISOs [1]."

    checked = check(said(answer, "ISOs: three months"), shown(page(OPTIONS)), QUESTION)

    assert [each.quote for each in checked.citations] == ["ISOs: three months to exercise."]
